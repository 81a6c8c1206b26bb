/** Reads a reply of the assistant: the queries that it wants, and its words with references to their rows. */

export const MOST_QUERIES = 5;

export interface Reply {
  /** As it wrote them, by the number it gave. */
  readonly queries: ReadonlyMap<number, string>;
  readonly words: string;
}

/** Marks of a list, of emphasis and of code that models put around a line. */
const MARKS = '[\\s>#*_`-]*';
const QUERY = new RegExp(`^${MARKS}QUERY\\s*(\\d{1,2})?[\\s*_\`]*[:.)][\\s*_\`]*(.+?)[\\s\`]*$`, 'i');
const ANSWER = new RegExp(`^${MARKS}ANSWER[\\s*_\`]*(?::[\\s*_\`]*(.*)|)$`, 'i');

/** `text`: without its reasoning. Without a line ANSWER all lines that are no queries are its words. */
export function readReply(text: string): Reply {
  const queries = new Map<number, string>();
  const before: string[] = [];
  const after: string[] = [];
  let answering = false;
  for (const line of text.split('\n')) {
    const [, first] = (!answering && ANSWER.exec(line)) || [];
    const [, number, query = ''] = QUERY.exec(line) ?? [];
    if (query !== '') {
      const at = number === undefined ? queries.size + 1 : Number(number);
      if (queries.size < MOST_QUERIES && !queries.has(at)) queries.set(at, query);
    } else if (!answering && ANSWER.test(line)) {
      answering = true;
      if (first !== undefined) after.push(first);
    } else (answering ? after : before).push(line);
  }
  return { queries, words: (answering ? after : before).join('\n').trim() };
}
