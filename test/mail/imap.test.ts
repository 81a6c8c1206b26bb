/** People from a real IMAP server: a private Dovecot with 20,000 messages, in a network of the test's own. */
import { execFileSync } from 'node:child_process';
import { chownSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import { openLedger } from '../../src/store/ledger.ts';
import { openLedgerReader } from '../../src/store/ledger-reader.ts';
import type { Dovecot } from '../support/dovecot.ts';
import { type CorpusMessage, corpus, writeMaildir } from '../support/mail-corpus.ts';
import type { MailRemote } from '../support/mail-remote.ts';
import { MAIL_NEEDS, MailWorld, PASSWORD, USER } from '../support/mail-world.ts';
import { columnsOf, readHeader } from '../support/message-facts.ts';
import { missing, needs } from '../support/require.ts';

const MESSAGES = 20_000;
const OWN = [USER, 'i.myself@work.example'];

interface Context {
  world: MailWorld;
  dovecot: Dovecot;
  /** State folder with everything imported. */
  state: string;
  delivered: number;
  services: MailRemote[];
}

const test = suite<Context>('IMAP', {} as Context);
const here = missing(...MAIL_NEEDS) === null;
const imap = needs(...MAIL_NEEDS);

const messages = [...(here ? corpus({ messages: MESSAGES }) : [])];

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

async function serve(
  context: Context,
  options: Parameters<MailWorld['service']>[0] = {},
): Promise<MailRemote> {
  const service = await context.world.service({ state: context.state, ...options });
  context.services.push(service);
  await service.wish('start');
  return service;
}

const complete = (service: MailRemote) => service.until(({ sources }) => sources[0]?.state === 'watching');

/** What a ledger says of everybody, by address. */
function people(folder: string): ReadonlyMap<string, LedgerPerson> {
  const reader = openLedgerReader(folder);
  try {
    return new Map([...reader.all()].map((person) => [person.address, person]));
  } finally {
    reader.close();
  }
}

/** Nobody is left out, and of everybody the same is known; of the first few who differ both are told. */
function sameLedger(one: ReadonlyMap<string, LedgerPerson>, other: ReadonlyMap<string, LedgerPerson>): void {
  assert.ok(one.size > 0);
  const differing = [...new Set([...one.keys(), ...other.keys()])]
    .map((address) => [one.get(address), other.get(address)])
    .filter(([mine, theirs]) => JSON.stringify(mine) !== JSON.stringify(theirs));
  assert.equal(differing.slice(0, 3), []);
}

/** What it should say: the same headers, without any server between. */
function expected(context: Context, of: readonly CorpusMessage[]): ReadonlyMap<string, LedgerPerson> {
  const folder = context.world.newState();
  const ledger = openLedger(folder, { own: OWN, maxPeople: 100_000 });
  const facts = of.map(({ text }) => readHeader(Buffer.from(text), Date.now()));
  ledger.commit({ messages: [columnsOf(facts)], place: null, units: { read: [], gone: [] } });
  ledger.finish();
  ledger.close();
  return people(folder);
}

/** Adds to a Maildir as a delivering server does: written aside, then renamed. */
function deliver(context: Context, folder: string, header: string): void {
  const { dovecot } = context;
  context.delivered += 1;
  const name = `1800000000.M${process.hrtime.bigint()}.desk`;
  const path = join(dovecot.mailbox(folder), 'tmp', name);
  writeFileSync(path, `${header}\n\nHello\n`);
  chownSync(path, 65534, 65534);
  renameSync(path, join(dovecot.mailbox(folder), 'new', name));
}

const letter = (from: string, id: string): string =>
  `From: Somebody New <${from}>\nTo: ${USER}\nDate: Fri, 01 Nov 2024 10:00:00 +0000\nSubject: news\nMessage-ID: <${id}@new.example>`;

/** Headers that Dovecot's sessions fetched, as it logs at the end of each. */
const fetched = (dovecot: Dovecot, from = 0): number =>
  dovecot
    .log()
    .slice(from)
    .flatMap((line) => /fetched_headers=(\d+)/.exec(line)?.slice(1) ?? [])
    .reduce((sum, count) => sum + Number(count), 0);

imap(
  test,
  'the first import reads every folder once and gives the ledger of the same mail on disk',
  async (context) => {
    const service = await serve(context);
    const { state } = await complete(service);
    assert.is(state.messages, MESSAGES);
    assert.is(state.trouble, '');
    assert.is(state.sources[0]?.read, MESSAGES);
    // Its five folders: Spam, Trash and Drafts are there too, and are not read.
    assert.is(state.sources[0]?.folders, 5);
    const told = service.states.flatMap(({ state }) => state.sources[0]?.progress ?? []);
    assert.ok(told.length > 2, 'it tells how far it is');
    assert.ok(told.every(({ done, total }) => done <= total && total === MESSAGES));
    assert.ok(told.some(({ perSec, leftSec }) => perSec > 0 && leftSec !== null));
    await service.close();
    assert.is(fetched(context.dovecot), MESSAGES);
    sameLedger(people(context.state), expected(context, messages));
  },
);

imap(test, 'a second start fetches nothing, and then only what is new', async (context) => {
  const logged = context.dovecot.log().length;
  const service = await serve(context);
  await complete(service);
  deliver(context, 'INBOX', letter('first@new.example', '1'));
  deliver(context, 'Work', letter('second@new.example', '2'));
  await service.until(({ messages }) => messages === MESSAGES + 1);
  await service.close();
  const again = await serve(context);
  await again.until(({ messages }) => messages === MESSAGES + 2);
  await complete(again);
  await again.close();
  assert.is(fetched(context.dovecot, logged), 2);
  const found = [...people(context.state).values()].filter(({ address }) => address.endsWith('@new.example'));
  assert.equal(found.map(({ address, received }) => [address, received]).sort(), [
    ['first@new.example', 1],
    ['second@new.example', 1],
  ]);
});

imap(test, 'new mail in INBOX is told by the server and counted within 2 s', async (context) => {
  const service = await serve(context);
  const { state } = await complete(service);
  // It has gone over to listening.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = performance.now();
  deliver(context, 'INBOX', letter('idle@new.example', '3'));
  await service.until(({ messages }) => messages === state.messages + 1, 2000);
  // The other folders are asked about each minute: nothing but IDLE can have told.
  assert.ok(performance.now() - before < 2000);
});

imap(test, 'a folder that was rebuilt is read anew, and nothing counts twice', async (context) => {
  const before = people(context.state);
  await context.dovecot.stop();
  context.dovecot.rebuild('Lists.devel');
  await context.dovecot.start();
  const logged = context.dovecot.log().length;
  const service = await serve(context);
  const { state } = await complete(service);
  const rebuilt = messages.filter(({ folder }) => folder === 'Lists/devel').length;
  assert.is(state.sources[0]?.read, rebuilt);
  await service.close();
  assert.is(fetched(context.dovecot, logged), rebuilt);
  sameLedger(people(context.state), before);
});

imap(
  test,
  'a connection that drops in mid-fetch costs one window: it goes on from there',
  async (context) => {
    const state = context.world.newState();
    const cut = await context.world.peer(
      { kind: 'cut', to: '127.0.0.1', afterBytes: 6_000_000 },
      'cut.example.org',
    );
    const logged = context.dovecot.log().length;
    try {
      const service = await serve(context, { imap: 'cut.example.org', state });
      const { state: end } = await complete(service);
      assert.is(end.messages, MESSAGES + context.delivered);
      await service.close();
      assert.ok(cut.heard.filter((told) => told === 'cut').length >= 2, 'it was cut');
      const reasons = service.states.flatMap(({ state }) => state.sources[0]?.reason || []);
      assert.match(reasons.join('\n'), /cut\.example\.org ended the connection/);
      const cuts = cut.heard.filter((told) => told === 'cut').length;
      // Dovecot may have sent more than came through, but never two windows of a connection.
      assert.ok(fetched(context.dovecot, logged) <= MESSAGES + context.delivered + cuts * 2000);
      sameLedger(people(state), people(context.state));
    } finally {
      cut.end();
    }
  },
);

imap(
  test,
  'the mail process killed in mid-import goes on where it was, with the same ledger',
  async (context) => {
    const state = context.world.newState();
    const service = await serve(context, { state });
    const killed: number[] = [];
    for (const share of [0.2, 0.6]) {
      const { pid } = await service.until(
        ({ messages }, pid) => messages > MESSAGES * share && pid !== null && !killed.includes(pid),
      );
      process.kill(pid as number, 'SIGKILL');
      killed.push(pid as number);
      await service.until((_, pid) => pid !== null && !killed.includes(pid));
    }
    assert.ok(
      service.states.some(({ state }) =>
        /the mail process ended \(SIGKILL\), it is started again/.test(state.trouble),
      ),
    );
    const { state: end } = await complete(service);
    assert.is(end.trouble, '');
    await service.close();
    sameLedger(people(state), people(context.state));
  },
);

imap(test, 'new mail in INBOX does not wait for the end of a long import', async (context) => {
  const service = await serve(context, { state: context.world.newState() });
  const inbox = messages.filter(({ folder }) => folder === 'INBOX').length;
  // INBOX is read first; now it is at the others.
  await service.until(({ sources }) => (sources[0]?.progress?.done ?? 0) > inbox + 1000);
  deliver(context, 'INBOX', letter('early@new.example', '4'));
  await complete(service);
  assert.is(service.last?.state.messages, MESSAGES + context.delivered);
  await service.close();
});

imap(test, 'the same mail in a Maildir of this machine counts once, beside IMAP', async (context) => {
  const before = people(context.state);
  const service = await serve(context, { sources: ['imap', `maildir:${context.dovecot.maildir}`] });
  const { state } = await service.until(({ sources }) => sources.every(({ state }) => state === 'watching'));
  assert.ok((state.sources[1]?.read ?? 0) >= MESSAGES);
  assert.is(state.trouble, '');
  await service.close();
  // What came in since is in it too.
  const now = people(context.state);
  assert.is([...now.keys()].filter((address) => !before.has(address)).join(' '), 'early@new.example');
  sameLedger(new Map([...now].filter(([address]) => before.has(address))), before);
});

imap(test, "a wrong password: the server's words and what to do, and no second try", async (context) => {
  context.world.writePassword('not the password');
  const logged = context.dovecot.log().length;
  try {
    const service = await serve(context, { state: context.world.newState() });
    const { state } = await service.until(({ sources }) => sources[0]?.state === 'failed');
    assert.match(state.trouble, /imap\.example\.org refused the login of me@desk\.example .*password_file/);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const tries = context.dovecot
      .log()
      .slice(logged)
      .filter(
        (line) => /auth failed|Password mismatch|password mismatch/.test(line) && /imap-login/.test(line),
      );
    assert.ok(tries.length <= 1, tries.join('\n'));
    assert.not.ok(service.transcript.join('\n').includes('not the password'));
  } finally {
    context.world.writePassword(PASSWORD);
  }
});

test.run();
