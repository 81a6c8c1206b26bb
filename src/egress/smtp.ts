/** An SMTP session (RFC 5321) over the guard: TLS from the first byte (RFC 8314), no STARTTLS, nothing read from files or addresses. */
import { createTransport, type Transporter } from 'nodemailer';
import type { Egress } from './egress.ts';
import { failureCode, wordsOf } from './network-words.ts';
import {
  destroyAfter,
  type Opening,
  quoted,
  type ServerAccount,
  type SessionRefusal,
  SMTP_PORT,
  Steps,
  serverWords,
  underTls,
} from './session.ts';

const TIMEOUT_MS = 15_000;
const RESPONSE_BYTES = 64 << 10;

interface TestMessage {
  readonly from: string;
  readonly fromName: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** With its angle brackets. */
  readonly messageId: string;
}

/** Resolves, connects, shakes hands and logs in, and leaves again. Never rejects. */
export function checkSmtp(
  egress: Egress,
  account: ServerAccount,
  timeoutMs = TIMEOUT_MS,
): Promise<Opening<boolean>> {
  return withTransport(egress, account, timeoutMs, (transport) => transport.verify());
}

/** Sends one plain text message. Never rejects. */
export function sendMessage(
  egress: Egress,
  account: ServerAccount,
  message: TestMessage,
  timeoutMs = TIMEOUT_MS,
): Promise<Opening<{ readonly answer: string }>> {
  return withTransport(egress, account, timeoutMs, async (transport) => {
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
  timeoutMs: number,
  use: (transport: Transporter) => Promise<T>,
): Promise<Opening<T>> {
  const { host, user, password } = account;
  const steps = new Steps(host);
  const opening = await underTls(egress, steps, SMTP_PORT, timeoutMs);
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
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  const late = destroyAfter(socket, 2 * timeoutMs);
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

function smtpRefusal(error: unknown, { host, user, redact }: ServerAccount): SessionRefusal {
  const { response = '', responseCode = 0 } = error as {
    readonly response?: string;
    readonly responseCode?: number;
  };
  const code = failureCode(error);
  const words = quoted(response, redact);
  const network = (reason: string): SessionRefusal => ({ kind: 'network', code, reason });
  // RFC 4954 section 6: 4xx is the server's trouble, 5xx the user's.
  if (code === 'EAUTH' && responseCode >= 500)
    return {
      kind: 'login',
      code: String(responseCode),
      reason: `the server ${host} refused the login of ${user}${words}: check password_file in [mail] and smtp_user in [identity]`,
    };
  if (code === 'EAUTH')
    return network(`the server ${host} takes no logins now${words}, wait, or look at the server`);
  if (code === 'ETIMEDOUT')
    return network(`the server ${host} does not answer, look at it and at the network between`);
  if (code === 'EENVELOPE')
    return network(`the server ${host} refused sender or recipient${words}: check address in [identity]`);
  if (words !== '') return network(`the server ${host} refused a command${words}, look at its log`);
  if (code === 'ECONNECTION' || code === 'ESOCKET')
    return network(`the server ${host} ended the connection, look at its log when it does so again`);
  return network(`${host}: ${wordsOf(code)}`);
}
