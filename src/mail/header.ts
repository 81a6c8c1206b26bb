/** What the ledger wants of a message, from its header alone (RFC 5322). Whatever the bytes are, nothing is thrown. */
import { hash } from 'node:crypto';
import { loadNative } from '../native/load.ts';
import type { MailAddon } from '../native/mail-types.ts';
import type { Mailbox, MessageFacts } from '../store/ledger-types.ts';
import { AddressLists } from './address-list.ts';
import { believable, dateMs } from './mail-date.ts';

/** Bytes of a header that are looked at; what follows is left out. */
export const LONGEST_HEADER = 65_536;
/** Addresses of one message that count. */
const MOST_ADDRESSES = 200;

/** The fields that are read, in the order in which the native reader tells them. */
export const FIELDS = [
  'from',
  'to',
  'cc',
  'bcc',
  'date',
  'subject',
  'message-id',
  'received',
  'return-path',
  'list-id',
  'auto-submitted',
  'precedence',
] as const;
type Field = (typeof FIELDS)[number];

const PLACE = Object.fromEntries(FIELDS.map((name, at) => [name, at])) as Readonly<Record<Field, number>>;
const NOBODY: readonly Mailbox[] = [];

let addon: MailAddon | undefined;
/** What reads fields and files; choosing a build asks the system, so it is done once. */
export function fieldReader(): MailAddon {
  addon ??= loadNative().addon;
  return addon;
}

/** The topmost Received field was written by the server that delivered: its date comes behind the last semicolon. */
function receivedMs(field: string | undefined): number | null {
  const semicolon = field?.lastIndexOf(';') ?? -1;
  return semicolon < 0 ? null : dateMs((field as string).slice(semicolon + 1));
}

const listed = (boxes: readonly Mailbox[]): string =>
  boxes.map(({ address, name }) => `${address} ${name}`).join('\n');
/** Most have no blank within. */
const bare = (text: string): string => (/\s/.test(text.trim()) ? text.replaceAll(/\s+/g, '') : text.trim());

/**
 * Reads a header block: up to its first empty line, at most `LONGEST_HEADER` bytes. `nowMs`: what lies further ahead than a day is
 * no believable time.
 */
export function readHeader(bytes: Uint8Array, nowMs: number, lists = new AddressLists()): MessageFacts {
  return factsOf(fieldReader().messageFields(bytes).split('\n'), 0, nowMs, lists);
}

/**
 * The same of the lines that the native reader tells; those of this message begin `at`.
 *
 * The key is a digest of the Message-ID (without one: of Date and Subject) and of the people as they were read. So line ends and
 * folds do not matter, nobody suppresses a message of others by its Message-ID, and of two copies of one message, straight and over
 * a list, one counts.
 */
export function factsOf(
  lines: readonly string[],
  at: number,
  nowMs: number,
  lists: AddressLists,
): MessageFacts {
  /** Undefined where the header has no such field. */
  const field = (name: Field): string | undefined => {
    const line = lines[at + PLACE[name]] as string;
    return line === '' ? undefined : line.slice(1);
  };
  let left = MOST_ADDRESSES;
  const people = (name: Field): readonly Mailbox[] => {
    const text = field(name);
    if (text === undefined || left === 0) return NOBODY;
    const boxes = lists.read(text);
    const taken = boxes.length > left ? boxes.slice(0, left) : boxes;
    left -= taken.length;
    return taken;
  };
  const from = people('from');
  const to = people('to');
  const cc = people('cc');
  const bcc = people('bcc');
  const copied = bcc.length === 0 ? cc : [...cc, ...bcc];
  const id = bare(field('message-id') ?? '');
  const date = field('date') ?? '';
  const said = id === '' ? `\n${bare(date)}\n${bare(field('subject') ?? '')}` : id;
  const digest = hash('sha256', `${said}\n\n${listed(from)}\n\n${listed(to)}\n\n${listed(copied)}`, 'buffer');
  const delivered = receivedMs(field('received'));
  const atMs = believable(delivered, nowMs) ? delivered : dateMs(date);
  const list = field('list-id') !== undefined;
  return {
    key: digest.subarray(0, 16),
    atMs: believable(atMs, nowMs) ? atMs : null,
    from,
    to,
    copied,
    list,
    automated: isAutomated(field, list),
  };
}

/** Lists mark what people send over them as bulk too: there Precedence tells nothing of the sender. */
function isAutomated(field: (name: Field) => string | undefined, list: boolean): boolean {
  const submitted = field('auto-submitted')?.trim().toLowerCase() ?? '';
  if (submitted !== '' && !/^no(?:$|[\s;(])/.test(submitted)) return true;
  if (!list && /^(?:bulk|junk)\b/i.test(field('precedence')?.trim() ?? '')) return true;
  return /^\s*<\s*>\s*$/.test(field('return-path') ?? '');
}
