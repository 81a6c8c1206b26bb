/**
 * Law and held generation become programs: what each check asks of its rows is compiled once, and again when law or
 * generation change. Pure.
 */
import type { BatchJob } from '../engine/batch.ts';
import type { BatchProgram } from '../engine/native/batch-types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../policy/law.ts';
import { type Blindness, type Check, isQuick, type Known, type PlainCheck, type RuleCheck } from './check.ts';
import { CheckRuns } from './check-runs.ts';
import { facts, present } from './conditions.ts';
import { type NodeId, ProgramBuilder } from './program.ts';
import { always, type BlindRule, type Parameter, type Rule } from './rule.ts';

/** Where the answers about one check stand among the outputs of its table's program. */
export interface CompiledRule {
  readonly check: RuleCheck;
  /** Index of the table's job. */
  readonly job: number;
  /** Subjects, those whose facts were not read included. */
  readonly applies: number;
  /** Subjects whose facts were not read; kept. */
  readonly unread: number;
  readonly blind: readonly { readonly rule: BlindRule; readonly output: number }[];
  /** Kept. */
  readonly fails: number;
  /** Parameters that the answers depend on. */
  readonly parameters: ReadonlySet<Parameter>;
}

/** A check whose rule could not be compiled. */
interface BrokenRule {
  readonly check: RuleCheck;
  readonly broken: Blindness;
}

interface Compiled {
  /** Those of tier 1, in the order of the catalogue. */
  readonly checks: readonly (CompiledRule | BrokenRule | PlainCheck)[];
  /** One per table that a check is about. */
  readonly programs: readonly { readonly program: BatchProgram; readonly parameters: readonly Parameter[] }[];
}

interface Answers {
  readonly applies: NodeId;
  readonly unread: NodeId;
  readonly blind: readonly { readonly rule: BlindRule; readonly node: NodeId }[];
  readonly fails: NodeId;
}

interface Asked {
  readonly check: RuleCheck;
  readonly answers: Answers;
  readonly parameters: ReadonlySet<Parameter>;
}

const TABLES = ['processes', 'listeners'] as const;

/** `hash` is that of the `identity` and `key` columns of this process. */
export function compileChecks(
  checks: readonly Check[],
  law: Law,
  known: Known | null,
  hash: (text: string) => bigint,
  runs = new CheckRuns(),
): Compiled {
  const quick = checks.filter(isQuick);
  const compiled = new Map<Check, CompiledRule | BrokenRule>();
  const builders = { processes: new ProgramBuilder('processes'), listeners: new ProgramBuilder('listeners') };
  const asked = TABLES.map(() => [] as Asked[]);
  for (const check of quick) {
    if (!('rule' in check)) continue;
    const broken = runs.run(check, () => {
      const rule = check.rule(law, known, hash);
      const builder = builders[rule.subjects];
      builder.takeAsked();
      const answers = answersOf(builder, rule);
      asked[TABLES.indexOf(rule.subjects)]?.push({ check, answers, parameters: builder.takeAsked() });
    });
    if (broken !== null) compiled.set(check, { check, broken });
  }
  const programs: { program: BatchProgram; parameters: readonly Parameter[] }[] = [];
  for (const [at, table] of TABLES.entries()) {
    const own = asked[at] as Asked[];
    if (own.length === 0) continue;
    const outputs = outputsOf(own.map(({ answers }) => answers));
    for (const { check, answers, parameters } of own)
      compiled.set(check, {
        check,
        job: programs.length,
        applies: outputs.place(answers.applies),
        unread: outputs.place(answers.unread),
        blind: answers.blind.map(({ rule, node }) => ({ rule, output: outputs.place(node) })),
        fails: outputs.place(answers.fails),
        parameters,
      });
    const builder = builders[table];
    programs.push({ program: builder.build(outputs.nodes, outputs.kept), parameters: builder.parameters });
  }
  return { checks: quick.map((check) => compiled.get(check) ?? (check as PlainCheck)), programs };
}

/**
 * The programs with the values that this snapshot gives their parameters. A parameter that throws is 0, and `failed` has it with
 * what it threw.
 */
export function jobsOf(
  compiled: Compiled,
  snapshot: Snapshot,
  failed: Map<Parameter, unknown> = new Map(),
): readonly BatchJob[] {
  const read = (parameter: Parameter): bigint => {
    try {
      return BigInt.asUintN(64, parameter.of(snapshot));
    } catch (error) {
      failed.set(parameter, error);
      return 0n;
    }
  };
  return compiled.programs.map(({ program, parameters }) => ({
    program,
    parameters: BigUint64Array.from(parameters, read),
  }));
}

function answersOf(builder: ProgramBuilder, rule: Rule): Answers {
  const processes = rule.subjects === 'processes';
  const there = builder.node(processes ? present : always);
  const read = builder.node(processes ? facts(rule.needs) : always);
  const unread = builder.and(there, builder.not(read));
  const subjects = builder.and(builder.and(there, read), builder.node(rule.applies));
  let judged = subjects;
  const blind = (rule.blind ?? []).map((one) => {
    const when = builder.node(one.when);
    const node = builder.and(judged, when);
    judged = builder.and(judged, builder.not(when));
    return { rule: one as BlindRule, node };
  });
  return {
    applies: builder.or(subjects, unread),
    unread,
    blind,
    fails: builder.and(judged, builder.node(rule.fails)),
  };
}

/** Every node once, those whose bitmaps are wanted first. */
function outputsOf(answers: readonly Answers[]) {
  const kept = new Set(
    answers.flatMap(({ unread, blind, fails }) => [
      fails,
      unread,
      ...blind.filter(({ rule }) => rule.hides).map(({ node }) => node),
    ]),
  );
  const counted = answers.flatMap(({ applies, blind }) => [applies, ...blind.map(({ node }) => node)]);
  const nodes = [...new Set([...kept, ...counted])];
  return { nodes, kept: kept.size, place: (node: NodeId): number => nodes.indexOf(node) };
}
