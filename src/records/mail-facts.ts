/** What was done at the mail servers, and what they said. */
import type { z } from 'zod';
import type { Source } from './define.ts';
import type { LedgerTotals } from './ledger.ts';
import type { serverSchema } from './mail.ts';
import type { MailFacts } from './state.ts';

/** `ok` is false with no steps where it is not configured. */
export type ServerCheck = Source<z.output<typeof serverSchema>>;
/** One step of a check; `detail` never has a secret. */
export type MailStep = ServerCheck['steps'][number];

export interface MailChecked {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly servers: readonly ServerCheck[];
}

export type { MailSent } from './mail.ts';

/** What the mail process reports by itself, at most a few times a second. */
export type MailProgress = LedgerTotals & Pick<MailFacts, 'sources' | 'trouble'>;
