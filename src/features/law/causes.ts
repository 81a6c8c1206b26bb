/** The benign causes of the catalogue: each name once, with all of its checks. */
import { CHECKS } from '../../checks/index.ts';

const known = CHECKS.flatMap(({ id, causes = [] }) => causes.map(({ name, why }) => ({ id, name, why })));

/** By name, sorted; `checks` are the ids of those that know it. */
export const CAUSES = [...new Set(known.map(({ name }) => name))].sort().map((name) => {
  const own = known.filter((cause) => cause.name === name);
  return { name, why: own[0]?.why ?? '', checks: [...new Set(own.map(({ id }) => id))] };
});

export const CAUSE_NAMES: readonly string[] = CAUSES.map(({ name }) => name);
