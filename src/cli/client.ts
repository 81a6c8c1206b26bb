/**
 * Speaks to the running service: only to the configured control address, only on loopback, with the token of the state
 * folder. A problem+json answer (RFC 9457) becomes a `Failure`, and so does silence.
 */
import { get, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { bracketed } from '../bracketed.ts';
import type { Config } from '../config-schema.ts';
import { EventStream, type StreamEvent } from '../event-stream.ts';
import { exit, Failure } from './failure.ts';
import { holderOf, type KernelCalls } from './port-holder.ts';
import { escapeTerminal } from './terminal.ts';

/** How soon the other end is looked at again while nobody has accepted the connection. */
const askAgainMs = 5;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface ClientOptions {
  readonly host: string;
  readonly port: number;
  /** Sent as bearer token; undefined when the state folder holds none that we may read. */
  readonly token: string | undefined;
  /** Uid of the owner of the state folder, who knows the token anyway; undefined when the folder is missing. */
  readonly owner?: number | undefined;
  /** Path of the state folder, for advice. */
  readonly folder?: string;
  readonly timeoutMs: number;
  /** Whether the command can look by itself instead. */
  readonly orLocal?: boolean;
  /** Asked before a token is sent; throws when the addon cannot be loaded. */
  readonly kernel?: () => Promise<KernelCalls>;
}

const addon = async (): Promise<KernelCalls> => (await import('../native/load.ts')).loadNative().addon;

const largestAnswerBytes = 16 << 20;
const loopback = /^(127(\.\d{1,3}){3}|::1|localhost)$/;

/** Where the service of this configuration is reached. */
export function controlAddress(config: Config): { host: string; port: number } {
  const { host, port } = config.listen.control;
  if (!loopback.test(host))
    throw new Failure(
      exit.usage,
      `The control host ${host} is not on loopback.`,
      '',
      'Set [listen.control] host = "127.0.0.1".',
    );
  return { host, port };
}

export class Client {
  readonly #options: ClientOptions;
  /** Why the token was last kept back, "" when it was not. */
  #kept = '';

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  get url(): string {
    const { host, port } = this.#options;
    return `http://${bracketed(host)}${port === 80 ? '' : `:${port}`}`;
  }

  /** The parsed body of a 2xx answer. Everything else is a `Failure`. */
  async ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
    const answer = await this.exchange(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    throw this.#refusal(answer, `${method} ${path}`);
  }

  /**
   * A POST answered by a stream of events, told as they come; a service that knows no stream answers at once, and its record is the
   * event `done`. Refusals are `Failure`s.
   */
  async converse(path: string, body: unknown, told: (event: StreamEvent) => void): Promise<void> {
    const refused = await this.#exchange<Answer | null>(
      { method: 'POST', path, body, accept: 'text/event-stream, application/json;q=0.5' },
      (response, { fail, done }) => {
        const streams = /^text\/event-stream\b/.test(response.headers['content-type'] ?? '');
        if (response.statusCode !== 200 || !streams) return readJson(response, { fail, done });
        const stream = new EventStream((event) => {
          told(event);
          if (event.event === 'done') done(null);
        });
        let bytes = 0;
        response.setEncoding('utf8').on('data', (text: string) => {
          bytes += text.length;
          if (bytes > largestAnswerBytes || !stream.take(text)) fail(tooLarge, notOurs);
        });
        response.on('end', () => fail('The answer ended before it was whole.', 'Ask again.'));
      },
    );
    if (refused === null) return;
    if (refused.status !== 200) throw this.#refusal(refused, `POST ${path}`);
    told({ event: 'done', data: JSON.stringify(refused.body) });
  }

  /**
   * Any answer with a JSON body. Silence, oversize and non-JSON answers are `Failure`s, and so is a port that another user
   * holds: what is asked is then not sent at all.
   */
  exchange(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    return this.#exchange<Answer>({ method, path, body, accept: 'application/json' }, readJson);
  }

  /** `read` takes the answer and ends the exchange, well or not. */
  async #exchange<T>(
    { method, path, body, accept }: Exchange,
    read: (response: IncomingMessage, ends: Ends<T>) => void,
  ): Promise<T> {
    const { host, port, timeoutMs, orLocal } = this.#options;
    const startIt = `Start it with "desk boot" (or "npm start")${orLocal ? ', or add --local to look from this process' : ''}.`;
    const authorize = await this.#authorization();
    const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return new Promise<T>((resolve, reject) => {
      const fail = (why: string, remedy: string): void => {
        clearTimeout(timer);
        call.destroy();
        reject(
          new Failure(exit.unreachable, `The desk service does not answer at ${this.url}.`, why, remedy),
        );
      };
      const done = (result: T): void => {
        clearTimeout(timer);
        resolve(result);
      };
      const call = request(
        {
          host,
          port,
          method,
          path,
          agent: false,
          headers: {
            accept,
            ...(payload && { 'content-type': 'application/json', 'content-length': payload.length }),
          },
        },
        (response) => {
          response.on('error', (error) => fail(`The answer broke off (${error.message}).`, startIt));
          read(response, { fail, done });
        },
      );
      const timer = setTimeout(() => fail(`Nothing came within ${timeoutMs / 1000} s.`, startIt), timeoutMs);
      call.on('error', (error: NodeJS.ErrnoException) =>
        fail(
          error.code === 'ECONNREFUSED'
            ? 'Nothing listens there.'
            : `The connection failed (${error.code ?? error.message}).`,
          startIt,
        ),
      );
      // Nothing leaves before `end`, so the other end can be looked at while there is only a connection.
      call.once('socket', (socket: Socket) =>
        socket.once('connect', () => {
          authorize(socket).then(
            (authorization) => {
              if (call.destroyed) return;
              if (authorization !== undefined) call.setHeader('authorization', authorization);
              call.end(payload);
            },
            (error) => {
              clearTimeout(timer);
              call.destroy();
              reject(error);
            },
          );
        }),
      );
    });
  }

  /** What gives the header for a fresh connection: undefined without a token, or when nobody can say who is there. */
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

  #refusal({ status, body }: Answer, what: string): Failure {
    const { title, detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<
      string,
      unknown
    >;
    if (typeof title !== 'string' || typeof detail !== 'string')
      return new Failure(
        exit.unreachable,
        `${this.url} answered ${what} with ${status}.`,
        'It is not an answer of a desk.',
        notOurs,
      );
    const codes: Readonly<Record<number, Failure['exitCode']>> = {
      400: exit.usage,
      404: exit.usage,
      422: exit.usage,
    };
    return new Failure(
      codes[status] ?? exit.refused,
      WORDS[status] ?? `${escapeTerminal(title)}.`,
      // The names of fields alone, without the slash of a JSON pointer.
      detail.replace(/(^Invalid fields: |; )\/(?=[\w-]+:)/g, '$1'),
      status === 401 ? this.#tokenHint() : '',
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
      'Run as the user of the service, set DESK_STATE to its state folder, or let its administrator name a group of yours in [access] group, which may read.',
      'While the service cannot write its state folder, there is no token: "desk doctor" reports that.',
      ...(orLocal ? ['With --local the command looks from this process.'] : []),
    ].join(' ');
  }
}

