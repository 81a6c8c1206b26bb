/** How the project is run in processes of their own: from the sources, or as it was built. */
import { fileURLToPath } from 'node:url';

const entries = { src: '../../src/cli/main.ts', dist: '../../dist/cli/main.js' } as const;
export type Entry = keyof typeof entries;

/** `DESK_TEST_ENTRY=dist` asks for what was built: whoever asks has just built it. It starts in a third of the time. */
const usual: Entry = process.env.DESK_TEST_ENTRY === 'dist' ? 'dist' : 'src';

/** Whether the tests themselves run without their types (built-tests.ts). */
const plain = import.meta.url.endsWith('.js');

/** Words for node that come before a file or a script of ours. */
export const loader: readonly string[] = plain ? [] : ['--import', 'tsx'];

/** URL of a module of `test` or `src`, named by its TypeScript: the same one that the tests themselves import. */
export function moduleUrl(path: string, from: string): string {
  const { href } = new URL(path, from);
  return plain
    ? href.replace(/\.ts$/, '.js').replace(new URL('../../src/', import.meta.url).href, DIST)
    : href;
}
const DIST = new URL('../../dist/', import.meta.url).href;

/** Words for node that run such a module. */
export const programWords = (path: string, from: string): readonly string[] => [
  ...loader,
  fileURLToPath(moduleUrl(path, from)),
];

/** Words for node that run the command. */
export const deskWords = (entry: Entry = usual): readonly string[] => [
  ...(entry === 'src' ? ['--import', 'tsx'] : []),
  fileURLToPath(new URL(entries[entry], import.meta.url)),
];
