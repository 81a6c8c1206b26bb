/** A slow header parser, field by field: the reference for the native one. */
import type { Mailbox } from '../../src/features/mail/ledger/types.ts';
import type { MessageFacts } from './message-facts.ts';

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec';
const DATE =
  /(\d{1,2})\s{1,9}([a-z]{3})[a-z]{0,6}\s{1,9}(\d{2,4})\s{1,9}(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s{0,9}(?:([+-]\d{2})(\d{2})|([a-z]{1,5})))?/i;
/** Hours; RFC 5322 section 4.3: all others, the military ones too, count as -0000. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ EST: -5, EDT: -4, CST: -6, CDT: -5 },
  ...{ MST: -7, MDT: -6, PST: -8, PDT: -7 },
};
const DAY_MS = 86_400_000;

/** Milliseconds since the epoch; null for what is not a date. */
export function dateMs(text: string): number | null {
  const found = DATE.exec(text.slice(0, 200));
  if (found === null) return null;
  const [, day = '', month = '', yearText = '', hour = '', minute = '', second = '0'] = found;
  const [zoneHour, zoneMinute = '0', zone] = found.slice(7);
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index % 3 !== 0 || index < 0) return null;
  let year = Number(yearText);
  if (yearText.length === 2) year += year < 50 ? 2000 : 1900;
  else if (yearText.length === 3) year += 1900;
  if (Number(day) < 1 || Number(day) > 31 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60)
    return null;
  const local = Date.UTC(year, index / 3, Number(day), Number(hour), Number(minute), Number(second));
  const minutes =
    zoneHour === undefined
      ? 60 * (ZONES[zone?.toUpperCase() ?? ''] ?? 0)
      : (zoneHour.startsWith('-') ? -1 : 1) * (60 * Number(zoneHour.slice(1)) + Number(zoneMinute));
  return local - minutes * 60_000;
}

const collapsed = (text: string): string => text.replaceAll(/[ \t-\r]+/g, ' ').replace(/^ | $/g, '');
const bare = (text: string): string => text.replaceAll(' ', '');

/** Collapsed values by names in lower case; a character per byte. */
function fieldsOf(header: Uint8Array): Map<string, string> {
  const text = Buffer.from(header).subarray(0, 65_536).toString('latin1');
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line === '\r') break;
    if (/^[ \t]/.test(line)) lines.push(`${lines.pop() ?? ''}\n${line}`);
    else lines.push(line);
  }
  const fields = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:\n]{1,16}):(.*)$/s.exec(line) ?? [];
    if (/^(?:[ \t]|$)/.test(name)) continue;
    const known = name.replace(/[ \t]+$/, '').replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    const before = fields.get(known);
    if (before === undefined) fields.set(known, collapsed(value));
    else if (['to', 'cc', 'bcc'].includes(known)) fields.set(known, `${before},${collapsed(value)}`);
  }
  return fields;
}

const WORD = (1n << 64n) - 1n;
const rotated = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (64n - by))) & WORD;

/** SipHash-2-4 with 128 bits, as the paper and the reference implementation have it. */
export function sipHash(key: Uint8Array, message: Uint8Array): Uint8Array {
  const [k0, k1] = [Buffer.from(key).readBigUInt64LE(0), Buffer.from(key).readBigUInt64LE(8)];
  let [v0, v1, v2, v3] = [
    k0 ^ 0x736f6d6570736575n,
    k1 ^ 0x646f72616e646f6dn ^ 0xeen,
    k0 ^ 0x6c7967656e657261n,
    k1 ^ 0x7465646279746573n,
  ];
  const rounds = (count: number): void => {
    for (let round = 0; round < count; round += 1) {
      v0 = (v0 + v1) & WORD;
      v2 = (v2 + v3) & WORD;
      v1 = rotated(v1, 13n) ^ v0;
      v3 = rotated(v3, 16n) ^ v2;
      v0 = rotated(v0, 32n);
      v2 = (v2 + v1) & WORD;
      v0 = (v0 + v3) & WORD;
      v1 = rotated(v1, 17n) ^ v2;
      v3 = rotated(v3, 21n) ^ v0;
      v2 = rotated(v2, 32n);
    }
  };
  const padded = Buffer.alloc((Math.floor(message.length / 8) + 1) * 8);
  padded.set(message);
  padded[padded.length - 1] = message.length & 255;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    rounds(2);
    v0 ^= word;
  }
  const hash = Buffer.alloc(16);
  v2 ^= 0xeen;
  rounds(4);
  hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 0);
  v1 ^= 0xddn;
  rounds(4);
  hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3, 8);
  return Uint8Array.from(hash);
}

/** A list split at its commas, ignoring those inside other syntax; not split if it has more than quotes, comments, angles and encoded words. */
export function naiveParts(list: string): string[] {
  const sealed = list.replaceAll(/=\?[!->@-~]+\?[bq]\?[!->@-~]*\?=/gi, (word) => 'x'.repeat(word.length));
  const open = sealed.replaceAll(/"[^"\\]*"|\([^()"\\]*\)|<[^<>,"()\\:;]*>|[^"]/g, (text) =>
    /^[^"(<]|^.$/s.test(text) ? text : 'x'.repeat(text.length),
  );
  const parts: string[] = [];
  let begin = 0;
  if (!/["()<\\:;]/.test(open) && !sealed.includes('=?'))
    for (let at = open.indexOf(','); at >= 0; at = open.indexOf(',', at + 1)) {
      parts.push(list.slice(begin, at));
      begin = at + 1;
    }
  return [...parts, list.slice(begin)]
    .map((part) => part.replaceAll(/^ +| +$/g, ''))
    .filter((part) => part !== '');
}

/** `addresses` reads a text of mailboxes. */
export function naiveFacts(
  header: Uint8Array,
  nowMs: number,
  key: Uint8Array,
  addresses: (text: string) => readonly Mailbox[],
): MessageFacts {
  const fields = fieldsOf(header);
  const value = (name: string): string => fields.get(name) ?? '';
  let left = 200;
  const people = (text: string): Mailbox[] => {
    const taken = naiveParts(text)
      .flatMap((part) => addresses(part))
      .slice(0, left);
    left -= taken.length;
    return taken;
  };
  const id = bare(value('message-id'));
  const lists = ['from', 'to', 'cc', 'bcc'].map(value);
  const said = id === '' ? `\n${bare(value('date'))}\n${bare(value('subject'))}` : id;
  const believable = (ms: number | null): ms is number =>
    ms !== null && ms >= Date.UTC(1980, 0, 1) && ms <= nowMs + DAY_MS;
  const received = value('received');
  const delivered = received.includes(';')
    ? dateMs(received.slice(received.lastIndexOf(';') + 1).trimStart())
    : null;
  const written = dateMs(value('date'));
  const [from, to, cc, bcc] = lists.map(people) as [Mailbox[], Mailbox[], Mailbox[], Mailbox[]];
  const list = fields.has('list-id');
  const submitted = value('auto-submitted').toLowerCase();
  return {
    key: sipHash(key, Buffer.from([said, ...lists].join('\n'), 'latin1')),
    atMs: believable(delivered) ? delivered : believable(written) ? written : null,
    ...{ from, to, copied: [...cc, ...bcc], list },
    automated:
      (submitted !== '' && !/^no(?:$|[ ;(])/.test(submitted)) ||
      (!list && /^(?:bulk|junk)\b/i.test(value('precedence'))) ||
      /^< ?>$/.test(value('return-path')),
  };
}
