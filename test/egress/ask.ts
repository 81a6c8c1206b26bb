/** Requests URLs through a guard, in a process that trusts NODE_EXTRA_CA_CERTS; prints the results as JSON. */
import { setImmediate } from 'node:timers/promises';
import { EgressGuard } from '../../src/egress/guard.ts';
import { askWeb } from '../../src/egress/https.ts';

export interface Asking {
  readonly allow: readonly string[];
  readonly private: readonly string[];
  readonly asks: readonly { readonly url: string; readonly timeoutMs?: number }[];
}

const { asks, ...lists } = JSON.parse(process.argv[2] ?? '') as Asking;
const guard = new EgressGuard(lists);
const answers = [];
for (const { url, timeoutMs } of asks) answers.push(await askWeb(guard, url, { timeoutMs }));
// Closed connections are gone after one event loop iteration.
for (let turn = 0; turn < 3; turn++) await setImmediate();
const handles = process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
process.stdout.write(JSON.stringify({ answers, totals: guard.totals, handles }));
