/** The times that `--since` takes. */
import { instantAt } from '../engine/assemble.ts';
import { exit, Failure } from './failure.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Milliseconds since the epoch of a time in the past: `2h`, `30m`, `7d`, a date or time as ISO 8601 (local without a zone), or what the
 * hostess understands: today, yesterday, monday, two hours ago.
 * @throws Failure (exit 2) for anything else.
 */
export async function timeSince(text: string, nowMs: number = Date.now()): Promise<number> {
  const ms = await timeOf(text.trim(), nowMs);
  if (ms !== null && ms >= 0 && ms <= nowMs) return ms;
  throw new Failure(
    exit.usage,
    ms !== null && ms > nowMs ? `--since ${text} is in the future.` : `--since ${text} is not a time.`,
    '',
    'Write e.g. today, yesterday, 2h, 7d, 2026-01-31 or 2026-01-31T08:00:00+01:00.',
  );
}

async function timeOf(text: string, nowMs: number): Promise<number | null> {
  const [, number = '', unit = ''] = /^(\d{1,6}) ?([smhdw])$/.exec(text) ?? [];
  if (number !== '') return nowMs - Number(number) * (UNIT_MS[unit] as number);
  if (/^\d{4}-\d\d-\d\d/.test(text)) {
    // A date alone is read as UTC by Date, but means the day of the reader.
    const ms = Date.parse(text.length === 10 ? `${text}T00:00:00` : text);
    return Number.isNaN(ms) ? null : ms;
  }
  const { timeIn } = await import('../hostess/times.ts');
  return timeIn(`since ${text}`, instantAt(nowMs));
}
