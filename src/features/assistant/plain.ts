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

/** `ended` false: more may follow, also of the model's reasoning. */
export function plainText(raw: string, ended = true): PlainText {
  let text = withoutControls(withoutThoughts(raw, ended));
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
function withoutThoughts(raw: string, ended: boolean): string {
  let [text, from, thinking] = ['', 0, false];
  for (const { index, 0: tag } of raw.matchAll(THOUGHT)) {
    const ends = tag[1] === '/';
    if (!thinking) text = ends ? '' : text + raw.slice(from, index);
    thinking = !ends;
    from = index + tag.length;
  }
  if (!thinking) text += raw.slice(from);
  return ended ? text : text.replace(/<[^<>\n]*$/, '');
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

/**
 * The answer as a stream: only text that no later word can change, so that a secret, a link or a tag is never shown in part. If a
 * later word changes text that was sent, the stream ends: the whole answer follows at the end anyway.
 */
export class PlainStream {
  readonly #redact: (text: string) => string;
  #given = '';
  /** The last white space, and how far the words were searched for one and read. */
  #end = -1;
  #scanned = 0;
  #read = 0;
  /** The answer has reached its limit of length. */
  full = false;

  /** `redact` takes secrets out, none of which has a space in it. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** The new text; "" without any. `raw`: all words so far. */
  next(raw: string): string {
    if (this.full) return '';
    const end = lastSpace(raw, this.#scanned);
    this.#scanned = raw.length;
    if (end >= 0) this.#end = end;
    // All of it is read each time: the longer it is, the more must be new; in a short one a complete line is enough.
    const fresh = raw.slice(this.#read, this.#end + 1);
    const least = raw.length >> (raw.length < 2 * LONGEST_ANSWER ? 6 : 3);
    if (fresh.length < least || (fresh.length < 24 && !fresh.includes('\n'))) return '';
    this.#read = this.#end + 1;
    const whole = raw.slice(0, this.#end);
    const line = whole.lastIndexOf('\n') + 1;
    const settled = /[[<*_`~#>|]|:\/|www\./i.test(whole.slice(line)) ? whole.slice(0, line) : whole;
    const { text, truncated } = plainText(this.#redact(settled), false);
    this.full = truncated;
    if (!text.startsWith(this.#given) || text.length === this.#given.length) return '';
    const more = text.slice(this.#given.length);
    this.#given = text;
    return more;
  }
}

/** Index of the last white space at `from` or later; -1 without one. */
function lastSpace(text: string, from: number): number {
  for (let at = text.length - 1; at >= from; at--) if (/\s/.test(text[at] as string)) return at;
  return -1;
}
