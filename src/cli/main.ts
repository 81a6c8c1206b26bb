#!/usr/bin/env node
/** Entry of the command `desk`. All else is loaded after SIGUSR1 is ignored. */
import '../engine/native/no-debugger.ts';

await import('./entry.ts');
