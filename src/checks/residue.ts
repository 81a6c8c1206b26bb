/** What ended runs of the desk left behind, as the slow residue timer found it. */

export interface StaleFile {
  /** Name in the state folder. */
  readonly name: string;
  readonly path: string;
  /** What it is, e.g. `temporary file`. */
  readonly what: string;
  /** Pid of the run that owned it. */
  readonly owner: number;
}

export interface Orphan {
  readonly pid: number;
  /** Clock ticks after boot, as text: it is that process or none. */
  readonly start: string;
  /** Pid of the run that started it, which is gone. */
  readonly run: number;
}

export interface Residue {
  readonly files: readonly StaleFile[];
  readonly orphans: readonly Orphan[];
}

export const NO_RESIDUE: Residue = Object.freeze({ files: [], orphans: [] });
