/** A scene behind the real HTTP layer, on loopback, readable by a browser of this user; and failures of its connections. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { diffOf } from '../../src/features/diff/groups.ts';
import type { ListenerRole } from '../../src/records/state.ts';
import { type Service, startService } from '../http/service.ts';
import { diffRows, eventfulDay } from './diff.ts';
import { FakeDesk, loopbackConfig } from './fake-desk.ts';
import { HOSTILE } from './hostile-words.ts';
import { type Scene, type SceneName, sceneOf } from './scenes.ts';
import { startupScene } from './startup-scenes.ts';
import type { StateParts } from './state.ts';

export interface ServedRequest {
  readonly role: ListenerRole;
  readonly method: string;
  readonly path: string;
  /** It asks for the event stream. */
  readonly stream: boolean;
}

export interface ServedScene extends AsyncDisposable {
  readonly scene: Scene;
  readonly service: Service;
  readonly desk: FakeDesk;
  /** Every request since the start, in order. */
  readonly requests: ServedRequest[];
  /** Event streams that are open now. */
  readonly streams: number;
  url(path?: string, role?: ListenerRole): string;
  /** Another state, reported at once; `change` overrides parts of the previous one, section by section. */
  sweep(change?: StateParts): void;
  /** Sweeps at this interval in milliseconds, as the loop of a desk does. The returned function ends that. */
  keepSweeping(everyMs: number): () => void;
  /** Connections remain open, but nothing more is sent. */
  silence(): void;
  /** Breaks every connection, and each further one with its first request. */
  cut(): void;
  /** Ends silence and cut; withheld data is sent. */
  restore(): void;
}

const ROLES = ['control', 'office', 'themed', 'public'] as const;

export interface ServeOptions {
  /** The state never ages: every one is reported to be of this time (milliseconds since the epoch). Default: the clock. */
  readonly standsAt?: number;
  /** Links name the ports that a desk has by default, as in pictures; they do not work then. */
  readonly usualPorts?: boolean;
  /** What the configuration has beside its listeners. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Serves a scene on every listener of the service, each on a port of its own. */
export async function serveScene(name: SceneName, options: ServeOptions = {}): Promise<ServedScene> {
  const scene = sceneOf(name, options.standsAt ?? Date.now());
  // What the public pages are made of is configuration; the rest of a scene's stays with its states.
  const { site = {}, identity = {}, mail = {} } = scene.parts.config ?? {};
  const desk = new FakeDesk(loopbackConfig({ site, identity, mail, ...options.config }));
  desk.keepsState = true;
  desk.clock = () => options.standsAt ?? Date.now();
  desk.thought = scene.thought;
  const { startup, accounts, packages, findings: about = [] } = startupScene(name, scene.nowMs);
  Object.assign(desk, { startupScan: startup, accountScan: accounts, packageScan: packages });
  if (name === 'hostile') desk.diff = eventfulDay(HOSTILE.everything);
  if (name === 'empty') desk.diff = diffOf(diffRows());
  for (const person of scene.people) desk.ledger.set(person.address.toLowerCase(), person);
  const findings = [...about, ...(scene.parts.findings ?? [])];
  const service = await startService(desk);
  const urlOf = (role: ListenerRole): string => `http://127.0.0.1:${service.port(role)}`;
  const parts = { ...scene.parts, findings };
  desk.parts = options.usualPorts
    ? parts
    : { ...parts, urls: Object.fromEntries(ROLES.map((role) => [role, urlOf(role)])) };
  desk.sweep();

  const ports = new Map(ROLES.map((role) => [service.port(role), role]));
  const requests: ServedRequest[] = [];
  const [sockets, streams] = [new Set<Socket>(), new Set<Socket>()];
  let weather: 'fair' | 'silent' | 'cut' = 'fair';
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    const { socket } = request;
    const role = ports.get(socket.localPort ?? 0);
    if (role === undefined) return;
    if (!sockets.has(socket)) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        streams.delete(socket);
      });
    }
    const stream = (request.headers.accept ?? '').includes('text/event-stream');
    if (stream) streams.add(socket);
    requests.push({ role, method: request.method ?? '', path: request.url ?? '', stream });
    if (weather === 'silent') hold(socket);
    if (weather === 'cut') socket.destroy();
  };
  subscribe(REQUESTS, onRequest);
  return {
    scene,
    service,
    desk,
    requests,
    get streams() {
      return streams.size;
    },
    url: (path = '/', role = 'office') => `${urlOf(role)}${path}`,
    sweep: (change = {}) => {
      desk.parts = merged(desk.parts, change);
      desk.sweep();
    },
    keepSweeping: (everyMs) => {
      const timer = setInterval(() => desk.sweep(), everyMs);
      return () => clearInterval(timer);
    },
    silence: () => {
      weather = 'silent';
      for (const socket of sockets) hold(socket);
    },
    cut: () => {
      weather = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      weather = 'fair';
      for (const socket of sockets) release(socket);
    },
    [Symbol.asyncDispose]: async () => {
      unsubscribe(REQUESTS, onRequest);
      for (const socket of sockets) release(socket);
      await service.stop();
    },
  };
}

/** Keeps back what is written to a socket. A server uncorks a connection itself when an answer ends: not this one. */
function hold(socket: Socket): void {
  socket.uncork = () => undefined;
  socket.cork();
}

function release(socket: Socket): void {
  Reflect.deleteProperty(socket, 'uncork');
  while (socket.writableCorked > 0) socket.uncork();
}

/** The channel of node on which each request to a server is reported, before anything answers it. */
const REQUESTS = 'http.server.request.start';

function merged(parts: StateParts, change: StateParts): StateParts {
  const plain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const sections = Object.entries(change).map(([name, value]) => {
    const before = parts[name as keyof StateParts];
    return [name, plain(value) && plain(before) ? { ...before, ...value } : value];
  });
  return { ...parts, ...Object.fromEntries(sections) };
}
