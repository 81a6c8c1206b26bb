#!/usr/bin/env node
/** Entry of the command `desk`. */
import { runCommandLine } from './program.ts';

// A reader that has seen enough (`desk findings | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2));
