/**
 * Asks the running service: only at the configured control address, only on loopback, with the token of the state folder.
 * A problem+json answer (RFC 9457) becomes a `Failure`, and so does silence.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { isLoopbackHost, reachedAt, webAuthority } from '../base/addresses.ts';
import { codeOf } from '../base/error-code.ts';
import { eventStream, type StreamEvent } from '../base/event-stream.ts';
import { exchangeHttp } from '../base/http-exchange.ts';
import { escapeTerminal } from '../base/terminal.ts';
import type { Config } from '../config/schema.ts';
import { type ExitCode, exit, Failure, usage, withoutPointers } from '../desk/failure.ts';
import type { AnswerKind, Asked, RecordOf } from '../desk/operation.ts';
import { requestOf } from '../desk/request.ts';
import { holderOf, type KernelCalls } from './port-holder.ts';

/** How soon the other end is checked again while the connection is not accepted. */
const askAgainMs = 5;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  /** Sent as bearer token; undefined when the state folder holds none that we may read. */
  readonly token: string | undefined;
  /** Owner of the state folder, who can read the token anyway; undefined when the folder is missing. */
  readonly owner?: number | undefined;
  /** Path of the state folder, for advice. */
  readonly folder?: string;
  readonly timeoutMs: number;
  /** Whether the command takes `--local`. */
  readonly orLocal?: boolean;
  /** Throws when the addon cannot be loaded. */
  readonly kernel?: () => Promise<KernelCalls>;
}

const addon = async (): Promise<KernelCalls> => (await import('../engine/native/load.ts')).loadNative().addon;

const largestAnswerBytes = 16 << 20;

/** Where the service of this configuration is reached. */
export function controlAddress(config: Config): { host: string; port: number } {
  const { host, port } = config.listen.control;
  if (isLoopbackHost(host)) return { host, port };
  throw usage(`The control host ${host} is not on loopback.`, 'Set [listen.control] host = "127.0.0.1".');
}

export class Client {
  readonly #options: ClientOptions;
  /** Why the token was not sent, "" when it was. */
  #kept = '';

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get url(): string {
    const { host, port } = this.#options;
    return `http://${webAuthority(host, port)}`;
  }

