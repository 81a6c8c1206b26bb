/** The words of a query as it is typed. */
import { QueryError } from './types.ts';

export interface Word {
  /** `word`: as it is written; `text`: what was in quotes; `mark`: one of `, ( ) = != < <= > >=`; `end`. */
  readonly kind: 'word' | 'text' | 'mark' | 'end';
  readonly text: string;
  /** Its first character, from 0. */
  readonly at: number;
}

const SPACE = /\s/;
const MARK = /^(?:!=|<=|>=|[,()=<>])/;
/** Characters that end a word. */
export const ENDS_WORD = /[\s,()<>=!"']/;

/** The text in quotes that begins at a place; a backslash takes the next character as it is. @throws QueryError without an end */
function quotedFrom(text: string, at: number): { readonly value: string; readonly end: number } {
  const quote = text[at];
  let value = '';
  for (let place = at + 1; place < text.length; place += 1) {
    let character = text[place] as string;
    if (character === quote) return { value, end: place + 1 };
    if (character === '\\' && place + 1 < text.length) {
      place += 1;
      character = text[place] as string;
    }
    value += character;
  }
  throw new QueryError('A text in quotes has no end: close it with the same quote.', at);
}

/** The words of a text, `end` as the last one. @throws QueryError */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] as string;
    if (SPACE.test(character)) {
      at += 1;
    } else if (character === '"' || character === "'") {
      const { value, end } = quotedFrom(text, at);
      words.push({ kind: 'text', text: value, at });
      at = end;
    } else {
      const [mark] = MARK.exec(text.slice(at, at + 2)) ?? [];
      let end = at + (mark?.length ?? 0);
      if (mark === undefined) while (end < text.length && !ENDS_WORD.test(text[end] as string)) end += 1;
      if (end === at)
        throw new QueryError('"!" alone means nothing: write != for "is not equal".', at, ['!=']);
      words.push({ kind: mark === undefined ? 'word' : 'mark', text: text.slice(at, end), at });
      at = end;
    }
  }
  return [...words, { kind: 'end', text: '', at: text.length }];
}
