/** When a stream that was lost is asked for again. Only the leading tab asks, so twenty tabs wait as one. */
import { backoffMs, spreadMs } from '../../base/retry.ts';

/** The first wait, ms; doubled with each try that fails. */
const FIRST_MS = 500;
/** The longest one while the loss is young: a service that is started anew is back within seconds, and its page with it. */
const SOON_MS = 2_000;
const YOUNG_MS = 5 * 60_000;
/** The longest one after that. */
const LATE_MS = 8_000;
/** Tries that are hurried begin so far apart at least, ms: many tabs may hurry at once. */
export const APART_MS = 250;
/** One that has had no answer for so long is given up when somebody hurries, ms. */
export const HANGS_MS = 2_000;

/**
 * Milliseconds until the next try: after `failed` of them in a loss that has lasted `lostMs`, spread by a quarter either way so
 * that browsers do not come in step. `chance`: 0 to 1.
 */
export const waitMs = (failed: number, lostMs: number, chance: number): number =>
  spreadMs(backoffMs(failed, FIRST_MS, lostMs < YOUNG_MS ? SOON_MS : LATE_MS), 0.25, chance);
