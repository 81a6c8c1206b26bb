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

export const law = coming({
  name: 'law',
  summary: 'The law pack: what is allowed, what it excuses, what changed',
  arguments: [{ name: 'action', meaning: 'what to do', choices: ['show', 'check', 'diff'] }],
  examples: [['desk law show', 'the rules in force']],
  needs: 'The law pack cannot be read from the command line.',
  today: 'The built-in law judges; its version stands in "desk doctor", its verdicts in "desk findings".',
});

export const quarantine = coming({
  name: 'quarantine',
  summary: 'Stale files of our own that were set aside: list, give back, purge',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['list', 'restore', 'purge'] },
    { name: 'id', meaning: 'one entry', optional: true },
  ],
  examples: [['desk quarantine list', 'what was set aside, and why']],
  needs: 'There is no quarantine: no file is ever set aside.',
  today: '"desk status" counts stale files as residue.',
});

export const install = coming({
  name: 'install',
  summary: 'Installs the system service with only the capabilities it uses',
  examples: [['desk install', 'unit file, state folder, first start']],
  needs: 'The system service cannot be installed from here.',
  today: 'Run "desk boot" under your own supervisor with DESK_STATE=/var/lib/desk.',
});
