/** A running HTTP layer over a fake desk, and clients that send exactly what a test says. */
import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import pino from 'pino';
import type { ListenerRole } from '../../src/config/schema.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { type Listeners, type ListenOptions, startListeners } from '../../src/http/listeners.ts';
import type { PeerUid } from '../../src/http/peer.ts';
import { exchange } from '../support/exchange.ts';
import { FakeDesk } from '../support/fake-desk.ts';

export const TOKEN = 'control-token-of-the-test';
export const MAIL_TOKEN = 'mail-token-of-the-test';
export const MY_UID = process.geteuid?.() ?? 0;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  json(): never;
}

export interface Ask {
  readonly role?: ListenerRole;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  readonly token?: string;
}

export interface Service {
  readonly desk: FakeDesk;
  readonly listeners: Listeners;
  /** Everything logged, one JSON line each. */
  readonly logged: string[];
  port(role?: ListenerRole): number;
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** POST of a JSON value. */
  post(path: string, body?: unknown, ask?: Ask): Promise<Answer>;
  /** Sends bytes as they are and reads until the server ends. */
  raw(text: string, role?: ListenerRole): Promise<string>;
  stop(): Promise<void>;
}

export async function startService(
  desk = new FakeDesk(),
  { peerUid = () => MY_UID, ...options }: Partial<ListenOptions> & { peerUid?: PeerUid } = {},
): Promise<Service> {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const listeners = await startListeners(desk, {
    log,
    tokens: { control: TOKEN, mail: MAIL_TOKEN },
    sockets: { ...loadNative().addon, peerUid },
    postLimit: { burst: 10_000, perSecond: 10_000 },
    drainMs: 200,
    ...options,
  });
  const port = (role: ListenerRole = 'control') => listeners.address(role)?.port ?? 0;
  const service: Service = {
    desk,
    listeners,
    logged,
    port,
    ask: (path, ask = {}) => send(port(ask.role), path, ask, desk),
    post: (path, body = {}, ask = {}) =>
      send(
        port(ask.role),
        path,
        {
          method: 'POST',
          body: JSON.stringify(body),
          ...ask,
          headers: { 'content-type': 'application/json', ...ask.headers },
        },
        desk,
      ),
    raw: (text, role) =>
      exchange(
        { host: '127.0.0.1', port: port(role), secure: role === 'remote' && desk.config.listen.remote.tls },
        text,
      ),
    stop: () => listeners.stop(),
  };
  return service;
}

function send(
  port: number,
  path: string,
  { role, method = 'GET', headers = {}, body, token }: Ask,
  desk: FakeDesk,
): Promise<Answer> {
  const secure = role === 'remote' && desk.config.listen.remote.tls;
  return new Promise((resolve, reject) => {
    const call = (secure ? requestSecurely : request)(
      {
        // Whose certificate it is, tests of it check.
        rejectUnauthorized: false,
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) } as never,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const status = response.statusCode ?? 0;
          resolve({
            status,
            headers: response.headers as never,
            text,
            json: () => JSON.parse(text) as never,
          });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
