/** What the service and its mail process say to each other over its channel, a line of JSON each. No secret among it. */
import type { DeskError } from '../../base/desk-error.ts';
import type { LedgerQuestion } from '../../records/ledger.ts';
import type { MailProgress } from '../../records/mail-facts.ts';
import type { ExportFormat } from './export.ts';
import type { MailSettings } from './settings.ts';

export type Ask =
  | { readonly what: 'check' }
  | { readonly what: 'test'; readonly to: string }
  | { readonly what: 'forget'; readonly address: string }
  | { readonly what: 'export'; readonly format: ExportFormat }
  | LedgerQuestion;

export type ToMail =
  | { readonly kind: 'begin'; readonly settings: MailSettings }
  /** Read the sources from now on. */
  | { readonly kind: 'work' }
  | { readonly kind: 'ask'; readonly id: number; readonly ask: Ask }
  /** Does it live? */
  | { readonly kind: 'knock' }
  | { readonly kind: 'stop' };

/** Keys whose values are words of this protocol, not text from elsewhere: no password is taken out of them. */
export const OWN_WORDS: ReadonlySet<string> = new Set([
  'kind',
  'level',
  'state',
  'protocol',
  'step',
  'what',
  'code',
]);

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type FromMail =
  /** It listens. */
  | { readonly kind: 'ready' }
  /** It was asked whether it lives. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'progress'; readonly progress: MailProgress }
  | { readonly kind: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly ok: false;
      readonly code: DeskError['code'];
      readonly reason: string;
      readonly remedy: string;
    }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /** It is going to end by itself. */
  | { readonly kind: 'ending'; readonly reason: string };