interface Exchange {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: unknown;
  readonly accept: string;
}

/** How an exchange ends. */
interface Ends<T> {
  fail(why: string, remedy: string): void;
  done(result: T): void;
}

const tooLarge = `Its answer is larger than ${largestAnswerBytes} bytes.`;

function readJson(response: IncomingMessage, { fail, done }: Ends<Answer>): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > largestAnswerBytes) fail(tooLarge, notOurs);
  });
  response.on('end', () => {
    try {
      const text = Buffer.concat(chunks).toString('utf8');
      done({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    } catch {
      fail('What answers there does not speak JSON.', notOurs);
    }
  });
}

const notOurs = 'See what holds that port, or set [listen.control] port in the configuration.';
/** Refusals that a person at the command line meets, in other words than those of HTTP. */
const WORDS: Readonly<Record<number, string>> = {
  404: 'The service does not know this.',
  422: 'The service does not accept this input.',
};

/** Milliseconds for the embedded page of a service to answer: it is on this machine. */
const PROBE_MS = 1000;

/** HTTP status of the embedded public page of a service that runs; 0 when none answers. */
export function statusAt({ enabled, host, port }: Config['listen']['public']): Promise<number> {
  if (!enabled) return Promise.resolve(0);
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return new Promise((resolve) => {
    const call = get({ host: reached, port, path: '/', agent: false, timeout: PROBE_MS }, (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    call.on('timeout', () => call.destroy()).on('error', () => resolve(0));
  });
}
