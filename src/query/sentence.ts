/** One sentence that answers a query: it begins with the number or the name, and says what is not known. */
import { capitalised } from '../base/sentence.ts';
import type { Bound, Output } from './bind.ts';
import type { Row } from './groups.ts';
import { cellText, keyText } from './item.ts';
import type { Result } from './run.ts';
import { itemText } from './text.ts';
import type { Aggregate, Cell, Source } from './types.ts';

const MOST_NAMED = 3;
const LONGEST_NAME = 120;

const OF: Readonly<Record<Aggregate, string>> = {
  count: 'known values of',
  distinct: 'different values of',
  sum: 'the sum of',
  min: 'the least',
  max: 'the greatest',
  avg: 'the mean of',
};

class Sentence {
  readonly #bound: Bound;
  readonly #result: Result;
  readonly #source: Source;
  readonly #when: (ms: number) => string;

  constructor(bound: Bound, result: Result, source: Source, when: (ms: number) => string) {
    this.#bound = bound;
    this.#result = result;
    this.#source = source;
    this.#when = when;
  }

  text(): string {
    const parts = [this.#head(), ...this.#listed(), ...this.#unknown(), ...this.#missing()];
    // A name at the beginning is as it is.
    return `${parts.filter((part) => part !== '').join('; ')}.`;
  }

  /** Whether a row may be there that the answer does not have. */
  get #isOpen(): boolean {
    return this.#result.undecided > 0 || (this.#source.gaps?.length ?? 0) > 0 || this.#reach() !== '';
  }

