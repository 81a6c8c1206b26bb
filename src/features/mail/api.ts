/** What operations use of mail. */
import { token } from '../../desk/token.ts';
import type { MailChecked, MailSent } from '../../records/mail-facts.ts';
import type { Exported, ExportFormat } from './export.ts';

/** Actions at the mail servers and on the ledger. Refusals are DeskErrors. */
export interface Mail {
  /** Checks the servers of [identity], step by step. */
  check(): Promise<MailChecked>;
  /** Sends a test message to one of your own addresses; by default to that of [identity]. */
  test(to?: string): Promise<MailSent>;
  /** Removes a person from the ledger for good; `forgotten` is false for one it did not have. */
  forget(email: string): Promise<{ readonly address: string; readonly forgotten: boolean }>;
  /** Writes the ledger to a file in the state folder. */
  export(format: ExportFormat): Promise<Exported>;
}

export const MAIL = token<Mail>('mail');
