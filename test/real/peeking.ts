/** A peeker over this machine, for tests that make what it must find. */
import pino from 'pino';
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import type { Fail } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { Peeker } from '../../src/features/inspection/peeker.ts';
import type { Law } from '../../src/policy/law.ts';
import { explained } from '../support/judge.ts';
import { law as defaultLaw } from '../support/peek.ts';

export interface Peeked {
  /** Fails of tier 2 about a process: `check severity class`, sorted. */
  of(pid: number): readonly string[];
  /** Those that neither law nor baseline explain. */
  unexplained(pid: number): readonly string[];
  fails(pid: number): readonly Fail[];
  readonly blind: number;
  readonly notes: readonly { readonly check: string; readonly reason: string; readonly cure: string }[];
}

export interface PeekingMachine extends AsyncDisposable {
  readonly peeker: Peeker;
  /** Sweeps, looks into every process, and tells what stands then. */
  look(): Promise<Peeked>;
  sweep(): Promise<void>;
}

export function peekAtThisMachine(law: Law = defaultLaw): PeekingMachine {
  const engine = new Engine();
  const cached = new CachedVerdicts();
  const peeker = new Peeker({
    checks: CHECKS,
    law: () => law,
    cached,
    changed: () => undefined,
    log: pino({ level: 'silent' }),
  });
  const sweep = async () => peeker.watch(await engine.sweep());
  return {
    peeker,
    sweep,
    look: async () => {
      await sweep();
      await peeker.lookAtAll();
      const verdicts = cached.verdicts();
      const fails = (all: readonly Fail[]) => (pid: number) =>
        all.filter(({ subject }) => subject.kind === 'process' && subject.pid === pid);
      const words = (all: readonly Fail[]) => (pid: number) =>
        fails(all)(pid)
          .map(({ check, severity, evidenceClass }) => `${check.id} ${severity} ${evidenceClass}`.trim())
          .sort();
      return {
        of: words(verdicts.fails),
        unexplained: words(explained(verdicts, law, null, Date.now()).verdicts.fails),
        fails: fails(verdicts.fails),
        blind: verdicts.blind,
        notes: verdicts.notes,
      };
    },
    [Symbol.asyncDispose]: async () => {
      await peeker.close();
      await engine.close();
    },
  };
}
