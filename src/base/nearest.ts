/** Suggestions for misspelled names. Imports nothing. */

/** Edit distance with adjacent swaps counted once (optimal string alignment). */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The nearest of the known names, at most `most`; none that differ in more than a third. */
export function nearest(known: readonly string[], word: string, most = 3): readonly string[] {
  const asked = word.slice(0, 64).toLowerCase();
  return known
    .map((name) => ({ name, far: distance(asked, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/** The question behind a misspelled name; "" without suggestions. */
export const didYouMean = (suggestions: readonly string[]): string =>
  suggestions.length === 0 ? '' : `Did you mean ${suggestions.map((one) => `"${one}"`).join(' or ')}?`;
