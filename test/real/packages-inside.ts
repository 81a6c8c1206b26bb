/** Run in an overlay (packages.test.ts): changes files of packages, and prints what comparing them reports that it did not before. */
import { appendFileSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { compare } from '../../src/features/packages/verifier.ts';

export interface Compared {
  readonly files: number;
  readonly sealed: number;
  /** By step: paths that are altered, and were not before. */
  readonly steps: Readonly<Record<string, readonly string[]>>;
}

const [program = '', library = '', text = ''] = process.argv.slice(2);
const seals = new Map<string, string>();
const before = await compare(seals, {});
const known = new Set(before.altered.map(({ path, found }) => `${path} ${found}`));
const sealed = seals.size;
const news = async () =>
  (await compare(seals, {})).altered
    .filter(({ path, found }) => !known.has(`${path} ${found}`))
    .map(({ path }) => path)
    .sort();
const steps: Record<string, readonly string[]> = { nothing: await news() };
const whole = readFileSync(program);
const { atime, mtime } = statSync(program);
appendFileSync(program, 'planted');
// Its times as before, as an intruder sets them.
utimesSync(program, atime, mtime);
const bytes = readFileSync(library);
bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
const { atime: read, mtime: written } = statSync(library);
writeFileSync(library, bytes);
// Size and times are as before: the change time alone has changed.
utimesSync(library, read, written);
renameSync(text, `${text}.away`);
steps.changed = await news();
writeFileSync(program, whole);
steps.restored = await news();
// What was written in the last two seconds is read again.
await delay(2_100);
await news();
steps.again = await news();
process.stdout.write(JSON.stringify({ files: before.files, sealed, steps } satisfies Compared));
