/** Run by `udp-hooks.test.ts`: starts a watch, prints what works as a line of JSON, and keeps it until its input ends. */
import { once } from 'node:events';
import { Watching } from './watching.ts';

using watching = new Watching();
process.stdout.write(`${JSON.stringify(watching.start)}\n`);
await once(process.stdin.resume(), 'end');