  /** The record of a 2xx answer. Everything else is a `Failure`. */
  async ask<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
  ): Promise<RecordOf<A>> {
    const answer = await this.exchange(operation, input);
    if (answer.status >= 200 && answer.status < 300) return answer.body as RecordOf<A>;
    throw this.#refusal(answer, requestOf(operation, input));
  }

  /**
   * A POST answered by a stream of events, given as they come; a service that does not stream answers at once, and its record is
   * the event `done`. Refusals are `Failure`s.
   */
  async converse<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
    report: (event: StreamEvent) => void,
  ): Promise<void> {
    const request = requestOf(operation, input);
    let done = false;
    let broken = false;
    const decoder = new TextDecoder();
    const take = eventStream((event) => {
      report(event);
      done ||= event.event === 'done';
    });
    const chunks: Buffer[] = [];
    const accept = 'text/event-stream, application/json;q=0.5';
    const { status, streams } = await this.#send({ ...request, accept }, (chunk, streams) => {
      if (!streams) return chunks.push(chunk) > 0;
      broken = !take(decoder.decode(chunk, { stream: true }));
      return !done && !broken;
    });
    if (done) return;
    if (broken) throw this.#silent('An event of its answer is too long.', notOurs);
    if (streams) throw this.#silent('The answer ended before it was whole.', 'Ask again.');
    const answer = this.#answer(status, chunks);
    if (status !== 200) throw this.#refusal(answer, request);
    report({ event: 'done', data: JSON.stringify(answer.body) });
  }

  /** Any answer with a JSON body. Everything else is a `Failure`, and so is a port that another user holds: nothing is sent to it. */
  async exchange<I extends z.ZodObject, A extends AnswerKind>(
    operation: Asked<I, A>,
    input: z.input<I>,
  ): Promise<Answer> {
    const chunks: Buffer[] = [];
    const asked = { ...requestOf(operation, input), accept: 'application/json' };
    const { status } = await this.#send(asked, (chunk) => chunks.push(chunk) > 0);
    return this.#answer(status, chunks);
  }

  /** Resolves when the answer has ended, or `take` wants no more of it. */
  async #send(
    { method, path, body, accept }: Sent,
    take: (chunk: Buffer, streams: boolean) => boolean,
  ): Promise<{ readonly status: number; readonly streams: boolean }> {
    const { host, port, timeoutMs, orLocal } = this.#options;
    const authorize = await this.#authorization();
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const headers = {
      accept,
      ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
    };
    const answer = { status: 0, streams: false };
    const end = await exchangeHttp({
      options: { host, port, method, path, agent: false, headers },
      // Nothing leaves before `end`, so the other end can be checked while there is only a connection.
      async send(call) {
        const [socket] = (await once(call, 'socket')) as [Socket];
        await once(socket, 'connect');
        const authorization = await authorize(socket);
        if (call.destroyed) return;
        if (authorization !== undefined) call.setHeader('authorization', authorization);
        call.end(payload);
      },
      timeoutMs,
      mostBytes: largestAnswerBytes,
      head: ({ statusCode = 0, headers }) => {
        answer.status = statusCode;
        answer.streams = statusCode === 200 && /^text\/event-stream\b/.test(headers['content-type'] ?? '');
        return true;
      },
      take: (chunk) => take(chunk, answer.streams),
    });
    if (end === 'whole' || end === 'enough') return answer;
    const startIt = `Start it with "desk boot" (or "npm start")${orLocal ? ', or add --local to scan from this process' : ''}.`;
    if (end === 'too-large')
      throw this.#silent(`Its answer is larger than ${largestAnswerBytes} bytes.`, notOurs);
    if (end === 'timeout') throw this.#silent(`Nothing came within ${timeoutMs / 1000} s.`, startIt);
    const code = typeof end === 'object' ? codeOf(end.error) || end.error.message : end;
    if (code === 'ECONNREFUSED') throw this.#silent('Nothing listens there.', startIt);
    throw this.#silent(
      answer.status === 0 ? `The connection failed (${code}).` : `The answer broke off (${code}).`,
      startIt,
    );
  }

  #answer(status: number, chunks: readonly Buffer[]): Answer {
    try {
      return { status, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
    } catch {
      throw this.#silent('What answers there does not speak JSON.', notOurs);
    }
  }

  #silent(why: string, remedy: string): Failure {
    return new Failure(exit.unreachable, `The desk service does not answer at ${this.url}.`, why, remedy);
  }

  /** What gives the header for a fresh connection: undefined without a token, or when it is unknown who listens. */
  async #authorization(): Promise<(socket: Socket) => Promise<string | undefined>> {
    const { token, owner, kernel: load = addon } = this.#options;
    const none = () => Promise.resolve(undefined);
    if (token === undefined) return none;
    let kernel: KernelCalls;
    try {
      kernel = await load();
    } catch (error) {
      this.#kept = (error as Error).message;
      return none;
    }
    const own = process.geteuid?.();
    const trusted = new Set([0, own, owner].filter((uid) => uid !== undefined));
    return async (socket) => {
      let holder = holderOf(kernel, socket, trusted);
      // A busy service accepts late; the time-out of the whole exchange bounds the wait.
      while (holder.kind === 'pending' && !socket.destroyed) {
        await delay(askAgainMs);
        holder = holderOf(kernel, socket, trusted);
      }
      if (holder.kind === 'stranger') throw this.#stranger(holder.uid, own);
      this.#kept = holder.kind === 'unknown' ? `${holder.reason}.` : '';
      return holder.kind === 'trusted' ? `Bearer ${token}` : undefined;
    };
  }

  #stranger(uid: number, own: number | undefined): Failure {
    return new Failure(
      exit.refused,
      `The control port ${this.url} is held by uid ${uid}, not by your desk service.`,
      `The control token goes to root, to uid ${own} and to the owner of the state folder only; nothing was sent.`,
      `See what uid ${uid} runs there (ss -ltnp), or set [listen.control] port in the configuration and start "desk boot".`,
    );
  }

  #refusal({ status, body }: Answer, { method, path }: Pick<Sent, 'method' | 'path'>): Failure {
    const { title, detail, position, suggestions } = (body ?? {}) as Record<string, unknown>;
    if (typeof title !== 'string' || typeof detail !== 'string') {
      const what = `${this.url} answered ${method} ${path} with ${status}.`;
      return new Failure(exit.unreachable, what, 'It is not an answer of a desk.', notOurs);
    }
    const code: ExitCode = [400, 404, 422].includes(status) ? exit.usage : exit.refused;
    return new Failure(
      code,
      WORDS[status] ?? `${escapeTerminal(title)}.`,
      withoutPointers(detail),
      status === 401 ? this.#tokenHint() : '',
      typeof position === 'number'
        ? { at: position - 1, suggestions: Array.isArray(suggestions) ? suggestions.map(String) : [] }
        : undefined,
    );
  }

  /** What to do when the service wants a token, by what became of ours. */
  #tokenHint(): string {
    const { token, folder, orLocal } = this.#options;
    if (this.#kept !== '')
      return `The token was not sent, because it is not known who listens there: ${this.#kept}`;
    if (token !== undefined)
      return `The token in ${folder} belongs to another service or another run. Set DESK_STATE to the state folder of the service that runs.`;
    return [
      `No token was sent: there is no control.token in ${folder} that you can read.`,
      'Run it with sudo or as the user of the service, set DESK_STATE to its state folder, or let its administrator name a group of yours in [access] group, which may read. "sudo desk open --print" prints an address that signs in a browser of any user.',
      'While the service cannot write its state folder, there is no token: "desk doctor" reports that.',
      ...(orLocal ? ['With --local the command scans from this process.'] : []),
    ].join(' ');
  }
}

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: unknown;
  readonly accept: string;
}

const notOurs = 'See what holds that port, or set [listen.control] port in the configuration.';
/** Refusals in other words than those of HTTP. */
const WORDS: Readonly<Record<number, string>> = {
  404: 'The service does not know this.',
  422: 'The service does not accept this input.',
};

/** Milliseconds for the embedded page of a service to answer: it is on this machine. */
const PROBE_MS = 1000;

/** HTTP status of the embedded public page of a service that runs; 0 when none answers. */
export async function statusAt({ enabled, host, port }: Config['listen']['public']): Promise<number> {
  if (!enabled) return 0;
  let status = 0;
  await exchangeHttp({
    options: { host: reachedAt(host), port, path: '/', agent: false },
    timeoutMs: PROBE_MS,
    mostBytes: 0,
    head: ({ statusCode = 0 }) => {
      status = statusCode;
      return false;
    },
  });
  return status;
}
