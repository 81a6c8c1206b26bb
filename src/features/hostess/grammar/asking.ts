/** A question as a query: planned from its words, run on the tables of the desk, said by `render.ts`. */
import type { Grant } from '../../../desk/context.ts';
import { type QueryDesk, TABLES } from '../../../desk/query.ts';
import { parse } from '../../../query/parse.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { answer, recordOf } from '../../query/api.ts';
import type { Library } from '../knowledge.ts';
import { isFrequent, isOrdinary } from '../lexicon.ts';
import { quoted } from '../paths.ts';
import type { QueryContext } from '../query-context.ts';
import { compose } from './compose.ts';
import { follow, previousOf } from './follow.ts';
import type { Plan, Programs } from './plan.ts';
import { type Names, plainOf, type Reading, read } from './read.ts';

/** A question that is answered by a query. */
export interface Queried {
  readonly plan: Plan;
  readonly record: QueryAnswer;
  /** What its number is compared with. */
  readonly second: QueryAnswer | null;
}

/** Shorter words are parts of too many summaries. */
const SHORTEST_ABOUT = 5;

/** "shopapi" is shop-api. */
const unmarkedName = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '');

function namesOf(context: QueryContext, library: Library): Names & Programs {
  const listed = (context.root('page') as { readonly ports: readonly { readonly name: string }[] }).ports;
  const ports = new Map(
    listed.flatMap(({ name }) => [[name, name] as const, [unmarkedName(name), name] as const]),
  );
  const users = context.users();
  const find: Programs['find'] = (name) => {
    const as = context.processes.named([name]);
    const found = as.length > 0 ? as : context.processes.named([name.toLowerCase()]);
    const paths = found.flatMap(([column, known]) =>
      column === 'comm' ? [context.read(`processes[comm=${quoted(known)}].executable`)] : [],
    );
    return [
      ...found,
      ...paths.flatMap((path) =>
        typeof path === 'string' && path !== '' ? [['executable', path] as const] : [],
      ),
    ];
  };
  const isSpelled = (word: string): boolean => isOrdinary(word) || isFrequent(word) || library.spells(word);
  return {
    find,
    programs: (name) => find(name).length > 0 || context.processes.versions(name).length > 0,
    versions: (name) => context.processes.versions(name),
    deskPort: (name) =>
      ports.get(name) ?? (name.length < SHORTEST_ABOUT ? null : (ports.get(unmarkedName(name)) ?? null)),
    isUser: (name) => users.some((one) => one.name === name),
    uid: (name) => users.find((one) => one.name === name)?.uid ?? null,
    usersOf: (uid) => users.filter((one) => one.uid === uid).map(({ name }) => name),
    isCheck: (name) => library.longest([name], ['check'])?.name === name,
    isAbout: (word) =>
      word.length >= SHORTEST_ABOUT &&
      !isSpelled(plainOf(word)) &&
      context.state.judgement.findings.some(({ summary }) => summary.includes(word)),
    isOrdinary: isSpelled,
  };
}

export interface Planned {
  readonly reading: Reading;
  readonly plan: Plan | null;
}

/** `previous`: the query of the last answer of the conversation, as its record has it; null without one. */
export function planFor(
  message: string,
  context: QueryContext,
  library: Library,
  previous: string | null,
): Planned {
  const names = namesOf(context, library);
  const reading = read(message, context.state.snapshot.at, names);
  const before = previous === null ? null : previousOf(previous);
  const plan = before === null ? null : follow(reading, plainOf(message), before, names);
  const composed = plan ?? compose(reading, names);
  // Records are not asked with the words that were misspelled.
  const isRespelled = composed !== null && reading.respelled !== null;
  return { reading, plan: isRespelled ? { ...composed, simple: false } : composed };
}

/** Whether the answer of the query is said: of a simple question in English a record says more. */
export const isAsked = ({ simple, language }: Plan): boolean => !simple || language !== 'en';

/** Runs the query of a plan; null where it is not asked, or this desk has no tables. */
export async function ask(desk: QueryDesk, plan: Plan | null, grant: Grant | null): Promise<Queried | null> {
  if (plan === null || !isAsked(plan) || desk.find(TABLES) === null) return null;
  const run = async (query: string) => recordOf(desk, await answer(desk, parse(query), grant));
  const second = plan.second ? await run(plan.second.query) : null;
  return { plan, record: await run(plan.query), second };
}
