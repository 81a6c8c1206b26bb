/** How each kind of target is sent a message. */
import { codeText } from '../../base/error-code.ts';
import type { Config } from '../../config/schema.ts';
import type { SendAlertMail } from '../../desk/alert-mail.ts';
import type { Egress } from '../../egress/egress.ts';
import { sendWeb, type WebRequest } from '../../egress/send-web.ts';
import type { AlertMessage } from './message.ts';
import { runCommand } from './run-command.ts';
import { secretText } from './secret-file.ts';
import { bodyOf, isNews, priorityOf } from './template.ts';

export type Target = Config['alerts']['to'][number];

export type Sent =
  | { readonly ok: true; readonly detail: string }
  /** `unsure`: it may have arrived. `waitMs`: the target asks for that pause. */
  | {
      readonly ok: false;
      readonly reason: string;
      readonly unsure: boolean;
      readonly waitMs?: number;
      /** It refuses what the message says: the same again is of no use. */
      readonly content?: true;
    };

export interface Attempt {
  readonly message: AlertMessage;
  /** An earlier attempt may have arrived. */
  readonly again: boolean;
  readonly signal: AbortSignal;
}

export type Sender = (attempt: Attempt) => Promise<Sent>;

interface SenderParts {
  readonly egress: Egress;
  /** Null without the feature. */
  readonly mail: () => SendAlertMail | null;
  readonly remindHours: number;
}

/** Statuses about what was sent, and not about who sends it or where. */
const CONTENT: ReadonlySet<number> = new Set([400, 413, 414, 422]);
/** How far the clock of a server may be behind. */
const CLOCKS_MS = 600_000;
/** Bytes of an ntfy message; longer ones become an attachment (https://docs.ntfy.sh/publish/#limitations). */
const NTFY_BYTES = 3_800;

const PLAIN = { template: '', each: '', escape: 'none' } as const;

const refused = (reason: string): Sent => ({ ok: false, reason, unsure: false });

/** An exception counts as a failed attempt. Its message may contain the address, so only its code is reported. */
export function senderOf(target: Target, parts: SenderParts): Sender {
  const send = plainSenderOf(target, parts);
  return async (attempt) => {
    if (attempt.signal.aborted) return STOPPING;
    const left = new Promise<Sent>((resolve) =>
      attempt.signal.addEventListener('abort', () => resolve(STOPPING), { once: true }),
    );
    try {
      // Connecting and mail do not end at once.
      return await Promise.race([send(attempt), left]);
    } catch (error) {
      return { ok: false, reason: `it could not be sent (${codeText(error)})`, unsure: true };
    }
  };
}

const STOPPING: Sent = { ok: false, reason: 'the desk is stopping', unsure: true };

function plainSenderOf(target: Target, parts: SenderParts): Sender {
  switch (target.kind) {
    case 'ntfy':
      return web(target, parts, ntfyRequest, ntfyHas);
    case 'apprise':
      return web(target, parts, appriseRequest);
    case 'webhook':
      return web(target, parts, webhookRequest);
    case 'mail':
      return mailSender(target, parts);
    case 'command':
      return ({ message, again, signal }) =>
        runCommand(target.command, message, {
          ...{ again, signal },
          input: JSON.stringify(
            bodyOf(message, { ...PLAIN, remindHours: parts.remindHours, nowMs: Date.now() }),
          ),
        });
  }
}

type MadeRequest = (asked: {
  readonly target: Target;
  readonly url: string;
  readonly message: AlertMessage;
  readonly remindHours: number;
}) => WebRequest;

/** Whether the target has this message; null when it does not say. */
type Has = (
  url: string,
  message: AlertMessage,
  ask: (request: WebRequest) => ReturnType<typeof sendWeb>,
) => Promise<boolean | null>;

