/**
 * Mail for tests and benchmarks, the same for the same seed: realistic headers of 2 to 5 KB from and to people with names of
 * every form, in several folders, and writers of them as Maildir, MH and mbox.
 */
import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from './random.ts';

export interface CorpusOptions {
  readonly seed?: number;
  readonly messages: number;
  /** About how many people the messages name. */
  readonly people?: number;
  /** Addresses that are the user's own. */
  readonly own?: readonly string[];
  /** Milliseconds since the epoch: the messages are spread over them. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface CorpusMessage {
  /** Number of the message, from 0 on. */
  readonly number: number;
  /** `INBOX`, `Sent`, `Lists/devel`, …: levels are divided by a slash. */
  readonly folder: string;
  readonly atMs: number;
  /** Header and body with LF line ends. */
  readonly text: string;
  readonly seen: boolean;
}

export const OWN = ['me@desk.example', 'i.myself@work.example'] as const;

const FIRST =
  'Ada Grace Alan Edsger Barbara Donald Frances Ken Radia Linus Margaret Niklaus José Zoë Jürgen'.split(' ');
const LAST =
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Allen Thompson Perlman Wirth Núñez Müller Ångström'.split(
    ' ',
  );
const DOMAINS =
  'example.org example.com mail.example.net post.example Sub.Example.ORG xn--bcher-kva.example'.split(' ');
const WORDS =
  'report meeting notes about the new build and its figures please have a look before friday'.split(' ');

interface Someone {
  readonly address: string;
  readonly name: string;
  readonly kind: 'person' | 'program';
}

const pick = <T>(from: readonly T[], random: () => number): T =>
  from[Math.floor(random() * from.length)] as T;

function peopleOf(count: number, random: () => number): Someone[] {
  return Array.from({ length: count }, (_, number) => {
    if (number % 25 === 24)
      return {
        address: `noreply${number}@shop${number % 40}.example`,
        name: `Shop ${number}`,
        kind: 'program',
      };
    const name = `${pick(FIRST, random)} ${pick(LAST, random)}`;
    const local = name
      .normalize('NFD')
      .replaceAll(/[^A-Za-z ]/g, '')
      .toLowerCase()
      .replace(' ', '.');
    const domain = number % 3 === 0 ? `firm${number % 500}.example` : pick(DOMAINS, random);
    return { address: `${local}.${number}@${domain}`, name, kind: 'person' };
  });
}

const quotedPrintable = (text: string): string =>
  [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9]/.test(char)
        ? char
        : char === ' '
          ? '_'
          : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');

/** A mailbox in one of the forms that mail programs write. */
function written({ address, name }: Someone, random: () => number): string {
  const ascii = !/[^ -~]/.test(name);
  const form = random();
  if (form < 0.08) return address;
  if (!ascii && form < 0.5) return `=?utf-8?B?${Buffer.from(name, 'utf8').toString('base64')}?= <${address}>`;
  if (!ascii && form < 0.8) return `=?UTF-8?Q?${quotedPrintable(name)}?= <${address}>`;
  if (!ascii)
    return `=?iso-8859-1?Q?${[...Buffer.from(name, 'latin1')].map((byte) => `=${byte.toString(16)}`).join('')}?= <${address}>`;
  if (form < 0.3) return `"${name}" <${address}>`;
  if (form < 0.35) return `"${name.split(' ').reverse().join(', ')}" <${address}>`;
  if (form < 0.38) return `${address} (${name})`;
  return `${name} <${address}>`;
}

const letters = (count: number, random: () => number): string => {
  let text = '';
  while (text.length < count) text += Math.floor(random() * 2 ** 32).toString(36);
  return text.slice(0, count);
};

/** RFC 5322 section 3.3, in one of a few zones. */
function dateOf(ms: number, zoneHours: number): string {
  const shifted = new Date(ms + zoneHours * 3_600_000).toUTCString();
  const zone = `${zoneHours < 0 ? '-' : '+'}${String(Math.abs(zoneHours)).padStart(2, '0')}00`;
  return shifted.replace('GMT', zone);
}

