/**
 * Scores answers: correct paths and values, refusals where expected, nothing invented. It reads the records itself, from plain
 * JSON, and shares no code with the hostess except the records.
 */
import assert from 'node:assert';
import { DeskError } from '../../../src/base/desk-error.ts';
import { unknownLinks } from '../../../src/checks/startup.ts';
import type { Installed } from '../../../src/desk/packages.ts';
import { planFor, ask as runPlan } from '../../../src/features/hostess/grammar/asking.ts';
import { answerTo, type HostessWords } from '../../../src/features/hostess/hostess.ts';
import { installedAsked } from '../../../src/features/hostess/installed-asked.ts';
import { foundIn } from '../../../src/features/hostess/intents/installed.ts';
import { asksForPackages } from '../../../src/features/hostess/packages-asked.ts';
import { type LedgerAnswer, peopleWanted } from '../../../src/features/hostess/people.ts';
import { QueryContext } from '../../../src/features/hostess/query-context.ts';
import { understand } from '../../../src/features/hostess/understand.ts';
import { acceptanceFor } from '../../../src/features/law/accept.ts';
import { answerOf as packagesAnswer } from '../../../src/features/packages/operations.ts';
import { baselineDiff } from '../../../src/records/baseline-diff.ts';
import { deskHygiene } from '../../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../../src/records/desk-status.ts';
import { detection } from '../../../src/records/detection.ts';
import { findingDetail } from '../../../src/records/finding-detail.ts';
import { liveView } from '../../../src/records/live.ts';
import { mailState } from '../../../src/records/mail.ts';
import { page } from '../../../src/records/page.ts';
import { people, who } from '../../../src/records/people.ts';
import { scar } from '../../../src/records/scar.ts';
import { version } from '../../../src/records/service.ts';
import { site } from '../../../src/records/site.ts';
import { listenerTable, processTable } from '../../../src/records/tables.ts';
import type { Expected, Question, SceneName } from './questions/question.ts';
import { sceneDesk } from './scene-desk.ts';
import { LIBRARY, type Stage, stageOf } from './scenes.ts';
import { startupOf } from './workshop-startup.ts';

/** Everything a path can start with, as plain JSON. */
export type Records = Readonly<Record<string, unknown>>;

