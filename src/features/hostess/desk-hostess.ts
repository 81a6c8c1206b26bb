/** The hostess on a running desk: reads the sources of an answer when there is a question. */
import { DeskError } from '../../base/desk-error.ts';
import { ageMsOf } from '../../desk/context.ts';
import type { FeatureHost } from '../../desk/feature.ts';
import { PACKAGES } from '../../desk/packages.ts';
import { PEOPLE, type People } from '../../desk/people.ts';
import { SITE } from '../../desk/site-seen.ts';
import { THINK } from '../../desk/think.ts';
import type { Finding } from '../../findings/finding.ts';
import { namedUsers } from '../../privileges/uids.ts';
import { QueryError } from '../../query/types.ts';
import { people, who } from '../../records/people.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { DeskState } from '../../records/state.ts';
import { BASELINE } from '../baseline/api.ts';
import { GATE } from '../gate/api.ts';
import { HISTORY } from '../history/api.ts';
import { LAW } from '../law/api.ts';
import { answerOf as packagesAnswer } from '../packages/operations.ts';
import type { Library } from './knowledge.ts';
import type { LedgerAnswer, PeopleWanted } from './people.ts';
import type { QueryContext } from './query-context.ts';
import { readKnowledge } from './read-knowledge.ts';

/** Rows of the store's history that are searched. */
const RUNS = 500;
const EVENTS = 1_000;
/** People per search. */
const MOST_PEOPLE = 5;

/** Loaded at the first question. */
const load = async () => {
  const [
    { answerTo },
    { ask, planFor },
    { Library },
    { peopleWanted },
    { asksForPackages },
    { installedAsked },
    { understand },
    { QueryContext },
  ] = await Promise.all([
    import('./hostess.ts'),
    import('./grammar/asking.ts'),
    import('./knowledge.ts'),
    import('./people.ts'),
    import('./packages-asked.ts'),
    import('./installed-asked.ts'),
    import('./understand.ts'),
    import('./query-context.ts'),
  ]);
  const library = new Library(readKnowledge());
  return {
    answerTo,
    ask,
    planFor,
    peopleWanted,
    asksForPackages,
    installedAsked,
    understand,
    QueryContext,
    library,
  };
};

type HostessHost = Pick<
  FeatureHost,
  'config' | 'latest' | 'state' | 'finding' | 'allowSources' | 'use' | 'find' | 'provide'
>;

export function provideHostess(desk: HostessHost): void {
  let loading: ReturnType<typeof load> | undefined;
  const contexts = new WeakMap<DeskState, QueryContext>();
  desk.provide(THINK, async (message, { mayKnowPeople, previous = null } = { mayKnowPeople: false }) => {
    loading ??= load();
    const {
      library,
      understand,
      peopleWanted,
      asksForPackages,
      installedAsked,
      answerTo,
      ask,
      planFor,
      QueryContext,
    } = await loading;
    const contextOf = (state: DeskState): QueryContext => {
      const context = contexts.get(state) ?? new QueryContext(contextParts(state, desk, library));
      contexts.set(state, context);
      return context;
    };
    const asked = await desk.state();
    const question = understand(message, asked.snapshot.at, library);
    const wanted = mayKnowPeople ? peopleWanted(question) : null;
    const ledger = wanted === null ? null : await lookUp(desk.find(PEOPLE), wanted, asked);
    const packages = asksForPackages(question) ? desk.find(PACKAGES) : null;
    const found =
      packages === null
        ? null
        : packagesAnswer(packages.latest(), asked.judgement.findings, packages.container);
    const isOfProgram = (installedAsked(question.text)?.wants ?? 'when') !== 'when';
    const installed = isOfProgram
      ? ((await desk
          .find(PACKAGES)
          ?.installed()
          .catch(() => null)) ?? null)
      : null;
    const {
      reading,
      plan,
      loose,
      respelled,
      unclear,
      previous: before,
    } = planFor(message, contextOf(desk.latest() ?? asked), library, previous);
    const queried = await ask(desk, plan, null).catch(notAsked);
    const loosely = await ask(desk, loose, null).catch(notAsked);
    // The columns of the newest state stay valid for two sweeps: there is no await from here on.
    const state = desk.latest() ?? asked;
    const {
      intent: _,
      refused: __,
      ...words
    } = answerTo({
      ...{
        question,
        context: contextOf(state),
        library,
        mayKnowPeople,
        ledger,
        found,
        installed,
        reading,
        plan,
        unclear,
        queried,
        loose: loosely,
        respelled,
        previous: before,
      },
    });
    return { state, ...words };
  });
}

/** A query that a table refuses is no answer: another one may be found. */
function notAsked(error: unknown): null {
  if (error instanceof DeskError || error instanceof QueryError) return null;
  throw error;
}

function contextParts(state: DeskState, desk: HostessHost, { knowledge }: Library): QueryContext['parts'] {
  const { remedies } = state.desk;
  return {
    // Users and command lines of processes are neither answered nor sent to an assistant.
    state: {
      ...state,
      judgement: { ...state.judgement, findings: state.judgement.findings.map(withoutAbout) },
      desk: { ...state.desk, remedies: { ...remedies, shutDown: remedies.shutDown.map(nameless) } },
    },
    ageMs: () => Math.max(0, ageMsOf(state)),
    law: desk.use(LAW).current(),
    knowledge,
    site: () => desk.find(SITE)?.known() ?? { probe: null, history: [] },
    finding: (id) => {
      const known = desk.finding(id);
      return known && { ...known, finding: withoutAbout(known.finding) };
    },
    gateRuns: () => desk.use(GATE).runs(RUNS),
    findingEvents: () => desk.find(HISTORY)?.events(EVENTS) ?? [],
    generations: () => desk.use(BASELINE).generations(),
    difference: () => desk.use(BASELINE).differenceAt(state),
    users: namedUsers,
    allowSources: () => desk.allowSources(state),
  };
}

const withoutAbout = (finding: Finding): Finding => ({ ...finding, about: null });
const nameless = (shutdown: Shutdown): Shutdown => ({ ...shutdown, about: null });

/** Read before the answer is built, because a search takes time. */
async function lookUp(
  ledger: People | null,
  wanted: PeopleWanted,
  state: DeskState,
): Promise<LedgerAnswer | null> {
  if (ledger === null) return null;
  if ('address' in wanted) {
    const found = await ledger.who(wanted.address);
    if (found === null) return { who: null, people: null };
    const { address, person } = found;
    return { who: who.assemble({ state, email: address, person }), people: null };
  }
  const query = {
    q: wanted.search,
    sort: 'rank',
    limit: MOST_PEOPLE,
    cursor: undefined,
    open: false,
  } as const;
  const page = await ledger.page(query);
  return { who: null, people: people.assemble({ state, ...page }) };
}
