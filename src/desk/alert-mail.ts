/** Alerts by mail: offered by the feature that holds the password, used by the one that has something to say. */
import { token } from './token.ts';

export interface AlertMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at every attempt, so that who receives it can tell a repetition: before the `@` of its Message-ID. */
  readonly id: string;
}

export interface AlertSent {
  readonly ok: boolean;
  /** The answer of the server, or why it was not sent. */
  readonly detail: string;
  /** It may have been sent: the server was reached and logged in to. */
  readonly sent: boolean;
}

/** Sends a message to an address of `[[alerts.to]]`. Refusals are DeskErrors. */
export type SendAlertMail = (mail: AlertMail) => Promise<AlertSent>;

export const ALERT_MAIL = token<SendAlertMail>('alert mail');
