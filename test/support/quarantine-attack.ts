/**
 * Quarantines one name again and again while `swapper.cc` exchanges what is there: `node … quarantine-attack.ts STATE NAME
 * ATTEMPTS VICTIM OUTSIDE [mounts]`. Prints how the attempts ended, by step, as JSON.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { loadNative } from '../../src/engine/native/load.ts';
import { Quarantine } from '../../src/features/quarantine/quarantine.ts';
import { compiled } from './compile.ts';

const [folder = '', name = '', attempts = '0', victim = '', outside = '', ...mounts] = process.argv.slice(2);
/** Of swapper.cc. */
const TURNS_PER_DOT = 16;
const { addon } = loadNative();
const counts: Record<string, number> = {};
const native = Object.create(addon) as typeof addon;
Object.defineProperty(native, 'quarantineMove', {
  value: async (...args: Parameters<typeof addon.quarantineMove>) => {
    const stopped = await addon.quarantineMove(...args);
    const key = stopped === null ? 'moved' : stopped.source;
    counts[key] = (counts[key] ?? 0) + 1;
    return stopped;
  },
});
const quarantine = new Quarantine({ folder, native, now: () => new Date().toISOString() });
const swapper = spawn(compiled('swapper.cc'), [folder, name, victim, outside, ...mounts], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
let turns = 0;
swapper.stdout.on('data', (dots: Buffer) => {
  turns += dots.length * TURNS_PER_DOT;
});
await once(swapper.stdout, 'data');
const wanted = Number(attempts);
const calls = (): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
// Until both processes have run enough, and a file that was left unchanged was really moved.
const enough = (): boolean => calls() >= wanted && turns >= wanted / 2 && (counts.moved ?? 0) > 0;
for (let purged = 0; !enough(); ) {
  await setImmediate();
  await quarantine.setAside(name, 'attacked', '00112233aabbccdd');
  if (calls() < purged + 100) continue;
  purged = calls();
  // The quarantine itself stays small: moved files are purged, unless they are still being exchanged.
  try {
    quarantine.purge({ olderThanSec: 0 });
  } catch {}
}
swapper.stdin.end();
await once(swapper, 'close');
process.stdout.write(`${JSON.stringify({ counts, turns })}\n`);
