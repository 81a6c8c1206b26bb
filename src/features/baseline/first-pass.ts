/**
 * What the first pass shows until generation 1 closes: a service that is being started anew just when it closes, and the tools
 * that a build runs for a moment each, belong to the machine as well. What had a scar at any time of the pass does not.
 */

import { type Rows, union } from './observation.ts';
import { withoutResidue } from './residue.ts';
import type { ResidueRow } from './rows.ts';

/** A pass that does not end learns no more by lasting. */
const MOST_MS = 60_000;

export class FirstPass {
  #sinceMs: number | null = null;
  #rows: Rows = new Map();
  readonly #residue = new Map<string, ResidueRow>();

  /** Takes rows and residue of one moment. */
  take(rows: () => Rows, residue: readonly ResidueRow[], nowMs: number): void {
    this.#sinceMs ??= nowMs;
    for (const row of residue) {
      const key = Buffer.from(row.key).toString('latin1');
      this.#residue.set(`${row.kind} ${key}`, row);
    }
    if (nowMs - this.#sinceMs < MOST_MS) this.#rows = union(this.#rows, rows());
  }

  /** All of it with the last moment's rows. */
  close(rows: Rows, residue: readonly ResidueRow[]): Rows {
    return withoutResidue(union(this.#rows, rows), [...this.#residue.values(), ...residue]);
  }
}
