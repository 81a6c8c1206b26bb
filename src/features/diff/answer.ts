/** Reads what the answer about changes is made of. */
import type { Between } from '../../desk/diff.ts';
import type { FeatureHost } from '../../desk/feature.ts';
import { REMOTE } from '../../desk/remote.ts';
import { SITES } from '../../desk/sites-seen.ts';
import { instantAt } from '../../engine/assemble.ts';
import { offsetTime } from '../../engine/time.ts';
import { titleOf } from '../../records/about.ts';
import { HISTORY } from '../history/api.ts';
import type { FactChange } from './compare.ts';
import type { Facts } from './facts.ts';
import { type DiffRows, diffOf } from './groups.ts';
import type { SavedDiff } from './saved.ts';

/** Openings and closings that are read. */
const MOST_TURNS = 20_000;

export interface Asked {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly nowMs: number;
}

interface AnswerParts {
  readonly host: Pick<FeatureHost, 'find' | 'latest' | 'state'>;
  readonly saved: SavedDiff;
  readonly troubles: ReadonlyMap<string, string>;
  readonly looked: ReadonlySet<string>;
}

const shown = (ms: number): string => offsetTime(instantAt(ms));
const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** When the machine started, ms since the epoch; null while that is not read. */
export async function bootedMs(host: Pick<FeatureHost, 'latest' | 'state'>): Promise<number | null> {
  const { at, machine } = (host.latest() ?? (await host.state())).snapshot;
  return machine.uptimeSec === null ? null : at.epochMs - 1000 * machine.uptimeSec;
}

function certificatesOf(host: Pick<FeatureHost, 'find'>): DiffRows['certificates'] {
  const sites = host.find(SITES)?.known() ?? [];
  const identity = host.find(REMOTE)?.identity() ?? null;
  return [
    ...sites.flatMap(({ name, url, certificateEnds }) =>
      url.startsWith('https:')
        ? [{ name, endsMs: certificateEnds === null ? null : Date.parse(certificateEnds) }]
        : [],
    ),
    ...(identity === null ? [] : [{ name: 'the remote listener', endsMs: Date.parse(identity.ends) }]),
  ];
}

/** What is not seen now and was not before, and what was seen again only after `untilMs`. `since`: all changes up to now. Null: not read. */
function unseenAll(
  now: Facts | null,
  since: readonly FactChange[] | null,
  untilMs: number,
): DiffRows['unseen'] {
  if (now === null || since === null) return null;
  const first = new Map<string, FactChange>();
  for (const one of since) if (one.kind === 'blind' && !first.has(one.key)) first.set(one.key, one);
  const later = [...first.values()].flatMap(({ key, name, before, fromMs }) =>
    before !== null && fromMs >= untilMs ? [{ key, name, detail: before }] : [],
  );
  return [...[...now.values()].filter(({ key }) => !first.has(key)), ...later];
}

export async function answerFacts(
  { host, saved, troubles, looked }: AnswerParts,
  { sinceMs, untilMs, nowMs }: Asked,
): Promise<Between> {
  const history = host.find(HISTORY);
  const [sinceSec, untilSec] = [secondsOf(sinceMs), secondsOf(untilMs)];
  const turns = history?.turns(sinceSec, untilSec, MOST_TURNS) ?? null;
  const pauses = history?.pauses(sinceSec, untilSec) ?? null;
  const droppedSec = history?.droppedUntilSec() ?? null;
  const first = history?.firstEvent() ?? null;
  const many = (turns ?? []).reduce((sum, one) => sum + one.turns.length, 0) >= MOST_TURNS;
  const gone = droppedSec !== null && droppedSec >= sinceSec;
  const since = saved.changes(sinceMs, nowMs);
  return diffOf({
    ...{ sinceMs, untilMs, shown, troubles, looked },
    findings:
      turns === null
        ? null
        : turns.map(({ finding, turns: of }) => ({
            ...{ id: finding.id, check: finding.check, severity: finding.severity, title: titleOf(finding) },
            turns: of.map(({ at, opened }) => ({ atMs: Date.parse(at), opened })),
          })),
    findingsGone: many
      ? `only the first ${MOST_TURNS} openings and closings were read`
      : gone
        ? 'some closed findings are no longer stored'
        : '',
    firstFindingMs: first === null ? null : Date.parse(first),
    changes: since?.filter(({ fromMs }) => fromMs < untilMs) ?? null,
    unseen: unseenAll(saved.facts('blind'), since, untilMs),
    counts: saved.counts(sinceMs, untilMs),
    looks: saved.looks(),
    pauses:
      pauses === null
        ? null
        : {
            firstMs: pauses.firstSec === null ? null : pauses.firstSec * 1000,
            pauses: pauses.pauses.map(({ fromSec, toSec }) => ({
              fromMs: fromSec * 1000,
              toMs: Math.min(toSec * 1000, nowMs),
            })),
          },
    certificates: certificatesOf(host),
    bootedMs: await bootedMs(host),
  });
}