function received(atMs: number, hop: number, random: () => number): string {
  const by = `mx${hop}.relay${Math.floor(random() * 9)}.example`;
  return [
    `Received: from out${hop}.example (out${hop}.example [192.0.2.${Math.floor(random() * 250)}])`,
    `\tby ${by} (Postfix) with ESMTPS id ${letters(14, random).toUpperCase()}`,
    `\t(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits))`,
    `\tfor <${OWN[0]}>; ${dateOf(atMs - hop * 1000, hop % 2 === 0 ? 0 : 2)}`,
  ].join('\n');
}

const list = (name: string, mailboxes: readonly string[]): string => `${name}: ${mailboxes.join(',\n ')}`;

export function* corpus({
  seed = 1,
  messages,
  people = Math.max(10, Math.floor(messages / 10)),
  own = OWN,
  fromMs = Date.UTC(2015, 0, 1),
  toMs = Date.UTC(2025, 0, 1),
}: CorpusOptions): Generator<CorpusMessage> {
  const random = randomFrom(seed);
  const all = peopleOf(people, random);
  // Few write much, many write once.
  const anyone = (): Someone => all[Math.floor(all.length * random() ** 2)] as Someone;
  const somebodies = (most: number): string[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, () => written(anyone(), random));
  for (let number = 0; number < messages; number += 1) {
    const atMs = Math.floor((fromMs + ((toMs - fromMs) * number) / messages) / 1000) * 1000;
    const me: Someone = { address: pick(own, random), name: 'Desk Keeper', kind: 'person' };
    const kind = random();
    const outgoing = kind < 0.15;
    const overList = !outgoing && kind < 0.35;
    const from = outgoing ? me : anyone();
    const folder = outgoing
      ? 'Sent'
      : overList
        ? 'Lists/devel'
        : kind < 0.75
          ? 'INBOX'
          : kind < 0.9
            ? 'Archive/2023'
            : 'Work';
    const to = outgoing
      ? [written(anyone(), random), ...somebodies(2)]
      : [overList ? 'devel@lists.example' : written(me, random), ...(random() < 0.2 ? somebodies(4) : [])];
    const copied = random() < 0.15 ? somebodies(5) : [];
    const subject = Array.from({ length: 6 }, () => pick(WORDS, random)).join(' ');
    const hops = outgoing ? 0 : 2 + Math.floor(random() * 3);
    const lines = [
      ...(outgoing
        ? []
        : [`Return-Path: <${from.kind === 'program' ? '' : from.address}>`, `Delivered-To: ${me.address}`]),
      ...Array.from({ length: hops }, (_, hop) => received(atMs, hop, random)),
      ...(outgoing
        ? []
        : [
            `Authentication-Results: mx.desk.example; dkim=pass header.d=example.org;\n\tspf=pass smtp.mailfrom=example.org`,
            `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.org; s=${letters(8, random)};\n\th=from:to:subject:date:message-id;\n\tbh=${letters(43, random)}=;\n\tb=${Array.from({ length: 5 }, () => letters(68, random)).join('\n\t ')}`,
          ]),
      `Date: ${dateOf(atMs - 5000, Math.floor(random() * 12) - 6)}`,
      list('From', [written(from, random)]),
      list('To', to),
      ...(copied.length > 0 ? [list('Cc', copied)] : []),
      ...(outgoing && random() < 0.05 ? [list('Bcc', [written(anyone(), random)])] : []),
      `Subject: ${subject}`,
      ...(number % 97 === 0 ? [] : [`Message-ID: <${seed}.${number}.${letters(20, random)}@mail.example>`]),
      ...(overList
        ? [
            'List-Id: Development <devel.lists.example>',
            'List-Unsubscribe: <mailto:devel-leave@lists.example>',
            'Precedence: list',
          ]
        : []),
      ...(from.kind === 'program' ? ['Auto-Submitted: auto-generated'] : []),
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      `X-Mailer: Claws Mail 4.1.1 (GTK 3.24.38; x86_64-pc-linux-gnu)`,
      ...Array.from(
        { length: 3 + Math.floor(random() * 8) },
        (_, index) => `X-Filter-${index}: ${letters(60 + Math.floor(random() * 90), random)}`,
      ),
    ];
    const body = `Hello,\n\nFrom here on it is ${subject}.\n${number % 5 === 0 ? 'From the desk, with regards\n>From all of us\n' : ''}\n-- \n${from.name}\n`;
    yield { number, folder, atMs, text: `${lines.join('\n')}\n\n${body}`, seen: random() < 0.8 };
  }
}

