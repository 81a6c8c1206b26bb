import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../command.ts';
import { exit, later } from '../failure.ts';
import { dim, good, strong } from '../terminal.ts';

export const baseline: Command = {
  name: 'baseline',
  summary: 'The generations of what was learned: list (compare, review, go back: not in this version)',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['list', 'diff', 'review', 'restore'] },
    { name: 'generation', meaning: 'a generation by its number', optional: true },
  ],
  examples: [
    ['desk baseline list', 'every generation'],
    ['desk baseline review', 'what was learned and deserves a look'],
  ],
  async run({ out, json, stateDir }, { arguments: { action } }) {
    if (action !== 'list')
      throw later(
        `"desk baseline ${action}" needs secure learning.`,
        '"desk baseline list" shows the generations, "desk findings" what is not explained.',
      );
    const folder = await stateDir();
    const generations = existsSync(join(folder, 'desk.db')) ? await read(folder) : [];
    if (json) out.json({ generations });
    else if (generations.length === 0) out.line(`No store in ${folder} yet`, dim(' (desk boot makes one).'));
    else {
      out.line(strong('Generations'));
      out.table(
        [{ title: 'number', align: 'right' }, { title: '' }, { title: 'learned' }, { title: 'privilege' }],
        generations.map(({ number, authoritative, learnedAt, privilege }) => [
          number,
          authoritative ? good('held') : dim('kept'),
          learnedAt || 'never: the empty baseline',
          privilege || dim('none'),
        ]),
      );
    }
    return exit.ok;
  },
};

async function read(folder: string) {
  const [{ openStateDir }, { openStore }] = await Promise.all([
    import('../../state-dir.ts'),
    import('../../store/store.ts'),
  ]);
  const store = openStore(openStateDir(folder).path, { recover: false });
  try {
    return store.generations();
  } finally {
    store.close();
  }
}
