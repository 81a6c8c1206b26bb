/** Words of the answer about changes, for command, page and digest. */
import type { Diff, DiffChange, DiffGroup } from './diff.ts';

export const GROUP_TITLES: Readonly<Record<DiffGroup['id'], string>> = {
  findings: 'Findings',
  startup: 'Startup places',
  accounts: 'Accounts and groups',
  listeners: 'Listeners',
  programs: 'Programs that ran for 5 minutes or longer',
  packages: 'Packages',
  certificates: 'Certificates',
  blind: 'What the desk could not see',
};

const EVENT_WORDS: Readonly<Record<DiffChange['event'], string>> = {
  added: 'added',
  removed: 'removed',
  changed: 'changed',
  briefly: 'came and went',
  back: 'as before again',
  opened: 'opened',
  resolved: 'resolved',
  passed: 'came and went',
  severity: 'new severity',
  ends: 'ends',
  off: 'did not run',
  unseen: 'not seen',
  seen: 'seen again',
};

/** What a group has other words for. */
const OWN_WORDS: Readonly<
  Partial<Record<DiffGroup['id'], Readonly<Partial<Record<DiffChange['event'], string>>>>>
> = {
  listeners: { added: 'opened', removed: 'closed', changed: 'new program' },
  programs: { added: 'new', changed: 'new file' },
  blind: { briefly: 'not seen for a time', back: 'seen for a time' },
  packages: { added: 'installed', changed: 'new version' },
};

export const eventWord = (group: DiffGroup['id'], event: DiffChange['event']): string =>
  OWN_WORDS[group]?.[event] ?? EVENT_WORDS[event];

/** `2 opened, 1 resolved`; "" without changes. */
function countsOf({
  id,
  changes,
  left_out: leftOut,
}: Pick<DiffGroup, 'id' | 'changes' | 'left_out'>): string {
  const counts = new Map<string, number>();
  for (const { event } of changes) {
    const word = eventWord(id, event);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .map(([word, count]) => `${count} ${word}`)
    .concat(leftOut === 0 ? [] : [`${leftOut} more`])
    .join(', ');
}

/** What is counted and not listed, as phrases. */
const countedOnly = ({ packaged, short_lived: shortLived }: DiffGroup): readonly string[] => [
  ...(packaged === 0 ? [] : [`${packaged} changed by packages`]),
  ...(shortLived === 0 ? [] : [`${shortLived} short-lived`]),
];

/** Everything that happened, counted; "" where nothing did. */
export const countsText = (group: DiffGroup): string =>
  [countsOf(group), ...countedOnly(group)].filter((one) => one !== '').join(', ');

/** Why a group without changes does not mean that nothing has changed; "" where it does. `since`: the time that was asked for. */
export function unknownOf({ known_since: known, gaps }: DiffGroup, since: string): string {
  const late = known === null || Date.parse(known) > Date.parse(since);
  const first = known === null ? 'nothing is recorded yet' : `known since ${shortTime(known)}`;
  return [...(late ? [first] : []), ...gaps].join('; ');
}

/** To the minute, as the record has it. */
export const shortTime = (time: string): string => time.slice(0, 16).replace('T', ' ');

/** Before and after in one text; "" where the name says it all. */
export function detailOf({ before, after }: Pick<DiffChange, 'before' | 'after'>): string {
  if (before === '' || after === '') return before || after;
  return before === after ? after : `${before} → ${after}`;
}

/** The groups that have something to show, and those in which nothing happened although everything is known. */
export function split({ groups }: Pick<Diff, 'groups'>): {
  readonly shown: readonly DiffGroup[];
  readonly quiet: readonly DiffGroup[];
} {
  const isQuiet = (one: DiffGroup): boolean => one.whole && countsText(one) === '';
  return { shown: groups.filter((one) => !isQuiet(one)), quiet: groups.filter(isQuiet) };
}