/** Name of the message's file in a Maildir, before `:2,`. */
export const maildirName = ({ number, atMs }: CorpusMessage): string =>
  `${Math.floor(atMs / 1000)}.M${number}P${1000 + (number % 7)}.desk`;

/** Folder of a Maildir++: INBOX is the root itself, others `.Lists.devel`. */
export const maildirFolder = (root: string, folder: string): string =>
  folder === 'INBOX' ? root : join(root, `.${folder.replaceAll('/', '.')}`);

/** Adds messages to a Maildir++ (cr.yp.to/proto/maildir.html, Courier's maildir(5)); as delivered to the file's time. */
export function writeMaildir(root: string, messages: Iterable<CorpusMessage>): void {
  const made = new Set<string>();
  for (const message of messages) {
    const folder = maildirFolder(root, message.folder);
    if (!made.has(folder)) {
      for (const part of ['cur', 'new', 'tmp'])
        mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
      if (folder !== root) writeFileSync(join(folder, 'maildirfolder'), '');
      made.add(folder);
    }
    const name = maildirName(message);
    const path = message.seen ? join(folder, 'cur', `${name}:2,S`) : join(folder, 'new', name);
    writeFileSync(path, message.text, { mode: 0o600 });
    utimesSync(path, message.atMs / 1000, message.atMs / 1000);
  }
}

/** Adds messages to MH folders (mh-mail(5)): a file per message, named by its number. `counts` goes on from earlier calls. */
export function writeMh(
  root: string,
  messages: Iterable<CorpusMessage>,
  counts = new Map<string, number>(),
): void {
  for (const message of messages) {
    const folder = join(root, message.folder);
    const number = (counts.get(message.folder) ?? 0) + 1;
    if (number === 1) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, '.mh_sequences'), 'unseen: 1\n');
      writeFileSync(join(folder, '.claws_mark'), Buffer.alloc(64, number));
    }
    counts.set(message.folder, number);
    writeFileSync(join(folder, String(number)), message.text, { mode: 0o600 });
  }
}

/** A message as mbox has it (RFC 4155; mboxrd quoting of From_ lines). */
export function mboxText({ atMs, text }: CorpusMessage, crlf = false): string {
  const stamp = new Date(atMs)
    .toUTCString()
    .replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4');
  const [head = '', ...rest] = text.split('\n\n');
  const whole = `From sender@post.example ${stamp}\n${head}\n\n${rest.join('\n\n').replaceAll(/^(>*From )/gm, '>$1')}\n`;
  return crlf ? whole.replaceAll('\n', '\r\n') : whole;
}

/** Adds messages to mbox files, one per folder, in a folder tree. `anew` empties them first. */
export function writeMbox(
  root: string,
  messages: Iterable<CorpusMessage>,
  { anew = false, crlf = false } = {},
): void {
  const parts = new Map<string, string[]>();
  for (const message of messages) {
    const list = parts.get(message.folder) ?? [];
    list.push(mboxText(message, crlf));
    parts.set(message.folder, list);
  }
  for (const [folder, texts] of parts) {
    const path = join(root, folder);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    if (anew) rmSync(path, { force: true });
    appendFileSync(path, texts.join(''), { mode: 0o600 });
  }
}
