/**
 * Law and held generation become programs: what each check asks of its rows is compiled once, and again when law or
 * generation change. Pure.
 */
import type { BatchJob } from '../engine/batch.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Law } from '../law/law.ts';
import type { BatchProgram } from '../native/batch-types.ts';
import { type Check, isQuick, type Known, type PlainCheck, type RuleCheck } from './check.ts';
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
}

export interface Compiled {
  /** Those of tier 1, in the order of the catalogue. */
  readonly checks: readonly (CompiledRule | PlainCheck)[];
  /** One per table that a check is about. */
  readonly programs: readonly { readonly program: BatchProgram; readonly parameters: readonly Parameter[] }[];
}

interface Answers {
  readonly applies: NodeId;
  readonly unread: NodeId;
  readonly blind: readonly { readonly rule: BlindRule; readonly node: NodeId }[];
  readonly fails: NodeId;
}

const TABLES = ['processes', 'listeners'] as const;

/** `hash` is that of the `identity` and `key` columns of this process. */
export function compileChecks(
  checks: readonly Check[],
  law: Law,
  known: Known | null,
  hash: (text: string) => bigint,
): Compiled {
  const quick = checks.filter(isQuick);
  const rules = quick.flatMap((check) =>
    'rule' in check ? [{ check, rule: check.rule(law, known, hash) }] : [],
  );
  const compiled = new Map<Check, CompiledRule>();
  const programs: { program: BatchProgram; parameters: readonly Parameter[] }[] = [];
  for (const table of TABLES) {
    const builder = new ProgramBuilder(table);
    const asked = rules
      .filter(({ rule }) => rule.subjects === table)
      .map(({ check, rule }) => ({ check, answers: answersOf(builder, rule) }));
    if (asked.length === 0) continue;
    const outputs = outputsOf(asked.map(({ answers }) => answers));
    for (const { check, answers } of asked)
      compiled.set(check, {
        check,
        job: programs.length,
        applies: outputs.place(answers.applies),
        unread: outputs.place(answers.unread),
        blind: answers.blind.map(({ rule, node }) => ({ rule, output: outputs.place(node) })),
        fails: outputs.place(answers.fails),
      });
    programs.push({ program: builder.build(outputs.nodes, outputs.kept), parameters: builder.parameters });
  }
  return { checks: quick.map((check) => compiled.get(check) ?? (check as PlainCheck)), programs };
}

/** The programs with the values that this snapshot gives their parameters. */
export function jobsOf(compiled: Compiled, snapshot: Snapshot): readonly BatchJob[] {
  return compiled.programs.map(({ program, parameters }) => ({
    program,
    parameters: BigUint64Array.from(parameters, (parameter) => BigInt.asUintN(64, parameter.of(snapshot))),
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
