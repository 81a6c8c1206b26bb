/** What an alert says. Pure. */

import { utcTime } from '../../engine/time.ts';
import { mostSevereFirst, type Severity } from '../../policy/severity.ts';
import { visible } from './plain-words.ts';

/** Something open that an alert is about: a finding, or another reason why the desk is not ok. */
export interface AlertItem {
  /**
   * Of a finding its id, of one about a listener `listener:` and a digest; of another reason `reason:`, its kind, and which gap, duty, port
   * or site it is about.
   */
  readonly id: string;
  readonly severity: Severity;
  /** The check that failed, or the kind of reason. */
  readonly check: string;
  readonly title: string;
  /** "" where it is not known, or where there is none. */
  readonly user: string;
  /** What runs, in a few words that the process chooses. */
  readonly program: string;
  /** Secrets are masked; "" unless the target asks for it. */
  readonly command: string;
  /** The other end of its connection. */
  readonly peer: string;
  /** Why it may be benign. */
  readonly benign: string;
  /** One command that shows more or does something about it. */
  readonly next: string;
  /** RFC 3339. */
  readonly since: string;
  /** It ended before it could be reported. */
  readonly over: boolean;
  /** Of what is over: by what it was accepted, where it was (`acceptedBy`). */
  readonly accepted?: string;
  /** Id of the finding, where that is another one. */
  readonly finding?: string;
  /** Not known yet whether it is so: it is not reported, and what was reported of it is not resolved. */
  readonly tentative?: true;
}

/** What was last reported to a target as open. */
export type Reported = Pick<AlertItem, 'severity' | 'check' | 'title' | 'since' | 'finding'>;

