/** A query while it is composed: its table, what of the question is still to be placed, and what is placed already. */

import type { Moment } from '../times.ts';
import type { Building } from './conditions.ts';
import type { Parts } from './parts.ts';
import type { Plan, PlanKind, Programs } from './plan.ts';
import type { Asked, Condition } from './tables.ts';

export class Draft implements Building {
  readonly conditions: Condition[] = [];
  readonly clauses: string[] = [];
  readonly parts: Parts;
  /** The kind of the question. */
  readonly asked: string;
  readonly table: string;
  readonly about: Asked;
  readonly programs: Programs;
  /** Tables that the question names. */
  tables: readonly string[] = [];
  /** It says that something runs. */
  runs = false;
  column: string | null = null;
  limit: number | null = null;
  stranger: string | null = null;
  /** The program that it is about. */
  program: string | null = null;
  /** The users that it is about. */
  users: readonly string[] = [];
  withUser = false;
  /** A condition was said with "not". */
  negated = false;
  /** The finding that it is about. */
  found: string | null = null;
  readonly #base: Omit<Plan, 'kind' | 'table' | 'query'>;

  constructor(
    { parts, asked, table, about, programs }: Pick<Draft, 'parts' | 'asked' | 'table' | 'about' | 'programs'>,
    base: Omit<Plan, 'kind' | 'table' | 'query'>,
  ) {
    this.parts = parts;
    this.asked = asked;
    this.table = table;
    this.about = about;
    this.programs = programs;
    this.#base = base;
  }

  get moment(): Moment | null {
    return this.#base.moment;
  }

  get language(): Plan['language'] {
    return this.#base.language;
  }

  get unmeasured(): readonly string[] {
    return this.#base.unmeasured;
  }

  /** The program or finding that it is about. */
  get name(): string | null {
    return this.found ?? this.program;
  }

  /** The text of the query. `select`: "" for the columns of the table; `more`: the clauses behind its conditions. */
  query(select = '', more = ''): string {
    const texts = this.conditions.map(({ query }) => query).filter((query) => query !== '');
    const columns = select === '' && !more.startsWith('group') ? `select ${this.about.select}` : select;
    const where = texts.length === 0 ? '' : `where ${texts.join(' and ')}`;
    return [this.table, columns, where, more, ...this.clauses].filter((one) => one !== '').join(' ');
  }

  plan(kind: PlanKind, query: string, more: Partial<Plan> = {}): Plan {
    const { table, conditions, column, limit, stranger, name, withUser } = this;
    return {
      ...this.#base,
      ...{ kind, table, query, conditions, column, limit, stranger, name, withUser },
      ...more,
    };
  }
}
