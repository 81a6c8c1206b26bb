/** The samples of a scene's desk before the shown state: reproducible, for pictures of charts. */
import { sampleOf, withBreaks } from '../../src/records/history.ts';
import {
  HISTORY_SPANS,
  type HistorySpan,
  measured,
  type Sample,
  SPAN_SEC,
} from '../../src/records/measures.ts';
import type { DeskState } from '../../src/records/state.ts';

/** Seconds without samples, before now: a restart, and a night off. */
const GAPS: Readonly<Record<HistorySpan, readonly [from: number, to: number]>> = {
  '15m': [0, 0],
  '24h': [30_600, 27_000],
  '7d': [216_000, 172_800],
};

/** A pseudo-random value between -1 and 1, always the same for the same second. */
const noise = (at: number, salt: number): number => {
  const mixed = Math.imul((at + salt * 7919) ^ 0x9e3779b9, 0x85ebca6b);
  return ((((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 31) % 2) - 1;
};

/** Goes up and down around 1 over some minutes, hours and days. */
const sway = (at: number, salt: number): number =>
  1 +
  0.04 * Math.sin(at / 97 + salt) +
  0.06 * Math.sin(at / 5_400 + 2 * salt) +
  0.08 * Math.sin(at / 43_000 + 3 * salt) +
  0.03 * noise(Math.floor(at / 15), salt);

/** Samples of every span up to `state`; none older than `sinceSec`, if the desk started then. */
export function sampledBefore(state: DeskState, sinceSec: number): Record<HistorySpan, readonly Sample[]> {
  const now = sampleOf(state);
  const held = measured((name) => now[name] ?? 0);
  const earlier = (at: number): Sample => {
    const ago = now.at - at;
    const late = noise(at, 9) > 0.97 ? 2.6 : 1;
    const recheck = Math.round(held.recheck_us * sway(at, 1) * (1 + 0.12 * noise(at, 2)));
    const pids = Math.max(1, Math.round(held.pids * sway(at, 3)));
    return {
      ...now,
      at,
      recheck_us: recheck,
      recheck_max_us: Math.round(recheck * (1.3 + 0.2 * noise(at, 4)) * late),
      pids,
      wrapped: Math.min(pids, Math.round(held.wrapped * sway(at, 5))),
      bgl: Math.max(0, Math.round(held.bgl * sway(at, 6))),
      // The current findings appeared in steps over the last minutes.
      findings: Math.max(0, held.findings - Math.floor(ago / 150)),
      scars: Math.max(0, held.scars - Math.floor(ago / 240)),
      temp_c: now.temp_c === null ? null : Math.round(10 * now.temp_c * sway(at, 7)) / 10,
    };
  };
  const rowsOf = (span: HistorySpan): readonly Sample[] => {
    const { reach, step } = SPAN_SEC[span];
    const [gapFrom, gapTo] = GAPS[span];
    const count = Math.floor(Math.min(reach, sinceSec) / step);
    const samples = Array.from({ length: count }, (_, place) => now.at - (count - place) * step)
      .filter((at) => now.at - at > gapFrom || now.at - at <= gapTo)
      .map(earlier);
    return withBreaks([...samples, now], step, 2.5 * step);
  };
  return Object.fromEntries(HISTORY_SPANS.map((span) => [span, rowsOf(span)])) as Record<
    HistorySpan,
    readonly Sample[]
  >;
}
