/** `PASSES WARM-UP FRESH`: comparisons of all packages with what dpkg recorded; FRESH 1: nothing is known of earlier ones. */
import { compare } from '../../src/features/packages/verifier.ts';
import { CannotRun } from '../cases/case.ts';
import { numbers, printRound, timed } from './round.ts';

await printRound(async () => {
  const [passes, warmUp, fresh] = numbers() as [number, number, number];
  const seals = new Map<string, string>();
  let facts: Readonly<Record<string, number>> = {};
  const us = await timed(passes, warmUp, async () => {
    if (fresh === 1) seals.clear();
    const { files, packages, altered, unread, trouble } = await compare(seals);
    if (trouble !== '') throw new CannotRun(trouble);
    facts = { files, packages, altered: altered.length, unread: unread.length };
  });
  return { us, facts };
});
