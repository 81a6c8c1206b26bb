/** A compromised mail process: whatever it sends, the service keeps running, reports it once and ends the process. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogger } from '../../../src/base/log.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { DeskMail, type MailPart } from '../../../src/features/mail/desk-mail.ts';
import { MailKeeper } from '../../../src/features/mail/keeper.ts';
import { mailSettings } from '../../../src/features/mail/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('hostile mail process');
const config = configSchema.parse({ mail: { sources: ['imap'] } });

/** A keeper whose mail process is played by this test. */
function keep(folder = '/nonexistent') {
  const lines: Record<string, unknown>[] = [];
  const channel = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  let kills = 0;
  let end: (how: string) => void = () => undefined;
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const keeper = new MailKeeper({
    settings: mailSettings(config, folder),
    log: createLogger('trace', { write: (line) => void lines.push(JSON.parse(line)) }),
    startChild: () => ({
      pid: undefined,
      channel: channel as unknown as Socket,
      ended,
      kill: () => {
        kills += 1;
        end('SIGKILL');
      },
    }),
    againMs: 60_000,
  });
  keeper.start();
  return { keeper, lines, channel, kills: () => kills, end };
}

const deep = (levels: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown) => wrap(inner), {});
const state = { source: 'imap', state: 'failed', reason: '', folders: 0, read: 0, progress: null };
const progressOf = (source: unknown, more = {}) => ({
  kind: 'progress',
  progress: { people: 0, messages: 0, leftOut: 0, sources: [source], trouble: '', ...more },
});

const hostile: Readonly<Record<string, unknown>> = {
  'a progress message without progress': { kind: 'progress', progress: null },
  'a time out of range': progressOf({ ...state, completeMs: 1e300 }),
  'a reason that is not text': progressOf({ ...state, reason: {}, completeMs: null }),
  'too many sources': progressOf(null, { sources: Array.from({ length: 100_000 }, () => null) }),
  'an unknown kind': { kind: 'constructor' },
  'a level that is a method': { kind: 'log', level: 'flush', message: '', fields: {} },
  'a log line without fields': { kind: 'log', level: 'info', message: '', fields: null },
  'a message that is not an object': null,
};

for (const [name, message] of Object.entries(hostile))
  test(`${name} ends the process and is reported once`, async () => {
    const { keeper, lines, channel, kills } = keep();
    const line = `${JSON.stringify(message)}\n`;
    channel.push(line + line);
    channel.push(line);
    await delay(20);
    assert.is(kills(), 1);
    assert.equal(
      lines.map(({ msg }) => msg),
      ['the mail process sent a damaged message', 'the mail process ended'],
    );
    assert.match(keeper.state.trouble, /^the mail process ended \(it sent a damaged message\)/);
    assert.is(keeper.state.sources.length, 1);
    await keeper.close();
  });

const ada = {
  address: 'ada@example.org',
  name: 'Ada',
  names: ['Ada'],
  firstMs: 1,
  lastMs: 2,
  firstContact: 'in',
  received: 1,
  sent: 0,
  copied: 0,
  list: false,
  automated: false,
  warnings: [],
};
const ledgerPages: Readonly<Record<string, unknown>> = {
  'invalid people': { total: 1, people: [null], next: null },
  'too many people': { total: 501, people: Array.from({ length: 501 }, () => ada), next: null },
  'too many names': {
    total: 1,
    people: [{ ...ada, names: Array.from({ length: 9 }, () => 'Ada') }],
    next: null,
  },
  'a time out of range': { total: 1, people: [{ ...ada, lastMs: 1e300 }], next: null },
  'a warning of an unknown kind': {
    total: 1,
    people: [{ ...ada, warnings: [{ kind: 'x', about: '' }] }],
    next: null,
  },
  'a long cursor': { total: 0, people: [], next: 'x'.repeat(2001) },
  'text instead of a page': 'people',
};
const QUERY = { q: '', sort: 'rank', limit: 1, cursor: undefined, open: false } as const;

