/** What a question was understood as. */
import { MOST_ROWS } from '../../../query/types.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import type { Moment } from '../times.ts';
import type { VitalAsked } from '../vitals/asked.ts';
import type { Condition, Said } from './tables.ts';
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
  | 'aggregate'
  | 'distinct'
  | 'share'
  | 'compare'
  | 'value'
  | 'certificate'
  | 'all-up'
  | 'gate'
  | 'unmeasured'
  | 'vital'
  | HostKind
  | SiteKind
  | PastKind
  | FollowKind;

/** Answers from what is recorded of the past. */
export type PastKind =
  | 'last-up'
  | 'happened'
  | 'runs'
  | 'run-last'
  | 'sample'
  | 'measured'
  | 'then-now'
  | 'episodes'
  | 'not-kept'
  | 'since-events'
  | 'account-files'
  | 'unkept'
  | 'reach';

/** Answers about accounts, programs and their packages, which say what is not recorded. */
export type HostKind =
  | 'logins'
  | 'password'
  | 'ssh-login'
  | 'purpose'
  | 'package-of'
  | 'restarted'
  | 'file-changed'
  | 'noted'
  | 'every'
  | 'counted'
  | 'shared-uid';

/** Answers about the sites that are watched. */
export type SiteKind = 'site-uptime' | 'site-downs' | 'site-speed' | 'site-state';

/** Answers about what the answer before was about. */
export type FollowKind =
  | 'cells'
  | 'user'
  | 'judged'
  | 'learned'
  | 'needed'
  | 'cure'
  | 'accept'
  | 'undo'
  | 'nth'
  | 'head'
  | 'accepted-of';

/** Makes the next query from the answer of the one before; null where that has nothing to go on with. */
export type Step = (record: QueryAnswer) => string | null;

/** What of the question is not recorded. */
export interface Notes {
  /** Said before the answer. */
  readonly first?: Said;
  /** Said behind it. */
  readonly last?: Said;
  /** The last one is said only where the value is not 0. */
  readonly unlessNone?: true;
}

export interface Plan {
  readonly kind: PlanKind;
  readonly language: Language;
  readonly table: string;
  readonly query: string;
  /** What its number is compared with; null where it is compared with nothing. */
  readonly second?: Plan | null;
  readonly conditions: readonly Condition[];
  /** Columns of users are said too. */
  readonly withUser?: boolean;
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
  /** What is asked of the machine, or of what processes use. */
  readonly vital?: VitalAsked;
  readonly notes?: Notes;
  /** It asks whether something is forbidden: yes and no change places. */
  readonly denied?: boolean;
  /** Queries that follow the first one: the answer of the last is said. */
  readonly steps?: readonly Step[];
  /** What the next question may be about; as a rule the query itself. */
  readonly subject?: string;
}

/** As many rows as a query may ask for. */
export const rowsWanted = (number: number): number => Math.min(Math.max(number, 1), MOST_ROWS);

/** Where names of programs and users are looked up. */
export interface Programs {
  /** The number of a user; null where none has the name. */
  uid(name: string): number | null;
  /** Names of users with this number. */
  usersOf(uid: number): readonly string[];
  /** Names of running programs that are this one in a version, as python3 is python, or by another name, as sshd is ssh. */
  versions(name: string): readonly string[];
  /** The column that has the name, and the name there. */
  find(name: string): readonly (readonly [column: 'comm' | 'executable', name: string])[];
}
