/**
 * The log of attempts against banned listeners. One user can open thousands of listeners and keep them up: each user has a limit of
 * lines per minute, and lines over it are counted and reported in one line.
 */
export const WINDOW_MS = 60_000;
export const MOST_LINES = 40;
/** Users with a window of their own; all others share one. */
const MOST_USERS = 256;

/** Uid that created the listener; null: unknown, or of another network namespace. */
export type Maker = number | null;
/** Signals have a limit of their own, so that refusals cannot crowd them out. */
type Kind = 'attempt' | 'signal';
type Log = (fields: Readonly<Record<string, unknown>>, message: string) => void;

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

  /** Reports what the ended windows left out; `all`: every window. */
  flush(all = false): void {
    const now = this.#clockMs();
    for (const [key, { uid, kind, endsMs, left }] of this.#windows) {
      if (!all && endsMs > now) continue;
      this.#windows.delete(key);
      const what = kind === 'signal' ? 'signals to holders of' : 'lines about';
      if (left > 0)
        this.#log({ uid, left_out: left }, `${left} more ${what} banned listeners within a minute`);
    }
  }

  #windowOf(uid: Maker, kind: Kind): Window {
    const own = `${uid} ${kind}`;
    const shared = !this.#windows.has(own) && this.#windows.size >= MOST_USERS;
    const key = shared ? `others ${kind}` : own;
    let window = this.#windows.get(key);
    if (window === undefined) {
      const endsMs = this.#clockMs() + WINDOW_MS;
      window = { uid: shared ? 'others' : uid, kind, endsMs, lines: 0, left: 0 };
      this.#windows.set(key, window);
    }
    return window;
  }
}
