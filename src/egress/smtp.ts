/** An SMTP session (RFC 5321) over the guard: TLS from the first byte (RFC 8314), no STARTTLS, nothing read from files or addresses. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Egress } from './egress.ts';
import { failureCode } from './network-words.ts';
import {
  destroyAfter,
  type Opening,
  type ServerAccount,
  type SessionRefusal,
  SMTP_PORT,
  STEP_MS,
  Steps,
  serverRefusal,
  serverWords,
  underTls,
} from './session.ts';

const RESPONSE_BYTES = 64 << 10;

interface TestMessage {
  readonly from: string;
  readonly fromName: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** Resolves, connects, shakes hands and logs in, and leaves again. Never rejects. */
export const checkSmtp = (egress: Egress, account: ServerAccount): Promise<Opening<boolean>> =>
  withTransport(egress, account, (transport) => transport.verify());

export function sendMessage(
  egress: Egress,
  account: ServerAccount,
  message: TestMessage,
): Promise<Opening<{ readonly answer: string }>> {
  return withTransport(egress, account, async (transport) => {
    const { response } = await transport.sendMail({
      from: { name: message.fromName, address: message.from },
      to: { name: '', address: message.to },
      subject: message.subject,
      text: message.text,
      messageId: message.messageId,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return { answer: serverWords(account.redact(String(response))) };
  });
}

async function withTransport<T>(
  egress: Egress,
  account: ServerAccount,
  use: (transport: Transporter) => Promise<T>,
): Promise<Opening<T>> {
  const { host, user, password } = account;
  const steps = new Steps(host);
  const opening = await underTls(egress, steps, SMTP_PORT);
  if (!opening.ok) return opening;
  const socket = opening.session;
  const started = performance.now();
  const transport = createTransport({
    host,
    port: SMTP_PORT,
    servername: host,
    auth: { user, pass: password },
    // The connection is there and under TLS already: nodemailer neither connects nor upgrades.
    connection: socket,
    secure: true,
    secured: true,
    requireTLS: true,
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    maxResponseSize: RESPONSE_BYTES,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  });
  const late = destroyAfter(socket, 2 * STEP_MS);
  try {
    const result = await use(transport);
    steps.passed('login', performance.now() - started, `${host} knows ${user}`);
    return steps.opened(result);
  } catch (error) {
    return steps.refused(steps.failed('login', performance.now() - started, smtpRefusal(error, account)));
  } finally {
    clearTimeout(late);
    transport.close();
    socket.destroy();
  }
}

function smtpRefusal(error: unknown, account: ServerAccount): SessionRefusal {
  const { response = '', responseCode = 0 } = error as {
    readonly response?: string;
    readonly responseCode?: number;
  };
  const code = failureCode(error);
  const refused = (trouble: Parameters<typeof serverRefusal>[0], as = code): SessionRefusal =>
    serverRefusal(trouble, as, account, response, 'smtp_user');
  // RFC 4954 section 6: 4xx is the server's trouble, 5xx the user's.
  if (code === 'EAUTH') return responseCode >= 500 ? refused('login', String(responseCode)) : refused('busy');
  if (code === 'ETIMEDOUT') return refused('silent');
  if (code === 'EENVELOPE') return refused('addresses');
  const silently = serverWords(account.redact(response)) === '';
  return refused(silently && (code === 'ECONNECTION' || code === 'ESOCKET') ? 'ended' : null);
}
