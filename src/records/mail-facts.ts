/** What was done at the mail servers, and what they said. */
import type { LedgerTotals } from './ledger.ts';
import type { MailFacts } from './moment.ts';

/** One step of a check: a name resolved, a certificate looked at, a login tried. */
export interface MailStep {
  readonly step: 'dns' | 'connect' | 'tls' | 'password' | 'login';
  readonly ok: boolean;
  readonly ms: number;
  /** What was found, or why it failed and what to do; never a secret. */
  readonly detail: string;
}

export interface ServerCheck {
  readonly protocol: 'imap' | 'smtp';
  readonly host: string;
  readonly port: number;
  /** All steps passed. False with no steps: not configured. */
  readonly ok: boolean;
  readonly configured: boolean;
  /** In order, up to the first that failed. */
  readonly steps: readonly MailStep[];
  /** Whole days the certificate lasts; null when none was seen. */
  readonly certificateDays: number | null;
}

export interface MailChecked {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly servers: readonly ServerCheck[];
}

export interface MailSent {
  readonly ok: boolean;
  readonly to: string;
  readonly ms: number;
  /** The server's answer, or why it failed and what to do. */
  readonly detail: string;
  /** Message-ID that it was sent with; "" when nothing was sent. */
  readonly messageId: string;
}

/** What the mail process tells of its own accord, at most a few times a second. */
export type MailProgress = LedgerTotals & Pick<MailFacts, 'sources' | 'trouble'>;
