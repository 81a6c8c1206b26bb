/** An inspector for this machine, for tests that create what it must find. */
import pino from 'pino';
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import type { Fail } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { Helper } from '../../src/features/inspection/helper.ts';
import { Inspector } from '../../src/features/inspection/inspector.ts';
import { proven } from '../../src/features/inspection/proven-helper.ts';
import type { Law } from '../../src/policy/law.ts';
import { explained } from '../support/judge.ts';
import { law as defaultLaw } from '../support/peek.ts';

export interface Inspection {
  /** Tier 2 fails of a process: `check severity class`, sorted. */
  of(pid: number): readonly string[];
  /** Fails that neither the law nor the baseline explains. */
  unexplained(pid: number): readonly string[];
  fails(pid: number): readonly Fail[];
  readonly blind: number;
  readonly notes: readonly { readonly check: string; readonly reason: string; readonly cure: string }[];
}

export interface InspectedMachine extends AsyncDisposable {
  readonly inspector: Inspector;
  /** Sweeps, inspects every process, and returns the results. */
  inspect(): Promise<Inspection>;
  sweep(): Promise<void>;
}

export function inspectThisMachine(law: Law = defaultLaw): InspectedMachine {
  const engine = new Engine();
  const cached = new CachedVerdicts();
  const inspector = new Inspector({
    checks: CHECKS,
    law: () => law,
    cached,
    changed: () => undefined,
    executed: () => engine.takeExecuted(),
    log: pino({ level: 'silent' }),
    helper: () => proven(new Helper()),
  });
  const sweep = async () => inspector.watch(await engine.sweep());
  return {
    inspector,
    sweep,
    inspect: async () => {
      await sweep();
      await inspector.inspectAll();
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
      await inspector.close();
      await engine.close();
    },
  };
}
