/** What a question was understood as. */
import type { Moment } from '../times.ts';
import type { Condition } from './tables.ts';
import type { Language } from './vocabulary.ts';

export type PlanKind =
  | 'count'
  | 'list'
  | 'whether'
  | 'first'
  | 'groups'
  | 'when'
  | 'port'
  | 'port-ever'
  | 'known'
  | 'judge'
  | 'normal'
  | 'why'
  | 'unmeasured';

export interface Plan {
  readonly kind: PlanKind;
  readonly language: Language;
  readonly table: string;
  readonly query: string;
  readonly conditions: readonly Condition[];
  /** What it is ordered or grouped by, or the column that answers. */
  readonly column: string | null;
  /** How many rows were asked for; null: all. */
  readonly limit: number | null;
  readonly moment: Moment | null;
  /** A name of the question that nothing here has. */
  readonly stranger: string | null;
  /** The program, port or finding that it is about. */
  readonly name: string | null;
  /** What was asked for too, and is not measured. */
  readonly unmeasured: readonly string[];
  /** Nothing is combined: one table, or one with one condition. */
  readonly simple: boolean;
}

/** Where names of programs are looked up. */
export interface Programs {
  /** The column that has the name, and the name there. */
  find(name: string): readonly (readonly [column: 'comm' | 'executable', name: string])[];
}
