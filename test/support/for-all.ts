/** Properties with fast-check: `forAll(fc.string(), (text) => …)`. */
import fc from 'fast-check';

// biome-ignore lint/suspicious/noConfusingVoidType: as fast-check has it
type Predicate<Ts extends [unknown, ...unknown[]]> = (...args: Ts) => boolean | void;
type Arbitraries<Ts> = { [K in keyof Ts]: fc.Arbitrary<Ts[K]> };

/** Asserts that the predicate, the last argument, is true for `runs` random values of the arbitraries before it. */
export const forAllOf =
  (runs: number) =>
  <Ts extends [unknown, ...unknown[]]>(...args: [...Arbitraries<Ts>, Predicate<Ts>]): void =>
    fc.assert(fc.property<Ts>(...args), { numRuns: runs });

/** The same for a predicate that waits. */
export const forAllAsync =
  (runs: number) =>
  <Ts extends [unknown, ...unknown[]]>(
    ...args: [...Arbitraries<Ts>, (...args: Ts) => Promise<void>]
  ): Promise<void> =>
    fc.assert(fc.asyncProperty<Ts>(...args), { numRuns: runs });

/** The same with the usual number of runs. */
export const forAll = forAllOf(100);
