import { asSentence } from '../../base/sentence.ts';
import { bad, dim, good, severityPiece, type Terminal, warn } from '../../base/terminal.ts';
import { groupsOf } from '../../checks/packages.ts';
import type { Command } from '../../desk/command.ts';
import { mostSevereFirst } from '../../policy/severity.ts';
import type { PackagesAnswer } from '../../records/packages.ts';
import { packages as operation } from './operations.ts';

/** Named one by one. */
const MOST_SHOWN = 50;
/** The first comparison reads every file of every package. */
const COMPARING_MS = 1_800_000;

export const packages: Command = {
  name: 'packages',
  summary: 'Compares the files of packages with what their packages recorded',
  options: [{ flags: '--last', meaning: 'what the service found last, without comparing' }],
  local: true,
  examples: [
    ['desk packages', 'compares now: some seconds, the first time as long as it takes to read every file'],
    ['desk packages --last', 'what the service found last'],
  ],
  async run({ answer, withSource }, { options }) {
    const fresh = options.last === true ? 'false' : 'true';
    const record = await withSource((source) => source.ask(operation, { fresh }), {
      timeoutMs: COMPARING_MS,
    });
    return answer(record, show, !record.altered.some(({ severity }) => severity !== 'low'));
  },
};

function show(
  out: Terminal,
  { compared, packages, files, missing, altered, unread, trouble, container }: PackagesAnswer,
): void {
  if (container !== '') out.wrapped(warn('! '), asSentence(container));
  if (compared === null) {
    out.wrapped(warn('! '), 'Nothing was compared yet: desk packages compares now.');
    return;
  }
  if (trouble !== '') {
    out.wrapped(bad('! '), `No package could be compared: ${trouble}.`);
    return;
  }
  const groups = groupsOf(altered);
  if (groups.length > 0)
    out.table(
      [
        { title: 'severity' },
        { title: 'file', shrink: 'end' },
        { title: 'package' },
        { title: 'version', shrink: 'end' },
        { title: 'changed' },
      ],
      groups.slice(0, MOST_SHOWN).map(({ path, files }) => {
        const [first] = mostSevereFirst(files);
        return [
          severityPiece(first?.severity ?? 'low'),
          files.length > 1 ? `${files.length} files in ${path}` : path,
          first?.package ?? '',
          first?.version ?? '',
          dim((first?.changed ?? '').slice(0, 16).replace('T', ' ')),
        ];
      }),
    );
  if (groups.length > MOST_SHOWN)
    out.line(warn('! '), `and ${groups.length - MOST_SHOWN} more: --json lists them`);
  if (altered.length === 0)
    out.line(
      unread.length === 0 && container === ''
        ? good('No file differs from its package.')
        : 'No difference in the files that could be compared.',
    );
  for (const { path, reason } of unread.slice(0, MOST_SHOWN))
    out.wrapped(warn('! '), `not compared: ${path} (${reason})`);
  if (unread.length > MOST_SHOWN)
    out.line(warn('! '), `and ${unread.length - MOST_SHOWN} more: --json lists them`);
  out.line(dim(`${files} files of ${packages} packages, ${missing} of them not there; compared ${compared}`));
}
