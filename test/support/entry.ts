/** How the project is run in separate processes: from the sources, or from the build. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const entries = { src: '../../src/cli/main.ts', dist: '../../dist/cli/main.js' } as const;
export type Entry = keyof typeof entries;

/** The test runner sets `DESK_TEST_ENTRY=dist` after a build. It starts in a third of the time. */
const usual: Entry = process.env.DESK_TEST_ENTRY === 'dist' ? 'dist' : 'src';

/** Whether the tests themselves are compiled (built-tests.ts). */
const plain = import.meta.url.endsWith('.js');

/** Arguments for node that come before a file or a script of ours. */
export const loader: readonly string[] = plain ? [] : ['--import', 'tsx'];

/** URL of a module of `test` or `src`, named by its TypeScript: the same one that the tests themselves import. */
export function moduleUrl(path: string, from: string): string {
  const { href } = new URL(path, from);
  return plain
    ? href.replace(/\.ts$/, '.js').replace(new URL('../../src/', import.meta.url).href, DIST)
    : href;
}
const DIST = new URL('../../dist/', import.meta.url).href;

/** Arguments for node that run such a module. */
export const programWords = (path: string, from: string): readonly string[] => [
  ...loader,
  fileURLToPath(moduleUrl(path, from)),
];

/** Runs the text of a module in a process of its own, returns its output and how it ended; `heard` gets all output so far. */
export async function runScript(
  text: string,
  ...args: readonly (string | ((out: string, child: ChildProcess) => void))[]
): Promise<{ out: string; code: number | null; signal: string | null }> {
  const heard = args.find((arg) => typeof arg === 'function');
  const words = args.filter((arg) => typeof arg === 'string');
  const child = spawn(process.execPath, [...loader, '--input-type=module', '-e', text, ...words], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part;
    heard?.(out, child);
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { out, code, signal };
}

/** Arguments for node that run the command. */
export const deskWords = (entry: Entry = usual): readonly string[] => [
  ...(entry === 'src' ? ['--import', 'tsx'] : []),
  fileURLToPath(new URL(entries[entry], import.meta.url)),
];
