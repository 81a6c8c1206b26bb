/** What the pages load in a browser (`dist/assets`), built by the project's own Vite where it is missing or older than its sources. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './require.ts';
import { patientMs } from './time-limit.ts';

const ASSETS = join(projectRoot, 'dist/assets');
/** Sources of the assets; types of the records are read by the build too, but produce no output. */
const SOURCES = ['src/pages', 'vite.config.ts'];

/** When a file, or the newest file of a folder, was written: milliseconds since the epoch. */
export function changedAt(path: string): number {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function isFresh(): boolean {
  const built = ['pages.js', 'style.css'].map((name) => join(ASSETS, name));
  if (!built.every(existsSync)) return false;
  const newest = Math.max(...SOURCES.map((path) => changedAt(join(projectRoot, path))));
  return built.every((path) => statSync(path).mtimeMs >= newest);
}

/** Call it before Chromium is asked for a page. Two files that run at once do not build into each other's result. */
export function buildPages(): void {
  if (isFresh()) return;
  const lock = join(projectRoot, 'build/pages.lock');
  mkdirSync(join(projectRoot, 'build'), { recursive: true });
  while (!taken(lock)) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    if (isFresh()) return;
  }
  try {
    if (isFresh()) return;
    const vite = join(projectRoot, 'node_modules/vite/bin/vite.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [vite, 'build'], {
      cwd: projectRoot,
      encoding: 'utf8',
      timeout: patientMs(120_000),
    });
    if (status !== 0) throw new Error(`the pages cannot be built:\n${stdout}${stderr}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

/** False while another process builds; the lock of a killed one becomes too old to count. */
function taken(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (since < Date.now() - 130_000) rmSync(lock, { force: true });
    return false;
  }
}
