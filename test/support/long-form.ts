/**
 * Tests with a short and a long form: the short one runs with all others, `DESK_LONG=1` asks for the long one, as
 * `npm run bench -- --full` does. What a form came to is reported in figures, which the bench keeps.
 */
import { appendFileSync } from 'node:fs';

export const isLong = process.env.DESK_LONG === '1';

/** What a test counted, e.g. `{ name: 'rounds', value: 100000, unit: '' }`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** "" where the name says it. */
  readonly unit: string;
}

/** Reports a figure to anyone who named a file for them in `DESK_FIGURES_FILE`: a line of JSON each. Before it is judged. */
export function tellFigure(name: string, value: number, unit = ''): void {
  const file = process.env.DESK_FIGURES_FILE;
  if (file) appendFileSync(file, `${JSON.stringify({ name, value, unit } satisfies Figure)}\n`);
}
