import { asSentence } from '../../base/sentence.ts';
import { dim, good, severityPiece, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { timeSince } from '../../desk/since.ts';
import { alike } from '../../records/finding-words.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import { vouchedWords } from '../../records/startup-words.ts';
import { startup as operation } from './operations.ts';

/** Places that could not be read which are named one by one. */
const MOST_UNREAD = 10;
/** It walks over every file system. */
const WALK_MS = 300_000;

export const startup: Command = {
  name: 'startup',
  summary: 'Lists what this machine starts by itself, and who vouches for it',
  options: [
    { flags: '--all', meaning: 'also what is as its package has it' },
    { flags: '--user <name>', meaning: 'only what runs as this user, or as each user' },
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
    ['desk startup --user root --all', 'everything that runs as root, or as each user'],
  ],
  async run({ answer, withSource }, { options }) {
    const since = typeof options.since === 'string' ? timeSince(options.since) : null;
    const record = await withSource(
      (source) =>
        source.ask(operation, {
          show: options.all === true ? 'all' : 'unvouched',
          ...(typeof options.user === 'string' && { user: options.user }),
          ...(typeof options.place === 'string' && { place: options.place }),
          ...(since !== null && { since: new Date(since).toISOString() }),
        }),
      { timeoutMs: WALK_MS },
    );
    return answer(record, (out, found) => show(out, found, options.all === true ? 'all' : 'unvouched'));
  },
};

type Entry = StartupAnswer['entries'][number];
type Asked = 'unvouched' | 'all';

/** Entries that differ only in what runs and where that is written. */
function showAlike(out: Terminal, [first, ...more]: readonly [Entry, ...Entry[]], asked: Asked): void {
  const { style, text } = severityPiece(first.severity);
  const lead = { style, text: `  ${text.padEnd(8)}  ` };
  out.wrapped(lead, `${first.title}, as ${first.user}, ${first.when}`);
  for (const entry of [first, ...more]) {
    const { runs, path, link, changed } = entry;
    const { word, more: of } = vouchedWords(entry, asked);
    const file = `${runs === path ? '' : path}${link === '' ? '' : ` → ${link}`}`.trim();
    const voucher = `${word} ${of}`.trim();
    out.wrapped('    ', runs);
    out.wrapped(
      '      ',
      [file, voucher, changed.slice(0, 16).replace('T', ' ')].filter((part) => part !== '').join('; '),
    );
  }
}

function show(
  out: Terminal,
  { entries, packaged, files, unread, packages, container }: StartupAnswer,
  asked: Asked,
): void {
  const key = ({ severity, title, user, when }: Entry) => JSON.stringify([severity, title, user, when]);
  for (const group of alike(entries, key)) showAlike(out, group, asked);
  if (entries.length > 0) out.line();
  else if (unread.length > 0 || packages !== '' || container !== '')
    out.line(warn('Nothing was found, but not everything could be read.'));
  else out.line(good('Nothing here that a package does not vouch for.'));
  if (packaged > 0) out.line(dim(`For ${packaged} more a package vouches: --all lists them.`));
  if (container !== '') out.wrapped(warn('! '), asSentence(container));
  if (packages !== '') out.wrapped(warn('! '), `Packages do not vouch for all files: ${packages}.`);
  // Several kinds of places are in one folder.
  const unseen = [...new Set(unread.map(({ path, reason }) => `${path} (${reason})`))];
  for (const one of unseen.slice(0, MOST_UNREAD)) out.wrapped(warn('! '), `not read: ${one}`);
  if (unseen.length > MOST_UNREAD)
    out.line(warn('! '), `and ${unseen.length - MOST_UNREAD} more: --json lists them`);
  out.line(dim(`${files} files were read.`));
}
