import {
  bad,
  dim,
  good,
  type Piece,
  severityPiece,
  strong,
  type Terminal,
  warn,
} from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { timeSince } from '../../desk/since.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import { startup as operation } from './operations.ts';

/** Places that could not be read which are named one by one. */
const MOST_UNREAD = 10;

export const startup: Command = {
  name: 'startup',
  summary: 'Lists what this machine starts by itself, and who vouches for it',
  options: [
    { flags: '--all', meaning: 'also what is as its package has it' },
    { flags: '--user <name>', meaning: 'only what runs as this user' },
    { flags: '--place <id>', meaning: 'only this kind of place, e.g. crontab or systemd-unit' },
    {
      flags: '--since <time>',
      meaning: 'only of files that changed since then: today, yesterday, 2h, or a date and time',
    },
  ],
  local: true,
  examples: [
    ['desk startup', 'what starts by itself and no package vouches for'],
    ['desk startup --since yesterday', 'the same of files that changed since yesterday'],
    ['desk startup --user root --all', 'everything that runs as root'],
  ],
  async run({ answer, withSource }, { options }) {
    const since = typeof options.since === 'string' ? timeSince(options.since) : null;
    const record = await withSource((source) =>
      source.ask(operation, {
        show: options.all === true ? 'all' : 'unvouched',
        ...(typeof options.user === 'string' && { user: options.user }),
        ...(typeof options.place === 'string' && { place: options.place }),
        ...(since !== null && { since: new Date(since).toISOString() }),
      }),
    );
    return answer(record, show);
  },
};

function vouchedPiece({ vouched, package: by }: StartupAnswer['entries'][number]): Piece {
  switch (vouched) {
    case 'package':
      return good(by);
    case 'earlier':
      return good(`${by} earlier`.trim());
    case 'copy':
      return dim(`a copy from ${by}`);
    case 'changed':
      return bad(`not as in ${by}`);
    case 'none':
      return warn('no package');
  }
}

function show(out: Terminal, { entries, packaged, files, unread, packages }: StartupAnswer): void {
  if (entries.length > 0)
    out.table(
      [
        { title: 'severity' },
        { title: 'place' },
        { title: 'file', shrink: 'end' },
        { title: 'user' },
        { title: 'runs', shrink: 'start' },
        { title: 'vouched for by' },
        { title: 'changed' },
      ],
      entries.map((entry) => [
        severityPiece(entry.severity),
        entry.place,
        entry.path,
        entry.user,
        strong(entry.runs),
        vouchedPiece(entry),
        dim(entry.changed.slice(0, 16).replace('T', ' ')),
      ]),
    );
  else if (unread.length > 0 || packages !== '')
    out.line(warn('Nothing was found, but not everything could be read.'));
  else out.line(good('Nothing here that a package does not vouch for.'));
  if (packaged > 0) out.line(dim(`For ${packaged} more a package vouches: --all lists them.`));
  if (packages !== '') out.wrapped(warn('! '), `Packages do not vouch for all files: ${packages}.`);
  // Several kinds of places are in one folder.
  const unseen = [...new Set(unread.map(({ path, reason }) => `${path} (${reason})`))];
  for (const one of unseen.slice(0, MOST_UNREAD)) out.wrapped(warn('! '), `not read: ${one}`);
  if (unseen.length > MOST_UNREAD)
    out.line(warn('! '), `and ${unseen.length - MOST_UNREAD} more: --json lists them`);
  out.line(dim(`${files} files`));
}
