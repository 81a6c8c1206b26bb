/** The record of a pass, with the entries that were asked for. */
import { concernOf, type StartupFact } from '../../checks/startup.ts';
import type { StartupScan } from '../../desk/startup.ts';
import { now } from '../../engine/now.ts';
import type { Finding } from '../../findings/finding.ts';
import { mostSevereFirst } from '../../policy/severity.ts';
import { startup as record, type StartupAnswer } from '../../records/startup.ts';

export interface StartupQuestion {
  /** What no package vouches for, or everything. */
  readonly show: 'unvouched' | 'all';
  readonly user?: string | undefined;
  /** The id of a place. */
  readonly place?: string | undefined;
  /** RFC 3339; of files that changed at or after it. */
  readonly since?: string | undefined;
}

/** Ids by path of the file. */
type Found = ReadonlyMap<string, readonly Finding[]>;

function foundIn(findings: readonly Finding[]): Found {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { check, subject } = finding;
    if (subject.kind !== 'file' || (check !== 'startup-entry' && check !== 'packaged-file')) continue;
    found.set(subject.path, [...(found.get(subject.path) ?? []), finding]);
  }
  return found;
}

/** A packaged file is judged as a whole, everything else entry by entry. */
const idsAbout = ({ path, key }: StartupFact, found: Found): string[] =>
  (found.get(path) ?? [])
    .filter(({ check, evidence }) => check === 'packaged-file' || evidence.entry === key)
    .map(({ id }) => id);

function shown(entry: StartupFact, found: Found) {
  const { place, voucher, changedMs, ...fact } = entry;
  const { kind, package: name, version, database, expected, configuration } = voucher;
  return {
    ...fact,
    place: place.id,
    title: place.title,
    severity: concernOf(entry) ?? 'low',
    techniques: place.techniques,
    vouched: kind,
    package: `${name} ${version}`.trim(),
    database,
    expected,
    configuration,
    changed: new Date(changedMs).toISOString(),
    findings: idsAbout(entry, found),
  };
}

/** `findings`: those that are open. */
export function answerOf(
  scan: StartupScan,
  { show, user, place, since }: StartupQuestion,
  findings: readonly Finding[],
): StartupAnswer {
  const { entries, unread, readMs, tookMs, ...rest } = scan;
  const found = foundIn(findings);
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const asked = entries.filter(
    (entry) =>
      (user === undefined || entry.user === user || entry.user === 'each user') &&
      (place === undefined || entry.place.id === place) &&
      entry.changedMs >= sinceMs,
  );
  const listed = show === 'all' ? asked : asked.filter((fact) => concernOf(fact) !== null);
  return record.assemble({
    ...rest,
    ts: now(),
    entries: mostSevereFirst(listed.map((entry) => shown(entry, found))),
    packaged: asked.length - listed.length,
    unread: unread
      .map(({ place: { id }, path, reason }) => ({ place: id, path, reason }))
      .filter((one) => place === undefined || one.place === place),
    read: new Date(readMs).toISOString(),
    tookMs: Math.round(tookMs),
  });
}
