import { dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import * as operations from '../../operations/accept.ts';
import { finding } from '../../operations/findings.ts';
import type { AcceptedList } from '../../records/accepted.ts';
import type { FindingDetail } from '../../records/finding-detail.ts';
import type { Command, Context } from '../command.ts';
import { type ExitCode, exit, Failure } from '../failure.ts';

type Covers = FindingDetail['accept']['covers'];
type Entry = AcceptedList['entries'][number];

export const accept: Command = {
  name: 'accept',
  summary: 'Accepts a finding, and what is exactly like it, for a reason that is written down',
  arguments: [{ name: 'id', meaning: 'the finding', optional: true }],
  options: [
    { flags: '--why <reason>', meaning: 'the reason, kept with it' },
    { flags: '--expires <time>', meaning: 'RFC 3339 time after which it counts again' },
    { flags: '--accepts <id>', meaning: 'only while it covers what "desk findings ID" showed with this id' },
    { flags: '--yes', meaning: 'do not ask on a terminal; without one nothing is asked' },
    { flags: '--list', meaning: 'what was accepted, and what each covers' },
    { flags: '--undo <id>', meaning: 'take something accepted back, by its id in the list' },
  ],
  examples: [
    ['desk accept 3f9c1a2b4d5e6f70 --why "our build server"', 'says what that covers, and asks'],
    [
      'desk accept 3f9c1a2b4d5e6f70 --why "until the move" --expires 2027-01-31T08:00:00+01:00',
      'it counts again after that time',
    ],
    ['desk accept --list', 'everything that was accepted'],
    ['desk accept --undo 0011223344aa', 'it counts again at once'],
  ],
  async run(context, { arguments: { id }, options: { why, expires, yes, list, undo, accepts } }) {
    const asked = [id, list === true ? '--list' : undefined, undo].filter((one) => one !== undefined);
    if (asked.length !== 1)
      throw new Failure(
        exit.usage,
        'Give the id of a finding, or --list, or --undo ID.',
        '',
        'See the findings with "desk findings".',
      );
    if (list === true) return listAccepted(context);
    if (typeof undo === 'string') return takeBack(context, undo);
    if (typeof why !== 'string')
      throw new Failure(exit.usage, 'A reason is needed.', '', 'Give it with --why "REASON".');
    const client = await context.client();
    const shown = await client.ask(finding, { id: id ?? '' });
    if (!(await isAgreed(context, shown, yes === true))) return exit.refused;
    const record = await client.ask(operations.accept, {
      finding: id ?? '',
      accepts: typeof accepts === 'string' ? accepts : shown.accept.id,
      why,
      ...(typeof expires === 'string' && { expires }),
    });
    const { out } = context;
    if (context.json) out.json(record);
    else {
      if (record.effect === 'spared')
        out.line(warn('Spared'), ` ${id}: it will not be shut down, and stays open: nothing excuses it.`);
      else out.line(good('Accepted'), ` ${id}.`);
      out.line(dim(`  To take it back: desk accept --undo ${record.id}`));
    }
    return exit.ok;
  },
};

/** Says what accepting would cover before anything is written; on a terminal a person agrees to it. */
async function isAgreed(
  { out, json, ask }: Context,
  { finding, accept: acceptance }: FindingDetail,
  yes: boolean,
): Promise<boolean> {
  if (json) return true;
  // Then the service says why it cannot be accepted.
  if (acceptance.effect === 'never') return true;
  out.wrapped(strong('Accepting covers '), 'findings that all of this is true of:');
  showCovers(out, acceptance.covers);
  if (finding.members.count > 1)
    out.line(dim(`  That are ${finding.members.count} processes now, and those to come.`));
  if (yes || ask === undefined) return true;
  if (await ask('Accept that? [y/N] ')) return true;
  out.line('Nothing was accepted.');
  return false;
}

function showCovers(out: Terminal, covers: Covers): void {
  for (const { key, value } of covers) out.wrapped(dim(`  ${key.padEnd(18)}`), value);
}

async function listAccepted({ out, json, client }: Context): Promise<ExitCode> {
  const record = await (await client()).ask(operations.accepted, {});
  if (json) out.json(record);
  else {
    if (record.entries.length === 0) out.line('Nothing is accepted.');
    for (const entry of record.entries) showEntry(out, entry);
  }
  return exit.ok;
}

function showEntry(out: Terminal, { id, covers, why, expires, accepted }: Entry): void {
  const since = accepted === null ? '' : `  since ${accepted}`;
  out.line(strong(id), dim(`${since}${expires === null ? '' : `  until ${expires}`}`));
  out.wrapped(dim('  why               '), why);
  showCovers(out, covers);
}

async function takeBack({ out, json, client }: Context, id: string): Promise<ExitCode> {
  const record = await (await client()).ask(operations.acceptUndo, { id });
  if (json) out.json(record);
  else {
    out.line(good('Taken back'), ` ${id}: it covers nothing any more.`);
    showCovers(out, record.entry.covers);
  }
  return exit.ok;
}
