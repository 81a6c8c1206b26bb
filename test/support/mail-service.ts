/**
 * A process that keeps mail as the service does: takes one JSON line per thing to do, reports one per thing that happened. What
 * passes over the channel of the mail process is reported too. Arguments: the configuration as JSON, the state folder, pauses of the
 * keeper as JSON.
 */
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import { configSchema } from '../../src/config/schema.ts';
import { MailKeeper } from '../../src/features/mail/keeper.ts';
import { mailSettings } from '../../src/features/mail/settings.ts';
import { startMail } from '../../src/privileges/child.ts';
import type { Report, Wish } from './mail-remote.ts';

const [, , config = '{}', folder = '', pauses = '{}'] = process.argv;
const send = (report: Report): void => void process.stdout.write(`${JSON.stringify(report)}\n`);

const { emit } = Socket.prototype;
Socket.prototype.emit = function (this: Socket, ...words: Parameters<typeof emit>) {
  if (String(words[0]) === 'data') send({ kind: 'channel', message: words[1 as number] });
  return emit.apply(this, words);
} as typeof emit;

const log = pino(
  { level: 'debug', base: null },
  { write: (line: string) => send({ kind: 'log', line: JSON.parse(line) as Record<string, unknown> }) },
);
const notes: number[] = [];
const keeper = new MailKeeper({
  settings: mailSettings(configSchema.parse(JSON.parse(config)), folder),
  log,
  againMs: 50,
  idleMs: 0,
  ...JSON.parse(pauses),
  startChild: (ledger) =>
    startMail(ledger, (pid) => {
      notes.push(pid);
      return () => void notes.splice(notes.indexOf(pid), 1);
    }),
  changed: () => state(),
});
const state = (): void => send({ kind: 'state', state: keeper.state, pid: keeper.pid ?? null, notes });

async function grant({ wish, id, ...words }: Wish): Promise<unknown> {
  if (wish === 'start') return keeper.start();
  if (wish === 'state') return state();
  if (wish === 'check') return keeper.check();
  if (wish === 'test') return keeper.test(words.word ?? '');
  if (wish === 'alert') return keeper.alert(JSON.parse(words.word ?? ''));
  if (wish === 'forget') return keeper.forget(words.word ?? '');
  if (wish === 'export') return keeper.exportTo(words.word === 'json' ? 'json' : 'vcard');
  if (wish === 'count') return keeper.count();
  if (wish === 'who') return keeper.who(words.word ?? '');
  if (wish === 'page') return keeper.page(JSON.parse(words.word ?? ''));
  return keeper.close();
}

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const wish = JSON.parse(line) as Wish;
  grant(wish).then(
    (value) => send({ kind: 'granted', id: wish.id, value }),
    (error: Error) => send({ kind: 'refused', id: wish.id, reason: error.message }),
  );
});
lines.on('close', () => void keeper.close().then(() => process.exit(0)));
send({ kind: 'up' });
