/** Mistyped words. */

const VOWEL = /^[aeiou]$/;

/** How unlikely it is that a word was mistyped as another by one slip: swapped, left out, doubled, replaced; Infinity by more. */
export function slip(typed: string, meant: string): number {
  let from = 0;
  while (from < typed.length && typed[from] === meant[from]) from += 1;
  let [a, b] = [typed.length, meant.length];
  while (a > from && b > from && typed[a - 1] === meant[b - 1]) [a, b] = [a - 1, b - 1];
  const [left, right] = [typed.slice(from, a), meant.slice(from, b)];
  if (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]) return 0.5;
  if (left === '' && right.length === 1) return from === 0 ? 0.95 : 0.7;
  if (right === '' && left.length === 1) return 0.9;
  if (left.length === 1 && right.length === 1) {
    if (from === 0) return 1.2;
    return VOWEL.test(left) && VOWEL.test(right) ? 0.65 : 1;
  }
  return Number.POSITIVE_INFINITY;
}
