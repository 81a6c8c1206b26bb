/** Words that processes choose, as they are shown elsewhere: nothing that cannot be seen, and bounded. Pure. */
import { INVISIBLE, jsonEscape } from '../../base/visible-text.ts';

const HIDDEN = new RegExp(`[${INVISIBLE}]`, 'gu');
const LONGEST = 300;

/** One line of visible characters. */
export function visible(text: string): string {
  const shown = text.replace(HIDDEN, jsonEscape);
  return shown.length <= LONGEST ? shown : `${shown.slice(0, LONGEST)}…`;
}

/** What a chat reads as markup in words that are not its own. */
export const ESCAPES = ['none', 'slack', 'markdown', 'html'] as const;
export type Escape = (typeof ESCAPES)[number];

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** `slack`: https://api.slack.com/reference/surfaces/formatting#escaping; `markdown`: CommonMark 2.4, and `@` of mentions. */
const ESCAPERS: Readonly<Record<Escape, (text: string) => string>> = {
  none: (text) => text,
  slack: (text) => text.replace(/[&<>]/g, (one) => HTML[one] as string),
  html: (text) => text.replace(/[&<>]/g, (one) => HTML[one] as string),
  // A zero-width joiner behind "@" keeps a name from being called.
  markdown: (text) => text.replace(/[\\`*_{}[\]()<>#+\-!|~]/g, '\\$&').replaceAll('@', '@\u200d'),
};

export const escaped = (text: string, how: Escape): string => ESCAPERS[how](text);
