/**
 * The prompt of the assistant: the form of a reply, the tables that can be asked, what the documentation says about the question, and the
 * question. It has no value of the machine: only the question comes from here.
 */
import { INVISIBLE, jsonEscape } from '../../base/visible-text.ts';
import type { Table } from '../../query/types.ts';
import type { ChatMessage } from '../../records/talk.ts';
import { QUERY_HELP, tableText } from '../query/api.ts';
import { MOST_QUERIES } from './reply.ts';

const LONGEST_QUESTION = 4_096;
/** Tables about tables: all of them are in the prompt. */
const OF_TABLES: ReadonlySet<string> = new Set(['tables', 'columns', 'documentation']);

const ROLE = `You help a person to ask Hostess Desk, a program that watches one Linux machine. You do not see the machine. You write queries, the program runs them and shows the person what they answer.

Reply in exactly this form:
QUERY 1: a query
QUERY 2: another one, only where the first is not enough; at most ${MOST_QUERIES}
ANSWER
at most 100 words of plain text for the person, in the language of the question, without markdown or links

You do not see the rows, so write values only as references, which the program replaces:
{1.name} is the cell "name" of the first row of query 1, {1[2].name} that of its second row, {1.total} is how many rows query 1 has.
The program adds units. It removes every number that you write yourself. What else you write is shown as your opinion, apart from what was measured.
Where no query can answer, write only ANSWER and say what cannot be known here. You change nothing and run nothing.

${QUERY_HELP}`;

export interface Asked {
  readonly question: string;
  readonly tables: readonly Table[];
  /** What the documentation says. */
  readonly passages: readonly string[];
}

/** `question`: without what must not be sent. */
export function promptOf({ question, tables, passages }: Asked): readonly ChatMessage[] {
  const known = tables.filter(({ name }) => !OF_TABLES.has(name)).map(tableText);
  const parts = [
    ...['Tables:', ...known, ''],
    ...(passages.length === 0 ? [] : ['From the documentation:', ...passages, '']),
    'The question, as JSON:',
    dataLine({ question: question.slice(0, LONGEST_QUESTION) }),
  ];
  return [
    { role: 'system', content: ROLE },
    { role: 'user', content: parts.join('\n') },
  ];
}

/** What is sent after queries that could not be run: the errors name tables and columns, and hold no value of the machine. */
export function correction(said: string, errors: ReadonlyMap<number, string>): readonly ChatMessage[] {
  const lines = [...errors].map(([number, error]) => `QUERY ${number}: ${error}`);
  return [
    { role: 'assistant', content: said },
    {
      role: 'user',
      content: ['These queries are wrong:', ...lines, 'Write the whole reply again.'].join('\n'),
    },
  ];
}

/** What could end a line, hide, or be read as a token of a chat template (`<|im_start|>`, `</s>`, `[INST]`). */
const ACTING = new RegExp(`[${INVISIBLE}<>]|\\[(?=/?[A-Z_]+\\])`, 'gu');

/** JSON in one line, with all of these escaped. */
export function dataLine(value: unknown): string {
  return JSON.stringify(value).replace(ACTING, jsonEscape);
}
