/**
 * Reads a query:
 *
 *     TABLE [select ITEM, …] [where CONDITION] [group by COLUMN, …] [order by [-]ITEM, …] [limit N]
 *           [since TIME] [until TIME] [at TIME] [ever]
 *
 * in any order behind the table, each clause once. An item is a column or an aggregate of one. Names and types are checked later,
 * against the table (`bind.ts`). No error repeats what was written.
 */
import { nearest } from '../base/nearest.ts';
import {
  AGGREGATES,
  type Aggregate,
  type Condition,
  type Item,
  type Literal,
  LONGEST_TEXT,
  MOST_CONDITIONS,
  MOST_DEPTH,
  MOST_ITEMS,
  MOST_ROWS,
  type Name,
  OPERATORS,
  type Operator,
  type Order,
  type Query,
  QueryError,
  type TimeWord,
  type Value,
} from './types.ts';
import { type Word, wordsOf } from './words.ts';

export const CLAUSES = [
  'select',
  'where',
  'group',
  'order',
  'limit',
  'since',
  'until',
  'at',
  'ever',
] as const;
type Clause = (typeof CLAUSES)[number];

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** What a bare word means as a value. A whole number that a double cannot hold stays a text. */
function wordValue(word: string): Value {
  if (word === 'true' || word === 'false') return word === 'true';
  if (!NUMBER.test(word)) return word;
  const number = Number(word);
  const exact = Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
  // -0 is written as 0.
  return exact ? number + 0 : word;
}

type Parts = { -readonly [K in keyof Query]: Query[K] };

class Parser {
  readonly #words: readonly Word[];
  #next = 0;
  #conditions = 0;

  constructor(text: string) {
    if (text.length > LONGEST_TEXT)
      throw new QueryError(`A query has at most ${LONGEST_TEXT} characters.`, LONGEST_TEXT);
    this.#words = wordsOf(text);
  }

  query(): Query {
    const query: Parts = {
      from: this.#name('a table', 'see desk query --tables'),
      ...{ select: [], where: null, group: [], order: [], limit: null },
      ...{ since: null, until: null, at: null, ever: false, places: {} },
    };
    const seen = new Set<Clause>();
    while (this.#word.kind !== 'end') {
      const { at } = this.#word;
      const clause = this.#clause();
      if (seen.has(clause)) throw new QueryError(`"${clause}" appears twice: remove one.`, at);
      seen.add(clause);
      this.#take(clause, query, at);
    }
    return query;
  }

  condition(): Condition {
    const condition = this.#or(0);
    this.#end();
    return condition;
  }

  items(): readonly Item[] {
    const items = this.#list(() => this.#item());
    this.#end();
    return items;
  }

  order(): readonly Order[] {
    const order = this.#list(() => this.#ordered());
    this.#end();
    return order;
  }