  #rows(count: number): string {
    const [one, many] = this.#bound.table.noun;
    return `${count} ${count === 1 ? one : many}`;
  }

  #none(): string {
    const [, many] = this.#bound.table.noun;
    const conditions = this.#bound.where !== null;
    if (this.#isOpen) return `No ${many} are known${conditions ? ' to match' : ''}`;
    return conditions ? `No ${many} match` : `No ${many}`;
  }

  #head(): string {
    const { grouped, group } = this.#bound;
    if (!grouped) return this.#rowsHead();
    return group.length === 0 ? this.#aggregates() : this.#groups();
  }

  #rowsHead(): string {
    const { total, rows } = this.#result;
    const { order, query } = this.#bound;
    if (total === 0) return this.#none();
    const named = rows.slice(0, MOST_NAMED).map((row) => this.#named(row));
    if (order.length > 0 && query.limit !== null && rows.length < total) {
      const by = query.order
        .map(({ item, descending }) => `${itemText(item)}${descending ? ', descending' : ''}`)
        .join(', ');
      const some = rows.length > MOST_NAMED ? `, the first ${MOST_NAMED} of them` : '';
      return `${andList(named)}: the first ${rows.length} of ${this.#rows(total)} by ${by}${some}`;
    }
    const more = total - named.length;
    return `${this.#rows(total)}: ${andList(more > 0 ? [...named, `${more} more`] : named)}`;
  }

  /** `sshd (pid 812)`, with what it is ordered by. */
  #named(row: Row): string {
    const { table, outputs, order } = this.#bound;
    const key = keyText(this.#bound, row, this.#when);
    const at = outputs.findIndex(({ name }) => name === table.label);
    const label = row.cells[at];
    const by = order
      .map(({ name, column }, place) => ({ name, column, cell: row.order[place] }))
      .filter(
        ({ name, column }) => name !== table.label && !table.key.includes(name) && column?.ranked !== true,
      )
      .map(({ name, column, cell }) => `${name} ${cellText(cell, column, this.#when)}`);
    const known =
      label !== null && label !== undefined && label !== '' && !table.key.includes(table.label ?? '');
    const inside = known ? [key, ...by] : by;
    const name = short(known ? String(label).replace(/[.;\s]+$/, '') : key);
    return inside.length === 0 ? name : `${name} (${inside.join(', ')})`;
  }

  #value(cell: Cell, { column, aggregate }: Output): string {
    const text = cellText(cell, column, this.#when);
    const counts = aggregate === 'count' || aggregate === 'distinct';
    return typeof cell === 'number' && !counts && column?.unit ? `${text} ${column.unit}` : text;
  }

  #aggregates(): string {
    const { outputs } = this.#bound;
    const { rows, matched } = this.#result;
    const cells = rows[0]?.cells ?? [];
    const [first] = outputs as [Output];
    if (outputs.length > 1) {
      const values = outputs.map((one, at) => `${one.name} ${this.#value(cells[at], one)}`);
      return `${this.#rows(matched)}: ${andList(values)}`;
    }
    const [cell] = cells;
    if (first.column === null) return matched === 0 ? this.#none() : this.#rows(matched);
    const what = `${OF[first.aggregate ?? 'count']} ${first.column.name}`;
    if (cell === undefined)
      return matched === 0
        ? `${this.#none()}, so there is no value for ${what}`
        : `None of ${this.#rows(matched)} has ${first.column.name}`;
    if (cell === null)
      return `${capitalised(what)} is unknown: it could not be read of ${this.#rows(matched)}`;
    const verb = first.aggregate === 'count' || first.aggregate === 'distinct' ? '' : 'is ';
    return `${this.#value(cell, first)} ${verb}${what} of ${this.#rows(matched)}`;
  }

  #groups(): string {
    const { group, outputs } = this.#bound;
    const { rows, total, matched } = this.#result;
    if (total === 0) return this.#none();
    const by = group.map(({ name }) => name).join(', ');
    const named = rows.slice(0, MOST_NAMED).map(({ key, cells }) => {
      const values = outputs.flatMap((one, at) =>
        one.aggregate === null
          ? []
          : [`${one.column === null ? '' : `${one.name} `}${this.#value(cells[at], one)}`],
      );
      const name = key.map((cell, at) => cellText(cell, group[at] ?? null, this.#when)).join(' ');
      return values.length === 0 ? name : `${name} (${values.join(', ')})`;
    });
    const more = total - named.length;
    const list = andList(more > 0 ? [...named, `${more} more`] : named);
    return `${total} ${total === 1 ? 'group' : 'groups'} of ${this.#rows(matched)} by ${by}: ${list}`;
  }

  #listed(): string[] {
    const { rows, total, cut } = this.#result;
    const { query } = this.#bound;
    if (rows.length === total) return [];
    if (cut > 0) return [`${rows.length} are listed, because the answer would be too long`];
    return query.limit === null ? [`${rows.length} are listed: add limit for more`] : [];
  }

  #unknown(): string[] {
    const { undecided, undecidedBy, unknown } = this.#result;
    const names = undecidedBy.map(({ column }) => column);
    return [
      ...(undecided > 0
        ? [
            `for ${undecided}${this.#result.matched > 0 ? ' more' : ''} it is unknown, because ${andList(names)} could not be read`,
          ]
        : []),
      ...unknown.map(({ column, rows }) => `${column} is unknown for ${rows} of them`),
    ];
  }

  #reach(): string {
    const { span } = this.#bound;
    const { fromMs } = this.#source;
    if (fromMs === null || fromMs === undefined) return '';
    const asked = span.sinceMs ?? span.atMs;
    if (asked === null || asked >= fromMs) return '';
    return `the history begins at ${this.#when(fromMs)}, so what was before is not known`;
  }

  #missing(): string[] {
    const { gaps = [], notes = [] } = this.#source;
    return [this.#reach(), ...gaps.map((gap) => `rows may be missing: ${gap}`), ...notes];
  }
}

/** A name in a list of others. */
const short = (text: string): string =>
  text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;

const andList = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** `when`: a time in ms as text. */
export const sentenceOf = (
  bound: Bound,
  result: Result,
  source: Source,
  when: (ms: number) => string,
): string => new Sentence(bound, result, source, when).text();
