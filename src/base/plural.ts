/** Imports nothing: the browser uses it too. */

/** `3 findings`, `1 finding`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
