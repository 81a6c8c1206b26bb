/** Commands whose substance later versions bring: they say so, and what works today. */
import type { Argument, Command } from '../command.ts';
import { later } from '../failure.ts';

interface Coming extends Pick<Command, 'name' | 'summary' | 'examples'> {
  readonly arguments?: readonly Argument[];
  readonly needs: string;
  readonly today: string;
}

const coming = ({ needs, today, summary, ...words }: Coming): Command => ({
  ...words,
  summary: `${summary} (not in this version)`,
  run: () => Promise.reject(later(needs, today)),
});

export const install = coming({
  name: 'install',
  summary: 'Installs the system service with only the capabilities it uses',
  examples: [['desk install', 'unit file, state folder, first start']],
  needs: 'The system service cannot be installed from here.',
  today: 'Run "desk boot" under your own supervisor with DESK_STATE=/var/lib/desk.',
});