function web(target: Target, { egress, remindHours }: SenderParts, make: MadeRequest, has?: Has): Sender {
  return async ({ message, again, signal }) => {
    const url = secretText(target.url, target.url_file, 'address');
    if (!url.ok) return refused(url.reason);
    if (!URL.canParse(url.text)) return refused('its address is not a URL, correct it');
    const token = secretText('', target.token_file, 'token');
    if (!token.ok) return refused(token.reason);
    const authorization = token.text === '' ? {} : { authorization: `Bearer ${token.text}` };
    const ask = (request: WebRequest) =>
      sendWeb(egress, { ...request, headers: { ...authorization, ...request.headers }, signal });
    if (again && (await has?.(url.text, message, ask))) return { ok: true, detail: 'it had arrived before' };
    const request = make({ target, url: url.text, message, remindHours });
    // Understood by receivers that can tell repetitions (draft-ietf-httpapi-idempotency-key-header).
    const answer = await ask({
      ...request,
      headers: { ...request.headers, 'idempotency-key': `"${message.id}"` },
    });
    if (!answer.ok) return { ok: false, reason: answer.reason, unsure: answer.sent };
    const { status, text, retryAfter, location } = answer;
    if (status >= 200 && status < 300) return { ok: true, detail: `answered ${status}` };
    if (status >= 300 && status < 400)
      return refused(
        `it answers ${status} and points to ${pointsTo(location, url.text)}, write that address`,
      );
    // An answer may repeat the request, and with it what is secret in it.
    const { pathname } = new URL(url.text);
    const hides =
      target.url_file !== '' || target.token_file !== '' || (pathname !== '/' && text.includes(pathname));
    const said = (hides ? '' : text).replace(/\s+/g, ' ').trim().slice(0, 200);
    return {
      // What stands between may have passed it on before it gave up.
      ...{
        ok: false,
        unsure: status >= 502,
        reason: `it answers ${status}${said === '' ? '' : ` ("${said}")`}`,
      },
      ...(CONTENT.has(status) && { content: true as const }),
      ...(status === 429 && { waitMs: 1000 * Math.min(3600, Math.max(30, Number(retryAfter) || 0)) }),
    };
  };
}

/** The place without its path, which may be a secret. */
function pointsTo(location: string, base: string): string {
  if (!URL.canParse(location, base)) return 'another address';
  const { origin } = new URL(location, base);
  return origin === new URL(base).origin ? 'another path of the same server' : origin;
}

/** `https://ntfy.sh/topic` as the server's address and the topic. */
function ntfyPlace(url: string): { readonly server: string; readonly topic: string } {
  const whole = new URL(url);
  const [, path = '', topic = ''] = /^(.*\/)([^/]*)\/?$/.exec(whole.pathname) ?? [];
  return { server: `${whole.origin}${path}`, topic };
}

function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= most
    ? text
    : `${new TextDecoder().decode(bytes.subarray(0, most), { stream: true })}…`;
}

/** By which the message is found again. */
const tagOf = (id: string): string => `desk-${id.slice(0, 8)}`;

/** https://docs.ntfy.sh/publish/#publish-as-json */
const ntfyRequest: MadeRequest = ({ url, message }) => {
  const { server, topic } = ntfyPlace(url);
  const { title, text } = message;
  return json('POST', server, {
    topic,
    title,
    message: cutBytes(text, NTFY_BYTES),
    priority: priorityOf(message),
    tags: [tagOf(message.id)],
  });
};

/** Asks for what the topic has since the message was made (https://docs.ntfy.sh/subscribe/api/#poll-for-messages). */
const ntfyHas: Has = async (url, { at, id }, ask) => {
  const { server, topic } = ntfyPlace(url);
  const since = Math.floor((Date.parse(at) - CLOCKS_MS) / 1000);
  const answer = await ask({
    method: 'GET',
    url: `${server}${topic}/json?poll=1&since=${since}`,
    whole: true,
  });
  if (!answer.ok || answer.status !== 200) return null;
  return answer.text.split('\n').some((line) => {
    try {
      const { tags = [] } = JSON.parse(line) as { readonly tags?: readonly string[] };
      return tags.includes(tagOf(id));
    } catch {
      return false;
    }
  });
};

/** `https://host/notify/KEY` of the Apprise API (https://github.com/caronc/apprise-api). */
const appriseRequest: MadeRequest = ({ url, message }) => {
  const { kind, severity, title, text } = message;
  const type =
    kind === 'digest' || kind === 'test'
      ? 'info'
      : !isNews(message)
        ? 'success'
        : severity === 'high' || severity === 'critical'
          ? 'failure'
          : 'warning';
  return json('POST', url, { title, body: text, type, format: 'text' });
};

const webhookRequest: MadeRequest = ({ target, url, message, remindHours }) =>
  json(
    target.method,
    url.replaceAll('{{id}}', message.id),
    bodyOf(message, { ...target, remindHours, nowMs: Date.now() }),
  );

const json = (method: WebRequest['method'], url: string, body: unknown): WebRequest => ({
  ...{ method, url, body: JSON.stringify(body) },
  headers: { 'content-type': 'application/json' },
});

function mailSender({ address }: Target, { mail }: SenderParts): Sender {
  return async ({ message: { id, title, text } }) => {
    const sendMail = mail();
    if (sendMail === null) return refused('this desk was built without mail');
    try {
      const { ok, detail, sent } = await sendMail({
        to: address,
        subject: title,
        text: `${text}\n`,
        id: `desk-${id}`,
      });
      return ok ? { ok, detail } : { ok, reason: detail, unsure: sent };
    } catch (error) {
      return { ok: false, reason: error instanceof Error ? error.message : String(error), unsure: true };
    }
  };
}