/** A folder that seems to contain a ledger; the keeper does not open it. */
async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = tempFolder('desk-hostile-');
  writeFileSync(join(folder, 'people.db'), '');
  await work(folder);
}

for (const [name, value] of Object.entries(ledgerPages))
  test(`a page of the ledger with ${name} is rejected`, () =>
    withFolder(async (folder) => {
      const { keeper, channel, kills } = keep(folder);
      const asked = keeper.page(QUERY).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      await delay(5);
      channel.push(`${JSON.stringify({ kind: 'answer', id: 1, ok: true, value })}\n`);
      assert.is(await asked, 'The mail process ended before it answered (it sent a damaged message).');
      assert.is(kills(), 1);
      // It is restarted later: requests before that do not wait.
      const again = await keeper.page(QUERY).catch((error: Error) => error.message);
      assert.match(String(again), /^The people ledger cannot be read: the mail process ended/);
      await keeper.close();
    }));

test('a page of the ledger is passed on unchanged, and too many readers are refused', () =>
  withFolder(async (folder) => {
    const { keeper, channel, end } = keep(folder);
    const page = { total: 2, people: [ada], next: 'further' };
    const asked = Array.from({ length: 40 }, () => keeper.page(QUERY).catch((error: Error) => error.message));
    await delay(5);
    for (let id = 1; id <= 40; id += 1)
      channel.push(`${JSON.stringify({ kind: 'answer', id, ok: true, value: page })}\n`);
    const answers = await Promise.all(asked);
    assert.equal(answers[0], page);
    assert.is(answers.filter((one) => one === 'Too many requests read the ledger at the moment.').length, 8);
    end('exit code 0');
    await keeper.close();
  }));

test('log lines cannot forge fields, and no error object in them ends the service', async () => {
  const { keeper, lines, channel, kills, end } = keep();
  const forged = { level: 'fatal', time: 'never', pid: 1, msg: 'forged', part: 'service' };
  const causes = deep(2000, (cause) => ({ message: 'x', cause }));
  for (const fields of [{ ...forged, err: null }, { err: causes }, { err: 'x'.repeat(100_000) }])
    channel.push(`${JSON.stringify({ kind: 'log', level: 'info', message: 'hello', fields })}\n`);
  await delay(20);
  assert.is(kills(), 0);
  assert.is(lines.length, 3);
  for (const line of lines) {
    assert.equal([line.level, line.part, line.msg, line.pid], ['info', 'mail', 'hello', undefined]);
    assert.ok(Date.parse(String(line.time)) > 0);
    assert.ok(JSON.stringify(line).length < 10_000);
  }
  assert.equal(lines[0]?.mail, { ...forged, err: null });
  end('exit code 0');
  await keeper.close();
});

test('an error of the service with a very long chain of causes is logged', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const causes = deep(100_000, (cause) => ({ message: 'x', cause }));
  const parts = deep(100_000, (part) => ({ message: 'x', part }));
  for (const err of [null, 7, 'text', causes, parts, new Error('whole', { cause: new Error('cause') })])
    log.error({ err }, 'failed');
  assert.is(lines.length, 6);
  assert.match(lines.at(-1) ?? '', /whole.*cause/);
});

test('a symbolic link to itself in place of the export is not followed', () => {
  const folder = tempFolder('desk-hostile-');
  mkdirSync(join(folder, 'people'));
  symlinkSync('people.json', join(folder, 'people', 'people.json'));
  const mail = {
    keeper: { state: { people: 0, messages: 0, leftOut: 0, sources: [], trouble: '' } },
    counted: Promise.resolve(),
    onChange: () => () => undefined,
  } as unknown as MailPart;
  const desk = new DeskMail({ config, folder, mail, changed: () => undefined });
  assert.is(desk.facts(false, false).exportPath, '');
});

test.run();
