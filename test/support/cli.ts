/** Runs command lines in this process and collects what they print. */
import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/program.ts';
import { tempFolder } from './temp-folder.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function cli(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const text = { out: '', err: '' };
  const stream = (name: 'out' | 'err') =>
    ({
      write(part: string) {
        text[name] += part;
        return true;
      },
    }) as unknown as NodeJS.WriteStream;
  const code = await runCommandLine(words, env, { out: stream('out'), err: stream('err') });
  return { code, ...text };
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export type Answering = (
  asked: Asked,
) => { readonly status?: number; readonly body: unknown } | 'silence' | string;

/** A tiny service on loopback, with a configuration and state folder that make a command use it. */
export class FakeService {
  readonly asked: Asked[] = [];
  readonly folder = tempFolder('desk-cli-');
  readonly token = 't'.repeat(43);
  answer: Answering = () => ({ status: 404, body: {} });
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response));

  get env(): Readonly<Record<string, string>> {
    return {
      DESK_CONFIG: join(this.folder, 'desk.toml'),
      DESK_STATE: join(this.folder, 'state'),
      HOME: this.folder,
    };
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    writeFileSync(join(this.folder, 'desk.toml'), `[listen.control]\nport = ${this.port}\n`);
  }

  /** Stops listening; configuration and state folder remain. */
  async leave(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async stop(): Promise<void> {
    await this.leave();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, body, authorization: headers.authorization };
    this.asked.push(asked);
    const answer = this.answer(asked);
    if (answer === 'silence') return;
    if (typeof answer === 'string') {
      response.end(answer);
      return;
    }
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }
}
