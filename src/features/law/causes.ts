/** The benign causes of the catalogue: a name stands once, whichever checks it is about. */
import { CHECKS } from '../../checks/index.ts';

interface NamedCause {
  readonly name: string;
  readonly why: string;
  /** Ids of the checks that know it. */
  readonly checks: readonly string[];
}

/** By name, sorted. */
export const CAUSES: readonly NamedCause[] = [
  ...new Set(CHECKS.flatMap(({ causes = [] }) => causes.map(({ name }) => name))),
]
  .sort()
  .map((name) => {
    const knowing = CHECKS.filter(({ causes = [] }) => causes.some((cause) => cause.name === name));
    const [first] = knowing.flatMap(({ causes = [] }) => causes.filter((cause) => cause.name === name));
    return { name, why: first?.why ?? '', checks: knowing.map(({ id }) => id) };
  });

export const CAUSE_NAMES: readonly string[] = CAUSES.map(({ name }) => name);
