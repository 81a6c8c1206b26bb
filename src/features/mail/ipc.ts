/**
 * What the service and its mail process send to each other over their channel, a line of JSON each; never a secret. The mail process
 * reads hostile mail, so the service checks each of its messages: shapes, ranges and sizes. Texts that servers and files can make long
 * are cut, everything else that differs is an error. The mail process itself imports only types from here.
 */
import { z } from 'zod';
import type { AlertMail, AlertSent } from '../../desk/alert-mail.ts';
import {
  type LedgerAnswers,
  type LedgerPerson,
  type LedgerQuestion,
  LONGEST_CURSOR,
  MOST_NAMES,
  WARNINGS,
} from '../../records/ledger.ts';
import type { MailChecked, MailProgress, MailSent } from '../../records/mail-facts.ts';
import type { Exported, ExportFormat } from './export.ts';
import type { MailSettings } from './settings.ts';

export type Ask =
  | { readonly what: 'check' }
  | { readonly what: 'test'; readonly to: string }
  | ({ readonly what: 'alert' } & AlertMail)
  | { readonly what: 'forget'; readonly address: string }
  | { readonly what: 'export'; readonly format: ExportFormat }
  | LedgerQuestion;

export type ToMail =
  | { readonly kind: 'begin'; readonly settings: MailSettings }
  /** Read the sources from now on. */
  | { readonly kind: 'work' }
  | { readonly kind: 'ask'; readonly id: number; readonly ask: Ask }
  /** The health check; the answer is `alive`. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' };

/** Characters that are kept of a text, and most of all fields of a log line as JSON. */
const MOST_TEXT = 4000;
const MOST_FIELDS = 16_000;
const MOST_SOURCES = 100;
const MOST_STEPS = 20;
/** On one page. */
const MOST_PEOPLE = 500;
/** ECMA-262 section 21.4.1.1: a later time has no date. */
const LAST_MS = 8.64e15;

const text = z.string().transform((whole) => whole.slice(0, MOST_TEXT));
const amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const timeMs = z.number().min(0).max(LAST_MS);

/** The count is checked before the elements: millions of wrong ones would give millions of errors. */
const few = <T extends z.ZodType>(element: T, most: number) =>
  z.array(z.unknown()).max(most).pipe(z.array(element));

const source = z.object({
  source: text,
  state: z.enum(['waiting', 'importing', 'watching', 'failed']),
  reason: text,
  folders: amount,
  read: amount,
  progress: z.object({ done: amount, total: amount, perSec: amount, leftSec: amount.nullable() }).nullable(),
  completeMs: timeMs.nullable(),
});

const totals = z.object({
  people: amount,
  messages: amount,
  leftOut: amount,
}) satisfies z.ZodType<LedgerAnswers['totals']>;

const progress: z.ZodType<MailProgress> = totals.extend({
  sources: few(source, MOST_SOURCES),
  trouble: text,
});

const fields = z.record(z.string(), z.unknown()).transform((whole): Record<string, unknown> => {
  const json = JSON.stringify(whole);
  return json.length <= MOST_FIELDS ? whole : { cut: json.slice(0, MOST_TEXT) };
});

const answer = z.discriminatedUnion('ok', [
  z.object({ kind: z.literal('answer'), id: amount, ok: z.literal(true), value: z.unknown() }),
  z.object({
    kind: z.literal('answer'),
    id: amount,
    ok: z.literal(false),
    code: z.enum(['unavailable', 'refused', 'usage', 'not-found']),
    reason: text,
    remedy: text,
  }),
]);

export const fromMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('alive') }),
  z.object({ kind: z.literal('progress'), progress }),
  answer,
  z.object({
    kind: z.literal('log'),
    level: z.enum(['debug', 'info', 'warn', 'error']),
    message: text,
    fields,
  }),
  /** It is about to exit. */
  z.object({ kind: z.literal('ending'), reason: text }),
]);
export type FromMail = z.infer<typeof fromMail>;
export type LogLevel = Extract<FromMail, { kind: 'log' }>['level'];

const server = z.object({
  protocol: z.enum(['imap', 'smtp']),
  host: text,
  port: amount,
  ok: z.boolean(),
  configured: z.boolean(),
  steps: few(
    z.object({
      step: z.enum(['dns', 'connect', 'tls', 'password', 'login']),
      ok: z.boolean(),
      ms: amount,
      detail: text,
    }),
    MOST_STEPS,
  ),
  certificateDays: z.int().nullable(),
});

const person = z.object({
  address: text,
  name: text,
  names: few(text, MOST_NAMES),
  firstMs: timeMs.nullable(),
  lastMs: timeMs.nullable(),
  firstContact: z.enum(['in', 'out', 'beside']),
  received: amount,
  sent: amount,
  copied: amount,
  list: z.boolean(),
  automated: z.boolean(),
  warnings: few(z.object({ kind: z.enum(WARNINGS), about: text }), WARNINGS.length),
}) satisfies z.ZodType<LedgerPerson>;

/** The answer to each request. */
export const ANSWERS = {
  check: z.object({ atMs: timeMs, servers: few(server, 2) }) satisfies z.ZodType<MailChecked>,
  test: z.object({
    ok: z.boolean(),
    to: text,
    ms: amount,
    detail: text,
    messageId: text,
  }) satisfies z.ZodType<MailSent>,
  alert: z.object({ ok: z.boolean(), detail: text, sent: z.boolean() }) satisfies z.ZodType<AlertSent>,
  forget: z.boolean(),
  export: z.object({ path: text, people: amount }) satisfies z.ZodType<Exported>,
  who: person.nullable() satisfies z.ZodType<LedgerAnswers['who']>,
  page: z
    .object({
      total: amount,
      people: few(person, MOST_PEOPLE),
      next: z.string().max(LONGEST_CURSOR).nullable(),
    })
    .nullable() satisfies z.ZodType<LedgerAnswers['page']>,
  totals,
} as const satisfies Record<Ask['what'], z.ZodType>;
