/** Parts of a question that are still to be placed in a query. */
import type { Slot, SlotPart } from './read.ts';

/** What a "not" can be of. */
const NEGATABLE: ReadonlySet<SlotPart> = new Set([
  'trait',
  'user',
  'program',
  'stranger',
  'match',
  'address',
]);
const isNot = ({ part, value }: Slot): boolean => part === 'word' && value === 'not';

/** Each "not" goes with the next condition behind it, or, at the end of a sentence as in German, with the one before. */
function withNegations(slots: readonly Slot[]): Slot[] {
  const all = [...slots];
  for (let at = all.findIndex(isNot); at >= 0; at = all.findIndex(isNot)) {
    const from = at;
    const behind = all.findIndex(
      ({ part, negated }, place) => place > from && NEGATABLE.has(part) && !negated,
    );
    const before = all.findLastIndex(
      ({ part, negated }, place) => place < from && (part === 'trait' || part === 'user') && !negated,
    );
    const place = behind >= 0 ? behind : before;
    // It remains, and the question is not understood.
    if (place < 0) return all;
    // "Except chromium and vim" is neither.
    const { part } = all[place] as Slot;
    for (let next = place; all[next]?.part === part && (next === place || part !== 'trait'); next += 1)
      all[next] = { ...(all[next] as Slot), negated: true };
    all.splice(at, 1);
  }
  return all;
}

export class Parts {
  readonly slots: Slot[];
  constructor(slots: readonly Slot[]) {
    this.slots = withNegations(slots.filter(({ part }) => part !== 'filler'));
  }
  has(part: SlotPart, value?: string): boolean {
    return this.slots.some((one) => one.part === part && (value === undefined || one.value === value));
  }
  /** Takes the first one out. */
  take(part: SlotPart, value?: string): Slot | null {
    const at = this.slots.findIndex(
      (one) => one.part === part && (value === undefined || one.value === value),
    );
    return at < 0 ? null : (this.slots.splice(at, 1)[0] as Slot);
  }
  takeAll(part: SlotPart, value?: string): Slot[] {
    const all: Slot[] = [];
    for (let one = this.take(part, value); one !== null; one = this.take(part, value)) all.push(one);
    return all;
  }
  /** Takes those out that follow each other. */
  run(...wanted: readonly SlotPart[]): readonly Slot[] | null {
    const at = this.slots.findIndex((_, place) =>
      wanted.every((part, next) => this.slots[place + next]?.part === part),
    );
    return at < 0 ? null : this.slots.splice(at, wanted.length);
  }
  /** Takes two out that follow each other. */
  pair(first: SlotPart, second: SlotPart, value?: string): readonly [Slot, Slot] | null {
    const at = this.slots.findIndex(
      (one, place) =>
        one.part === first &&
        (value === undefined || one.value === value) &&
        this.slots[place + 1]?.part === second,
    );
    return at < 0 ? null : (this.slots.splice(at, 2) as [Slot, Slot]);
  }
}
