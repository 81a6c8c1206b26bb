/**
 * Paths of grounds: a root, then the way in it as JSON has it. `[2]` is an item of a list, `[key=value]` those that match (also `>=`
 * and `<`, for numbers and RFC 3339 times), a key after a list is that of its first item, and `.length` of a list is their number.
 * Values with other characters than words are in JSON quotes: `processes[comm="a]b"].pid`.
 */
export type Step =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'item'; readonly index: number }
  | { readonly kind: 'where'; readonly key: string; readonly relation: Relation; readonly value: string };

export type Relation = '=' | '>=' | '<';

export interface Path {
  readonly root: string;
  readonly steps: readonly Step[];
}

/** A list whose items are made on demand. */
export interface Rows {
  readonly length: number;
  at(index: number): unknown;
  where(key: string, relation: Relation, value: string): Rows;
}

const WORD = /^[\w./:@?*+-]+(?: [\w./:@?*+-]+)*$/;

/** A value in the syntax of a path. */
export const quoted = (value: string | number | boolean): string =>
  WORD.test(String(value)) ? String(value) : JSON.stringify(String(value));

const STEP = /\.([^.[\]]+)|\[(\d+)\]|\[(\w+)(>=|=|<)(?:"((?:[^"\\]|\\.)*)"|([\w./:@?*+ -]+))\]/y;

/** @throws SyntaxError for an invalid path. */
export function parsePath(text: string): Path {
  const root = /^\w+(?:\/\w+)?/.exec(text)?.[0] ?? '';
  if (root === '') throw new SyntaxError(`${text} is not a path`);
  const steps: Step[] = [];
  STEP.lastIndex = root.length;
  while (STEP.lastIndex < text.length) {
    const found = STEP.exec(text);
    if (found === null) throw new SyntaxError(`${text} is not a path`);
    const [, key, index, where, relation, inQuotes, word] = found;
    if (key !== undefined) steps.push({ kind: 'key', key });
    else if (index !== undefined) steps.push({ kind: 'item', index: Number(index) });
    else
      steps.push({
        kind: 'where',
        key: where as string,
        relation: relation as Relation,
        value: inQuotes === undefined ? (word as string) : (JSON.parse(`"${inQuotes}"`) as string),
      });
  }
  return { root, steps };
}

const isRows = (value: unknown): value is Rows =>
  typeof value === 'object' && value !== null && 'where' in value && typeof value.where === 'function';

/** `left` and `right` as numbers, or as times where both are some. */
function order(left: unknown, right: string): number {
  const numbers = [Number(left), Number(right)] as const;
  const [a, b] = numbers.some(Number.isNaN) ? [Date.parse(String(left)), Date.parse(right)] : numbers;
  return a - b;
}

export function matches(value: unknown, relation: Relation, wanted: string): boolean {
  if (relation === '=') return String(value) === wanted;
  const difference = order(value, wanted);
  return relation === '<' ? difference < 0 : difference >= 0;
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/** Shorter lists are scanned faster than indexed. */
const INDEXED_FROM = 32;
type Index = ReadonlyMap<string, readonly unknown[]>;
const indexes = new WeakMap<readonly unknown[], Map<string, Index>>();

function indexBy(list: readonly unknown[], key: string): Index {
  const index = new Map<string, unknown[]>();
  for (const item of list) {
    const held = String(property(item, key));
    const items = index.get(held);
    if (items === undefined) index.set(held, [item]);
    else items.push(item);
  }
  return index;
}

/** The matching items. Answers read single items of long lists many times: these are indexed once per list and key. */
function chosenFrom(
  list: readonly unknown[],
  key: string,
  relation: Relation,
  value: string,
): readonly unknown[] {
  if (relation !== '=' || list.length < INDEXED_FROM)
    return list.filter((item) => matches(property(item, key), relation, value));
  const byKey = indexes.get(list) ?? new Map<string, Index>();
  indexes.set(list, byKey);
  const index = byKey.get(key) ?? indexBy(list, key);
  byKey.set(key, index);
  return index.get(value) ?? [];
}

/** The value there; undefined without one. */
export function readSteps(whole: unknown, steps: readonly Step[]): unknown {
  let value = whole;
  for (const step of steps) {
    const list: Rows | readonly unknown[] | null = Array.isArray(value) || isRows(value) ? value : null;
    if (step.kind === 'item') value = list?.at(step.index);
    else if (step.kind === 'where') {
      if (list === null) return undefined;
      value = isRows(list)
        ? list.where(step.key, step.relation, step.value)
        : chosenFrom(list, step.key, step.relation, step.value);
    } else if (list !== null) value = step.key === 'length' ? list.length : property(list.at(0), step.key);
    else value = property(value, step.key);
    if (value === undefined) return undefined;
  }
  return value;
}
