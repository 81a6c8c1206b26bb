/** What the desk looks at slowly, outside the sweep: its own residue, lock and password file, and the embedded site. */
import type { Logger } from 'pino';
import { codeText } from '../base/error-code.ts';
import { NO_RESIDUE, type Residue } from '../checks/residue.ts';
import type { StateDir } from '../state-folder/state-folder.ts';

const LOOK_EVERY_MS = 30_000;

interface SurroundingsOptions {
  readonly state: Pick<StateDir, 'lockHolders' | 'passwordSet' | 'trouble' | 'lost'>;
  /** What ended runs left behind; throws what the state folder refuses. */
  readonly residue: () => Residue;
  /** Why stale files cannot be set aside, "" when they can. */
  readonly quarantine: () => string;
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
  /** What `state` itself reported last: everything is looked at again when that changes. */
  #reported = '';
  residue: Residue = NO_RESIDUE;
  /** Why the residue could not be looked for, so that it is that of an earlier look; "" when it could. */
  fieldTrouble = 'it was not looked at yet';
  /** Why stale files cannot be set aside; "" when they can. */
  quarantineTrouble = '';
  /** What of the state folder is gone; "" when nothing is. */
  lost = '';
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

  /** What the last look found wrong with the state folder; "" when nothing. */
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

  /** Looks once; never rejects. */
  async look(): Promise<void> {
    const { probeSite } = this.#options;
    this.lookAtFolder();
    this.siteStatus = (await probeSite?.().catch(() => 0)) ?? 0;
  }

  /** Whether the folder is the one that was opened, whole and writable; true when `trouble` is another one since. Costs a few system calls. */
  glance(): boolean {
    const before = this.#trouble;
    if (this.#options.state.trouble() !== this.#reported) this.lookAtFolder();
    return this.#trouble !== before;
  }

  /** The part of a look that nothing is waited for. What cannot be looked at has its bad value, and is reported. */
  lookAtFolder(): void {
    const { state, residue, quarantine, passwordFile, log } = this.#options;
    const before = this.#trouble;
    // First: what changes while the rest is looked at is noticed by the next glance.
    this.#reported = state.trouble();
    this.lost = state.lost();
    let failure: unknown;
    const tried = (work: () => void): string => {
      try {
        work();
        return '';
      } catch (error) {
        failure ??= error;
        return codeText(error);
      }
    };
    const field = tried(() => {
      this.residue = residue();
    });
    this.fieldTrouble =
      field === ''
        ? ''
        : `the state folder cannot be looked at (${field}), see that it is still there and yours`;
    this.quarantineTrouble = '';
    const aside = tried(() => {
      this.quarantineTrouble = quarantine();
    });
    this.quarantineTrouble ||= aside;
    this.passwordSet = false;
    tried(() => {
      this.passwordSet = state.passwordSet(passwordFile);
    });
    this.lockHolders = state.lockHolders();
    this.#trouble = this.#reported || this.fieldTrouble;
    if (this.#trouble !== '' && this.#trouble !== before)
      log.error({ ...(failure !== undefined && { err: failure }) }, this.#trouble);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
