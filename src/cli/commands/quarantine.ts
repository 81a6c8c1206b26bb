import { durationMs } from '../../base/duration.ts';
import { dim, good, type Terminal, warn } from '../../base/terminal.ts';
import { superfluous, usage } from '../../desk/failure.ts';
import * as operations from '../../features/quarantine/operations.ts';
import type { QuarantineAnswer } from '../../records/quarantine.ts';
import type { CliCommand } from '../command.ts';

export const quarantine: CliCommand = {
  name: 'quarantine',
  summary: 'Stale files of the desk that were set aside: list, restore, delete for good',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['list', 'restore', 'purge'] },
    { name: 'id', meaning: 'one entry', optional: true },
  ],
  options: [
    { flags: '--older-than <age>', meaning: 'purge what was set aside at least this long ago: 30d, 12h, 0s' },
  ],
  local: true,
  examples: [
    ['desk quarantine list', 'what was set aside, and why'],
    ['desk quarantine restore 3f9c1a2b4d5e6f70', 'restores that file under its old name'],
    ['desk quarantine purge --older-than 30d', 'deletes what was set aside 30 days ago or earlier'],
  ],
  async run({ answer, withSource }, { arguments: { action, id }, options }) {
    if (action === 'list' && id !== undefined) throw superfluous(`"${id}"`, 'quarantine list');
    if (action !== 'purge' && options.olderThan !== undefined)
      throw superfluous('--older-than', `quarantine ${action}`);
    const record = await withSource((source) => {
      if (action === 'list') return source.ask(operations.quarantine, {});
      if (action === 'restore') return source.ask(operations.quarantineRestore, { id: entry(id) });
      return source.ask(operations.quarantinePurge, choice(id, options.olderThan));
    });
    return answer(record, show);
  },
};

function entry(id: string | undefined): string {
  if (id === undefined)
    throw usage('Which entry is to be given back?', 'Name it: "desk quarantine list" shows their ids.');
  if (!/^[0-9a-f]{16}$/.test(id))
    throw usage(`"${id}" is not an id of an entry.`, 'It has 16 hex digits: see "desk quarantine list".');
  return id;
}

function choice(id: string | undefined, age: unknown): { id: string } | { older_than_sec: number } {
  if ((id === undefined) === (age === undefined))
    throw usage('What is to be deleted for good?', 'Name an entry, or an age with --older-than 30d.');
  if (id !== undefined) return { id: entry(id) };
  const seconds = durationMs(String(age)) / 1000;
  if (!(seconds <= 4_000_000_000))
    throw usage(`"${age}" is not an age.`, 'Write a number with s, m, h, d, w or y, e.g. --older-than 30d.');
  return { older_than_sec: seconds };
}

const DONE = { list: '', restore: 'given back', purge: 'deleted' } as const;

function show(out: Terminal, { action, folder, files }: QuarantineAnswer): void {
  if (files.length === 0)
    out.line(good(action === 'list' ? 'Nothing is set aside.' : 'Nothing to do.'), dim(`  ${folder}`));
  else
    out.table(
      [
        { title: 'id' },
        { title: 'file' },
        { title: 'set aside' },
        { title: '' },
        { title: 'why', shrink: 'start' },
      ],
      files.map(({ id, name, at, why, state }) => [
        id,
        name || dim('unknown'),
        at || dim('unknown'),
        action !== 'list' ? good(DONE[action]) : state === 'whole' ? '' : warn(state),
        why,
      ]),
    );
}
