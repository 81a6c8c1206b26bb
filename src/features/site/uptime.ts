/** Arithmetic of uptime over spans that may overlap, because the wall clock can be set back. Pure. */
import type { Span } from './site-state.ts';

export interface Part {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Time of which the state is known, and of it the time up. */
export interface Measured {
  readonly knownMs: number;
  readonly upMs: number;
}

/** What the spans say, each time once: in order, without overlaps. Where they contradict each other the site was down. */
export interface Timeline {
  readonly up: readonly Part[];
  readonly down: readonly Part[];
}

/** The times that at least one part covers, in order. */
function merged(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (last === undefined || part.fromMs > last.toMs) all.push(part);
    else if (part.toMs > last.toMs) all[all.length - 1] = { fromMs: last.fromMs, toMs: part.toMs };
  }
  return all;
}

/** `parts` without the times of `others`; both in order and without overlaps. */
function without(parts: readonly Part[], others: readonly Part[]): Part[] {
  const left: Part[] = [];
  let at = 0;
  for (const { fromMs, toMs } of parts) {
    while (at < others.length && (others[at] as Part).toMs <= fromMs) at += 1;
    let begin = fromMs;
    for (let next = at; next < others.length && (others[next] as Part).fromMs < toMs; next += 1) {
      const other = others[next] as Part;
      if (other.fromMs > begin) left.push({ fromMs: begin, toMs: other.fromMs });
      begin = Math.max(begin, other.toMs);
    }
    if (begin < toMs) left.push({ fromMs: begin, toMs });
  }
  return left;
}

export function timelineOf(spans: readonly Span[]): Timeline {
  const of = (state: Span['state']): Part[] => merged(spans.filter((span) => span.state === state));
  const down = of('down');
  return { up: without(of('up'), down), down };
}

/** Milliseconds of the parts between two times. */
function within(parts: readonly Part[], fromMs: number, toMs: number): number {
  let sum = 0;
  for (const part of parts) sum += Math.max(0, Math.min(part.toMs, toMs) - Math.max(part.fromMs, fromMs));
  return sum;
}

export function measure({ up, down }: Timeline, fromMs: number, toMs: number): Measured {
  const upMs = within(up, fromMs, toMs);
  return { upMs, knownMs: upMs + within(down, fromMs, toMs) };
}

/** Spans of one state with nothing else known between, and apart by less, are shown as one: the desk was started again. */
const JOINED_MS = 300_000;

/** Spans in order of their beginning, those that belong together as one, with the first reason. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = all.at(-1);
    if (last === undefined || last.state !== span.state || span.fromMs - last.toMs > JOINED_MS)
      all.push(span);
    else all[all.length - 1] = { ...last, toMs: Math.max(last.toMs, span.toMs) };
  }
  return all;
}
