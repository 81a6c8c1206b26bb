/** The record of a pass: what of it was asked for. */
import { concernOf, type StartupFact } from '../../checks/startup.ts';
import type { StartupScan } from '../../desk/startup.ts';
import { now } from '../../engine/now.ts';
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

function shown({ place, voucher, changedMs, ...fact }: StartupFact) {
  const { kind, package: name, version, database, expected, configuration } = voucher;
  return {
    ...fact,
    place: place.id,
    title: place.title,
    severity: concernOf({ ...fact, place, voucher, changedMs }) ?? 'low',
    techniques: place.techniques,
    vouched: kind,
    package: `${name} ${version}`.trim(),
    database,
    expected,
    configuration,
    changed: new Date(changedMs).toISOString(),
  };
}

export function answerOf(scan: StartupScan, { show, user, place, since }: StartupQuestion): StartupAnswer {
  const { entries, unread, tookMs, ...rest } = scan;
  const sinceMs = since === undefined ? 0 : Date.parse(since);
  const asked = entries.filter(
    (entry) =>
      (user === undefined || entry.user === user) &&
      (place === undefined || entry.place.id === place) &&
      entry.changedMs >= sinceMs,
  );
  const listed = show === 'all' ? asked : asked.filter((fact) => concernOf(fact) !== null);
  return record.assemble({
    ...rest,
    ts: now(),
    entries: mostSevereFirst(listed.map(shown)),
    packaged: asked.length - listed.length,
    unread: unread.map(({ place: { id }, ...one }) => ({ ...one, place: id })),
    tookMs: Math.round(tookMs),
  });
}
