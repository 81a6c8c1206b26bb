/** One desk at a time sends alerts: after a reload the next one waits until the former has stopped, and goes on from what that saved. */
import type { Resident } from '../../desk/feature.ts';
import type { TargetSaved } from './target-state.ts';

export class AlertTurn implements Resident<AlertTurn> {
  #last: Promise<void> = Promise.resolve();
  /** States of targets that the store did not take, by name: the next desk goes on from these. */
  readonly kept = new Map<string, TargetSaved>();

  /** Resolves when it is the caller's turn, with the function that ends it. */
  async begin(): Promise<() => void> {
    const before = this.#last;
    let end: () => void = () => undefined;
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  partFor(): AlertTurn {
    return this;
  }

  take(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
