/** What the desk looks at slowly, outside the sweep: its own residue, lock and password file, and the embedded site. */
import type { Logger } from 'pino';
import { NO_RESIDUE, type Residue } from './checks/residue.ts';
import type { StateDir } from './state-dir.ts';

const LOOK_EVERY_MS = 30_000;

interface SurroundingsOptions {
  readonly state: Pick<StateDir, 'lockHolders' | 'passwordSet' | 'trouble'>;
  /** What ended runs left behind; throws what the state folder refuses. */
  readonly residue: () => Residue;
  /** `[mail] password_file`. */
  readonly passwordFile: string;
  /** Status of the embedded public page, 0 = no answer. Absent where there is none. */
  readonly probeSite: (() => Promise<number>) | undefined;
  readonly log: Logger;
  /** A fact has changed that is not looked at. */
  readonly changed: () => void;
}

export class Surroundings {
  readonly #options: SurroundingsOptions;
  #timer: NodeJS.Timeout | undefined;
  #trouble = '';
  /** What `state` itself has told: looked at again as soon as it tells no more. */
  #gone = false;
  residue: Residue = NO_RESIDUE;
  lockHolders = 0;
  passwordSet = false;
  /** Why the last reload kept the previous configuration, "" when it did not. */
  configTrouble = '';
  siteStatus = 0;

  constructor(options: SurroundingsOptions) {
    this.#options = options;
  }

  /** Residue files and orphans of our own. */
  get fieldDirt(): number {
    return this.residue.files.length + this.residue.orphans.length;
  }

  /** Why the last look failed; "" when it did not. */
  get trouble(): string {
    return this.#trouble;
  }

  get timerRuns(): boolean {
    return this.#timer !== undefined;
  }

  refuseConfig(why: string): void {
    if (why === this.configTrouble) return;
    this.configTrouble = why;
    this.#options.changed();
  }

  /** Looks once; never rejects. What could not be looked at keeps its last value and is told as `trouble`. */
  async look(): Promise<void> {
    const { probeSite } = this.#options;
    this.lookAtFolder();
    this.siteStatus = (await probeSite?.().catch(() => 0)) ?? 0;
  }

  /** Whether the folder is the one that was opened; true when `trouble` is another one since. Costs one system call. */
  glance(): boolean {
    const gone = this.#options.state.trouble();
    const before = this.#trouble;
    if (gone !== '') this.#tell(gone);
    else if (this.#gone) this.lookAtFolder();
    this.#gone = gone !== '';
    return this.#trouble !== before;
  }

  #tell(trouble: string, error?: unknown): void {
    if (trouble !== this.#trouble)
      this.#options.log.error({ ...(error !== undefined && { err: error }) }, trouble);
    this.#trouble = trouble;
  }

  /** The part of a look that nothing is waited for. */
  lookAtFolder(): void {
    const { state, residue, passwordFile } = this.#options;
    try {
      this.residue = residue();
      this.lockHolders = state.lockHolders();
      this.passwordSet = state.passwordSet(passwordFile);
      this.#trouble = state.trouble();
      this.#gone = this.#trouble !== '';
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      const trouble = `the state folder cannot be looked at (${code}), see that it is still there and yours`;
      this.#tell(trouble, error);
    }
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
