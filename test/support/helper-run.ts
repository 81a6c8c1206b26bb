/** A run that starts a helper and records it in the given folder: prints its pid, ends it when stdin closes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadNative } from '../../src/engine/native/load.ts';
import { HelperNotes } from '../../src/features/quarantine/index.ts';

const { addon } = loadNative();
const notes = new HelperNotes({ folder: process.argv[2] ?? '', native: addon });
const helper = spawn('sleep', ['120'], { stdio: 'ignore', detached: true });
await once(helper, 'spawn');
const forget = notes.note(helper.pid as number);
process.stdout.write(`${helper.pid}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
helper.kill('SIGKILL');
await once(helper, 'exit');
forget();
