/** A text as a regular expression that matches it and nothing else, with the flag `u` or without. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
