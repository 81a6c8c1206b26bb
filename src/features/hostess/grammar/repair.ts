/** The word of the grammar that is meant by a misspelled one. Pure. */
import { nearest } from '../../../base/nearest.ts';
import type { Token } from './read.ts';
import { slip } from './slip.ts';
import type { Words } from './vocabulary.ts';

const SHORTEST = 3;
/** One slip: what costs more may be another word. */
const MOST_COST = 0.95;
/** Words of this length may have two slips. */
const LONG = 6;

/** The word that is meant at a place; null without a clear one. Of equal ones the one that makes a phrase with what follows. */
export function repaired(tokens: readonly Token[], at: number, { single, phrases }: Words): string | null {
  const word = tokens[at]?.plain ?? '';
  if (word.length < SHORTEST || /[\d_./:@-]/.test(word)) return null;
  const next = tokens[at + 1]?.plain ?? '';
  const close = [...single]
    .filter((one) => one.length >= SHORTEST && Math.abs(one.length - word.length) < 2)
    .map((one) => ({ one, cost: slip(word, one) - (phrases.has(`${one} ${next}`) ? 0.1 : 0) }))
    .filter(({ cost }) => cost < MOST_COST)
    .sort((a, b) => a.cost - b.cost);
  const [best] = close;
  // Short words resemble many: letters in another order only.
  if (best !== undefined && (word.length > 4 || best.cost <= 0.7)) return best.one;
  if (word.length < LONG) return null;
  const far = [...single].filter((one) => one.length >= LONG && Math.abs(one.length - word.length) < 3);
  return nearest(far, word, 1)[0] ?? null;
}
