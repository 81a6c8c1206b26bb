/** The mail process as a child of the service: its environment, its end and its restart. No network is needed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLedgerReader } from '../../../src/features/mail/ledger/reader.ts';
import { expect } from '../../support/expect.ts';
import { messagesAlone, NOW, withLedger } from '../../support/ledger.ts';
import { corpus } from '../../support/mail-corpus.ts';
import { MAIL_SERVICE, MailRemote } from '../../support/mail-remote.ts';
import { readHeader } from '../../support/message-facts.ts';
import { projectRoot } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Context {
  folder: string;
  children: ChildProcess[];
  services: MailRemote[];
}

const test = suite<Context>('mail keeper', {} as Context);

test.before.each((context) => {
  context.folder = tempFolder('desk-keeper-');
  context.children = [];
  context.services = [];
});
test.after.each(async ({ children, services }) => {
  for (const service of services) await service.close();
  for (const child of children) child.kill('SIGKILL');
});

/** A service whose only source is a server that the egress rules do not allow. */
async function serve(
  { folder, children, services }: Context,
  sources: readonly string[] = ['imap'],
  pauses: Readonly<Record<string, number>> = {},
): Promise<MailRemote> {
  const config = {
    identity: { address: 'me@desk.example', imap_host: 'imap.example.org' },
    mail: { sources, password_file: join(folder, 'password') },
  };
  const words = [...MAIL_SERVICE, JSON.stringify(config), folder, JSON.stringify(pauses)];
  const env = {
    ...process.env,
    A_SECRET: 'not for the child',
    CREDENTIALS_DIRECTORY: '/nonexistent/credentials',
  };
  const child = spawn(process.execPath, words, { cwd: projectRoot, env });
  children.push(child);
  const service = new MailRemote(child);
  services.push(service);
  await service.wish('start');
  return service;
}

const failed = (service: MailRemote) =>
  service.until(({ sources }, pid) => sources[0]?.state === 'failed' && pid !== null);

const isAlive = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) Z/.test(stat);
  } catch {
    return false;
  }
};

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs && isAlive(pid); waited += 20) await delay(20);
  return !isAlive(pid);
}

test('the mail process gets a minimal environment and no descriptors of the service, and dumps no core', async (context) => {
  const service = await serve(context);
  const { pid, state, notes } = await failed(service);
  assert.match(state.trouble, /^imap: the password file .* does not exist/);
  assert.equal(notes, [pid]);
  const environ = readFileSync(`/proc/${pid}/environ`, 'utf8');
  assert.not.match(environ, 'A_SECRET');
  assert.match(environ, 'CREDENTIALS_DIRECTORY=/nonexistent/credentials');
  const allowed = /^(?:NODE_EXTRA_CA_CERTS|CREDENTIALS_DIRECTORY|HOME|PATH|TZ|LANG|NODE_CHANNEL_\w+)=/;
  expect(environ.split('\0').filter((one) => one !== '' && !allowed.test(one))).equals([]);
  for (const [fd, at] of [0, 1, 2].map((fd) => [fd, readlinkSync(`/proc/${pid}/fd/${fd}`)] as const))
    assert.is(at, '/dev/null', `descriptor ${fd}`);
  assert.is(Number.parseInt(readFileSync(`/proc/${pid}/coredump_filter`, 'latin1'), 16), 0);
  assert.is(readlinkSync(`/proc/${pid}/cwd`), '/');
  assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '--max-old-space-size=');
});

test('a killed mail process is restarted, and the restart is reported until it runs', async (context) => {
  const service = await serve(context);
  const { pid: first } = await failed(service);
  process.kill(first as number, 'SIGKILL');
  await service.until(({ trouble }) =>
    /^the mail process ended \(SIGKILL\), it is started again in 1 s/.test(trouble),
  );
  const { pid: second, notes } = await service.until(
    (state, pid) => pid !== null && pid !== first && state.trouble.startsWith('imap: '),
  );
  assert.equal(notes, [second]);
  assert.ok(
    service.transcript.some((line) => /"level":50.*"reason":"SIGKILL".*the mail process ended/.test(line)),
  );
});

test('the mail process ends with its service, whether that stops or is killed', async (context) => {
  const orderly = await serve(context);
  const { pid: first } = await failed(orderly);
  await orderly.close();
  assert.ok(await gone(first as number, 3000));
  const killed = await serve(context);
  const { pid: second } = await failed(killed);
  process.kill(killed.pid, 'SIGKILL');
  assert.ok(await gone(second as number, 5000), 'the mail process ended with its service');
});

test('the mail process ignores signals to the process group and ends with its service', async (context) => {
  const service = await serve(context);
  const { pid } = await failed(service);
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(pid as number, signal);
  // The mail process still answers.
  assert.is((await service.check()).servers.length, 2);
  assert.is(service.last?.pid, pid);
  assert.not.match(service.transcript.join('\n'), 'the mail process ended');
  await service.close();
  assert.ok(await gone(pid as number, 3000));
});

test('a mail process that does not react to the stop request is killed', async (context) => {
  const service = await serve(context);
  const { pid } = await failed(service);
  process.kill(pid as number, 'SIGSTOP');
  const before = performance.now();
  await service.wish('close');
  assert.ok(await gone(pid as number, 100));
  assert.ok(performance.now() - before < 10_000);
});

