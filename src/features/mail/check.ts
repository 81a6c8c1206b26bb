/** Checks the mail identity, step by step, and sends the test message. */
import { randomUUID } from 'node:crypto';
import type { AlertMail, AlertSent } from '../../desk/alert-mail.ts';
import type { Egress } from '../../egress/egress.ts';
import { openImap } from '../../egress/imap.ts';
import { IMAP_PORT, type Opening, reach, type ServerAccount, SMTP_PORT } from '../../egress/session.ts';
import { checkSmtp, sendMessage } from '../../egress/smtp.ts';
import type { MailChecked, MailSent, MailStep, ServerCheck } from '../../records/mail-facts.ts';
import type { Secret } from './password.ts';
import { addressOf, domainPart } from './people/address.ts';
import type { MailSettings } from './settings.ts';

interface CheckParts {
  readonly settings: MailSettings;
  readonly egress: Egress;
  readonly secret: Secret;
}

/** Both servers, each up to its first step that fails. Never rejects. */
export async function checkIdentity(parts: CheckParts): Promise<MailChecked> {
  const { egress } = parts;
  const servers = await Promise.all([
    checkServer(parts, 'imap', async (account) => {
      const opening = await openImap(egress, account);
      if (opening.ok) await opening.session.close();
      return opening;
    }),
    checkServer(parts, 'smtp', (account) => checkSmtp(egress, account)),
  ]);
  return { atMs: Date.now(), servers };
}

async function checkServer(
  parts: CheckParts,
  protocol: ServerCheck['protocol'],
  open: (account: ServerAccount) => Promise<Opening<unknown>>,
): Promise<ServerCheck> {
  const { host, user } = parts.settings[protocol];
  const about = { protocol, host, port: protocol === 'imap' ? IMAP_PORT : SMTP_PORT };
  if (host === '') return { ...about, ok: false, configured: false, steps: [], certificateDays: null };
  const { step, password } = passwordStep(parts, protocol, user);
  // Without a password, the steps before the login are still checked.
  const opening =
    password === null
      ? await reach(parts.egress, host, about.port)
      : await open({ host, user, password, redact: parts.secret.redact });
  const { certificateDays } = opening;
  const login = opening.steps.filter((one) => one.step === 'login');
  const before = opening.steps.filter((one) => one.step !== 'login');
  const steps = before.every(({ ok }) => ok) ? [...before, step, ...login] : before;
  return { ...about, ok: opening.ok && step.ok, configured: true, steps, certificateDays };
}

function passwordStep(
  { settings, secret }: CheckParts,
  protocol: 'imap' | 'smtp',
  user: string,
): { readonly step: MailStep; readonly password: string | null } {
  const started = performance.now();
  const result = secret.read();
  const ms = performance.now() - started;
  const failed = (detail: string) => ({
    step: { step: 'password', ok: false, ms, detail } as const,
    password: null,
  });
  if (user === '')
    return failed(
      `no user name for ${settings[protocol].host}: set address or ${protocol}_user in [identity]`,
    );
  if (!result.ok) return failed(result.reason);
  const detail = `read from ${result.from}`;
  return { step: { step: 'password', ok: true, ms, detail }, password: result.secret };
}

/** Sends a message to one of the user's own addresses, never to another. Never rejects. */
export async function sendTest(parts: CheckParts, to: string): Promise<MailSent> {
  const { address, smtp, own } = parts.settings;
  const started = performance.now();
  const ended = (ok: boolean, detail: string, messageId = ''): MailSent => {
    return { ok, to, ms: performance.now() - started, detail, messageId };
  };
  const wanted = addressOf(to);
  const mine = own.find((one) => addressOf(one) === wanted);
  if (wanted === null || mine === undefined)
    return ended(
      false,
      `${to} is not one of your own addresses: name one of ${own.join(', ')}, or add it to own_addresses in [mail]`,
    );
  const sent = await send(parts, {
    to: mine,
    id: randomUUID(),
    subject: 'Test message of the desk',
    text: `This message was sent by "desk mail test", through ${smtp.host}.\nIt shows that the desk can send mail as ${address}.\n`,
  });
  return ended(sent.ok, sent.detail, sent.ok ? messageIdOf(sent.id, address) : '');
}

/** Sends an alert to an address that the configuration names for that. Never rejects. */
export async function sendAlert(parts: CheckParts, mail: AlertMail): Promise<AlertSent> {
  if (!parts.settings.alertTo.includes(mail.to))
    return { ok: false, detail: `${mail.to} is not an address of [[alerts.to]]`, sent: false };
  const { ok, detail, sent } = await send(parts, mail);
  return { ok, detail, sent };
}

const messageIdOf = (id: string, address: string): string => `<${id}@${domainPart(address)}>`;

async function send(
  { settings: { address, fromName, smtp }, egress, secret }: CheckParts,
  { to, id, subject, text }: AlertMail,
): Promise<AlertSent & { readonly id: string }> {
  const refused = (detail: string) => ({ ok: false, detail, sent: false, id });
  if (smtp.host === '') return refused('no server sends mail: set smtp_host in [identity]');
  if (addressOf(address) === null) return refused('no address to send from: set address in [identity]');
  const password = secret.read();
  if (!password.ok) return refused(password.reason);
  const sending = await sendMessage(
    egress,
    { host: smtp.host, user: smtp.user, password: password.secret, redact: secret.redact },
    { from: address, fromName, to, messageId: messageIdOf(id, address), subject, text },
  );
  if (sending.ok) return { ok: true, detail: sending.session.answer, sent: true, id };
  const { refusal, steps } = sending;
  // Behind TLS the server may have taken the message before the connection broke.
  const begun = refusal.kind === 'network' && steps.some(({ step, ok }) => step === 'tls' && ok);
  return { ok: false, detail: refusal.reason, sent: begun, id };
}
