/** The command `desk`: output, command line, exit code. */

import { Outlet } from '../base/outlet.ts';
import { Terminal } from '../base/terminal.ts';
import { exit, Failure, failureOf } from '../desk/failure.ts';
import { report, runCommandLine } from './program.ts';

// An error message may have no place to go: the exit code says enough.
const err = new Outlet(process.stderr, () => undefined);

const out = new Outlet(process.stdout, (error) => {
  // A reader that has seen enough (`desk findings | head`) is not an error.
  if (error.code === 'EPIPE') process.exit(exit.ok);
  const failure = failureOf(error);
  if (failure === undefined) throw error;
  const what = `The output cannot be written (${error.code}).`;
  report(new Terminal(err), new Failure(failure.exitCode, what, failure.why, 'Send it somewhere else.'));
  process.exit(failure.exitCode);
});

process.exitCode = await runCommandLine(process.argv.slice(2), process.env, { out, err });
