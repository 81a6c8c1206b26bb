/** Makes the digests that are due, one target after another. */
import type { DiffApi } from '../../desk/diff.ts';
import { diff as record } from '../../records/diff.ts';
import type { TargetDelivery } from './delivery.ts';
import { dayOf, digestDue, digestMessage, digestSince, localTimeOf, NO_DIGEST } from './digest.ts';

/** After a start, what happened while the desk did not run is looked for first; no longer than this. */
const LONGEST_WAIT_MS = 600_000;
/** A change that is seen now may be in the store a moment later: the next digest has it. */
const BACK_MS = 5_000;

interface DigestParts {
  readonly at: string;
  /** Names of targets. */
  readonly to: readonly string[];
  readonly evenWhenQuiet: boolean;
  readonly host: string;
  /** Null without the feature. */
  readonly diff: () => DiffApi | null;
  /** How much is open, of any severity; null before that is known. */
  readonly open: () => number | null;
  readonly nowMs: () => number;
  /** Since the start, by a clock that is never set. */
  readonly ranMs: () => number;
}

type Targets = readonly Pick<TargetDelivery, 'name' | 'digestState' | 'digest'>[];

export class Digests {
  readonly #parts: DigestParts;
  #running: Promise<void> | null = null;

  constructor(parts: DigestParts) {
    this.#parts = parts;
  }

  /** Callers at the same time share one turn. Rejects when the answer cannot be made: the next turn tries again. */
  make(targets: Targets): Promise<void> {
    this.#running ??= this.#make(targets).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #make(targets: Targets): Promise<void> {
    const { at, to, evenWhenQuiet, host, nowMs, ranMs } = this.#parts;
    const [api, open] = [this.#parts.diff(), this.#parts.open()];
    if (api === null || open === null || (!api.settled() && ranMs() < LONGEST_WAIT_MS)) return;
    for (const target of targets.filter(({ name }) => to.includes(name))) {
      const { days, coveredMs } = target.digestState ?? NO_DIGEST;
      const atMs = nowMs();
      const local = localTimeOf(atMs);
      if (!digestDue(days, at, local)) continue;
      const untilMs = atMs - BACK_MS;
      const sinceMs = digestSince(coveredMs, untilMs);
      const found = await api.between(sinceMs, untilMs);
      // The next turn tries again. Where all turns of a day fail, it has no digest, and the next one covers that time.
      if (!found.readable) continue;
      const hasNews = found.happened > 0 || evenWhenQuiet;
      const message = hasNews
        ? digestMessage({ diff: record.assemble({ ts: '', ...found }), host, atMs, open })
        : null;
      target.digest(dayOf(local), message, { sinceMs, untilMs });
    }
  }
}