test('a hung mail process is killed and restarted', async (context) => {
  const service = await serve(context, ['imap'], { pingEveryMs: 200 });
  const { pid: first } = await failed(service);
  process.kill(first as number, 'SIGSTOP');
  await service.until(({ trouble }) => trouble.startsWith('the mail process ended (it did not answer'));
  const { pid: second } = await service.until(
    (state, pid) => pid !== null && pid !== first && state.trouble.startsWith('imap: '),
  );
  // A working process is not killed.
  await delay(5000);
  assert.is(service.last?.pid, second);
});

test('a request without an answer times out', async (context) => {
  const service = await serve(context, ['imap'], { answerMs: 300 });
  const { pid } = await failed(service);
  process.kill(pid as number, 'SIGSTOP');
  const answer = await service.check().then(
    () => 'answered',
    (error: Error) => error.message,
  );
  process.kill(pid as number, 'SIGCONT');
  assert.match(answer, /^The mail process did not answer within 1 s/);
});

test('a password equal to a protocol keyword does not change messages', async (context) => {
  const scene = async (word: string): Promise<void> => {
    const folder = mkdtempSync(join(context.folder, 'word-'));
    writeFileSync(join(folder, 'password'), word, { mode: 0o600 });
    const service = await serve({ ...context, folder });
    const { state } = await failed(service);
    assert.equal([state.people, state.sources.length], [0, 1], word);
    const { servers } = await service.check();
    assert.is(servers[0]?.protocol, 'imap', word);
    assert.is(servers[0]?.steps[0]?.step, 'dns', word);
    await service.close();
  };
  await Promise.all(['kind', 'sources', 'progress', 'step', 'password', 'dns', 'answer'].map(scene));
});

test('without sources the mail process runs only for requests', async (context) => {
  const service = await serve(context, []);
  await service.wish('state');
  assert.is(service.last?.pid, null);
  assert.is(service.last?.state.trouble, '');
  const { servers } = await service.check();
  expect(servers.map(({ configured, ok }) => [configured, ok])).equals([
    [true, false],
    [false, false],
  ]);
  await service.idle();
  assert.equal([service.last?.pid, service.last?.notes], [null, []]);
  assert.equal(readdirSync(context.folder), []);
});

const PAGE = JSON.stringify({ q: '', sort: 'rank', limit: 5, open: false });

test('without a ledger the answers are empty and no mail process starts', async (context) => {
  const service = await serve(context, []);
  assert.equal(await service.wish('page', PAGE), { total: 0, people: [], next: null });
  assert.is(await service.wish('page', JSON.stringify({ ...JSON.parse(PAGE), cursor: 'mine' })), null);
  assert.is(await service.wish('who', 'ada@example.org'), null);
  await service.wish('count');
  assert.equal([service.last?.pid, service.last?.state.people], [null, 0]);
  assert.equal(readdirSync(context.folder), []);
});

test('the mail process answers ledger requests, also if the password is part of an address', async (context) => {
  const { folder } = context;
  withLedger(folder, (ledger) => {
    const texts = [...corpus({ messages: 60, people: 12 })].map(({ text }) => Buffer.from(text));
    ledger.commit(messagesAlone(texts.map((text) => readHeader(text, NOW))));
    ledger.finish();
  });
  const reader = openLedgerReader(folder);
  const page = reader.page(JSON.parse(PAGE));
  const totals = reader.totals();
  reader.close();
  const [person] = page?.people ?? [];
  assert.ok(person && page?.next);
  writeFileSync(join(folder, 'password'), person.address.slice(0, 3), { mode: 0o600 });
  const service = await serve(context, [], { idleMs: 300 });
  assert.equal(await service.wish('page', PAGE), page);
  assert.equal(await service.wish('who', person.address), person);
  await service.wish('count');
  const { people, messages, leftOut } = service.last?.state ?? {};
  assert.equal({ people, messages, leftOut }, totals);
  const { pid } = service.last ?? {};
  assert.ok(pid);
  assert.ok(await gone(pid, 5000), 'it ends when there are no more requests');
});

test('an unreadable ledger is reported in the answer and as trouble', async (context) => {
  writeFileSync(join(context.folder, 'people.db'), 'no database at all'.repeat(300), { mode: 0o600 });
  const service = await serve(context, []);
  const refused = await service.wish('page', PAGE).catch((error: Error) => error.message);
  assert.match(String(refused), /^The people ledger .*people\.db cannot be read \(SQLITE_NOTADB\)/);
  await service.wish('count');
  assert.match(service.last?.state.trouble ?? '', /cannot be read \(SQLITE_NOTADB\), Make the file yours/);
});

test('a request is rejected when the mail process dies', async (context) => {
  const service = await serve(context);
  const { pid } = await failed(service);
  process.kill(pid as number, 'SIGSTOP');
  const asked = service.check().then(
    () => 'answered',
    (error: Error) => error.message,
  );
  await delay(100);
  process.kill(pid as number, 'SIGKILL');
  assert.is(await asked, 'The mail process ended before it answered (SIGKILL).');
  assert.is((await service.check()).servers.length, 2);
});

test('removing an unknown person creates a ledger and reports false', async (context) => {
  const service = await serve(context);
  assert.is(await service.wish('forget', 'unknown@example.org'), false);
});

test.run();
