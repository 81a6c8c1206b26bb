import { dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { exit, usage } from '../../desk/failure.ts';
import * as operations from '../../features/law/operations.ts';
import { finding } from '../../operations/findings.ts';
import type { AcceptedList } from '../../records/accepted.ts';
import type { FindingDetail } from '../../records/finding-detail.ts';
import type { CliCommand, CliContext } from '../command.ts';

type Covers = FindingDetail['accept']['covers'];

export const accept: CliCommand = {
  name: 'accept',
  summary: 'Accepts a finding, and what is exactly like it, for a reason that is written down',
  arguments: [{ name: 'id', meaning: 'the finding', optional: true }],
  options: [
    { flags: '--why <reason>', meaning: 'the reason, kept with it' },
    { flags: '--expires <time>', meaning: 'RFC 3339 time after which it counts again' },
    { flags: '--accepts <id>', meaning: 'only while it covers what "desk findings ID" showed with this id' },
    { flags: '--yes', meaning: 'do not ask on a terminal; without one nothing is asked' },
    { flags: '--list', meaning: 'what was accepted, and what each covers' },
    { flags: '--undo <id>', meaning: 'remove an accepted entry, by its id in the list' },
  ],
  examples: [
    ['desk accept 3f9c1a2b4d5e6f70 --why "our build server"', 'shows what that covers, and asks'],
    [
      'desk accept 3f9c1a2b4d5e6f70 --why "until the move" --expires 2027-01-31T08:00:00+01:00',
      'it counts again after that time',
    ],
    ['desk accept --list', 'everything that was accepted'],
    ['desk accept --undo 0011223344aa', 'it counts again at once'],
  ],
  async run(context, { arguments: { id }, options: { why, expires, yes, list, undo, accepts } }) {
    if ([id, list || undefined, undo].filter((one) => one !== undefined).length !== 1)
      throw usage(
        'Give the id of a finding, or --list, or --undo ID.',
        'See the findings with "desk findings".',
      );
    if (id !== undefined && typeof why !== 'string')
      throw usage('A reason is needed.', 'Give it with --why "REASON".');
    const client = await context.client();
    if (list === true) return context.answer(await client.ask(operations.accepted, {}), showList);
    if (typeof undo === 'string')
      return context.answer(await client.ask(operations.acceptUndo, { id: undo }), (out, { entry }) => {
        out.line(good('Taken back'), ` ${undo}: it covers nothing any more.`);
        showCovers(out, entry.covers);
      });
    const shown = await client.ask(finding, { id: id ?? '' });
    if (!(await isAgreed(context, shown, yes === true))) return exit.refused;
    const record = await client.ask(operations.accept, {
      finding: id ?? '',
      accepts: typeof accepts === 'string' ? accepts : shown.accept.id,
      why: String(why),
      ...(typeof expires === 'string' && { expires }),
    });
    return context.answer(record, (out) => {
      if (record.effect === 'spared')
        out.line(warn('Exempt'), ` ${id}: it will not be shut down; the finding stays open.`);
      else out.line(good('Accepted'), ` ${id}.`);
      out.line(dim(`  To take it back: desk accept --undo ${record.id}`));
    });
  },
};

/** Says what accepting would cover before anything is written; on a terminal a person agrees to it. */
async function isAgreed(
  { out, json, ask }: CliContext,
  { finding, accept: { effect, covers } }: FindingDetail,
  yes: boolean,
): Promise<boolean> {
  // With `never` the service says why it cannot be accepted.
  if (json || effect === 'never') return true;
  out.wrapped(strong('Accepting covers '), 'findings with all of these:');
  showCovers(out, covers);
  if (finding.members.count > 1)
    out.line(dim(`  These are ${finding.members.count} processes now, and later ones like them.`));
  if (yes || ask === undefined || (await ask('Accept that? [y/N] '))) return true;
  out.line('Nothing was accepted.');
  return false;
}

function showCovers(out: Terminal, covers: Covers): void {
  for (const { key, value } of covers) out.wrapped(dim(`  ${key.padEnd(18)}`), value);
}

function showList(out: Terminal, { entries }: AcceptedList): void {
  if (entries.length === 0) out.line('Nothing is accepted.');
  for (const { id, covers, why, expires, accepted } of entries) {
    const since = accepted === null ? '' : `  since ${accepted}`;
    out.line(strong(id), dim(`${since}${expires === null ? '' : `  until ${expires}`}`));
    out.wrapped(dim('  why               '), why);
    showCovers(out, covers);
  }
}
