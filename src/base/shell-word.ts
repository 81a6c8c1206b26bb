/** A word of a command line as a shell takes it (POSIX.1-2017, Shell Command Language, 2.2). Imports nothing. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
