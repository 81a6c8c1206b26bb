/** How old a fact can be at most, without events: the sum of the pass over everything, its own period, and the longest pause of a busy loop. */
import type { Backend } from './native/types.ts';
import { MOST_REST_MS } from './rest.ts';

/** Ages at which everything is read again, ms. */
export const EVERY_MS = {
  /** Every process, where events drive the loop: confinement changes send no event, and an event may be lost. */
  all: 5000,
  /** Sensors, facts of the host, and connections where no tracepoint reports them. */
  slow: 1000,
  /** Expensive facts: holders of sockets that are not found at once, and the list of /proc beside the iterator. */
  refresh: 60_000,
  /** Executables and control groups, whose changes are events. */
  texts: 60_000,
  /** The same of `bpf`, which has keys that change with them (native/bpf/text_cache.cc). */
  keyedTexts: 300_000,
  /** A fact that does not answer is given up when it is so old. */
  holds: 10_000,
} as const;

/** Passes come every few seconds: what is due this soon is not left to the next one. */
export const EARLY_MS = 500;

export type Bounds = Readonly<
  Record<'processes' | 'texts' | 'listeners' | 'holders' | 'connections' | 'host', number>
>;

interface Watching {
  readonly mode: 'poll' | 'event';
  readonly periodMs: number;
  readonly backend: Backend;
}

export function boundsFor({ mode, periodMs, backend }: Watching): Bounds {
  // Events start a recheck once the loop has rested; polling starts one each period, or after the rest where that is longer.
  const pass = mode === 'event' ? EVERY_MS.all + MOST_REST_MS : Math.max(periodMs, MOST_REST_MS);
  // A sweep of everything by /proc reads the texts too, which the iterator keeps.
  const kept = backend === 'bpf' ? EVERY_MS.keyedTexts : mode === 'event' ? EVERY_MS.texts : 0;
  return {
    processes: pass,
    texts: kept + pass,
    listeners: pass,
    holders: EVERY_MS.refresh + pass,
    connections: EVERY_MS.slow + pass,
    host: EVERY_MS.holds + pass,
  };
}
