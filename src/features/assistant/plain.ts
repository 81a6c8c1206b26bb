/** An answer of the assistant as plain text: without control characters, markup and links, of limited length. */
import { INVISIBLE } from '../../base/visible-text.ts';

export const LONGEST_ANSWER = 4_000;
const LINK = '(link removed)';
/** Each pass takes away what an earlier one has made; texts that need more are hostile and lose their brackets. */
const MOST_PASSES = 8;

interface PlainText {
  readonly text: string;
  /** There was more. */
  readonly truncated: boolean;
}

export function plainText(raw: string): PlainText {
  let text = withoutControls(withoutThoughts(raw));
  for (let pass = 0; ; pass++) {
    const next = withoutMarkup(text);
    if (next === text) break;
    text = pass < MOST_PASSES ? next : next.replace(/[<>[\]()*_`~#]/g, '').replace(/:\/{2,}/g, ': ');
    if (pass > 2 * MOST_PASSES) break;
  }
  const tidy = text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (tidy.length <= LONGEST_ANSWER) return { text: tidy, truncated: false };
  // No half of a surrogate pair at the end.
  return {
    text: tidy
      .slice(0, LONGEST_ANSWER)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd(),
    truncated: true,
  };
}

const THOUGHT = /<\/?think(?:ing)?>|\[\/?THINK\]/gi;

/**
 * The reasoning of a model is between such tags; the last may have no end yet. If a chat template has sent the opening tag already,
 * only the closing one comes, and everything before it is reasoning.
 */
export function withoutThoughts(raw: string): string {
  let [text, from, thinking] = ['', 0, false];
  for (const { index, 0: tag } of raw.matchAll(THOUGHT)) {
    const ends = tag[1] === '/';
    if (!thinking) text = ends ? '' : text + raw.slice(from, index);
    thinking = !ends;
    from = index + tag.length;
  }
  return thinking ? text : text + raw.slice(from);
}

const [ESC, BEL] = ['\\u001b', '\\u0007'];
/** Control sequences of terminals (ECMA-48, section 5.4), and their strings (5.6), which end at the line at the latest. */
const SEQUENCE = new RegExp(`(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?`, 'g');
const STRING = new RegExp(
  `(?:${ESC}[PX\\]^_]|[\\u0090\\u0098\\u009d-\\u009f])[^${BEL}${ESC}\\u009c\\n]*(?:${BEL}|${ESC}\\\\|\\u009c)?`,
  'g',
);

const INVISIBLE_BUT_LINES = new RegExp(`(?!\\n)[${INVISIBLE}]`, 'gu');

/** Sequences go whole, all other controls and what is invisible by itself. */
const withoutControls = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replace(SEQUENCE, '')
    .replace(STRING, '')
    .replace(/\t/g, ' ')
    .replace(INVISIBLE_BUT_LINES, '');

/** CommonMark as far as chats write it, HTML tags and addresses of the web. */
const withoutMarkup = (text: string): string =>
  text
    .replace(/^ {0,3}(?:```|~~~)[^\n]*(?:\n|$)/gm, '')
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g, '$1')
    .replace(/!?\[([^[\]\n]*)\]\[[^[\]\n]*\]/g, '$1')
    .replace(/\]\([^()\n]*\)/g, ']')
    .replace(/^ {0,3}\[[^[\]\n]+\]:[^\n]*$/gm, '')
    .replace(/<(?:[a-z][a-z0-9+.-]{0,30}:[^<>\s]*|[^<>\s@]+@[^<>\s]+)>/gi, LINK)
    .replace(/<!--[\s\S]*?(?:-->|$)|<[/!?]?[a-z][^<>]*>?/gi, '')
    .replace(
      /\b(?:[a-z][a-z0-9+.-]{0,30}:\/{2,}|(?:javascript|data|mailto|vbscript|file):|www\.)[^\s"<>()]+/gi,
      LINK,
    )
    .replace(/:\/{2,}/g, ': ')
    .replace(/^ {0,3}#{1,6} +/gm, '')
    .replace(/^ {0,3}(?:> ?)+/gm, '')
    .replace(/^ {0,3}(?:[-*_] *){3,}$/gm, '')
    .replace(/^( *)[*+] +/gm, '$1- ')
    .replace(/\*\*|(?<![\p{L}\p{N}_])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}_])|~~|`/gu, '')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]*)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1');
