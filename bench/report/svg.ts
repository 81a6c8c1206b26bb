/** The SVG parts of the charts: readable in light and dark, titled for screen readers. Pure. */

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

/** Two decimals at most, so that the same figures give the same bytes. */
export const px = (value: number): string => String(Math.round(value * 100) / 100);

const STYLE = `
text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 } .dim { fill: #59636e } .value { font-variant-numeric: tabular-nums }
.surface { fill: #ffffff; stroke: #d1d9e0 } .grid { stroke: #d1d9e0 } .target { stroke: #1f2328; stroke-width: 2 }
.f0 { fill: #2a6fc9 } .f1 { fill: #b35309 } .f2 { fill: #0e7c66 } .f3 { fill: #8250bf } .f4 { fill: #a3374f } .f5 { fill: #59636e }
.l0 { stroke: #2a6fc9 } .l1 { stroke: #b35309 } .l2 { stroke: #0e7c66 } .l3 { stroke: #8250bf } .l4 { stroke: #a3374f } .l5 { stroke: #59636e }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round } .peer { stroke-dasharray: 5 4 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .dim { fill: #9198a1 } .surface { fill: #0d1117; stroke: #3d444d } .grid { stroke: #2f353d } .target { stroke: #f0f6fc }
.f0 { fill: #6cb0ff } .f1 { fill: #f0a35e } .f2 { fill: #4fcba8 } .f3 { fill: #c5a0f5 } .f4 { fill: #f58ba0 } .f5 { fill: #9198a1 }
.l0 { stroke: #6cb0ff } .l1 { stroke: #f0a35e } .l2 { stroke: #4fcba8 } .l3 { stroke: #c5a0f5 } .l4 { stroke: #f58ba0 } .l5 { stroke: #9198a1 }
}`.trim();

/** Number of colours. */
export const COLOURS = 6;

export interface Words {
  readonly title: string;
  /** One line below the title. */
  readonly note: string;
  /** Text description of the picture. */
  readonly description: string;
}

/** A whole picture. `body` starts below the two heading lines, at 64. */
export function picture(width: number, height: number, words: Words, body: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(words.title)}</title>`,
    `<desc id="description">${escaped(words.description)}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="surface" x="0.5" y="0.5" width="${px(width - 1)}" height="${px(height - 1)}" rx="6"/>`,
    `<text class="title" x="20" y="30">${escaped(words.title)}</text>`,
    `<text class="dim" x="20" y="50">${escaped(words.note)}</text>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

export const label = (
  x: number,
  y: number,
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
  kind = '',
): string =>
  `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}"${kind === '' ? '' : ` class="${kind}"`}>${escaped(text)}</text>`;

export const stroke = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}"/>`;

/** Powers of ten from the one at or below `low` to the one at or above `high`. */
export function decades(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.max(from + 1, Math.ceil(Math.log10(high) - 1e-9));
  return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

/** Whole numbers from 0 to the one at or above `high`, at most ten steps. */
export function steps(high: number): number[] {
  const step = Math.max(1, Math.ceil(Math.ceil(high) / 10));
  return Array.from({ length: Math.ceil(high / step) + 1 }, (_, index) => index * step);
}

/** A linear scale from 0 on. */
export function linearScale(ticks: readonly number[], from: number, to: number): (value: number) => number {
  return (value) => from + (value / (ticks.at(-1) as number)) * (to - from);
}

/** A logarithmic scale from values to pixels. */
export function logScale(ticks: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log10(ticks[0] as number), Math.log10(ticks.at(-1) as number)];
  return (value) => from + ((Math.log10(value) - low) / (high - low)) * (to - from);
}
