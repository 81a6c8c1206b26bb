/** The hostess on a running desk: gathers the sources of an answer when there is a question. */
import { readFileSync } from 'node:fs';
import type { AllowSource } from '../../checks/allowed-listeners.ts';
import type { Finding } from '../../findings/finding.ts';
import type { Moment } from '../../records/moment.ts';
import { people, who } from '../../records/people.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { SiteLine, SiteProbe } from '../../records/site-probe.ts';
import type { HostessAnswer } from '../../records/talk.ts';
import type { BaselineTables, Learning } from '../baseline/index.ts';
import type { GateRuns } from '../gate/index.ts';
import type { FindingHistory } from '../history/index.ts';
import type { KnownFinding, LawBook } from '../law/index.ts';
import type { People } from '../mail/index.ts';
import type { Library } from './knowledge.ts';
import type { LedgerAnswer, PeopleWanted } from './people.ts';
import type { QueryContext } from './query-context.ts';

/** Rows of the store's history that are searched. */
const RUNS = 500;
const EVENTS = 1_000;
/** People per search. */
const PEOPLE = 5;

interface HostessParts {
  readonly tables: {
    readonly baseline: BaselineTables;
    readonly findings: FindingHistory;
    readonly gate: GateRuns;
  };
  readonly outside: {
    known(): { readonly probe: SiteProbe | null; readonly history: readonly SiteLine[] };
  };
  readonly learning: Pick<Learning, 'differenceAt'>;
  readonly book: Pick<LawBook, 'law'>;
}

/** What is asked of the desk. */
interface Asking {
  latest(): Moment | null;
  moment(): Promise<Moment>;
  finding(id: string): KnownFinding | undefined;
  allowSources(moment: Moment): readonly AllowSource[];
  readonly people: People;
}

/** Answers a question; people are named only where the caller may know them. */
export type Think = (
  message: string,
  asker?: { readonly mayKnowPeople: boolean },
) => Promise<HostessAnswer & { readonly moment: Moment }>;

/** Loaded at the first question. */
const load = async () => {
  const [{ answerTo }, { Library }, { peopleWanted }, { understand }, { QueryContext }] = await Promise.all([
    import('./hostess.ts'),
    import('./knowledge.ts'),
    import('./people.ts'),
    import('./understand.ts'),
    import('./query-context.ts'),
  ]);
  // The same path from src and from dist.
  const text = readFileSync(new URL('../../../docs/knowledge.json', import.meta.url), 'utf8');
  return { answerTo, peopleWanted, understand, QueryContext, library: new Library(JSON.parse(text)) };
};
type Loaded = Awaited<ReturnType<typeof load>>;

export function hostessOf(desk: Asking, parts: HostessParts): Think {
  let loading: Promise<Loaded> | undefined;
  const contexts = new WeakMap<Moment, QueryContext>();
  const contextOf = (moment: Moment, { QueryContext, library }: Loaded): QueryContext => {
    const known = contexts.get(moment);
    if (known !== undefined) return known;
    const context = new QueryContext(contextParts(moment, desk, parts, library));
    contexts.set(moment, context);
    return context;
  };
  return async (message, { mayKnowPeople } = { mayKnowPeople: false }) => {
    loading ??= load();
    const loaded = await loading;
    const { library, understand, peopleWanted, answerTo } = loaded;
    const asked = await desk.moment();
    const question = understand(message, asked.snapshot.at, library);
    const wanted = mayKnowPeople ? peopleWanted(question) : null;
    const ledger = wanted === null ? null : await lookUp(desk, wanted, asked);
    // The columns of the newest moment stay valid for two sweeps: there is no await from here on.
    const moment = desk.latest() ?? asked;
    const context = contextOf(moment, loaded);
    const { answer, grounds, suggestions } = answerTo({ question, context, library, mayKnowPeople, ledger });
    return { moment, answer, grounds, suggestions };
  };
}

function contextParts(
  moment: Moment,
  desk: Asking,
  { tables, outside, learning, book }: HostessParts,
  { knowledge }: Library,
): QueryContext['parts'] {
  const { remedies } = moment.desk;
  return {
    // Users and command lines of processes are neither answered nor sent to an assistant.
    moment: {
      ...moment,
      judgement: { ...moment.judgement, findings: moment.judgement.findings.map(withoutAbout) },
      desk: { ...moment.desk, remedies: { ...remedies, shutDown: remedies.shutDown.map(nameless) } },
    },
    ageMs: () => Math.max(0, performance.now() - moment.snapshot.at.monotonicMs),
    law: book.law,
    knowledge,
    site: () => outside.known(),
    finding: (id) => {
      const known = desk.finding(id);
      return known && { ...known, finding: withoutAbout(known.finding) };
    },
    gateRuns: () => tables.gate.list(RUNS),
    findingEvents: () => tables.findings.events(EVENTS),
    generations: () => tables.baseline.generations(),
    difference: () => learning.differenceAt(moment),
    allowSources: () => desk.allowSources(moment),
  };
}

const withoutAbout = (finding: Finding): Finding => ({ ...finding, about: null });
const nameless = (shutdown: Shutdown): Shutdown => ({ ...shutdown, about: null });

/** Read before the answer is built, because a search takes time. */
async function lookUp(desk: Asking, wanted: PeopleWanted, moment: Moment): Promise<LedgerAnswer> {
  if ('address' in wanted) {
    const found = await desk.people.who(wanted.address);
    if (found === null) return { who: null, people: null };
    const { address, person } = found;
    return { who: who.assemble({ moment, email: address, person }), people: null };
  }
  const query = { q: wanted.search, sort: 'rank', limit: PEOPLE, cursor: undefined, open: false } as const;
  const page = await desk.people.page(query);
  return { who: null, people: people.assemble({ moment, ...page }) };
}
