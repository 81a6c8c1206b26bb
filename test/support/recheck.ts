/** One recheck of this machine, as the service does it: sweep, judge, sweep again, explain. */
import { CachedVerdicts } from '../../src/checks/cached-verdicts.ts';
import type { Check, Known } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import { NO_RESIDUE, type Residue } from '../../src/checks/residue.ts';
import type { Note } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import { EngineScans, type ScanRoots } from '../../src/engine/scheduled-scans.ts';
import { Engine, type EngineOptions } from '../../src/engine/sweep.ts';
import { lawOf } from '../../src/features/law/law.ts';
import type { Finding, Suppressed } from '../../src/findings/finding.ts';
import { Recheck } from '../../src/findings/recheck.ts';
import { ScanSchedule } from '../../src/findings/scan-schedule.ts';
import type { Law } from '../../src/policy/law.ts';
import { hashText, runInline } from './judge.ts';
import { NO_STARTUP } from './looks.ts';
import { snapshotFrom } from './snapshot.ts';
import { vitalFacts } from './vitals.ts';

/** A recheck of hand-made snapshots: nothing learned, nothing open, no checks, unless `options` say otherwise. */
export const recheckFrom = (options: Partial<ConstructorParameters<typeof Recheck>[0]>): Recheck =>
  new Recheck({
    checks: [],
    law: () => lawOf(configSchema.parse({})),
    baseline: () => ({ known: null }),
    residue: () => NO_RESIDUE,
    cached: new CachedVerdicts(),
    sweep: async () => snapshotFrom(),
    batch: async (jobs, snapshot) => runInline(jobs, snapshot),
    hash: hashText,
    open: [],
    ...options,
  });

export interface RecheckParts {
  /** Ids; default: every check. */
  readonly checks?: readonly string[];
  readonly engine?: EngineOptions;
  readonly known?: Known;
  /** Changes to the default law. */
  readonly law?: Partial<Law>;
  readonly residue?: Residue;
  /** Whether the checks of tier 3 scan too, and with which scans. */
  readonly slow?: ScanRoots;
}

export interface Seen {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  readonly notes: readonly Note[];
}

export async function recheckOnce({
  checks: ids,
  engine: options,
  known,
  law: decreed,
  residue = NO_RESIDUE,
  slow,
}: RecheckParts = {}): Promise<Seen> {
  const checks: readonly Check[] = CHECKS.filter(({ id }) => ids === undefined || ids.includes(id));
  const law = { ...lawOf(configSchema.parse({})), ...decreed };
  // A busy machine may be slow: timing is not tested here.
  const engine = new Engine({ workers: 2, deadlineMs: 60_000, ...options });
  const cached = new CachedVerdicts();
  const recheck = new Recheck({
    checks,
    law: () => law,
    baseline: () => ({ known: known ?? null }),
    residue: () => residue,
    cached,
    sweep: (changes, how) => engine.sweep(changes, how),
    batch: (jobs, snapshot) => engine.judge(jobs, snapshot),
    hash: (text) => engine.native.hashIdentity(new TextEncoder().encode(text)),
    open: [],
  });
  try {
    let { judgement, snapshot } = await recheck.run(null);
    if (slow !== undefined) {
      const schedule = new ScanSchedule({
        checks,
        scans: Object.assign(new EngineScans(engine, slow), {
          startup: async () => NO_STARTUP,
          packages: () => null,
          vitals: async () => [vitalFacts(), vitalFacts()] as const,
        }),
        context: () => ({ snapshot, law, known: known ?? null }),
        cached,
        isOpen: () => true,
        changed: () => undefined,
        everyMs: 3_600_000,
      });
      await schedule.runAll();
      await schedule.stop();
      ({ judgement, snapshot } = await recheck.run(null));
    }
    return judgement;
  } finally {
    await engine.close();
  }
}
