/** What the desk looks at slowly, outside the sweep: its own residue, lock and password file, and the embedded site. */
import type { Logger } from 'pino';
import type { StateDir } from './state-dir.ts';

const LOOK_EVERY_MS = 30_000;

interface SurroundingsOptions {
  readonly state: StateDir;
  /** `[mail] password_file`. */
  readonly passwordFile: string;
  /** Status of the embedded public page, 0 = no answer. Absent where there is none. */
  readonly probeSite: (() => Promise<number>) | undefined;
  readonly log: Logger;
}

export class Surroundings {
  readonly #options: SurroundingsOptions;
  #timer: NodeJS.Timeout | undefined;
  #trouble = '';
  fieldDirt = 0;
  lockHolders = 0;
  passwordSet = false;
  siteStatus = 0;

  constructor(options: SurroundingsOptions) {
    this.#options = options;
  }

  /** Why the last look failed; "" when it did not. */
  get trouble(): string {
    return this.#trouble;
  }

  get timerRuns(): boolean {
    return this.#timer !== undefined;
  }

  /** Looks once; never rejects. What could not be looked at keeps its last value and is told as `trouble`. */
  async look(): Promise<void> {
    const { state, passwordFile, probeSite, log } = this.#options;
    try {
      this.fieldDirt = state.fieldDirt();
      this.lockHolders = state.lockHolders();
      this.passwordSet = state.passwordSet(passwordFile);
      this.#trouble = '';
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      const trouble = `the state folder cannot be looked at (${code}), see that it is still there and yours`;
      if (trouble !== this.#trouble) log.error({ err: error }, trouble);
      this.#trouble = trouble;
    }
    this.siteStatus = (await probeSite?.().catch(() => 0)) ?? 0;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
