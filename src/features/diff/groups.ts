/** The answer: what is stored, folded so that each thing is one line. Pure. */
import type { Between } from '../../desk/diff.ts';
import { mostSevereFirst, type Severity } from '../../policy/severity.ts';
import type { Source } from '../../records/define.ts';
import type { DiffChange, DiffEvent, DiffFacts, DiffGroupId } from '../../records/diff.ts';
import { DIFF_GROUPS } from '../../records/diff.ts';
import { shortTime } from '../../records/diff-words.ts';
import { FEWEST_DAYS } from '../../records/site-probe.ts';
import { uptimeText } from '../../records/vitals-words.ts';
import type { FactChange } from './compare.ts';
import { accountOfKey, comparedKey, type Fact, type Kind } from './facts.ts';
import type { Counted, Look } from './saved.ts';

/** Changes of a group that are listed. */
const MOST_LISTED = 200;
/** Named in one text. */
const MOST_UNSEEN = 5;
/** Looks are this far apart at most while the desk runs. */
const BETWEEN_LOOKS_MS = 120_000;
const DAY_MS = 86_400_000;

type Change = Source<DiffChange>;
type Group = DiffFacts['groups'][number];

/** What happened to a finding, oldest first. */
export interface Turns {
  readonly id: string;
  readonly title: string;
  readonly check: string;
  readonly severity: Severity;
  readonly turns: readonly { readonly atMs: number; readonly opened: boolean }[];
}

export interface DiffRows {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Times as the record writes them. */
  readonly shown: (ms: number) => string;
  /** Null: they could not be read, here and below. */
  readonly findings: readonly Turns[] | null;
  /** Findings of the store may be gone: why; "" where they are not. */
  readonly findingsGone: string;
  readonly firstFindingMs: number | null;
  /** Those that may have happened in this time, oldest first. */
  readonly changes: readonly FactChange[] | null;
  /** What could not be seen all this time. */
  readonly unseen: readonly Pick<Fact, 'key' | 'name' | 'detail'>[] | null;
  readonly counts: ReadonlyMap<string, Counted> | null;
  readonly looks: ReadonlyMap<string, Look> | null;
  /** Kinds that were looked at since this process started. */
  readonly looked: ReadonlySet<string>;
  /** Why a kind is not compared now, or not as a whole. */
  readonly troubles: ReadonlyMap<string, string>;
  readonly pauses: {
    readonly firstMs: number | null;
    readonly pauses: readonly { readonly fromMs: number; readonly toMs: number }[];
  } | null;
  readonly certificates: readonly { readonly name: string; readonly endsMs: number | null }[];
  readonly bootedMs: number | null;
}

const KINDS_OF: Readonly<Record<DiffGroupId, readonly Kind[]>> = {
  findings: ['severity'],
  startup: ['startup'],
  accounts: ['account', 'group'],
  listeners: ['listener'],
  programs: ['program'],
  packages: ['package'],
  certificates: [],
  blind: ['blind'],
};

/** What comes and goes between two looks is not seen while the desk does not run. */
const PASSING: readonly DiffGroupId[] = ['findings', 'listeners', 'programs'];
const UNREADABLE = 'the store could not be read';

export function diffOf(rows: DiffRows): Between {
  const groups = DIFF_GROUPS.map((id) => groupOf(id, rows));
  const { sinceMs, untilMs, bootedMs, shown } = rows;
  const isBoot = bootedMs !== null && bootedMs > sinceMs && bootedMs <= untilMs;
  return {
    since: shown(sinceMs),
    until: shown(untilMs),
    booted: isBoot ? shown(bootedMs) : null,
    happened: groups.reduce((sum, { changes, leftOut }) => sum + changes.length + leftOut, 0),
    groups,
    readable: groups.every(({ gaps }) => !gaps.includes(UNREADABLE)),
  };
}

