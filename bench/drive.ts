/** `CASE OPTIONS`: runs one case in a process of its own, beside the farm's sockets, and prints its outcome as JSON. */
import type { Options } from './cases/case.ts';
import { CASES } from './cases/index.ts';

const [id, options] = process.argv.slice(2);
const found = CASES.find((one) => one.id === id);
if (found === undefined || options === undefined) throw new Error('usage: drive CASE OPTIONS');
process.stdout.write(JSON.stringify(await found.run(JSON.parse(options) as Options)));
