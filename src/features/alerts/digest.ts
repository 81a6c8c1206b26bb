/** The daily digest: when it is due, and what it says. Pure: times are given. */
import { randomBytes } from 'node:crypto';
import { instantAt } from '../../engine/assemble.ts';
import { localTime } from '../../engine/time.ts';
import type { Diff, DiffGroup } from '../../records/diff.ts';
import {
  countsText,
  eventWord,
  GROUP_TITLES,
  shortTime,
  split,
  unknownOf,
} from '../../records/diff-words.ts';
import { type AlertMessage, messageOf } from './message.ts';
import { visible } from './plain-words.ts';

const DAY_MS = 86_400_000;
/** Local days whose digest was made that are remembered, so that a clock that is set back gives no second one. */
const MOST_DAYS = 100;
/** Changes of a group that are named; names are cut, so that several groups have room. */
const NAMED = 5;
const LONGEST_NAME = 120;
const LONGEST_GAP = 200;

export interface DigestSaved {
  /** Local days, YYYY-MM-DD, whose digest was made, or for which there was nothing to send; the newest last. */
  readonly days: readonly string[];
  /** Where the next one begins: up to when the last one went that was sent, ms since the epoch; null before the first day. */
  readonly coveredMs: number | null;
  /** Made, and not yet on its way. */
  readonly waiting: { readonly message: AlertMessage; readonly untilMs: number } | null;
}

export const NO_DIGEST: DigestSaved = { days: [], coveredMs: null, waiting: null };

/** The time that one covers, ms since the epoch. */
export interface DigestSpan {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** `YYYY-MM-DDTHH:MM:SS` as clocks on this machine show it. */
export const localTimeOf = (ms: number): string => localTime(instantAt(ms));
export const dayOf = (local: string): string => local.slice(0, 10);

/**
 * Once for each local day, when the clock shows the hour or later. So a clock that jumps over the hour or shows it twice, a restart, and a machine
 * that was off at the hour make no difference.
 */
export const digestDue = (days: readonly string[], at: string, local: string): boolean =>
  local.slice(11, 16) >= at && !days.includes(dayOf(local));

export const withDay = (days: readonly string[], day: string): readonly string[] =>
  [...days.filter((one) => one !== day), day].slice(-MOST_DAYS);

/** From the end of the last one; a day where there is none, or the clock was set back behind it. */
export const digestSince = (coveredMs: number | null, nowMs: number): number =>
  coveredMs === null || coveredMs >= nowMs ? nowMs - DAY_MS : coveredMs;

interface DigestFacts {
  readonly diff: Diff;
  readonly host: string;
  readonly atMs: number;
  /** Everything that is open when it is made, of any severity. */
  readonly open: number;
}

export function digestMessage({ diff, host, atMs, open }: DigestFacts): AlertMessage {
  return messageOf({
    ...{ id: randomBytes(8).toString('hex'), kind: 'digest', atMs, host, open },
    ...{ opened: [], resolved: [], worstOpen: null },
    headline: `digest: ${headlineOf(diff)}`,
    opening: textOf(diff, open),
  });
}

function headlineOf(diff: Diff): string {
  if (split(diff).shown.length === 0) return 'nothing has changed';
  if (diff.happened === 0)
    return diff.groups.every(({ whole }) => whole)
      ? 'nothing to list, only counts'
      : 'nothing seen, not all is known';
  return diff.groups
    .flatMap(({ id, changes, left_out: leftOut }) => {
      const count = changes.length + leftOut;
      return count === 0 ? [] : [`${GROUP_TITLES[id].toLowerCase()} ${count}`];
    })
    .join(', ');
}

function textOf({ since, until, booted, groups }: Diff, open: number): string {
  const unknown = groups.flatMap((group): string[] => {
    const why = unknownOf(group, since);
    return why === '' ? [] : [`${GROUP_TITLES[group.id].toLowerCase()}: ${cut(visible(why), LONGEST_GAP)}`];
  });
  const head = [
    `${shortTime(since)} to ${shortTime(until)}`,
    ...(booted === null ? [] : [`The machine started at ${shortTime(booted)}.`]),
    // It may wait for hours before it goes.
    open === 0 ? 'Nothing was open when this was made.' : `${open} open when this was made: desk findings`,
  ];
  // Changes come last: a long text loses its end.
  return [
    head.join('\n'),
    ...(unknown.length === 0 ? [] : [['Not all is known of', ...unknown].join('\n')]),
    ...groups.flatMap(groupText),
    'More: desk diff',
  ].join('\n\n');
}

/** What runs is left out, as in alerts: it leaves the machine. */
function groupText(group: DiffGroup): string[] {
  const { id, changes, left_out: leftOut } = group;
  const head = countsText(group);
  if (head === '') return [];
  const named = changes.slice(0, NAMED).map(({ event, name, severity, after }) => {
    const of = severity === null ? '' : `[${severity}] `;
    const more = id === 'certificates' || event === 'off' ? `, ${visible(after)}` : '';
    return `${eventWord(id, event)}: ${of}${cut(visible(name), LONGEST_NAME)}${more}`;
  });
  const more = changes.length - named.length + leftOut;
  return [[`${GROUP_TITLES[id]}: ${head}`, ...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')];
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);