function groupOf(id: DiffGroupId, rows: DiffRows): Group {
  const { counts, shown, sinceMs } = rows;
  const kinds = KINDS_OF[id];
  const changes = (rows.changes ?? []).filter(({ kind }) => kinds.includes(kind));
  // What a package vouched for, and vouches for no more, has changed.
  const unvouched = new Set(changes.filter(({ packaged }) => !packaged).map(subjectOf));
  const all = folded(
    id,
    changes.filter((one) => unvouched.has(subjectOf(one))),
    rows,
  );
  const found = id === 'findings' ? findingChanges(rows) : [];
  // A service that was started again, and what was found and learned or explained at once.
  const brief = [
    ...(id === 'listeners'
      ? all.filter(({ event, before, after }) => event === 'back' && before === after)
      : []),
    ...found.filter(({ event, severity }) => event === 'passed' && severity === 'low'),
  ];
  const listed = [
    ...[...all, ...found].filter((one) => !brief.includes(one)),
    ...(id === 'certificates' ? certificateChanges(rows) : []),
    ...(id === 'blind' ? pauseChanges(rows) : []),
  ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const ordered = id === 'findings' ? severeFirst(listed) : listed;
  const of = (pick: (one: Counted) => number): number =>
    kinds.reduce((sum, kind) => sum + (counts?.has(kind) ? pick(counts.get(kind) as Counted) : 0), 0);
  const knownMs = knownSince(id, rows);
  const gaps = gapsOf(id, rows);
  return {
    id,
    knownSince: knownMs === null ? null : shown(knownMs),
    whole: knownMs !== null && knownMs <= sinceMs && gaps.length === 0,
    changes: ordered.slice(0, MOST_LISTED),
    leftOut: Math.max(0, ordered.length - MOST_LISTED) + of(({ leftOut }) => leftOut),
    packaged: new Set(changes.map(subjectOf).filter((subject) => !unvouched.has(subject))).size,
    shortLived: brief.length + of(({ shortLived }) => shortLived),
    gaps,
  };
}

const severeFirst = (changes: readonly Change[]): readonly Change[] => [
  ...mostSevereFirst(changes.filter(hasSeverity)),
  ...changes.filter((one) => !hasSeverity(one)),
];
const hasSeverity = (one: Change): one is Change & { readonly severity: Severity } => one.severity !== null;

/** A file of startup places, or an account, is one thing, whatever of it has changed. */
const subjectOf = ({ kind, key, name }: FactChange): string =>
  `${kind} ${kind === 'startup' ? name : kind === 'account' ? accountOfKey(key) : key}`;

/** Changes of one thing are one, of what it was at first to what it is at last. */
function folded(id: DiffGroupId, changes: readonly FactChange[], { shown, sinceMs }: DiffRows): Change[] {
  const subjects = new Map<string, FactChange[]>();
  for (const one of changes) {
    const subject = subjectOf(one);
    const same = subjects.get(subject) ?? [];
    same.push(one);
    subjects.set(subject, same);
  }
  return [...subjects.values()].map((same) => {
    const last = same.at(-1) as FactChange;
    const net = netOf(same);
    const { before, after } = net;
    const event = eventOf(id, net);
    const others = id === 'listeners' && event === 'back' ? programsBetween(same, before) : [];
    const isLate = last.atMs - last.fromMs > BETWEEN_LOOKS_MS;
    return {
      event,
      at: shown(last.atMs),
      from: isLate ? shown(Math.max(last.fromMs, sinceMs)) : null,
      name: last.name,
      before: before ?? '',
      after: others.length === 0 ? (after ?? '') : `${after}, in between ${others.join(', ')}`,
      severity: id === 'findings' ? (after as Severity) : null,
      finding: id === 'findings' ? last.key : '',
      times: id === 'accounts' ? net.times : same.length,
    };
  });
}

const programsBetween = (same: readonly FactChange[], before: string | null): readonly string[] => [
  ...new Set(same.flatMap(({ after }) => (after === null || after === before ? [] : [after]))),
];

/** Of one thing, what it was and what it is; `isBack`: each part of it is as it was. `times`: of the part that changed most often. */
interface Net {
  readonly before: string | null;
  readonly after: string | null;
  readonly isBack: boolean;
  readonly times: number;
}

/** Parts of a startup file or an account that changed, went or came in this time; of everything else before and after. */
function netOf(same: readonly FactChange[]): Net {
  const keys = new Map<string, { before: string | null; after: string | null; times: number }>();
  for (const { key, before, after } of same) {
    const known = keys.get(key);
    if (known === undefined) keys.set(key, { before, after, times: 1 });
    else Object.assign(known, { after, times: known.times + 1 });
  }
  const parts = [...keys.values()];
  const texts = (pick: 'before' | 'after'): string | null => {
    const all = parts.flatMap((one) => one[pick] ?? []);
    return all.length === 0 ? null : [...new Set(all)].filter((text) => text !== '').join('; ');
  };
  // Two parts may have the same text, as two contents of one script.
  const isBack = parts.every(({ before, after }) => before === after);
  const times = Math.max(...parts.map((one) => one.times));
  return { before: texts('before'), after: texts('after'), isBack, times };
}

function eventOf(id: DiffGroupId, { before, after, isBack }: Net): DiffEvent {
  if (id === 'findings') return 'severity';
  if (before === null && after === null) return 'briefly';
  if (isBack) return 'back';
  if (id === 'blind') return after === null ? 'seen' : 'unseen';
  return before === null ? 'added' : after === null ? 'removed' : 'changed';
}

function findingChanges({ findings, shown }: DiffRows): Change[] {
  return (findings ?? []).flatMap(({ id, title, severity, turns }): Change[] => {
    const [first, last] = [turns[0], turns.at(-1)];
    if (first === undefined || last === undefined) return [];
    const event = last.opened ? 'opened' : first.opened ? 'passed' : 'resolved';
    const rest = { from: null, before: '', after: '', severity, finding: id };
    return [{ event, at: shown(last.atMs), name: title, times: turns.length, ...rest }];
  });
}

function certificateChanges({ certificates, untilMs, shown }: DiffRows): Change[] {
  return certificates.flatMap(({ name, endsMs }): Change[] => {
    if (endsMs === null || endsMs - untilMs > FEWEST_DAYS * DAY_MS) return [];
    const days = Math.floor((endsMs - untilMs) / DAY_MS);
    const left = days < 0 ? 'has ended' : `${days} ${days === 1 ? 'day' : 'days'} left`;
    const rest = { from: null, before: '', severity: null, finding: '', times: 1 };
    return [{ event: 'ends', at: shown(endsMs), name, after: left, ...rest }];
  });
}

function pauseChanges({ pauses, shown }: DiffRows): Change[] {
  return (pauses?.pauses ?? []).map(({ fromMs, toMs }) => ({
    ...{ event: 'off', at: shown(toMs), from: shown(fromMs), name: 'the desk, or the machine', before: '' },
    ...{
      after: uptimeText((toMs - fromMs) / 1000),
      severity: null,
      finding: '',
      times: 1,
    },
  }));
}

/** `not seen all this time: check hidden-port, check packet-socket and 3 more (desk query blind)`. */
function unseenText(names: readonly string[]): string {
  const all = [...new Set(names)];
  const more = all.length - MOST_UNSEEN;
  const named = all.slice(0, MOST_UNSEEN).join(', ');
  return `not seen all this time: ${named}${more > 0 ? ` and ${more} more` : ''} (desk query blind)`;
}

/** Null: nothing is known. */
function knownSince(id: DiffGroupId, rows: DiffRows): number | null {
  const { looks, firstFindingMs, pauses, sinceMs, untilMs } = rows;
  // Certificates are those of now.
  if (id === 'certificates') return sinceMs;
  const firsts = KINDS_OF[id].map((kind) => looks?.get(kind)?.firstMs ?? null);
  if (id === 'findings') return least([firstFindingMs, ...firsts]);
  if (id === 'blind') firsts.push(pauses?.firstMs ?? null);
  const known = firsts.flatMap((one) => one ?? []);
  return known.length < firsts.length || Math.max(...known) > untilMs ? null : Math.max(...known);
}

function least(times: readonly (number | null)[]): number | null {
  const known = times.flatMap((one) => one ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

function gapsOf(id: DiffGroupId, rows: DiffRows): string[] {
  const { changes, counts, looks, looked, findings, pauses, unseen, findingsGone, troubles, certificates } =
    rows;
  const kinds = KINDS_OF[id];
  const isUnread =
    (kinds.length > 0 && (changes === null || counts === null || looks === null)) ||
    (id === 'findings' && findings === null) ||
    (id === 'blind' && (pauses === null || unseen === null));
  // A kind may have been compared for a part of the time only, or not at all.
  const isOf = (key: string): boolean => kinds.some((kind) => key === comparedKey(kind));
  const earlier = (changes ?? []).flatMap(({ kind, key, before, after }) =>
    kind === 'blind' && isOf(key) ? [before ?? after ?? ''] : [],
  );
  const all = (unseen ?? []).flatMap(({ key, detail }) => (isOf(key) ? [detail] : []));
  const now = kinds.flatMap((kind) => troubles.get(kind) ?? []);
  const late = kinds.flatMap((kind) => {
    const lastMs = looks?.get(kind)?.lastMs;
    return looked.has(kind) || lastMs === undefined || lastMs >= rows.untilMs ? [] : [lastMs];
  });
  const off = PASSING.includes(id) && (pauses?.pauses.length ?? 0) > 0;
  return [
    ...(isUnread ? [UNREADABLE] : []),
    ...new Set([...now, ...earlier, ...all].filter((one) => one !== '')),
    ...(late.length > 0 ? [`not compared since ${shortTime(rows.shown(Math.min(...late)))}`] : []),
    ...(off ? ['what came and went while the desk did not run was not seen'] : []),
    ...(id === 'blind' && unseen !== null && unseen.length > 0
      ? [unseenText(unseen.map(({ name }) => name))]
      : []),
    ...(id === 'findings' && findingsGone !== '' ? [findingsGone] : []),
    ...(id === 'certificates'
      ? certificates.flatMap(({ name, endsMs }) =>
          endsMs === null ? [`the certificate of ${name} was not seen`] : [],
        )
      : []),
  ];
}
