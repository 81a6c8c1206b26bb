/** The signals of a service, handled from the construction on, in whatever state the service is. */
import { exit } from '../desk/failure.ts';

/** Milliseconds that a graceful stop may take before the process ends anyway: after Ctrl-C somebody waits at the terminal. */
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
  #resolve: (signal: NodeJS.Signals) => void = () => undefined;

  constructor() {
    this.stop = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    process.on('SIGTERM', this.#end).on('SIGINT', this.#end).on('SIGHUP', this.#enqueue);
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
    process.off('SIGTERM', this.#end).off('SIGINT', this.#end).off('SIGHUP', this.#enqueue);
  }

  readonly #end = (signal: NodeJS.Signals): void => {
    const isInt = signal === 'SIGINT';
    // A second signal ends the process at once.
    if (this.#stopping) process.exit(128 + (isInt ? 2 : 15));
    this.#stopping = true;
    this.#deadline = setTimeout(
      () => {
        this.onOverdue();
        process.exit(exit.findings);
      },
      stopWithinMs[isInt ? 'SIGINT' : 'SIGTERM'],
    );
    this.#resolve(signal);
  };

  readonly #enqueue = (): void => {
    this.#asked = true;
    const work = this.#reload;
    if (work === undefined) return;
    this.#reloading = this.#reloading.then(() => (this.#stopping ? undefined : work()));
  };
}
