/** Mail: the process that reads it, the people ledger, and what is asked of both. */
export { DeskMail, type Mail, type MailParts, type People } from './desk-mail.ts';
export { readPrivateLine } from './private-line.ts';
export { StandingMail } from './standing-mail.ts';
