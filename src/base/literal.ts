/** A text as a regular expression that matches exactly it, with the flag `u` or without. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
