/** The time of an answer that is not made from a state, as records write it. */
import { instantAt } from './assemble.ts';
import { offsetTime } from './time.ts';

/** RFC 3339 with milliseconds and a numeric offset. */
export const now = (): string => offsetTime(instantAt(Date.now()));
