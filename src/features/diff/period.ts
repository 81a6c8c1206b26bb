/** The two times that a question about changes names. Pure. */
import { DeskError } from '../../base/desk-error.ts';
import { PAST_TIMES, pastTime } from '../../base/past-time.ts';

export interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface Now {
  readonly nowMs: number;
  /** When the machine started; null where that is not known. */
  readonly bootedMs: number | null;
}

/** @throws DeskError for what is not a time, or not a time in the past, and where the first is not before the second. */
export function periodOf(since: string, until: string, now: Now): Period {
  const period = { sinceMs: timeOf('since', since, now), untilMs: timeOf('until', until, now) };
  if (period.sinceMs < period.untilMs) return period;
  throw new DeskError(
    'usage',
    `since "${since}" is not before until "${until}".`,
    'Write the earlier time first, for example: desk diff 2d 1d.',
  );
}

function timeOf(name: 'since' | 'until', text: string, { nowMs, bootedMs }: Now): number {
  const word = text.trim().toLowerCase();
  if (word === 'now') return nowMs;
  if (word === 'boot') {
    if (bootedMs !== null) return Math.min(bootedMs, nowMs);
    throw new DeskError(
      'unavailable',
      'When this machine started could not be read.',
      'Write a time, for example 24h.',
    );
  }
  const ms = pastTime(text.trim(), nowMs);
  if (ms >= 0 && ms <= nowMs) return ms;
  throw new DeskError(
    'usage',
    ms > nowMs ? `${name} "${text}" is in the future.` : `${name} "${text}" is not a time.`,
    `Write e.g. ${PAST_TIMES}, boot${name === 'until' ? ' or now' : ''}.`,
  );
}
