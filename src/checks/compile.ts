/**
 * Law and held generation become programs: what each check tests in its rows is compiled once, and again when law or
 * generation change. Pure.
 */
import type { BatchJob } from '../engine/batch.ts';
import type { BatchProgram } from '../engine/native/batch-types.ts';
import type { Identities } from '../engine/native/table-types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../policy/law.ts';
import { type Blindness, type Check, isQuick, type Known, type PlainCheck, type RuleCheck } from './check.ts';
import { CheckRuns } from './check-runs.ts';
import { facts, present } from './conditions.ts';
import { type NodeId, ProgramBuilder } from './program.ts';
import { always, type BlindRule, type Parameter, type Rule } from './rule.ts';

/** What is computed for one check: as nodes of the builder, then as outputs of its table's program. */
interface Answers {
  /** Subjects, those whose facts were not read included. */
  readonly applies: number;
  /** Subjects whose facts were not read; kept. */
  readonly unread: number;
  readonly blind: readonly { readonly rule: BlindRule; readonly output: number }[];
  /** Kept. */
  readonly fails: number;
}

export interface CompiledRule extends Answers {
  readonly check: RuleCheck;
  /** Index of the table's job. */
  readonly job: number;
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
  readonly identities: Identities;
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
  const rules: { [Table in (typeof TABLES)[number]]: Omit<CompiledRule, 'job'>[] } = {
    processes: [],
    listeners: [],
  };
  for (const check of quick) {
    if (!('rule' in check)) continue;
    const broken = runs.run(check, () => {
      const rule = check.rule(law, known, hash);
      const builder = builders[rule.subjects];
      builder.takeRead();
      const answers = answersOf(builder, rule);
      rules[rule.subjects].push({ check, ...answers, parameters: builder.takeRead() });
    });
    if (broken !== null) compiled.set(check, { check, broken });
  }
  const programs: { program: BatchProgram; parameters: readonly Parameter[] }[] = [];
  for (const table of TABLES) {
    const own = rules[table];
    if (own.length === 0) continue;
    const { nodes, kept, place } = outputsOf(own);
    for (const { check, parameters, applies, unread, blind, fails } of own)
      compiled.set(check, {
        check,
        parameters,
        job: programs.length,
        applies: place(applies),
        unread: place(unread),
        blind: blind.map(({ rule, output }) => ({ rule, output: place(output) })),
        fails: place(fails),
      });
    const builder = builders[table];
    programs.push({ program: builder.build(nodes, kept), parameters: builder.parameters });
  }
  return {
    checks: quick.map((check) => compiled.get(check) ?? (check as PlainCheck)),
    programs,
    identities: {
      learned: BigUint64Array.from(known?.identities ?? []),
      lost: BigUint64Array.from(known?.lost ?? []),
    },
  };
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
    ...(program.columns.includes('lookups') && { identities: compiled.identities }),
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
    const output = builder.and(judged, when);
    judged = builder.and(judged, builder.not(when));
    return { rule: one as BlindRule, output };
  });
  const fails = builder.and(judged, builder.node(rule.fails));
  return { applies: builder.or(subjects, unread), unread, blind, fails };
}

/** Every node once, those whose bitmaps are wanted first. */
function outputsOf(answers: readonly Answers[]) {
  const hiding = answers.flatMap(({ blind }) => blind.filter(({ rule }) => rule.hides));
  const kept = new Set([
    ...answers.flatMap(({ unread, fails }) => [fails, unread]),
    ...hiding.map(({ output }) => output),
  ]);
  const counted = answers.flatMap(({ applies, blind }) => [applies, ...blind.map(({ output }) => output)]);
  const nodes = [...new Set([...kept, ...counted])];
  return { nodes, kept: kept.size, place: (node: NodeId): number => nodes.indexOf(node) };
}
