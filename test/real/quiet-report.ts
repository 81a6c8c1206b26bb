/**
 * Run by `quiet.test.ts` in the namespaces of a quiet machine: `HOME SECONDS PERIOD_MS CHANGE_SEC`. Starts what a Debian machine
 * runs and then a desk that learns automatically, watches it, and prints as JSON its findings and the activity in that time. With
 * `-` for HOME the machine itself is watched.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startQuietMachine } from '../support/quiet-machine.ts';
import { projectRoot } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { watchQuietly } from './quiet-watch.ts';
import { makeHome, startService } from './running.ts';

const [home = '-', seconds = '60', periodMs = '0', changeSec = '0'] = process.argv.slice(2);
const sections = `[slow]\nevery_sec = 60\n${periodMs === '0' ? '' : `[loop]\nperiod_ms = ${periodMs}\n`}`;
/** Of the suppressions of the tests only this checkout, which may be in a folder for temporary files. */
const law = `[[except]]\ncheck = "odd-executable-path"\nexecutable = "${projectRoot}/*"\nwhy = "this checkout"\n`;

const scratch = tempFolder('desk-quiet-');
const inScene = home !== '-';
await using machine = inScene ? await startQuietMachine(home, scratch) : null;
if (inScene) await sleep(4_000);
const deskHome = await makeHome(sections);
if (inScene) writeFileSync(join(deskHome.folder, 'law.toml'), law);
const startedMs = performance.now();
await using service = await startService(deskHome, { withinMs: 60_000 });
const watched = await watchQuietly(service, {
  forMs: Number(seconds) * 1000,
  startedMs,
  learned: () => machine?.change(Number(changeSec) * 1000),
});
const report = {
  ...watched,
  counts: machine?.counts() ?? null,
  without: machine?.without ?? [],
};
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
