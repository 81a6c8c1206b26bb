/** The times that `--since` takes. */
import { PAST_TIMES, pastTime } from '../base/past-time.ts';
import { exit, Failure } from './failure.ts';

/**
 * Milliseconds since the epoch of a time in the past: today, yesterday, `2h`, `7d`, "2 hours ago", or a date or
 * time as ISO 8601, local without a zone.
 * @throws Failure (exit 2) for anything else.
 */
export function timeSince(text: string, nowMs: number = Date.now()): number {
  const ms = pastTime(text.trim(), nowMs);
  if (ms >= 0 && ms <= nowMs) return ms;
  throw new Failure(
    exit.usage,
    ms > nowMs ? `--since ${text} is in the future.` : `--since ${text} is not a time.`,
    '',
    `Write e.g. ${PAST_TIMES}.`,
  );
}
