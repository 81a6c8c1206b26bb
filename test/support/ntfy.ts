/**
 * A stand-in for an ntfy server: publishing as JSON and polling, as https://docs.ntfy.sh/publish/#publish-as-json and
 * https://docs.ntfy.sh/subscribe/api/#poll-for-messages describe them. It can be told to fail.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface NtfyMessage {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly time: number;
  readonly event: 'message';
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  readonly priority: number;
  readonly tags: readonly string[];
}

/** What it does with a request to publish: answers as ntfy does; `lose`: keeps the message and breaks the connection; `slow`: answers after `slowMs`; `hang`: keeps nothing and does not answer; a number: that status. */
export type Mood = 'well' | 'lose' | 'slow' | 'hang' | number;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
};

export class Ntfy {
  readonly messages: NtfyMessage[] = [];
  readonly requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  mood: Mood = 'well';
  slowMs = 0;
  /** Called when a message was kept and before it is answered. */
  kept: (() => void) | null = null;
  #server: Server | null = null;
  #port = 0;

  get port(): number {
    return this.#port;
  }

  url(topic = 'desk'): string {
    return `http://localhost:${this.#port}/${topic}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, path: url, headers });
    const body = await bodyOf(request);
    if (method === 'GET') {
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const topic = /^\/([^/]+)\/json$/.exec(pathname)?.[1];
      const since = Number(searchParams.get('since') ?? 0);
      if (topic === undefined) return void response.writeHead(404).end();
      const lines = this.messages.filter((one) => one.topic === topic && one.time >= since);
      return void response.end(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    }
    if (this.mood === 'hang') return;
    if (typeof this.mood === 'number') {
      const moved = this.mood >= 300 && this.mood < 400 ? { location: 'https://other.example/desk' } : {};
      return void response.writeHead(this.mood, moved).end('{"code":50001,"error":"internal server error"}');
    }
    const {
      topic,
      title = '',
      message = '',
      priority = 3,
      tags = [],
    } = JSON.parse(body) as Partial<NtfyMessage>;
    if (method !== 'POST' || url !== '/' || topic === undefined) return void response.writeHead(400).end();
    const one = {
      ...{ id: `m${this.messages.length}`, time: Math.floor(Date.now() / 1000), event: 'message' as const },
      topic,
      title,
      message,
      priority,
      tags,
    };
    this.messages.push(one);
    this.kept?.();
    if (this.mood === 'lose') return void request.socket.destroy();
    if (this.mood === 'slow') await delay(this.slowMs);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(one));
  }
}
