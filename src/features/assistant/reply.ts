/** Reads a reply of the assistant: the queries that it wants, and its words with references to their rows. */

export const MOST_QUERIES = 5;
/** Of a line: a query is shorter, and longer lines are words. */
const LONGEST_LINE = 4_096;

export interface Reply {
  /** As it wrote them, by the number it gave. */
  readonly queries: ReadonlyMap<number, string>;
  readonly words: string;
}

/** Marks of a list, of emphasis and of code that models put around a line. */
const MARKS = /^[\s>#*_`-]+/;
const QUERY = /^QUERY ?(\d{1,2})?[ *_`]{0,8}[:.)]/i;
const ANSWER = /^ANSWER[ *_`]{0,8}(?=:|$)/i;

interface Line {
  readonly kind: 'query' | 'answer' | 'words';
  readonly number: number | null;
  readonly text: string;
}

function lineOf(line: string): Line {
  const words: Line = { kind: 'words', number: null, text: line };
  if (line.length > LONGEST_LINE) return words;
  const bare = line.replace(MARKS, '').trimEnd();
  const [head, number] = QUERY.exec(bare) ?? [];
  if (head !== undefined) {
    const text = bare.slice(head.length).replace(MARKS, '').replaceAll('`', '').trim();
    return text === ''
      ? words
      : { kind: 'query', number: number === undefined ? null : Number(number), text };
  }
  const [answer] = ANSWER.exec(bare) ?? [];
  if (answer === undefined) return words;
  return {
    kind: 'answer',
    number: null,
    text: bare.slice(answer.length).replace(/^:/, '').replace(MARKS, '').trim(),
  };
}

/** `text`: without its reasoning. Without a line ANSWER all lines that are no queries are its words. */
export function readReply(text: string): Reply {
  const queries = new Map<number, string>();
  const before: string[] = [];
  const after: string[] = [];
  let answering = false;
  for (const line of text.split(/[\n\u2028\u2029]/)) {
    const { kind, number, text: rest } = lineOf(line);
    if (kind === 'query') {
      const at = number ?? queries.size + 1;
      if (queries.size < MOST_QUERIES && !queries.has(at)) queries.set(at, rest);
    } else if (kind === 'answer' && !answering) {
      answering = true;
      if (rest !== '') after.push(rest);
    } else (answering ? after : before).push(line);
  }
  return { queries, words: (answering ? after : before).join('\n').trim() };
}
