/** Parts of a question that are still to be placed in a query. */
import type { Slot, SlotPart } from './read.ts';

export class Parts {
  readonly slots: Slot[];
  constructor(slots: readonly Slot[]) {
    this.slots = slots.filter(({ part }) => part !== 'filler');
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
