/** Times of answers: now, and how old a snapshot is. */
import { instantAt } from './assemble.ts';
import type { Snapshot } from './snapshot.ts';
import { offsetTime } from './time.ts';

/** Of an answer that is not made from a state: RFC 3339 with milliseconds and a numeric offset. */
export const now = (): string => offsetTime(instantAt(Date.now()));

/** Milliseconds since the sweep of a snapshot began, by the monotonic clock. */
export const ageMs = ({ at }: Snapshot): number => Math.max(0, performance.now() - at.monotonicMs);