/** `quiet-over`: what happened during quiet time; `resolved`: nothing that was reported is open any more; `digest`: what changed in a day. */
export const ALERT_KINDS = [
  'opened',
  'changed',
  'resolved',
  'reminder',
  'quiet-over',
  'digest',
  'test',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

export interface AlertMessage {
  /** The same at every attempt to deliver it: 16 hex digits. */
  readonly id: string;
  readonly kind: AlertKind;
  /** RFC 3339 in UTC, when it was made. */
  readonly at: string;
  readonly host: string;
  /** The worst of what is new, else of what is open; null when nothing is. */
  readonly severity: Severity | null;
  readonly title: string;
  readonly text: string;
  /** What is new, the worst first; of a reminder what is open. */
  readonly opened: readonly AlertItem[];
  /** Open no more: it has ended, or it was accepted. */
  readonly resolved: readonly (Reported & Pick<AlertItem, 'id' | 'accepted'>)[];
  /** Reported and open when it was made, what is new included; of a digest everything that was open. */
  readonly open: number;
}

/** New items that a message describes in full, and resolved ones that it names; the others are counted. */
const DESCRIBED = 5;
const NAMED = 10;
/** Characters of the text: chats take about 4,000. */
const LONGEST_TEXT = 3_500;
const LONGEST_WHY = 200;
/** Of a short form. */
const SHORT_TEXT = 200;

export interface MessageFacts {
  readonly id: string;
  readonly kind: AlertKind;
  readonly atMs: number;
  readonly host: string;
  readonly opened: readonly AlertItem[];
  readonly resolved: AlertMessage['resolved'];
  readonly open: number;
  /** The worst of everything that is open, null without any. */
  readonly worstOpen: Severity | null;
  /** How a message begins that is not about a change alone. */
  readonly opening?: string;
  /** The title of such a message. */
  readonly headline?: string;
}

export function messageOf(facts: MessageFacts): AlertMessage {
  const { id, kind, atMs, host, resolved, open, worstOpen } = facts;
  const opened = mostSevereFirst(facts.opened);
  const severity = opened[0]?.severity ?? worstOpen;
  return {
    ...{ id, kind, host, severity, opened, resolved, open },
    at: utcTime(atMs) as string,
    title: `${host}: ${titleOf(facts, opened)}`,
    text: [
      ...(facts.opening === undefined ? [] : [facts.opening]),
      ...opened.slice(0, DESCRIBED).map(described),
      ...rest(opened.slice(DESCRIBED)),
      ...endedText(
        'resolved',
        resolved.filter(({ accepted }) => !accepted),
      ),
      ...endedText(
        'accepted',
        resolved.filter(({ accepted }) => accepted),
      ),
      ...(kind === 'test' || kind === 'digest' ? [] : [openText(open)]),
    ]
      .join('\n\n')
      .slice(0, LONGEST_TEXT),
  };
}

/** The same message in few words, for a target that refuses more. */
export const shortened = (message: AlertMessage): AlertMessage => ({
  ...message,
  ...{ opened: [], resolved: [] },
  title: message.title.slice(0, SHORT_TEXT),
  text: `${message.title.slice(0, SHORT_TEXT)}\n\nMore: desk ${message.kind === 'digest' ? 'diff' : 'findings'}`,
});

const counted = (count: number, one: string, more = `${one}s`): string =>
  `${count} ${count === 1 ? one : more}`;

function titleOf({ kind, resolved, open, headline }: MessageFacts, opened: readonly AlertItem[]): string {
  if (headline !== undefined) return headline;
  const [worst] = opened;
  switch (kind) {
    case 'test':
      return 'test of the desk';
    case 'resolved': {
      const [one] = resolved;
      if (resolved.length === 1)
        return `${one?.accepted ? 'accepted' : 'resolved'}: ${visible(one?.title ?? '')}`;
      return `all ${ended(resolved)}`;
    }
    case 'reminder':
      return `${counted(open, 'problem')} still open`;
    case 'quiet-over':
      return `quiet time is over: ${opened.length} new, ${ended(resolved)}, ${open} open`;
  }
  if (worst === undefined) return `${ended(resolved)}, ${open} still open`;
  const over = worst.over ? `${overText(worst)}: ` : '';
  if (opened.length === 1) return `${worst.severity}: ${over}${visible(worst.title)}`;
  return `${opened.length} new, the worst ${worst.severity}: ${over}${visible(worst.title)}`;
}

/** How many have ended, and how many were accepted. */
function ended(resolved: AlertMessage['resolved']): string {
  const accepted = resolved.filter((one) => one.accepted).length;
  const others = resolved.length - accepted;
  if (accepted === 0) return `${others} resolved`;
  return `${others === 0 ? '' : `${others} resolved, `}${accepted} accepted`;
}

export const overText = ({ accepted }: Pick<AlertItem, 'accepted'>): string =>
  accepted ? 'accepted already' : 'over already';

/** A new item in full: what, who, why it may be benign, one command. */
function described(given: AlertItem): string {
  const { severity, check, over, next, ...item } = given;
  const [title, user, program, command, peer, benign] = [
    item.title,
    item.user,
    item.program,
    item.command,
    item.peer,
    item.benign,
  ].map(visible);
  const who = [
    user === '' ? '' : `user ${user}`,
    program === '' ? '' : `runs ${program}`,
    peer === '' ? '' : `peer ${peer}`,
  ].filter((one) => one !== '');
  return [
    `[${severity}] ${title}${over ? ` (${overText(given)})` : ''}`,
    `since ${item.since.slice(0, 19).replace('T', ' ')}, ${check}${who.length === 0 ? '' : `, ${who.join(', ')}`}`,
    ...(command === '' ? [] : [`command: ${command}`]),
    ...(benign === '' ? [] : [`may be benign: ${benign}`]),
    `next: ${next}`,
  ].join('\n');
}

function rest(more: readonly AlertItem[]): string[] {
  if (more.length === 0) return [];
  const by = new Map<Severity, number>();
  for (const { severity } of more) by.set(severity, (by.get(severity) ?? 0) + 1);
  return [`and ${[...by].map(([severity, count]) => `${count} ${severity}`).join(', ')} more: desk findings`];
}

function endedText(how: 'resolved' | 'accepted', resolved: AlertMessage['resolved']): string[] {
  if (resolved.length === 0) return [];
  const named = resolved
    .slice(0, NAMED)
    .map(
      ({ severity, title, accepted }) =>
        `[${severity}] ${visible(title)}${accepted ? ` (${visible(accepted).slice(0, LONGEST_WHY)})` : ''}`,
    );
  const more = resolved.length - named.length;
  return [[`${how}:`, ...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')];
}

const openText = (open: number): string =>
  open === 0 ? 'Nothing that was reported here is open now.' : `${open} open now: desk findings`;
