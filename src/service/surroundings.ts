/** What the desk reads now and then, outside the sweep: its own residue, lock and password file, and what features read from time to time. */
import type { Logger } from 'pino';
import { codeText } from '../base/error-code.ts';
import { NO_RESIDUE, type Residue } from '../checks/residue.ts';
import type { StateDir } from '../state-folder/state-folder.ts';

const SCAN_EVERY_MS = 30_000;

interface SurroundingsOptions {
  readonly state: Pick<StateDir, 'lockHolders' | 'passwordSet' | 'trouble' | 'lost'>;
  /** What ended runs left behind; throws what the state folder refuses. */
  readonly residue: () => Residue;
  /** Why stale files cannot be set aside, "" when they can. */
  readonly quarantine: () => string;
  /** `[mail] password_file`. */
  readonly passwordFile: string;
  /** What features read from time to time. Never rejects. */
  readonly refresh: () => Promise<void>;
  readonly log: Logger;
  /** A fact has changed that no scan reads. */
  readonly changed: () => void;
}

export class Surroundings {
  readonly #options: SurroundingsOptions;
  #timer: NodeJS.Timeout | undefined;
  #trouble = '';
  /** What `state` itself reported last: everything is scanned again when that changes. */
  #reported = '';
  residue: Residue = NO_RESIDUE;
  /** Why the residue could not be read, so that it is that of an earlier scan; "" when it could. */
  fieldTrouble = 'it was not scanned yet';
  /** Why stale files cannot be set aside; "" when they can. */
  quarantineTrouble = '';
  /** What of the state folder is gone; "" when nothing is. */
  lost = '';
  lockHolders = 0;
  passwordSet = false;
  /** Why the last reload kept the previous configuration, "" when it did not. */
  configTrouble = '';

  constructor(options: SurroundingsOptions) {
    this.#options = options;
  }

  /** Residue files and orphans of our own. */
  get fieldDirt(): number {
    return this.residue.files.length + this.residue.orphans.length;
  }

  /** What the last scan found wrong with the state folder; "" when nothing. */
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

  /** Scans once; never rejects. */
  async scan(): Promise<void> {
    this.scanFolder();
    await this.#options.refresh();
  }

  /** Whether the folder is the one that was opened, whole and writable; true when `trouble` is another one since. Costs a few system calls. */
  glance(): boolean {
    const before = this.#trouble;
    if (this.#options.state.trouble() !== this.#reported) this.scanFolder();
    return this.#trouble !== before;
  }

  /** The part of a scan that is done at once. What cannot be read has its bad value, and is reported. */
  scanFolder(): void {
    const { state, residue, quarantine, passwordFile, log } = this.#options;
    const before = this.#trouble;
    // First: what changes while the rest is scanned is noticed by the next glance.
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
      field === '' ? '' : `the state folder cannot be read (${field}), see that it is still there and yours`;
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
    this.#timer ??= setInterval(() => void this.scan(), SCAN_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
