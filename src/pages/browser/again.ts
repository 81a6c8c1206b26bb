/** When a lost stream is requested again. Only the leading tab asks, so twenty tabs wait as one. */
import { backoffMs, spreadMs } from '../../base/retry.ts';

/** The first wait, ms; doubled with each try that fails. */
const FIRST_MS = 500;
/** The longest wait in the first minutes: a restarted service is back within seconds. */
const SOON_MS = 2_000;
const YOUNG_MS = 5 * 60_000;
/** The longest one after that. */
const LATE_MS = 8_000;
/** Shortest time between the begins of two hurried tries, ms: many tabs may hurry at once. */
export const APART_MS = 250;
/** A hurried try gives up one that has had no answer for so long, ms. */
export const HANGS_MS = 2_000;

/** Milliseconds until the next try, after `failed` of them in a loss that has lasted `lostMs`; a quarter more or less by `chance` (0 to 1). */
export const waitMs = (failed: number, lostMs: number, chance: number): number =>
  spreadMs(backoffMs(failed, FIRST_MS, lostMs < YOUNG_MS ? SOON_MS : LATE_MS), 0.25, chance);