  get #word(): Word {
    return this.#words[this.#next] as Word;
  }

  #end(): void {
    if (this.#word.kind !== 'end') throw this.#expected('the end');
  }

  #expected(what: string, more = '', known: readonly string[] = []): QueryError {
    const { kind, text, at } = this.#word;
    const found = kind === 'end' ? ', but the text ends' : '';
    const near = nearest(known, text);
    const hint = more === '' || near.length > 0 ? '' : `: ${more}`;
    return new QueryError(`Expected ${what}${found}${hint}.`, at, near);
  }

  #clause(): Clause {
    const { kind, text } = this.#word;
    const clause = CLAUSES.find((one) => kind === 'word' && one === text.toLowerCase());
    const before = this.#words[this.#next - 1];
    const more =
      kind === 'mark' && before?.kind === 'word'
        ? 'conditions follow "where"'
        : 'texts with spaces need quotes';
    if (clause === undefined) throw this.#expected(`one of ${CLAUSES.join(', ')} or the end`, more, CLAUSES);
    this.#next += 1;
    return clause;
  }

  #take(clause: Clause, query: Parts, at: number): void {
    switch (clause) {
      case 'select':
        query.select = this.#list(() => this.#item());
        return;
      case 'where':
        query.where = this.#or(0);
        return;
      case 'group':
        this.#by();
        query.group = this.#list(() => this.#name('a column'));
        return;
      case 'order':
        this.#by();
        query.order = this.#list(() => this.#ordered());
        return;
      case 'limit':
        query.limit = this.#limit();
        return;
      case 'ever':
        query.ever = true;
        break;
      default:
        query[clause] = this.#time();
    }
    query.places = { ...query.places, [clause satisfies TimeWord]: at };
  }

  /** Whether the next word is this one, in any case; it is taken. */
  #is(text: string, kind: Word['kind'] = 'word'): boolean {
    const word = this.#word;
    if (word.kind !== kind || word.text.toLowerCase() !== text) return false;
    this.#next += 1;
    return true;
  }

  #by(): void {
    if (!this.#is('by')) throw this.#expected('"by"');
  }

  #name(what: string, more = ''): Name {
    const { kind, text, at } = this.#word;
    if (kind !== 'word') throw this.#expected(what, more);
    this.#next += 1;
    return { text: text.toLowerCase(), at };
  }

  #list<T>(one: () => T): T[] {
    const list: T[] = [];
    do {
      if (list.length >= MOST_ITEMS)
        throw new QueryError(`A list has at most ${MOST_ITEMS} entries.`, this.#word.at);
      list.push(one());
    } while (this.#is(',', 'mark'));
    return list;
  }

  #item(name = this.#name('a column, or an aggregate such as count()')): Item {
    if (!this.#is('(', 'mark')) return { aggregate: null, column: name, at: name.at };
    const aggregate = AGGREGATES.find((one) => one === name.text);
    if (aggregate === undefined)
      throw new QueryError(
        `Unknown aggregate. The aggregates are: ${AGGREGATES.join(', ')}.`,
        name.at,
        nearest(AGGREGATES, name.text),
      );
    const column = this.#argument(aggregate);
    if (!this.#is(')', 'mark')) throw this.#expected('")"');
    return { aggregate, column, at: name.at };
  }

  #argument(aggregate: Aggregate): Name | null {
    const { kind, text } = this.#word;
    if (aggregate !== 'count') return this.#name('a column');
    if (this.#is('*')) return null;
    return kind === 'mark' && text === ')' ? null : this.#name('a column, or ")"');
  }

  #ordered(): Order {
    const name = this.#name('a column, or an aggregate such as count()');
    const minus = name.text.startsWith('-');
    if (minus && name.text.length === 1)
      throw new QueryError('"-" belongs before a column, without a space.', name.at);
    const item = this.#item(minus ? { text: name.text.slice(1), at: name.at + 1 } : name);
    const down = this.#is('desc');
    if (!down) this.#is('asc');
    return { item, descending: minus !== down };
  }

  #limit(): number {
    const { kind, text, at } = this.#word;
    if (kind !== 'word' || !/^\d{1,9}$/.test(text)) throw this.#expected('a whole number');
    const limit = Number(text);
    if (limit < 1 || limit > MOST_ROWS) throw new QueryError(`"limit" takes 1 to ${MOST_ROWS}.`, at);
    this.#next += 1;
    return limit;
  }

  #time(): Name {
    const { kind, text, at } = this.#word;
    if (kind !== 'word' && kind !== 'text')
      throw this.#expected('a time', 'e.g. yesterday, 2h, 2026-01-31, "2 hours ago"');
    this.#next += 1;
    return { text, at };
  }

  #or(depth: number): Condition {
    return this.#joined('or', () => this.#joined('and', () => this.#not(depth)));
  }

  #joined(kind: 'and' | 'or', one: () => Condition): Condition {
    const parts: Condition[] = [];
    do {
      const part = one();
      if (part.kind === kind) parts.push(...part.parts);
      else parts.push(part);
    } while (this.#is(kind));
    return parts.length === 1 ? (parts[0] as Condition) : { kind, parts };
  }

  #not(depth: number): Condition {
    if (depth > MOST_DEPTH)
      throw new QueryError(`Conditions are nested more than ${MOST_DEPTH} deep.`, this.#word.at);
    if (this.#is('not')) return { kind: 'not', part: this.#not(depth + 1) };
    if (!this.#is('(', 'mark')) return this.#test();
    const inside = this.#or(depth + 1);
    if (!this.#is(')', 'mark')) throw this.#expected('")", "and" or "or"');
    return inside;
  }

  #test(): Condition {
    this.#conditions += 1;
    if (this.#conditions > MOST_CONDITIONS)
      throw new QueryError(`A query has at most ${MOST_CONDITIONS} conditions.`, this.#word.at);
    const column = this.#name('a column', 'a condition begins with one');
    if (this.#is('is')) return this.#isTest(column);
    const { kind, text } = this.#word;
    const operator = OPERATORS.find((one) => kind !== 'text' && one === text.toLowerCase());
    if (operator === undefined) {
      // A column alone: it is true.
      if (this.#endsTest())
        return { kind: 'compare', column, operator: '=', values: [{ value: true, at: column.at }] };
      throw this.#expected(`an operator (${OPERATORS.join(' ')}, is)`, '', OPERATORS);
    }
    this.#next += 1;
    return { kind: 'compare', column, operator, values: this.#values(operator) };
  }

  #endsTest(): boolean {
    const { kind, text } = this.#word;
    if (kind === 'end') return true;
    if (kind === 'mark') return text === ')';
    return kind === 'word' && ['and', 'or', ...CLAUSES].includes(text.toLowerCase());
  }

  #isTest(column: Name): Condition {
    const not = this.#is('not');
    for (const what of ['unknown', 'none'] as const)
      if (this.#is(what)) return { kind: 'is', column, what, not };
    throw this.#expected('"unknown" or "none"', 'compare values with =', ['unknown', 'none']);
  }

  #values(operator: Operator): readonly Literal[] {
    if (operator !== 'in') return [this.#value()];
    if (!this.#is('(', 'mark')) throw this.#expected('"("', 'e.g. uid in (0, 1000)');
    const values = this.#list(() => this.#value());
    if (!this.#is(')', 'mark')) throw this.#expected('"," or ")"');
    return values;
  }

  #value(): Literal {
    const { kind, text, at } = this.#word;
    if (kind !== 'word' && kind !== 'text') throw this.#expected('a value', 'texts with spaces need quotes');
    this.#next += 1;
    return { value: kind === 'text' ? text : wordValue(text), at };
  }
}

/** @throws QueryError */
export const parse = (text: string): Query => new Parser(text).query();

/** A condition alone, as behind `where`. @throws QueryError */
export const parseCondition = (text: string): Condition => new Parser(text).condition();

/** Items alone, as behind `select`. @throws QueryError */
export const parseItems = (text: string): readonly Item[] => new Parser(text).items();

/** As behind `order by`. @throws QueryError */
export const parseOrder = (text: string): readonly Order[] => new Parser(text).order();
