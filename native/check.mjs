// Checks of the C++ sources that take longer than the tests:
// `node native/check.mjs [--tidy] [--sanitize] [--fuzz[=SECONDS]] [--long] [WORD…]`; without a choice all three.
// WORD keeps only the files whose path holds one of the words. --build: builds what would run, and runs nothing but
// clang-tidy. --long: 60 s per fuzz target, twenty rounds of the unit
// tests, the avx512 build where the processor supports it, and all of clang's analyzer. Ends with `N passed, N failed`. See
// docs/testing.md.
import { parseArgs } from 'node:util';
import { buildFuzzers, fuzz } from './check/fuzz.mjs';
import { buildSanitized, sanitize } from './check/sanitize.mjs';
import { tidy } from './check/tidy.mjs';
import { CheckError, Tally } from './check/tools.mjs';

function choices(args) {
  const { values, positionals } = parseArgs({
    // parseArgs knows no option whose value may be left out.
    args: args.map((argument) => (argument === '--fuzz' ? '--fuzz=' : argument)),
    allowPositionals: true,
    options: {
      tidy: { type: 'boolean' },
      sanitize: { type: 'boolean' },
      fuzz: { type: 'string' },
      build: { type: 'boolean' },
      long: { type: 'boolean' },
    },
  });
  const seconds = values.fuzz ? Number(values.fuzz) : values.long ? 60 : 3;
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new CheckError(`--fuzz=${values.fuzz}: SECONDS must be a whole number from 1 on.`);
  const all = !values.tidy && !values.sanitize && values.fuzz === undefined;
  return {
    tidy: all || values.tidy,
    sanitize: all || values.sanitize,
    fuzz: all || values.fuzz !== undefined,
    build: values.build ?? false,
    long: values.long ?? false,
    seconds,
    words: positionals,
    chosen: (path) => positionals.length === 0 || positionals.some((word) => path.includes(word)),
  };
}

async function main() {
  const { chosen, words, build, long, seconds, ...wanted } = choices(process.argv.slice(2));
  const tally = new Tally();
  if (wanted.sanitize) await (build ? buildSanitized(chosen, long) : sanitize(tally, chosen, long));
  if (wanted.fuzz) await (build ? buildFuzzers(chosen) : fuzz(tally, chosen, seconds));
  if (wanted.tidy) await tidy(tally, { words, chosen, long });
  console.log(`${tally.passed} passed, ${tally.failed} failed`);
  // A choice of words that matches nothing has checked nothing.
  if (tally.failed > 0 || (tally.passed === 0 && !build)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof CheckError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
  console.error(`check: ${error.message}`);
  process.exitCode = 1;
}
