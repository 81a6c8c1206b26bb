/** The first three lines: the verdict, how current it is, and the views. Pure. */
import { asSentence } from '../../base/sentence.ts';
import { bad, cells, dim, escapeTerminal, fit, type Line, type Piece, warn } from '../../base/terminal.ts';
import type { Known, Part } from './feed.ts';
import { VIEWS } from './views.ts';

/** Columns of a view in the third line. */
export interface Tab {
  readonly view: number;
  readonly from: number;
  readonly to: number;
}

const STALE_MS = 5000;
/** Columns below which the time of day has no room. */
const NARROW = 50;

export function agoText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

/** `parts`: what is shown. What is older than `everyMs` explains is not called current. */
export function headerLines(
  { seen, trouble }: Known,
  parts: readonly Part[],
  nowMs: number,
  everyMs: number,
  width: number,
): readonly [Line, Line] {
  const failed = parts.map((part) => trouble[part]).find((one) => one !== undefined);
  const live = seen.live;
  if (live === undefined) {
    const why = failed === undefined ? 'Asking the service' : failed.failure.message;
    return [[failed === undefined ? dim(why) : bad(fit(escapeTerminal(why), width))], []];
  }
  const { headline: said, tone, grade, ok, ts, age_ms, findings_open } = live.value;
  const ageMs = nowMs - live.atMs + age_ms;
  const stale = trouble.live !== undefined || nowMs - live.atMs > STALE_MS + everyMs;
  const old = `Not current, ${agoText(ageMs)} old: `;
  const headline: Line = stale
    ? [warn(old), dim(fit(escapeTerminal(said), width - cells(old)))]
    : [{ text: fit(escapeTerminal(said), width), style: tone }];
  if (failed !== undefined) {
    const oldest = Math.min(...parts.map((part) => seen[part]?.atMs ?? nowMs));
    const tried = `Tried for ${agoText(nowMs - failed.sinceMs)}`;
    const shown = `what is shown is ${agoText(nowMs - oldest)} old`;
    const why = escapeTerminal(asSentence(failed.failure.message));
    const text = `${why} ${tried}; ${shown}.`;
    // The reason may be cut off, how old it is may not.
    const short = `${stale ? tried : `${tried}; ${shown}`}. ${why}`;
    return [headline, [bad(cells(text) <= width ? text : fit(short, width))]];
  }
  const time = width < NARROW ? '' : `, ${ts.slice(11, 19)}`;
  const facts = `grade ${grade}, ${ok ? 'ok' : 'not ok'}, ${findings_open} open${time}`;
  const age = `${agoText(ageMs)} old`;
  return [headline, [dim(`${facts}, `), ageMs > STALE_MS + everyMs ? warn(age) : dim(age)]];
}

/** The views by number; where their names have no room, short ones, then that of the current one alone. */
export function tabsLine(
  current: number,
  width: number,
): { readonly line: Line; readonly tabs: readonly Tab[] } {
  const whole = VIEWS.map(({ name }, view) => `${view + 1} ${name}`);
  const short = VIEWS.map(({ name, short = name }, view) => `${view + 1} ${short}`);
  const numbers = whole.map((text, view) => (view === current ? text : String(view + 1)));
  const texts = [whole, short].find((all) => cells(all.join('  ')) <= width) ?? numbers;
  const tabs: Tab[] = [];
  const line: Piece[] = [];
  let from = 0;
  for (const [view, text] of texts.entries()) {
    if (view > 0) line.push(dim('  '));
    line.push(view === current ? { text, style: 'strong', inverse: true } : dim(text));
    tabs.push({ view, from, to: from + text.length });
    from += text.length + 2;
  }
  return { line, tabs };
}
