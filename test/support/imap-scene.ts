/** A private Dovecot with the mail of a corpus, and ledgers to compare, for tests of IMAP. */
import { execFileSync } from 'node:child_process';
import { chownSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLedger } from '../../src/features/mail/ledger/ledger.ts';
import { openLedgerReader } from '../../src/features/mail/ledger/reader.ts';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import type { Dovecot } from './dovecot.ts';
import { type CorpusMessage, corpus, writeMaildir } from './mail-corpus.ts';
import type { MailRemote } from './mail-remote.ts';
import { MAIL_NEEDS, MailWorld, USER } from './mail-world.ts';
import { columnsOf, readHeader } from './message-facts.ts';
import { missing, needs } from './require.ts';

const OWN = [USER, 'i.myself@work.example'];

export interface ImapScene {
  world: MailWorld;
  dovecot: Dovecot;
  /** State folder with everything imported. */
  state: string;
  delivered: number;
  services: MailRemote[];
}

/** For tests that need such a server. */
export const imap = needs(...MAIL_NEEDS);

/** A suite whose server has this many messages in its folders before the first test. */
export function imapSuite(name: string, count: number) {
  const test = suite<ImapScene>(name, {} as ImapScene);
  const here = missing(...MAIL_NEEDS) === null;
  const messages = [...(here ? corpus({ messages: count }) : [])];
  test.before(async (context) => {
    if (!here) return;
    context.world = await MailWorld.start();
    context.dovecot = context.world.dovecot();
    writeMaildir(context.dovecot.maildir, messages);
    execFileSync('chown', ['-R', '65534:65534', context.dovecot.maildir]);
    await context.dovecot.start();
    context.state = context.world.newState();
    context.delivered = 0;
  });
  test.before.each((context) => {
    context.services = [];
  });
  test.after.each(async ({ services }) => {
    for (const service of services) await service.close();
  });
  test.after(async ({ world, dovecot }) => {
    await dovecot?.stop();
    await world?.end();
  });
  return { test, messages };
}

/** Starts what keeps mail in a service, for this server. */
export async function serve(
  context: ImapScene,
  options: Parameters<MailWorld['service']>[0] = {},
): Promise<MailRemote> {
  const service = await context.world.service({ state: context.state, ...options });
  context.services.push(service);
  await service.wish('start');
  return service;
}

/** Everything is read. */
export const complete = (service: MailRemote) =>
  service.until(({ sources }) => sources[0]?.state === 'watching');

/** The records of all people of a ledger, by address. */
export function people(folder: string): ReadonlyMap<string, LedgerPerson> {
  const reader = openLedgerReader(folder);
  try {
    return new Map([...reader.all()].map((person) => [person.address, person]));
  } finally {
    reader.close();
  }
}

/** Both ledgers have the same people with the same facts; the first few differences are reported. */
export function sameLedger(
  one: ReadonlyMap<string, LedgerPerson>,
  other: ReadonlyMap<string, LedgerPerson>,
): void {
  assert.ok(one.size > 0);
  const differing = [...new Set([...one.keys(), ...other.keys()])]
    .map((address) => [one.get(address), other.get(address)])
    .filter(([mine, theirs]) => JSON.stringify(mine) !== JSON.stringify(theirs));
  assert.equal(differing.slice(0, 3), []);
}

/** The expected content: the same headers, imported without a server. */
export function expected(
  context: ImapScene,
  of: readonly CorpusMessage[],
): ReadonlyMap<string, LedgerPerson> {
  const folder = context.world.newState();
  const ledger = openLedger(folder, { own: OWN, maxPeople: 100_000 });
  const facts = of.map(({ text }) => readHeader(Buffer.from(text), Date.now()));
  ledger.commit({ messages: [columnsOf(facts)], place: null, units: { read: [], gone: [] } });
  ledger.finish();
  ledger.close();
  return people(folder);
}

/** Adds to a Maildir as a delivering server does: written aside, then renamed. */
export function deliver(context: ImapScene, folder: string, header: string): void {
  const { dovecot } = context;
  context.delivered += 1;
  const name = `1800000000.M${process.hrtime.bigint()}.desk`;
  const path = join(dovecot.mailbox(folder), 'tmp', name);
  writeFileSync(path, `${header}\n\nHello\n`);
  chownSync(path, 65534, 65534);
  renameSync(path, join(dovecot.mailbox(folder), 'new', name));
}

export const letter = (from: string, id: string): string =>
  `From: Somebody New <${from}>\nTo: ${USER}\nDate: Fri, 01 Nov 2024 10:00:00 +0000\nSubject: news\nMessage-ID: <${id}@new.example>`;

/** Headers that Dovecot's sessions fetched, those from one address alone, as it logs at the end of each. */
export const fetched = (dovecot: Dovecot, from = 0, address = ''): number =>
  dovecot
    .log()
    .slice(from)
    .filter((line) => address === '' || line.includes(`<${address}>`))
    .flatMap((line) => /fetched_headers=(\d+)/.exec(line)?.slice(1) ?? [])
    .reduce((sum, count) => sum + Number(count), 0);
