/** What operations and other features use of the baseline. */
import type { Content } from '../../checks/content.ts';
import { token } from '../../desk/token.ts';
import type { Difference } from '../../records/baseline-diff.ts';
import type { LearnedGeneration } from '../../records/learned.ts';
import type { DeskState } from '../../records/state.ts';
import type { Generation } from './rows.ts';

export interface Baseline {
  /** B into A after a clean gate, else refused with the scars named; with `windowMin` opens a learning window of so many minutes. */
  learn(windowMin?: number): Promise<LearnedGeneration>;
  difference(): Promise<Difference>;
  /** Makes a new generation with the rows of an old one, whose digest must verify. */
  restore(generation: number): Promise<LearnedGeneration>;
  /** What was learned and is marked for review was reviewed: how many rows. */
  reviewed(): Promise<{ readonly generation: number; readonly rows: number }>;
  /** All generations, oldest first. */
  generations(): readonly Generation[];
  /** What runs, by identity: each content once; none inside of a command. */
  contents(): ReadonlyMap<string, readonly Content[]>;
  /** What `difference` is over this state. */
  differenceAt(state: DeskState): Difference;
}

export const BASELINE = token<Baseline>('baseline');