export interface Verdict {
  /** What is wrong, one phrase each; empty for a correct answer. */
  readonly wrong: readonly string[];
  /** Values in the answer that no ground has. */
  readonly invented: readonly string[];
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Reads a path of a ground from plain JSON. */
export function readPath(records: Records, path: string): Json | undefined {
  const root = /^[^.[]+/.exec(path)?.[0] ?? '';
  let value = records[root] as Json | undefined;
  const steps = path
    .slice(root.length)
    .matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[(\w+)(>=|<|=)("(?:[^"\\]|\\.)*"|[^\]]*)\]/g);
  for (const [, key, index, field, relation, wanted = ''] of steps) {
    if (value === undefined || value === null || typeof value !== 'object') return undefined;
    if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined;
    else if (field !== undefined) {
      if (!Array.isArray(value)) return undefined;
      const text = wanted.startsWith('"') ? (JSON.parse(wanted) as string) : wanted;
      value = value.filter((item) => {
        const held = (item as { [key: string]: Json })[field] ?? null;
        if (relation === '=') return String(held) === text;
        const isNumber = typeof held === 'number' && /^\d+$/.test(text);
        const later = isNumber ? held - Number(text) : Date.parse(String(held)) - Date.parse(text);
        return relation === '<' ? later < 0 : later >= 0;
      });
    } else if (key === 'length' && Array.isArray(value)) value = value.length;
    else {
      const from: Json | undefined = Array.isArray(value) ? value[0] : value;
      value = (from as { [key: string]: Json } | undefined)?.[key as string];
    }
  }
  return value;
}

/** Turns a record of columns into rows. */
export function rowsOf(table: Readonly<Record<string, unknown>>): unknown[] {
  const columns = Object.entries(table).filter(([, list]) => Array.isArray(list)) as [string, unknown[]][];
  const total = columns[0]?.[1].length ?? 0;
  return Array.from({ length: total }, (_, at) =>
    Object.fromEntries(columns.map(([key, list]) => [key, list[at]])),
  );
}

/** All records of a scene, as the endpoints return them. */
export function recordsOf(stage: Stage): Records {
  const { parts } = stage;
  const { state, knowledge, law } = parts;
  const status = deskStatus.assemble(state);
  const { mail, assistant, ...config } = state.desk.config;
  const closed = parts.findingEvents().map(({ finding }) => finding);
  const ids = [...new Set([...state.judgement.findings.map(({ id }) => id), ...closed])];
  const details = ids.map((id) => {
    const known = parts.finding(id);
    return [
      `findings/${id}`,
      known &&
        findingDetail.assemble({
          state,
          ...known,
          acceptance: acceptanceFor(known.finding),
          links: unknownLinks('not read'),
        }),
    ] as const;
  });
  return json({
    ...Object.fromEntries(details),
    status,
    charge: status.hostess_charge,
    av: deskHygiene.assemble(state),
    detection: detection.assemble({ state }),
    live: liveView.assemble({ state, ageMs: parts.ageMs(), before: null }),
    scar: scar.assemble(state),
    page: page.assemble(state),
    mail: mailState.assemble(state),
    version: version.assemble({ service: state.desk.service, loop: state.desk.loop, state }),
    site: site.assemble({ state, ...parts.site() }),
    baseline_diff: baselineDiff.assemble({ state, ...parts.difference() }),
    gate_runs: parts.gateRuns().map(({ scarCount, ...run }) => ({ ...run, scar_count: scarCount })),
    finding_events: parts.findingEvents(),
    generations: parts
      .generations()
      .map(({ number, learnedAt, how }) => ({ number, learned_at: learnedAt, how })),
    processes: rowsOf(processTable.assemble(state)),
    listeners: rowsOf(listenerTable.assemble({ state, allowSources: parts.allowSources() })),
    law: {
      version: law.version,
      banned: [...law.bannedPorts],
      listen: law.allowedListeners
        .filter(({ expiresMs }) => expiresMs === null || expiresMs > state.snapshot.at.epochMs)
        .map(({ expiresMs: _ms, ...entry }) => entry),
      except: law.suppressions.filter(({ source }) => source !== 'benign'),
    },
    config: {
      ...config,
      mail: { client: mail.client, sources: mail.sources },
      assistant: { model: assistant.model },
    },
    users: parts.users(),
    ...knowledge,
  }) as Records;
}

const records = new Map<SceneName, Records>();
const recordsNamed = (name: SceneName): Records => {
  const known = records.get(name) ?? recordsOf(stageOf(name));
  records.set(name, known);
  return known;
};

/** The answer of the ledger of a scene. */
function ledgerOf(
  { parts: { state }, people: known }: Stage,
  ask: NonNullable<ReturnType<typeof peopleWanted>>,
): LedgerAnswer {
  if ('address' in ask) {
    const email = ask.address.toLowerCase();
    const person = known.find(({ address }) => address === email) ?? null;
    return { who: who.assemble({ state, email, person }), people: null };
  }
  const found = known.filter(({ name, address }) =>
    `${name} ${address}`.toLowerCase().includes(ask.search.toLowerCase()),
  );
  return { who: null, people: people.assemble({ state, total: found.length, people: found, next: null }) };
}

export interface Answered extends HostessWords {
  /** Roots specific to this question, as plain JSON. */
  readonly own: Records;
}

const contexts = new Map<SceneName, QueryContext>();

/** What is installed on every scene. */
const INSTALLED: Installed = {
  packages: [
    { name: 'gcc-12', version: '12.2.0-14', database: 'dpkg' },
    { name: 'gcc', version: '4:12.2.0-3', database: 'dpkg' },
    { name: 'docker.io', version: '20.10.24', database: 'dpkg' },
    { name: 'postgresql-common', version: '248', database: 'dpkg' },
  ],
  unread: [],
  trouble: '',
};

export async function ask(
  name: SceneName,
  message: string,
  granted = false,
  previous: string | null = null,
): Promise<Answered> {
  const stage = stageOf(name);
  const context = contexts.get(name) ?? new QueryContext(stage.parts);
  contexts.set(name, context);
  const question = understand(message, stage.parts.state.snapshot.at, LIBRARY);
  const wanted = peopleWanted(question);
  const ledger = granted && wanted !== null ? ledgerOf(stage, wanted) : null;
  const { snapshot, judgement } = stage.parts.state;
  const { packages } = startupOf(name, snapshot.at.epochMs);
  const found = asksForPackages(question) ? packagesAnswer(packages, judgement.findings, '') : null;
  const planned = planFor(message, context, LIBRARY, previous);
  const loose = await runPlan(sceneDesk(name), planned.loose, null).catch(() => null);
  const queried = await runPlan(sceneDesk(name), planned.plan, null).catch((error) => {
    if (error instanceof DeskError) return null;
    throw error;
  });
  const answered = answerTo({
    ...{ question, context, library: LIBRARY, mayKnowPeople: granted, ledger, found },
    installed: INSTALLED,
    ...{ ...planned, queried, loose },
  });
  const asked = (key: string) => answered.grounds.find(({ path }) => path === `asked.${key}`)?.value;
  const computed = Object.fromEntries(
    answered.grounds.flatMap(({ path, value }) =>
      path.startsWith('computed.') ? [[path.slice('computed.'.length), value]] : [],
    ),
  );
  return {
    ...answered,
    own: json({
      ...{
        query: (queried ?? loose)?.record,
        before: (queried ?? loose)?.first,
        second: (queried ?? loose)?.second,
        computed,
        who: ledger?.who,
        people: ledger?.people,
        asked: { since: asked('since'), until: asked('until') },
      },
      packages: found,
      installed: foundIn(INSTALLED, installedAsked(question.text)?.name ?? ''),
    }) as Records,
  };
}

const NUMBER = /\d+(?:[.,:]\d+)*/g;

/** What the answer contains that is neither in a ground nor in the question: numbers, paths, ids, addresses, quoted names. */
export function inventedIn(
  answer: string,
  grounds: readonly { readonly value: unknown }[],
  question: string,
): string[] {
  // One line per number of a list, or two would look like one with a decimal comma.
  const texts = grounds.map(({ value }) =>
    typeof value === 'string' ? `${value} ${JSON.stringify(value)}` : JSON.stringify(value, null, 1),
  );
  // The hostess collapses white space in questions, and reads every form of a digit: ⑹ and 𝟔 are 6.
  const asked = question.replace(/\s+/g, ' ');
  const held = [...texts, asked, asked.normalize('NFKD')].join(' \n ');
  // A part of a number may be reported, without leading zeros: "pid 007:1" means process 7.
  const numbers = new Set(
    (held.match(NUMBER) ?? []).flatMap((number) => [
      number,
      ...number.split(/[.,:]/).flatMap((part) => [part, String(Number(part))]),
    ]),
  );
  const said = answer.match(NUMBER) ?? [];
  // Quotes within values are not quotes of the answer.
  let unquoted = answer;
  // A list is reported item by item.
  const values = grounds.flatMap(({ value }) =>
    [value].flat().filter((one): one is string => typeof one === 'string'),
  );
  for (const value of values)
    if (/["“\\]/.test(JSON.stringify(value).slice(1, -1)))
      // A name that could pass for text of the hostess is reported as JSON.
      unquoted = unquoted
        .replaceAll(JSON.stringify(value), ' ')
        .replaceAll(value.trim() || JSON.stringify(value), ' ')
        .replaceAll(value.slice(0, 380), ' ');
  // Nor are quotes within the phrases of a value that is a list of phrases.
  for (const { value } of grounds)
    if (typeof value === 'string')
      for (const phrase of value.split('; '))
        if (phrase.includes('"')) unquoted = unquoted.replaceAll(phrase, ' ');
  const named = [
    ...(answer.match(/(?<![\w/.])\/[\w.-]+(?:\/[\w.-]*\w)+/g) ?? []),
    ...(answer.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? []),
    ...(answer.match(/\b[0-9a-f]{16}\b/g) ?? []),
    ...[...unquoted.matchAll(/[“"]([^”"]+)[”"]/g)].map(([, name = '']) => name),
  ];
  const words = /^(?:Authorization: Bearer|since noon|since yesterday|in the last hour|desk)$/;
  return [
    ...said.filter((number) => !numbers.has(number)),
    ...named.filter((name) => !held.includes(name) && !words.test(name)),
  ];
}

const same = (a: unknown, b: unknown): boolean => {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
};

/** `records` must have every root that grounds start with. */
export function judge(records: Records, answered: Answered, expected: Expected, message: string): Verdict {
  const wrong: string[] = [];
  const { grounds, answer, suggestions, refused } = answered;
  const all = { ...records, ...answered.own };
  for (const { path, value } of grounds) {
    const held = readPath(all, path);
    if (!same(json(value ?? null), held ?? null))
      wrong.push(`${path} is ${JSON.stringify(held)}, not ${JSON.stringify(value)}`);
  }
  // A permitted refusal needs no grounds and no expected words.
  const mayBeEmpty = refused && expected.mayRefuse === true;
  const isQueried =
    expected.query !== undefined &&
    answered.query?.replace(/ select .*?(?= where | order by |$)/, '') === expected.query[0];
  const { grounds: expectedGrounds = [], says = [] }: Expected = mayBeEmpty
    ? {}
    : isQueried
      ? { says: expected.query?.slice(1) as readonly RegExp[] }
      : expected;
  for (const ground of expectedGrounds) {
    if (ground instanceof RegExp) {
      if (!grounds.some(({ path }) => ground.test(path))) wrong.push(`no ground like ${ground}`);
      continue;
    }
    const [path, ...value] = typeof ground === 'string' ? [ground] : ground;
    const found = grounds.find((one) => one.path === path);
    if (found === undefined) wrong.push(`no ground ${path}`);
    else if (value.length > 0 && !same(found.value, value[0]))
      wrong.push(`${path} is ${JSON.stringify(found.value)}`);
  }
  for (const pattern of says) if (!pattern.test(answer)) wrong.push(`does not say ${pattern}`);
  for (const pattern of expected.never ?? []) if (pattern.test(answer)) wrong.push(`says ${pattern}`);
  for (const command of (isQueried ? [] : expected.suggests) ?? [])
    if (!suggestions.includes(command)) wrong.push(`does not suggest ${command}`);
  if (!mayBeEmpty && expected.refuses !== 'either' && refused !== (expected.refuses === true))
    wrong.push(refused ? 'refuses' : 'does not refuse');
  if (answer === '') wrong.push('says nothing');
  return { wrong, invented: inventedIn(answer, grounds, message) };
}

export interface Scored {
  readonly question: Question;
  readonly message: string;
  readonly answered: Answered;
  readonly verdict: Verdict;
}

/** Replaces `{finding:CHECK}` by the id of that finding. */
function filled(name: SceneName, text: string): string {
  return text.replace(/\{finding:([\w-]+)\}/g, (_all, check: string) => {
    const found = stageOf(name).parts.state.judgement.findings.find((one) => one.check === check);
    if (found === undefined) throw new RangeError(`the scene ${name} has no finding of ${check}`);
    return found.id;
  });
}

export async function scoreAll(questions: readonly Question[]): Promise<readonly Scored[]> {
  const all: Scored[] = [];
  for (const question of questions) {
    const fill = (text: string) => filled(question.scene, text);
    const message = fill(question.ask);
    const expected: Expected = {
      ...question,
      grounds: (question.grounds ?? []).map((ground) =>
        typeof ground === 'string'
          ? fill(ground)
          : ground instanceof RegExp
            ? ground
            : [fill(ground[0]), ground[1]],
      ),
      suggests: (question.suggests ?? []).map(fill),
    };
    const before =
      question.after === undefined
        ? null
        : (await ask(question.scene, fill(question.after), question.granted === true)).query;
    const answered = await ask(question.scene, message, question.granted === true, before);
    const verdict = judge(recordsNamed(question.scene), answered, expected, message);
    all.push({ question, message, answered, verdict });
  }
  return all;
}
