/** The checks of tier 2 at work: the helpers that look into processes, and the watch over the desk's own connections. */
import type { Logger } from 'pino';
import type { Check } from './checks/check.ts';
import type { Standing } from './checks/standing.ts';
import type { Allowlist } from './egress/allowlist.ts';
import type { Law } from './law/law.ts';
import type { Learning } from './learn/learning.ts';
import { Contents } from './peek/contents.ts';
import { Peeker, type PeekTotals } from './peek/peeker.ts';
import type { Note } from './privileges/child.ts';
import type { Moment } from './records/moment.ts';
import { EgressWatch } from './site/egress-watch.ts';

/** How long a command waits for the first look into every process. */
const FIRST_LOOK_MS = 5_000;

interface TierTwoOptions {
  readonly checks: readonly Check[];
  readonly law: () => Law;
  readonly learning: () => Pick<Learning, 'known' | 'gathers'>;
  readonly allow: Allowlist;
  readonly standing: Standing;
  /** A fail or note has come or gone: the next recheck will tell. */
  readonly changed: () => void;
  /** Told of every helper that is started. */
  readonly note: Note;
  readonly log: Logger;
}

export class TierTwo {
  readonly #peeker: Peeker;
  readonly #egress: EgressWatch;
  /** What runs against what was learned. */
  readonly contents: Contents;

  constructor(options: TierTwoOptions) {
    const { learning } = options;
    const known = () => learning().known;
    this.contents = new Contents({ ...options, known, learns: () => learning().gathers });
    this.#peeker = new Peeker({ ...options, saw: (...seen) => this.contents.saw(...seen) });
    this.#egress = new EgressWatch(options);
  }

  start(): void {
    this.#peeker.start();
  }

  /** Takes a new moment, while its columns hold; what it leads to is told to the next recheck. */
  watch({ snapshot }: Moment, dirty: Int32Array | null): void {
    this.contents.compareAgain();
    this.#peeker.watch(snapshot, dirty);
    if (this.#peeker.complete) this.contents.allSeen();
    this.#egress.watch(snapshot);
  }

  /** Every process of the first moment was looked into, or cannot be. */
  get complete(): boolean {
    return this.#peeker.complete && this.contents.complete;
  }

  /** Why processes cannot be looked into; "" when they can. */
  get trouble(): string {
    return this.#peeker.trouble;
  }

  get totals(): PeekTotals {
    return this.#peeker.totals;
  }

  /** Waits some seconds at most for the first looks. True when another moment is needed to decide on what was seen. */
  async firstLook(): Promise<boolean> {
    const [, suspected] = await Promise.all([this.#peeker.firstRound(FIRST_LOOK_MS), this.#egress.settled()]);
    await this.contents.settled(FIRST_LOOK_MS);
    return suspected;
  }

  /** Looks into every process once more. */
  lookAtAll(): Promise<void> {
    return this.#peeker.lookAtAll();
  }

  /** Resolves within a second. */
  async close(): Promise<void> {
    await Promise.all([this.#peeker.close(), this.contents.close()]);
  }
}
