/**
 * Whether a site is up, from one probe to the next. Pure. What was seen at a probe holds until the next one, where that comes in time
 * and both clocks agree; otherwise, and while the site cannot be asked, nothing is known.
 */

/** `unknown`: the site could not be asked. */
export type SiteVerdict = 'up' | 'down' | 'unknown';

export interface Observation {
  readonly verdict: SiteVerdict;
  /** "" where it is up. */
  readonly reason: string;
  /** When the probe began: milliseconds since the epoch, and of a clock that is never set. */
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A time in which the site was known to be up or down. */
export interface Span {
  readonly state: 'up' | 'down';
  readonly fromMs: number;
  readonly toMs: number;
  /** Why it was down, as of the first probe that failed. */
  readonly reason: string;
}

export interface Tracked {
  readonly state: SiteVerdict;
  /** The one that the next probe may continue. */
  readonly span: Span | null;
  /** A failure that no second one has confirmed. */
  readonly failing: Observation | null;
  readonly last: Observation | null;
}

export const UNTRACKED: Tracked = { state: 'unknown', span: null, failing: null, last: null };

/** The wall clock may be corrected by so much between two probes. */
const CORRECTION_MS = 2_000;

/** Nothing was missed between two probes: the second came in time, and the wall clock was not set. A suspended machine looks like a set clock. */
function isContinuous(last: Observation | null, next: Observation, mostGapMs: number): boolean {
  if (last === null) return false;
  const passed = next.monotonicMs - last.monotonicMs;
  const wall = next.wallMs - last.wallMs;
  return passed <= mostGapMs && wall >= 0 && Math.abs(wall - passed) <= CORRECTION_MS;
}

interface Step {
  readonly tracked: Tracked;
  /** What is to be stored: spans that are new, or longer than before. */
  readonly spans: readonly Span[];
}

/** `mostGapMs`: probes that are further apart leave the time between unknown. */
export function afterProbe(before: Tracked, seen: Observation, mostGapMs: number): Step {
  const { verdict, reason, wallMs } = seen;
  const isGapless = isContinuous(before.last, seen, mostGapMs);
  if (verdict === 'unknown') return { tracked: { ...UNTRACKED, last: seen }, spans: [] };
  const held = isGapless && before.span !== null ? { ...before.span, toMs: wallMs } : null;
  const longer = held === null ? [] : [held];
  if (verdict === 'up') {
    const span =
      held?.state === 'up' ? held : { state: 'up' as const, fromMs: wallMs, toMs: wallMs, reason: '' };
    const spans = span === held ? [span] : [...longer, span];
    return { tracked: { state: 'up', span, failing: null, last: seen }, spans };
  }
  if (before.state === 'down') {
    const span = held ?? { state: 'down' as const, fromMs: wallMs, toMs: wallMs, reason };
    return { tracked: { state: 'down', span, failing: null, last: seen }, spans: [span] };
  }
  const failing = isGapless ? before.failing : null;
  if (failing !== null) {
    // The first failure has ended the span before.
    const span = { state: 'down' as const, fromMs: failing.wallMs, toMs: wallMs, reason: failing.reason };
    return { tracked: { state: 'down', span, failing: null, last: seen }, spans: [span] };
  }
  return { tracked: { state: before.state, span: held, failing: seen, last: seen }, spans: longer };
}
