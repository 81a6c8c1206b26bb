import { plural } from '../../base/plural.ts';
import { asSentence } from '../../base/sentence.ts';
import { dim, good, severityPiece, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { timeSince } from '../../desk/since.ts';
import { alike } from '../../records/finding-words.ts';
import type { StartupAnswer } from '../../records/startup.ts';
import { vouchedWords } from '../../records/startup-words.ts';
import { startup as operation } from './operations.ts';

/** Places that could not be read which are named one by one. */
const MOST_UNREAD = 10;
/** Of what is alike, where not all is listed. */
const MOST_ALIKE = 5;
/** It walks over every file system. */
const WALK_MS = 300_000;

export const startup: Command = {
  name: 'startup',
  summary: 'Lists what this machine starts by itself, and who vouches for it',
  options: [
    { flags: '--all', meaning: 'every entry, also what is as its package has it' },
    { flags: '--user <name>', meaning: 'only what runs as this user, or as each user' },
    { flags: '--place <id>', meaning: 'only this kind of place, e.g. crontab or systemd-unit' },
    {
      flags: '--since <time>',
      meaning: 'only of files that changed since then: today, yesterday, 2h, or a date and time',
    },
  ],
  local: true,
  examples: [
    ['desk startup', 'what no package vouches for: how much of each kind, and what is worth a look'],
    ['desk startup --place crontab', 'each entry of one kind of place'],
    ['desk startup --since yesterday', 'each entry of files that changed since yesterday'],
    ['desk startup --user root --all', 'everything that runs as root, or as each user'],
  ],
  async run({ answer, withSource }, { options }) {
    const filtered = [options.user, options.place, options.since].some((one) => one !== undefined);
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
    const asked = options.all === true ? 'all' : 'unvouched';
    return answer(record, (out, found) => show(out, found, asked, asked === 'unvouched' && !filtered));
  },
};

type Entry = StartupAnswer['entries'][number];
type Asked = 'unvouched' | 'all';

/** Anything else is usual: links to files of packages, copies of them, what their scripts write, other entries that are low. */
const isNotable = ({ severity, vouched, findings }: Entry): boolean =>
  severity !== 'low' || vouched === 'changed' || findings.length > 0;

/** How many entries there are of each kind of place, by what vouches for them. */
function showCounts(out: Terminal, entries: readonly Entry[]): void {
  const words = ['no package', 'changed', 'copy', 'link'];
  out.line(strong(`${plural(entries.length, 'entry', 'entries')} that no package vouches for`));
  out.table(
    [
      { title: 'place' },
      ...words.map((title) => ({ title, align: 'right' as const })),
      { title: 'what it is', shrink: 'start' },
    ],
    alike(entries, ({ place }) => place).map((same) => [
      same[0].place,
      ...words.map((word) => same.filter((one) => vouchedWords(one, 'unvouched').word === word).length || ''),
      same[0].title,
    ]),
  );
  out.line();
}

/** Entries that differ only in what runs and where that is written. */
function showAlike(out: Terminal, all: readonly [Entry, ...Entry[]], asked: Asked, brief: boolean): void {
  const [first] = all;
  const listed = brief ? all.slice(0, MOST_ALIKE) : all;
  const { style, text } = severityPiece(first.severity);
  const lead = { style, text: `  ${text.padEnd(8)}  ` };
  out.wrapped(lead, `${first.title}, as ${first.user}, ${first.when}`);
  for (const entry of listed) {
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
  const left = all.length - listed.length;
  if (left > 0) out.line(dim(`    and ${left} more: desk startup --place ${first.place}`));
}

/** `brief`: counts, and only what is worth a look. */
function show(
  out: Terminal,
  { entries, packaged, files, unread, packages, container }: StartupAnswer,
  asked: Asked,
  brief: boolean,
): void {
  const listed = brief ? entries.filter(isNotable) : entries;
  if (brief && entries.length > 0) showCounts(out, entries);
  if (brief && listed.length > 0)
    out.line(strong('Worth a look'), dim('  not usual, changed, or with a finding'));
  const key = ({ severity, title, user, when }: Entry) => JSON.stringify([severity, title, user, when]);
  for (const group of alike(listed, key)) showAlike(out, group, asked, brief);
  if (listed.length > 0) out.line();
  else if (unread.length > 0 || packages !== '' || container !== '') {
    const what = entries.length > 0 ? 'None of them is worth a look' : 'Nothing was found';
    out.line(warn(`${what}, but not everything could be read.`));
  } else if (entries.length > 0) out.line(good('None of them is worth a look: all are usual.'));
  else out.line(good('Nothing here that a package does not vouch for.'));
  const left = entries.length - listed.length;
  if (left > 0) out.line(dim(`${left} more are usual: --place PLACE lists those of one kind.`));
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
