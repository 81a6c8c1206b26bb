/** The times that `--since` takes. */
import { pastTime } from '../base/past-time.ts';
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
    'Write e.g. today, yesterday, 2h, 7d, 2026-01-31 or 2026-01-31T08:00:00+01:00.',
  );
}
