/** The engine and the checks for programs of your own, without a service; documented in types.ts. */
import { CachedVerdicts } from '../checks/cached-verdicts.ts';
import { CHECKS } from '../checks/index.ts';
import { NO_RESIDUE } from '../checks/residue.ts';
import { defaultConfig } from '../config/load.ts';
import { type Changes as EventChanges, Events } from '../engine/events.ts';
import { isRefusal } from '../engine/native/types.ts';
import { Engine } from '../engine/sweep.ts';
import { lawOf } from '../features/law/index.ts';
import { Recheck } from '../findings/recheck.ts';
import { evaluationOf, listenerOf, sweepOf } from './plain.ts';
import { Tracker } from './tracker.ts';
import type {
  Probe as Contract,
  Delta,
  Evaluation,
  Listener,
  ProbeOptions,
  Sweep,
  WatchOptions,
} from './types.ts';

/** These need what only a service has: a baseline, leftovers of earlier runs, what was seen before. */
const OF_SERVICE = [
  ...['unlearned-process', 'public-listener', 'unknown-local-listener', 'learning-open'],
  ...['stale-runtime-file', 'orphan-helper', 'lost-sight', 'baseline-tampered'],
];
/** A sweep shows all that these need. */
const EVALUATED = CHECKS.filter(({ id, tier }) => tier === 1 && !OF_SERVICE.includes(id));
/** Above every pid (PID_MAX_LIMIT, include/linux/threads.h): no process is exempt from a check as one of the desk's own. */
const NO_PID = 2 ** 31 - 1;

const LISTEN_POLL_MS = 10;
const POLL_MS = 1000;
/** The longest time of a timer. */
const MOST_POLL_MS = 2 ** 31 - 1;

export class Probe implements Contract {
  readonly #engine: Engine;
  readonly #recheck: Recheck;
  readonly #watches = new Set<Bell>();
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor({ workers }: ProbeOptions = {}) {
    const engine = new Engine({ self: NO_PID, ...(workers !== undefined && { workers }) });
    const law = lawOf(defaultConfig());
    this.#engine = engine;
    this.#recheck = new Recheck({
      checks: EVALUATED,
      law: () => law,
      baseline: () => ({ known: null }),
      residue: () => NO_RESIDUE,
      cached: new CachedVerdicts(),
      sweep: (changes, how) => engine.sweep(changes, how),
      batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
      hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
      open: [],
    });
  }

  sweep(): Promise<Sweep> {
    return this.#next(async () => sweepOf(await this.#engine.sweep()));
  }

  listeners(): Promise<readonly Listener[]> {
    return this.#next(async () => (await this.#engine.sweep()).listeners.map(listenerOf));
  }

  evaluate(): Promise<Evaluation> {
    return this.#next(async () => {
      const { snapshot, judgement } = await this.#recheck.run(null);
      return evaluationOf(
        snapshot,
        judgement,
        EVALUATED.map(({ id }) => id),
      );
    });
  }

  async *watch({ signal, pollMs = POLL_MS }: WatchOptions = {}): AsyncGenerator<Delta, void, void> {
    if (!(pollMs >= 1 && pollMs <= MOST_POLL_MS))
      throw new RangeError(`pollMs is ${pollMs}, expected 1 to ${MOST_POLL_MS}`);
    const tracker = new Tracker();
    const bell = new Bell();
    // Without a look: other calls read changes too, and it would not show them to this watch.
    const options = { listenPollMs: LISTEN_POLL_MS, look: null };
    const started = Events.start(this.#engine.native, options, bell.ring);
    const events = isRefusal(started) ? null : started;
    let polls = events === null || events.state.connector !== '';
    const next = (changes: EventChanges | null): Promise<Delta | null> =>
      this.#next(async () => {
        polls ||= changes?.broken === true;
        const full = polls || changes?.resync === true;
        const snapshot = await this.#engine.sweep(full ? null : changes);
        events?.saw(snapshot);
        return tracker.take(snapshot, { gap: full, lost: changes?.resync === true });
      });
    // The timer keeps node running, which events and the bell do not. Without events it rings the bell.
    const timer = setInterval(() => polls && bell.ring(), pollMs);
    signal?.addEventListener('abort', bell.ring);
    this.#watches.add(bell);
    const ended = (): boolean => signal?.aborted === true || this.#closed;
    try {
      let delta = await next(null);
      while (!ended()) {
        if (delta !== null) yield delta;
        await bell.rung();
        if (ended()) return;
        const changes = events?.take() ?? null;
        delta = changes === null && !polls ? null : await next(changes);
      }
    } finally {
      this.#watches.delete(bell);
      signal?.removeEventListener('abort', bell.ring);
      clearInterval(timer);
      events?.stop();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const bell of this.#watches) bell.ring();
    await this.#last;
    await this.#engine.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** One after another: two sweeps must not overwrite the columns of a third one. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Wakes one waiter, at once where it was rung meanwhile. */
class Bell {
  #isRung = false;
  #wake: () => void = () => undefined;

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };

  async rung(): Promise<void> {
    if (!this.#isRung)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#isRung = false;
  }
}
