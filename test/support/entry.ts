/** How the command is run in a process of its own: from the sources, or as it was built. */
import { join } from 'node:path';
import { projectRoot } from './require.ts';

const entries = {
  src: ['--import', 'tsx', join(projectRoot, 'src/cli/main.ts')],
  dist: [join(projectRoot, 'dist/cli/main.js')],
} as const;
export type Entry = keyof typeof entries;

/** `DESK_TEST_ENTRY=dist` asks for the built command: whoever asks has just built it. It starts in a third of the time. */
const usual: Entry = process.env.DESK_TEST_ENTRY === 'dist' ? 'dist' : 'src';

/** Words for node. */
export const deskWords = (entry: Entry = usual): readonly string[] => entries[entry];
