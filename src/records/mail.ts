/** How the mail people ledger is kept, and what operations of mail answer (`MAIL`). */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import { constant, count, field, group, type RecordOf, record, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { MailChecked, MailSent } from './mail-facts.ts';
import type { Moment } from './moment.ts';

const text = z.string();
const flag = z.boolean();

const source = z.strictObject({
  source: text.describe('as configured in [mail] sources'),
  state: z
    .enum(['waiting', 'importing', 'watching', 'failed'])
    .describe('waiting for its turn, importing what is there, watching for what comes; failed: tried again'),
  reason: text.describe('why it failed and what to do; "" otherwise'),
  folders: count.describe('folders it has, as far as it was looked at'),
  read: count.describe('messages read since the mail process started'),
  progress: z
    .strictObject({
      done: count.describe('messages done'),
      total: count.describe('messages there are'),
      per_sec: z.number().nonnegative().describe('messages per second of late'),
      left_sec: count.nullable().describe('seconds left at that rate; null while it is not known'),
    })
    .nullable()
    .describe('how far the import is; null while none runs'),
  complete_at: text.nullable().describe('when nothing was left to read, RFC 3339; null before'),
});

const sourcesOf = ({ desk, snapshot }: Moment): z.output<typeof source>[] =>
  desk.mail.sources.map(({ progress, completeMs, ...one }) => ({
    source: one.source,
    state: one.state,
    reason: one.reason,
    folders: one.folders,
    read: one.read,
    progress:
      progress === null
        ? null
        : {
            done: progress.done,
            total: progress.total,
            per_sec: progress.perSec,
            left_sec: progress.leftSec,
          },
    complete_at: completeMs === null ? null : offsetTime({ ...snapshot.at, epochMs: completeMs }),
  }));

export const mailState = record('MailState', 'How the mail people ledger is kept', {
  ts: field(text, TIME, (m) => offsetTime(m.snapshot.at)),
  word: constant('MAIL', 'name of this answer'),
  configured: field(flag, '[mail] sources names sources of people', (m) => m.desk.mail.configured),
  pass_set: field(
    flag,
    'a mail password is configured and may be used; it is never shown',
    (m) => m.desk.mail.passwordSet,
  ),
  claws_up: field(flag, 'the configured mail client runs', (m) => m.desk.mail.clientRunning),
  ledger: group('The ledger', {
    people: field(count, 'people it knows', (m) => m.desk.mail.people),
    messages: field(count, 'messages that were counted', (m) => m.desk.mail.messages),
    finite: field(flag, 'within its cap: no one had to be left out', (m) => m.desk.mail.finite),
    export: field(
      text,
      'path of the last export, below the home folder where it is there; "" until exported',
      (m) => m.desk.mail.exportPath,
    ),
  }),
  trouble: field(
    text,
    'why the ledger is not kept as it should be; "" when it is',
    (m) => m.desk.mail.trouble,
  ),
  sources: field(z.array(source), 'each source of people and how far it is', sourcesOf),
});
export type MailState = RecordOf<typeof mailState>;

interface Done {
  /** RFC 3339. */
  readonly ts: string;
}

const NOW = 'time of the answer, RFC 3339 with numeric offset';

const checking = wordsFor<Done & MailChecked>();
export const mailCheck = checking.record('MailCheck', 'The mail servers of [identity], asked just now', {
  ts: checking.field(text, NOW, ({ ts }) => ts),
  word: checking.constant('MAIL', 'name of this answer'),
  ok: checking.field(flag, 'every configured server took every step', ({ servers }) =>
    servers.every(({ configured, ok }) => !configured || ok),
  ),
  servers: checking.field(
    z.array(
      z.strictObject({
        protocol: z.enum(['imap', 'smtp']).describe('which of the two'),
        host: text.describe('as configured; "" without one'),
        port: count.describe('993 or 465'),
        configured: flag.describe('[identity] names a host'),
        ok: flag.describe('every step was taken'),
        certificate_days: z
          .int()
          .nullable()
          .describe('whole days the certificate lasts; null when none was seen'),
        steps: z
          .array(
            z.strictObject({
              step: z.enum(['dns', 'connect', 'tls', 'password', 'login']).describe('what was tried'),
              ok: flag.describe('it worked'),
              ms: z.number().nonnegative().describe('milliseconds it took'),
              detail: text.describe('what was found, or why it failed and what to do'),
            }),
          )
          .describe('in order, up to the first that failed'),
      }),
    ),
    'IMAP and SMTP',
    ({ servers }) =>
      servers.map(({ certificateDays, steps, ...server }) => ({
        protocol: server.protocol,
        host: server.host,
        port: server.port,
        configured: server.configured,
        ok: server.ok,
        certificate_days: certificateDays,
        steps: steps.map((step) => ({ ...step })),
      })),
  ),
});
export type MailCheck = RecordOf<typeof mailCheck>;

const sending = wordsFor<Done & MailSent>();
export const mailTest = sending.record('MailTest', 'A test message to an address of your own', {
  ts: sending.field(text, NOW, ({ ts }) => ts),
  word: sending.constant('MAIL', 'name of this answer'),
  ok: sending.field(flag, 'the server took it', ({ ok }) => ok),
  to: sending.field(text, 'where it was sent', ({ to }) => to),
  ms: sending.field(z.number().nonnegative(), 'milliseconds it took', ({ ms }) => ms),
  detail: sending.field(
    text,
    'what the server said, or why it failed and what to do',
    ({ detail }) => detail,
  ),
  message_id: sending.field(text, 'its Message-ID; "" when nothing was sent', ({ messageId }) => messageId),
});
export type MailTest = RecordOf<typeof mailTest>;

const forgetting = wordsFor<Done & { readonly email: string; readonly forgotten: boolean }>();
export const forgotten = forgetting.record('Forgotten', 'One person, forgotten', {
  ts: forgetting.field(text, NOW, ({ ts }) => ts),
  word: forgetting.constant('MAIL', 'name of this answer'),
  email: forgetting.field(text, 'the address, as the ledger writes it', ({ email }) => email),
  forgotten: forgetting.field(
    flag,
    'the ledger knew the person, and does no more; older mail does not bring them back',
    (done) => done.forgotten,
  ),
});
export type Forgotten = RecordOf<typeof forgotten>;

const exporting = wordsFor<Done & { readonly path: string; readonly people: number }>();
export const exported = exporting.record('Exported', 'The ledger, written to a file', {
  ts: exporting.field(text, NOW, ({ ts }) => ts),
  word: exporting.constant('MAIL', 'name of this answer'),
  path: exporting.field(text, 'of the file, which only the user of the service may read', ({ path }) => path),
  people: exporting.field(count, 'people in it', (done) => done.people),
});
export type Exported = RecordOf<typeof exported>;
