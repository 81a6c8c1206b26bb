/** The signals of a service, held from the moment this is made, whatever the service is doing then. */
import { exit } from './failure.ts';

/** Milliseconds that a graceful stop may take before the process ends anyway: who pressed Ctrl-C waits at the terminal. */
const stopWithinMs = { SIGINT: 1_800, SIGTERM: 9_500 } as const;

export class Signals {
  /** The first SIGTERM or SIGINT. */
  readonly stop: Promise<NodeJS.Signals>;
  /** Called when the stop took too long, right before the process ends. */
  onOverdue: () => void = () => undefined;
  #stopping = false;
  #deadline: NodeJS.Timeout | undefined;
  #reload: (() => Promise<void>) | undefined;
  /** A SIGHUP that came before anything could be reloaded. */
  #asked = false;
  #reloading: Promise<void> = Promise.resolve();
  readonly #remove: () => void;

  constructor() {
    let resolve: (signal: NodeJS.Signals) => void = () => undefined;
    this.stop = new Promise((settle) => {
      resolve = settle;
    });
    const end = (signal: 'SIGINT' | 'SIGTERM'): void => {
      // A second signal ends the process at once.
      if (this.#stopping) process.exit(128 + (signal === 'SIGINT' ? 2 : 15));
      this.#stopping = true;
      this.#deadline = setTimeout(() => {
        this.onOverdue();
        process.exit(exit.findings);
      }, stopWithinMs[signal]);
      resolve(signal);
    };
    const hangup = (): void => this.#enqueue();
    const onInt = (): void => end('SIGINT');
    const onTerm = (): void => end('SIGTERM');
    process.on('SIGTERM', onTerm).on('SIGINT', onInt).on('SIGHUP', hangup);
    this.#remove = () => void process.off('SIGTERM', onTerm).off('SIGINT', onInt).off('SIGHUP', hangup);
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** What SIGHUP does, one after the other; `work` must not throw. Runs at once when one came before. */
  onReload(work: () => Promise<void>): void {
    this.#reload = work;
    if (this.#asked) this.#enqueue();
  }

  /** Resolves when no reload runs any more. */
  reloaded(): Promise<void> {
    return this.#reloading;
  }

  /** Gives the signals back to the system's own handling. */
  close(): void {
    clearTimeout(this.#deadline);
    this.#remove();
  }

  #enqueue(): void {
    this.#asked = true;
    const work = this.#reload;
    if (work === undefined) return;
    this.#reloading = this.#reloading.then(() => (this.#stopping ? undefined : work()));
  }
}
