/**
 * What the service reports to the service manager that started it: sd_notify(3), sd_watchdog_enabled(3). Without NOTIFY_SOCKET nothing
 * happens. A message never waits for the manager.
 */
import { isStuck } from '../engine/loop.ts';
import type { PrivilegeAddon } from '../engine/native/privilege-types.ts';
import type { LoopFacts } from '../records/state.ts';

/** Longer than any normal pause of the event loop: rule 18 of docs/security.md. */
const MOST_LAG_MS = 1_000;
/** How often the status line is renewed, and the watchdog is answered at most. */
const REPORT_MS = 5_000;
/** A watchdog that is answered this often per period survives lost answers. */
const ANSWERS = 4;
/** Messages that the manager had no room for; more are dropped, oldest first. */
const MOST_WAITING = 8;
const RETRY_MS = 200;
/** While it starts: the manager waits this much longer from now on, until all of it took `MOST_START_MS`. */
const EXTEND_MS = 60_000;
const MOST_START_MS = 600_000;

type Environment = Record<string, string | undefined>;

export interface ManagerPlace {
  /** Path, or "@" and the name of an abstract socket. */
  readonly socket: string;
  /** Milliseconds within which the watchdog wants an answer; 0 without a watchdog of this process. */
  readonly watchdogMs: number;
}

/** Takes the variables of the manager out of the environment, so that no child has them; null without a manager. */
export function takeManager(env: Environment, pid: number): ManagerPlace | null {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: usec = '', WATCHDOG_PID: owner = '' } = env;
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID']) delete env[name];
  if (socket === '') return null;
  const ours = owner === '' || owner === String(pid);
  const watchdogMs = ours && /^[1-9]\d{0,15}$/.test(usec) ? Math.floor(Number(usec) / 1000) : 0;
  return { socket, watchdogMs };
}

/**
 * Whether the watchdog is answered: the event loop runs, and the newest recheck has ended not long ago. With the loop off no recheck is
 * expected, and only the event loop counts.
 */
export const isAlive = (lagMs: number, loop: Pick<LoopFacts, 'on' | 'periodMs' | 'quietMs'>): boolean =>
  lagMs < MOST_LAG_MS && !isStuck(loop);

export interface Reported {
  readonly loop: Pick<LoopFacts, 'on' | 'periodMs' | 'quietMs'>;
  /** One line for `systemctl status`. */
  readonly status: string;
}

interface ManagerOptions {
  readonly place: ManagerPlace | null;
  readonly native: Pick<PrivilegeAddon, 'sendDatagram'>;
  /** Called once, when a message cannot be sent. */
  readonly unreachable: (code: string) => void;
}

export class ServiceManager {
  readonly #options: ManagerOptions;
  #waiting: string[] = [];
  #retry: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reported = false;
  #status = '';

  constructor(options: ManagerOptions) {
    this.#options = options;
  }

  /** The start begins: it may take long on a slow machine, as long as the event loop runs. */
  starting(): void {
    if (this.#options.place === null) return;
    const untilMs = performance.now() + MOST_START_MS;
    const extend = (): void => {
      if (performance.now() < untilMs) this.#send(`EXTEND_TIMEOUT_USEC=${EXTEND_MS * 1000}`);
    };
    this.#send('STATUS=Starting');
    extend();
    this.#timer = setInterval(extend, REPORT_MS).unref();
  }

  /** The listeners are bound and the first recheck is published. `report` is then called periodically. */
  ready(report: () => Reported): void {
    const { place } = this.#options;
    if (place === null) return;
    clearInterval(this.#timer);
    this.#status = report().status;
    this.#send(`READY=1\nSTATUS=${oneLine(this.#status)}`);
    const everyMs =
      place.watchdogMs === 0 ? REPORT_MS : Math.min(REPORT_MS, Math.max(1, place.watchdogMs / ANSWERS));
    let dueMs = performance.now() + everyMs;
    this.#timer = setInterval(() => {
      const lagMs = performance.now() - dueMs;
      dueMs = performance.now() + everyMs;
      const { loop, status } = report();
      if (status !== this.#status) this.#send(`STATUS=${oneLine(status)}`);
      this.#status = status;
      if (place.watchdogMs > 0 && isAlive(lagMs, loop)) this.#send('WATCHDOG=1');
    }, everyMs).unref();
  }

  reloading(): void {
    // Of CLOCK_MONOTONIC, as `Type=notify-reload` wants it.
    this.#send(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`);
  }

  reloaded(): void {
    this.#send('READY=1');
  }

  stopping(): void {
    clearInterval(this.#timer);
    this.#send('STOPPING=1\nSTATUS=Stopping');
  }

  /** What still waits for room is dropped. */
  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#waiting = [];
  }

  #send(message: string): void {
    if (this.#options.place === null) return;
    // The state of the unit depends on the order. A late watchdog answer would be wrong, so it is dropped.
    if (this.#waiting.length > 0) {
      if (message !== 'WATCHDOG=1') this.#waiting = [...this.#waiting, message].slice(-MOST_WAITING);
      return;
    }
    if (!this.#try(message) && message !== 'WATCHDOG=1') {
      this.#waiting = [message];
      this.#retryLater();
    }
  }

  /** False where the manager has no room for it now. */
  #try(message: string): boolean {
    const { place, native, unreachable } = this.#options;
    const refusal = place === null ? null : native.sendDatagram(place.socket, Buffer.from(message));
    if (refusal === null) return true;
    if (refusal.code === 'EAGAIN' || refusal.code === 'ENOBUFS') return false;
    // Too few descriptors, or a manager that starts again: the next message is tried again.
    if (!this.#reported) unreachable(refusal.code);
    this.#reported = true;
    return true;
  }

  #retryLater(): void {
    this.#retry = setTimeout(() => {
      while (this.#waiting[0] !== undefined && this.#try(this.#waiting[0])) this.#waiting.shift();
      if (this.#waiting.length > 0) this.#retryLater();
    }, RETRY_MS).unref();
  }
}

/** A line break would begin another assignment. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, 400);
