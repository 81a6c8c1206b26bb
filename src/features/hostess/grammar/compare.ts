/** Questions with two numbers: whether one is more than another, and which share one is of another. Each is composed by itself. Pure. */
import type { Plan } from './plan.ts';
import type { Slot, SlotPart } from './read.ts';

type ComposeOf = (slots: readonly Slot[]) => Plan | null;

const SIDES: readonly SlotPart[] = ['user', 'program', 'trait', 'stranger'];
const COUNT: Slot = { part: 'kind', value: 'count', text: '' };
const NUMBERED: ReadonlySet<Plan['kind']> = new Set(['count', 'aggregate', 'first']);

const isOrder = ({ part, value }: Slot): boolean =>
  part === 'order' && (value === 'most' || value === 'least');
const isWord = ({ part, value }: Slot, ...words: readonly string[]): boolean =>
  part === 'word' && words.includes(value);

/** The two that are compared; null without exactly two of a kind. */
function sidesOf(slots: readonly Slot[]): readonly [Slot, Slot] | null {
  // The second one is behind "or" or "than", or the last.
  for (const part of SIDES) {
    const all = slots.filter((one) => one.part === part && !one.negated);
    const [first, second] = all;
    if (first !== undefined && second !== undefined && all.length === 2) return [first, second];
  }
  return null;
}

/** Undefined where nothing is compared; null where it is not understood. */
export function comparison(slots: readonly Slot[], composeOf: ComposeOf): Plan | null | undefined {
  const order = slots.find(isOrder);
  const asked = slots.find(({ part }) => part === 'kind')?.value ?? 'list';
  if (order === undefined || slots.some(({ part }) => part === 'number' || part === 'operator'))
    return undefined;
  const sides = sidesOf(slots);
  const isOr = slots.some((one) => isWord(one, 'or'));
  const isThan = slots.some((one) => isWord(one, 'than'));
  if (sides === null || !(isOr || isThan || asked === 'whether')) return isThan ? null : undefined;
  const rest = slots.filter(
    (one) => !isOrder(one) && one.part !== 'kind' && !isWord(one, 'or', 'than') && !sides.includes(one),
  );
  // Of several processes all threads.
  const isOfColumn =
    rest.some(({ part }) => part === 'column') && !rest.some(({ part }) => part === 'aggregate');
  const sum: readonly Slot[] = isOfColumn ? [{ part: 'aggregate', value: 'sum', text: '' }] : [];
  const [first, second] = sides.map((side) => composeOf([COUNT, ...sum, ...rest, side]));
  if (!first || !second || first.kind !== second.kind || !NUMBERED.has(first.kind)) return null;
  const column = isOr || asked !== 'whether' ? 'which' : order.value;
  return { ...first, kind: 'compare', second, column, name: null };
}

const CONDITIONS: ReadonlySet<SlotPart> = new Set([...SIDES, 'operator', 'number', 'time', 'about', 'check']);

/** "What share of the listeners is public": what is before the noun belongs to the whole. */
export function share(slots: readonly Slot[], composeOf: ComposeOf): Plan | null | undefined {
  const of = slots.find(({ part, value }) => part === 'aggregate' && value === 'share');
  if (of === undefined) return undefined;
  const rest = slots.filter((one) => one.part !== 'aggregate' && one.part !== 'kind' && !isWord(one, 'per'));
  const noun = rest.findIndex(({ part }) => part === 'table');
  const isBehind = rest.some(({ part }, at) => at > noun && CONDITIONS.has(part));
  const whole = rest.filter(({ part }, at) => !CONDITIONS.has(part) || (isBehind && at < noun));
  // What the kernel runs cannot be confined.
  const isOfWrap = rest.some(
    ({ part, value }) => part === 'trait' && (value === 'wrapped' || value === 'free'),
  );
  if (isOfWrap) whole.push({ part: 'trait', value: 'user-space', text: '' });
  const [first, second] = [composeOf([COUNT, ...rest]), composeOf([COUNT, ...whole])];
  if (first?.kind !== 'count' || second?.kind !== 'count' || first.query === second.query) return null;
  return { ...first, kind: 'share', second };
}
