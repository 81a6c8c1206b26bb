/** The answer about changes as the command prints it. */
import { dim, good, severityPiece, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Diff, DiffGroup } from '../../records/diff.ts';
import {
  countsText,
  detailOf,
  eventWord,
  GROUP_TITLES,
  shortTime,
  split,
  unknownOf,
} from '../../records/diff-words.ts';

/** Columns from which ids of findings leave enough room for their titles. */
const WIDE = 110;
/** Lines of a group. */
const MOST_LINES = 20;

export function showDiff(out: Terminal, record: Diff): void {
  const { since, until, booted } = record;
  out.line(strong(`${shortTime(since)} to ${shortTime(until)}`));
  if (booted !== null) out.line(`The machine started at ${shortTime(booted)}.`);
  const { shown, quiet } = split(record);
  for (const group of shown) showGroup(out, group, since);
  if (quiet.length === 0) return;
  out.line();
  const names = quiet.map(({ id }) => GROUP_TITLES[id].toLowerCase()).join(', ');
  if (shown.length === 0) out.line(good('Nothing has changed.'));
  else out.wrapped(dim('Nothing has changed of: '), names);
}

/** It happened between the two times. */
const afterText = ({ from, event }: Diff['groups'][number]['changes'][number]): string =>
  from === null ? '' : `${event === 'off' ? 'since' : 'after'} ${shortTime(from).slice(5)}: `;

function showGroup(out: Terminal, group: DiffGroup, since: string): void {
  const { id, changes, left_out: leftOut } = group;
  const counts = countsText(group);
  out.line();
  out.line(strong(GROUP_TITLES[id]), `  ${counts === '' ? 'none seen' : counts}`);
  out.table(
    [
      { title: '' },
      { title: '' },
      { title: '' },
      { title: '', shrink: 'start' },
      { title: '', shrink: 'start' },
    ],
    changes
      .slice(0, MOST_LINES)
      .map((one) => [
        shortTime(one.at).slice(5),
        `${eventWord(id, one.event)}${one.times > 2 ? ` ${one.times}×` : ''}`,
        one.severity === null ? '' : severityPiece(one.severity),
        one.name,
        one.finding === '' ? `${afterText(one)}${detailOf(one)}` : dim(out.width < WIDE ? '' : one.finding),
      ]),
  );
  const more = Math.max(0, changes.length - MOST_LINES) + leftOut;
  if (more > 0) out.line(dim(`  and ${more} more: desk diff --json`));
  if (id === 'findings' && changes.length > 0 && out.width < WIDE)
    out.line(dim('  With their ids: desk diff --json'));
  const unknown = unknownOf(group, since);
  if (unknown !== '') out.wrapped(warn('  ! '), unknown);
}
