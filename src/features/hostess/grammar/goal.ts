/** A goal: what a person wants to do, and what does it. A row may be named only if its commands and keys exist. */
import type { Said } from './tables.ts';

export interface Goal {
  readonly id: string;
  readonly verbs: string;
  /** Things that must all be there; `a/b`: one of them. */
  readonly things: string;
  /**
   * Command lines, the first first. `{id}`: an open finding, `{held}` and `{before}`: the held generation and the one before, `{key}`
   * and `{endpoint}` begin what is none.
   */
  readonly lines?: readonly string[];
  /** The command whose documentation explains it. */
  readonly command?: string;
  /** Keys of the configuration. */
  readonly keys?: readonly string[];
  readonly endpoint?: string;
  /** A sentence of our own: what the documentation of the command does not say, or that there is none. */
  readonly note?: Said;
  /** A word of the glossary that has the paths of the note. */
  readonly word?: string;
  /** Where the documentation explains it: a file of `docs`, and a heading in it. */
  readonly more?: readonly [file: string, heading: string];
  /** There is no command or key for it. */
  readonly outside?: true;
}

export const row = (
  id: string,
  verbs: string,
  things: string,
  does: Omit<Goal, 'id' | 'verbs' | 'things'>,
): Goal => ({
  id,
  verbs,
  things,
  ...does,
});
