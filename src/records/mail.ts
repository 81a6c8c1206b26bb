/** How the mail people ledger is kept, and what operations of mail answer (`MAIL`). */
import { z } from 'zod';
import {
  count,
  done,
  field,
  flag,
  type Given,
  group,
  head,
  type RecordOf,
  record,
  type Source,
  text,
} from './define.ts';
import { timeOf } from './derive.ts';
import type { MailChecked } from './mail-facts.ts';

const source = z.strictObject({
  source: text.describe('as configured in [mail] sources'),
  state: z
    .enum(['waiting', 'importing', 'watching', 'failed'])
    .describe('waiting, importing existing mail, watching for new mail; failed: will be retried'),
  reason: text.describe('why it failed and what to do; "" otherwise'),
  folders: count.describe('folders found so far'),
  read: count.describe('messages read since the mail process started'),
  progress: z
    .strictObject({
      done: count.describe('messages done'),
      total: count.describe('messages there are'),
      per_sec: z.number().nonnegative().describe('current messages per second'),
      left_sec: count.nullable().describe('seconds left at that rate; null while it is not known'),
    })
    .nullable()
    .describe('how far the import is; null while no import runs'),
  complete_at: text.nullable().describe('when everything was read, RFC 3339; null before'),
});

/** How far reading of one source of people is. */
export interface MailSource extends Omit<Source<z.output<typeof source>>, 'completeAt'> {
  /** When it was last found to be complete, milliseconds since the epoch; null before. */
  readonly completeMs: number | null;
}

export const mailState = record('MailState', 'How the mail people ledger is kept', {
  ...head('MAIL'),
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
    finite: field(flag, 'within its cap: no person was left out', (m) => m.desk.mail.finite),
    export: field(
      text,
      'path of the last export, with ~ for the home folder; "" until exported',
      (m) => m.desk.mail.exportPath,
    ),
  }),
  trouble: field(text, 'what is wrong with the ledger; "" when nothing is', (m) => m.desk.mail.trouble),
  sources: field(z.array(source), 'each source of people and how far it is', (m) =>
    m.desk.mail.sources.map(({ completeMs, ...one }) => ({ ...one, completeAt: timeOf(m, completeMs) })),
  ),
});
export type MailState = RecordOf<typeof mailState>;

export const serverSchema = z.strictObject({
  protocol: z.enum(['imap', 'smtp']).describe('which of the two'),
  host: text.describe('as configured; "" without one'),
  port: count.describe('993 or 465'),
  configured: flag.describe('[identity] names a host'),
  ok: flag.describe('every step was taken'),
  certificate_days: z.int().nullable().describe('whole days the certificate lasts; null when not seen'),
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
});

export const mailCheck = done(
  'MailCheck',
  'MAIL',
  'The mail servers of [identity], as they answer now',
  {
    ok: flag.describe('every configured server took every step'),
    servers: z.array(serverSchema).describe('IMAP and SMTP'),
  },
  ({ servers }: MailChecked) => ({ ok: servers.every(({ configured, ok }) => !configured || ok), servers }),
);
export type MailCheck = RecordOf<typeof mailCheck>;

const sent = {
  ok: flag.describe('the server took it'),
  to: text.describe('where it was sent'),
  ms: z.number().nonnegative().describe('milliseconds it took'),
  detail: text.describe('what the server said, or why it failed and what to do'),
  message_id: text.describe('its Message-ID; "" when not sent'),
};
export type MailSent = Given<typeof sent>;
export const mailTest = done('MailTest', 'MAIL', 'A test message to an address of your own', sent);
export type MailTest = RecordOf<typeof mailTest>;

export const forgotten = done('Forgotten', 'MAIL', 'One person, forgotten', {
  email: text.describe('the address, as the ledger writes it'),
  forgotten: flag.describe(
    'the person was in the ledger and was removed; older mail does not add them again',
  ),
});
export type Forgotten = RecordOf<typeof forgotten>;

export const exported = done('Exported', 'MAIL', 'The ledger, written to a file', {
  path: text.describe('of the file, which only the user of the service may read'),
  people: count.describe('people in it'),
});
