import { didYouMean } from '../../base/nearest.ts';
import { cells, dim, escapeTerminal, type Terminal } from '../../base/terminal.ts';
import type { Context } from '../../desk/command.ts';
import { Failure, failureOf, superfluous, usage } from '../../desk/failure.ts';
import { query as operation } from '../../features/query/operations.ts';
import { QUERY_TABLES } from '../../features/table.ts';
import { CLAUSES } from '../../query/parse.ts';
import type { QueryAnswer } from '../../records/query.ts';
import type { CliCommand } from '../command.ts';

/** Characters of a long query that are shown before and behind the place of an error. */
const AROUND = 60;

/** What starts by itself, and accounts, are read when they are asked for. */
const READING_MS = 60_000;

const TABLES = QUERY_TABLES.map(({ table }) => table.name);
/** What may come behind each table. */
const OFFERS = Object.fromEntries(
  QUERY_TABLES.map(({ table }) => [
    table.name,
    [...new Set([...CLAUSES, 'by', ...table.columns.map(({ name }) => name)])],
  ]),
);

export const query: CliCommand = {
  name: 'query',
  summary: 'Queries a table of the desk: filter, group, order; prints one sentence and a table',
  arguments: [
    {
      name: 'query',
      meaning: 'a table, then select, where, group by, order by, limit, since, until, at, ever',
      offers: OFFERS,
      optional: true,
      rest: true,
    },
  ],
  options: [
    { flags: '--tables', meaning: 'list the tables' },
    { flags: '--columns <table>', meaning: 'list the columns of a table', choices: TABLES },
  ],
  local: true,
  examples: [
    ['desk query "processes where threads > 10 order by -threads limit 3"', 'the three with most threads'],
    ['desk query "processes select count() group by wrap"', 'how many of each confinement'],
    ['desk query "findings where severity >= high ever since 7d"', 'severe ones of a week, closed ones too'],
    ['desk query --columns listeners', 'what can be asked of listeners'],
  ],
  async run(context, { arguments: { query: typed = '' }, options }) {
    const text = textOf(typed.trim() === '' ? undefined : typed, options.tables === true, options.columns);
    const record = await ask(context, text);
    return context.answer(record, (out) => show(out, record));
  },
};

function textOf(typed: string | undefined, tables: boolean, columns: unknown): string {
  const other = tables ? '--tables' : columns === undefined ? undefined : '--columns';
  if (typed !== undefined && other !== undefined) throw superfluous(other, 'query QUERY');
  if (tables && columns !== undefined) throw superfluous('--columns', 'query --tables');
  if (tables) return 'tables select name, meaning, history, needs';
  if (columns !== undefined)
    return `columns select name, type, unit, meaning, values where table = "${String(columns)}" limit 1000`;
  if (typed !== undefined) return typed;
  throw usage(
    'The query is missing.',
    `Name a table: ${TABLES.join(', ')}; "desk query --tables" says what they hold.`,
  );
}

/** An error in the query is shown below the place of it. */
async function ask(context: Context, text: string): Promise<QueryAnswer> {
  try {
    return await context.withSource((source) => source.ask(operation, { query: text }), {
      timeoutMs: READING_MS,
    });
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.place === undefined) throw error;
    const { exitCode, message, why, remedy, place } = failure;
    const { at, suggestions } = place;
    const meant = didYouMean(suggestions);
    // The answer of a service has both in one text, the words of a desk of this process have the message first.
    const [said, advice] = why === '' ? [message, remedy || meant] : [why, meant];
    const happened = advice === '' ? said : said.replace(advice, '').trim();
    throw new Failure(exitCode, happened, marked(text, at), advice, place);
  }
}

/** The text with a mark below a character of it; of a long one the part around it. */
export function marked(text: string, at: number): string {
  const from = Math.max(0, at - AROUND);
  const end = Math.min(text.length, at + AROUND);
  const [before, after] = [from > 0 ? '…' : '', end < text.length ? '…' : ''];
  // Line ends would put the mark below another line.
  const line = (part: string): string => part.replace(/\s/g, ' ');
  const lead = before + line(text.slice(from, at));
  return `${lead}${line(text.slice(at, end))}${after}\n${' '.repeat(cells(escapeTerminal(lead)))}^`;
}

type Row = QueryAnswer['rows'][number];

function cellText(row: Row, name: string): string {
  const cell = Object.hasOwn(row, name) ? row[name] : undefined;
  if (cell === undefined) return '';
  if (cell === null) return '?';
  if (Array.isArray(cell)) return cell.join(', ');
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell);
}

/** What is meant by `?`. */
const LEGEND = '? is unknown: it could not be read';

function show(out: Terminal, { columns, rows, sentence }: QueryAnswer): void {
  out.wrapped('', sentence);
  if (rows.length === 0) return;
  out.line();
  out.table(
    columns.map(({ name, type, unit }) => ({
      title: unit === '' ? name : `${name} (${unit})`,
      ...(type === 'number' ? { align: 'right' as const } : {}),
      ...(type === 'text' || type === 'list' ? { shrink: 'start' as const } : {}),
    })),
    rows.map((row) => columns.map(({ name }) => cellText(row, name))),
  );
  const hasUnknown = rows.some((row) => Object.values(row).includes(null));
  if (hasUnknown) out.line(dim(`  ${LEGEND}`));
}
