/**
 * Tests with a short and a long form: the short one runs with all others, `DESK_LONG=1` asks for the long one, as
 * `npm run bench -- --full` does. The results of a form are reported as figures, which the bench stores.
 */
import { appendFileSync } from 'node:fs';

export const isLong = process.env.DESK_LONG === '1';

/** A count of a test, e.g. `{ name: 'rounds', value: 100000, unit: '' }`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** "" if the name implies it. */
  readonly unit: string;
}

/** Appends a figure to the file named in `DESK_FIGURES_FILE`, as a line of JSON. Call it before the assertion. */
export function tellFigure(name: string, value: number, unit = ''): void {
  const file = process.env.DESK_FIGURES_FILE;
  if (file) appendFileSync(file, `${JSON.stringify({ name, value, unit } satisfies Figure)}\n`);
}
