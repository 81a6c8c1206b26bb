/**
 * The law: the policy that the checks judge by. In this version it is built in, plus `[banned] also` of the configuration;
 * reading `law.toml` comes with the law pack.
 */

import type { Excuse } from '../checks/excuse.ts';
import { CHECKS } from '../checks/index.ts';
import type { Config } from '../config-schema.ts';

/** The port whose listener is classed as a virus, whatever holds it (interface rule 1). */
export const BANNED_PORT = 8766;

export interface Law {
  readonly version: string;
  readonly bannedPorts: ReadonlySet<number>;
  /** What is no finding though a check fails: first the user's, then what was accepted, then named benign causes. */
  readonly excuses: readonly Excuse[];
  /** A zombie this old is residue, seconds. */
  readonly zombieSec: number;
  /** A parent may be missing this long before the child counts as orphaned, seconds. */
  readonly orphanSec: number;
  /** A baseline older than this is told, days. */
  readonly learningDays: number;
  /** A learning window open for longer is told, minutes. */
  readonly windowMin: number;
  /** `system`: what the system installed is learned by itself. */
  readonly autoLearn: 'off' | 'system';
}

export function lawOf(config: Config): Law {
  return {
    version: 'built-in 1',
    bannedPorts: new Set([BANNED_PORT, ...config.banned.also]),
    excuses: benignExcuses(),
    zombieSec: 60,
    orphanSec: 300,
    learningDays: 365,
    windowMin: 60,
    autoLearn: 'off',
  };
}

/** The benign causes of the catalogue, each an exception for its check. */
const benignExcuses = (): readonly Excuse[] =>
  CHECKS.flatMap(({ id, causes = [] }) =>
    causes.map((cause): Excuse => ({ ...cause, checks: [id], expiresMs: null, source: 'benign' })),
  );
