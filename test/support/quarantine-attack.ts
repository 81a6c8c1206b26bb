/**
 * Quarantines one name again and again while `swapper.cc` exchanges what stands there: `node … quarantine-attack.ts STATE NAME
 * ATTEMPTS VICTIM OUTSIDE [mounts]`. Prints how the attempts ended, by step, as JSON.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Quarantine } from '../../src/act/quarantine.ts';
import { loadNative } from '../../src/native/load.ts';
import { compiled } from './actor.ts';

const [folder = '', name = '', attempts = '0', victim = '', outside = '', ...mounts] = process.argv.slice(2);
const { addon } = loadNative();
const counts: Record<string, number> = {};
const native = Object.create(addon) as typeof addon;
Object.defineProperty(native, 'quarantineMove', {
  value: (...args: Parameters<typeof addon.quarantineMove>) => {
    const stopped = addon.quarantineMove(...args);
    const key = stopped === null ? 'moved' : stopped.source;
    counts[key] = (counts[key] ?? 0) + 1;
    return stopped;
  },
});
const quarantine = new Quarantine({ folder, native, now: () => new Date().toISOString() });
const swapper = spawn(compiled('swapper.cc'), [folder, name, victim, outside, ...mounts], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
let told = '';
swapper.stdout.setEncoding('utf8').on('data', (text: string) => {
  told += text;
});
await once(swapper.stdout, 'data');
for (let attempt = 0; attempt < Number(attempts); attempt++) {
  quarantine.setAside(name, 'attacked', '00112233aabbccdd');
  // The quarantine itself stays small: what was moved is purged, as far as it stands still.
  if (attempt % 100 === 99) {
    try {
      quarantine.purge({ olderThanSec: 0 });
    } catch {}
  }
}
swapper.stdin.end();
await once(swapper, 'close');
process.stdout.write(`${JSON.stringify({ counts, turns: Number(told.split('\n')[1]) })}\n`);
