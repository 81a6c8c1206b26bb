/** What the ledger wants of a message, from its header alone (RFC 5322). Whatever the bytes are, nothing is thrown. */
import { hash } from 'node:crypto';
import type { Mailbox, MessageFacts } from '../store/ledger-types.ts';
import { AddressLists } from './address-list.ts';
import { believable, dateMs } from './mail-date.ts';

/** Bytes of a header that are looked at; what follows is left out. */
export const LONGEST_HEADER = 65_536;
/** Addresses of one message that count. */
const MOST_ADDRESSES = 200;

/** The fields that are read: a source that can ask for single ones asks for these. */
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

const KNOWN: ReadonlySet<string> = new Set(FIELDS);
/** Initials of the fields, both cases: other lines are passed over at their first letter. */
const INITIAL = new Uint8Array(256);
for (const field of FIELDS)
  for (const letter of [field, field.toUpperCase()]) INITIAL[letter.charCodeAt(0)] = 1;
/** Fields that may stand there several times and belong together; of others the first counts. */
const JOINED: ReadonlySet<string> = new Set(['to', 'cc', 'bcc']);

const CR = 13;
const isBlank = (code: number): boolean => code === 32 || code === 9;

/** Unfolded fields (RFC 5322 section 2.2.3), a byte per character. One pass; a line without a field is passed over. */
function fieldsOf(text: string): Partial<Record<Field, string>> {
  const fields: Partial<Record<Field, string>> = {};
  let at = 0;
  while (at < text.length) {
    const first = text.charCodeAt(at);
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    if (end === at || (first === CR && end === at + 1)) break;
    let next = end + 1;
    if (INITIAL[first] === 1) {
      const colon = text.indexOf(':', at);
      const name =
        colon < 0 || colon > end || colon - at > 16 ? '' : text.slice(at, colon).trimEnd().toLowerCase();
      if (KNOWN.has(name)) {
        const from = colon + 1;
        while (next < text.length && isBlank(text.charCodeAt(next))) {
          end = text.indexOf('\n', next);
          if (end < 0) end = text.length;
          next = end + 1;
        }
        const field = name as Field;
        const before = fields[field];
        if (before === undefined) fields[field] = text.slice(from, end);
        else if (JOINED.has(field) && before.length < LONGEST_HEADER)
          fields[field] = `${before},${text.slice(from, end)}`;
      }
    }
    at = next;
  }
  for (const field of FIELDS) {
    const value = fields[field];
    if (value?.includes('\n') || value?.endsWith('\r')) fields[field] = value.replaceAll(/\r?\n|\r$/g, '');
  }
  return fields;
}

/** The topmost Received field was written by the server that delivered: its date comes behind the last semicolon. */
function receivedMs(field: string | undefined): number | null {
  const semicolon = field?.lastIndexOf(';') ?? -1;
  return semicolon < 0 ? null : dateMs((field as string).slice(semicolon + 1));
}

const listed = (boxes: readonly Mailbox[]): string =>
  boxes.map(({ address, name }) => `${address} ${name}`).join('\n');
const bare = (text: string): string => text.replaceAll(/\s+/g, '');

/**
 * Reads a header block: up to its first empty line, at most `LONGEST_HEADER` bytes. `nowMs`: what lies further ahead than a day is
 * no believable time.
 *
 * The key is a digest of the Message-ID (without one: of Date and Subject) and of the people as they were read. So line ends and
 * folds do not matter, nobody suppresses a message of others by its Message-ID, and of two copies of one message, straight and over
 * a list, one counts.
 */
export function readHeader(bytes: Uint8Array, nowMs: number, lists = new AddressLists()): MessageFacts {
  const length = Math.min(bytes.byteLength, LONGEST_HEADER);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
  const fields = fieldsOf(text);
  let left = MOST_ADDRESSES;
  const people = (field: string | undefined): readonly Mailbox[] => {
    if (field === undefined || left === 0) return [];
    const boxes = lists.read(field);
    const taken = boxes.length > left ? boxes.slice(0, left) : boxes;
    left -= taken.length;
    return taken;
  };
  const from = people(fields.from);
  const to = people(fields.to);
  const cc = people(fields.cc);
  const bcc = people(fields.bcc);
  const copied = bcc.length === 0 ? cc : [...cc, ...bcc];
  const id = bare(fields['message-id'] ?? '');
  const said = id === '' ? `\n${bare(fields.date ?? '')}\n${bare(fields.subject ?? '')}` : id;
  const digest = hash('sha256', `${said}\n\n${listed(from)}\n\n${listed(to)}\n\n${listed(copied)}`, 'buffer');
  const delivered = receivedMs(fields.received);
  const atMs = believable(delivered, nowMs) ? delivered : dateMs(fields.date ?? '');
  const list = fields['list-id'] !== undefined;
  return {
    key: digest.subarray(0, 16),
    atMs: believable(atMs, nowMs) ? atMs : null,
    from,
    to,
    copied,
    list,
    automated: isAutomated(fields, list),
  };
}

/** Lists mark what people send over them as bulk too: there Precedence tells nothing of the sender. */
function isAutomated(fields: Partial<Record<Field, string>>, list: boolean): boolean {
  const submitted = fields['auto-submitted']?.trim().toLowerCase() ?? '';
  if (submitted !== '' && !/^no(?:$|[\s;(])/.test(submitted)) return true;
  if (!list && /^(?:bulk|junk)\b/i.test(fields.precedence?.trim() ?? '')) return true;
  return /^\s*<\s*>\s*$/.test(fields['return-path'] ?? '');
}
