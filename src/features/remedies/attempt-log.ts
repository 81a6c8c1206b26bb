/**
 * The log of what is tried against banned listeners. One user can open thousands of them and keep them up: each user has so many
 * lines a minute, and what is over is counted and told in one line.
 */

export const WINDOW_MS = 60_000;
export const MOST_LINES = 40;
/** Users with a window of their own; more share one. */
const MOST_USERS = 256;

/** Uid that made the listener; null: unknown, or of another network namespace. */
export type Maker = number | null;
/** Signals have lines of their own, so that no refusal crowds them out. */
export type Kind = 'attempt' | 'signal';
export type Log = (fields: Readonly<Record<string, unknown>>, message: string) => void;

interface Window {
  readonly uid: Maker | 'others';
  readonly kind: Kind;
  readonly endsMs: number;
  lines: number;
  left: number;
}

export class AttemptLog {
  readonly #log: Log;
  readonly #clockMs: () => number;
  readonly #windows = new Map<string, Window>();

  /** `clockMs`: milliseconds of a monotonic clock. */
  constructor(log: Log, clockMs: () => number) {
    this.#log = log;
    this.#clockMs = clockMs;
  }

  line(uid: Maker, kind: Kind, fields: Readonly<Record<string, unknown>>, message: string): void {
    this.flush();
    const window = this.#windowOf(uid, kind);
    if (window.lines >= MOST_LINES) {
      window.left++;
      return;
    }
    window.lines++;
    this.#log({ ...fields, uid }, message);
  }

  /** Tells what was left out of the windows that are over; `all`: of every one. */
  flush(all = false): void {
    const now = this.#clockMs();
    for (const [key, { uid, kind, endsMs, left }] of this.#windows) {
      if (!all && endsMs > now) continue;
      this.#windows.delete(key);
      if (left > 0)
        this.#log(
          { uid, left_out: left },
          kind === 'signal'
            ? `${left} more signals to holders of banned listeners within a minute`
            : `${left} more lines about banned listeners within a minute`,
        );
    }
  }

  #windowOf(uid: Maker, kind: Kind): Window {
    const own = `${uid} ${kind}`;
    const known = this.#windows.get(own);
    if (known !== undefined) return known;
    const shared = this.#windows.size >= MOST_USERS;
    const key = shared ? `others ${kind}` : own;
    const window = this.#windows.get(key) ?? {
      uid: shared ? 'others' : uid,
      kind,
      endsMs: this.#clockMs() + WINDOW_MS,
      lines: 0,
      left: 0,
    };
    this.#windows.set(key, window);
    return window;
  }
}
