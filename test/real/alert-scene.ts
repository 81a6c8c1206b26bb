/** A complete service that watches a port, and sends alerts about it to a stand-in for ntfy. */
import { createServer, type Server } from 'node:http';
import type { AlertsAnswer } from '../../src/records/alerts.ts';
import { freePorts } from '../support/free-ports.ts';
import { Ntfy } from '../support/ntfy.ts';
import { type Home, makeHome, type Service, startService, until } from './running.ts';

/** A program that the desk waits for on a port. */
export class Watched {
  #server: Server | null = null;
  constructor(readonly port: number) {}

  async up(): Promise<void> {
    const server = createServer((_, response) => response.end());
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.#server = server;
  }

  async down(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await new Promise<void>((resolve) => (server === null ? resolve() : server.close(() => resolve())));
  }
}

export interface Scene {
  readonly ntfy: Ntfy;
  readonly watched: Watched;
  readonly home: Home;
  /** A service on the home, which is kept when it ends. */
  boot(before?: readonly string[]): Promise<Service>;
  titles(): readonly string[];
}

export async function inScene(
  work: (scene: Scene) => Promise<void>,
  { more = '', without = ['office', 'public'] as readonly string[] } = {},
): Promise<void> {
  const ntfy = await new Ntfy().start();
  const [port = 0] = await freePorts(1);
  const watched = new Watched(port);
  const place = `localhost:${ntfy.port}`;
  const sections = `[loop]
mode = "poll"
recheck_ms = 200
[[ports]]
name = "shop"
port = ${port}
required = true
[egress]
allow = ["${place}"]
private = ["${place}"]
[alerts]
least = "high"
group_sec = 1
[[alerts.to]]
name = "phone"
kind = "ntfy"
url = "${ntfy.url()}"
${more}`;
  const home = await makeHome(sections, { without });
  await watched.up();
  try {
    await work({
      ...{ ntfy, watched, home },
      boot: (before = []) => startService({ ...home, [Symbol.dispose]: () => undefined }, { before }),
      titles: () => ntfy.messages.map(({ title }) => title.replace(/^[^:]*: /, '')),
    });
  } finally {
    await watched.down();
    await ntfy.stop();
    home[Symbol.dispose]();
  }
}

export const DOWN = /^high: Required port \d+ \(shop\) is down/;
export const UP = /^resolved: Required port \d+ \(shop\) is down/;

export const alertsOf = async (service: Service): Promise<AlertsAnswer> =>
  (await service.get('/alerts')).json;
export const failing = (service: Service) =>
  until(async () => (await alertsOf(service)).targets[0]?.reason, 'a failed attempt');
export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than what is due would take. */
export const SETTLED_MS = 3_000;
