/** Durations as people write them. Imports nothing. */

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_557_600_000,
};

/** Milliseconds of `90d`: a whole number, then s, m, h, d, w or y (365.25 days). NaN for anything else. */
export function durationMs(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhdwy])$/.exec(text) ?? [];
  return Number(number) * (UNIT_MS[unit] ?? Number.NaN);
}
