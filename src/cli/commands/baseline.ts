import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { contentText } from '../../checks/content.ts';
import type { BaselineTables } from '../../features/baseline/index.ts';
import { baselineDiff, baselineRestore, baselineReview } from '../../operations/baseline.ts';
import { SLOW_MS } from '../../operations/gate.ts';
import { type BaselineDiff, changedRows } from '../../records/baseline-diff.ts';
import { contentWords } from '../../records/finding-words.ts';
import type { Command, Context, Input } from '../command.ts';
import { type ExitCode, exit, Failure, superfluous } from '../failure.ts';

export const baseline: Command = {
  name: 'baseline',
  summary: 'The generations of what was learned: list, compare, look through, go back',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['list', 'diff', 'review', 'restore'] },
    { name: 'generation', meaning: 'a generation by its number', optional: true },
    { name: 'other', meaning: 'diff: the generation to compare it with', optional: true },
  ],
  options: [{ flags: '--done', meaning: 'review: what is listed has been looked through' }],
  examples: [
    ['desk baseline list', 'every generation, and whether its digest verifies'],
    ['desk baseline diff', 'the held generation against what runs now'],
    ['desk baseline diff 1 2', 'two generations'],
    ['desk baseline review', 'what was learned and should be reviewed'],
    ['desk baseline restore 1', 'a new generation with the rows of the first'],
  ],
  local: true,
  run(context, input) {
    const { action = '', generation, other } = input.arguments;
    if (generation !== undefined && (action === 'list' || action === 'review'))
      throw superfluous(`"${generation}"`, `baseline ${action}`);
    if (other !== undefined && action === 'restore') throw superfluous(`"${other}"`, 'baseline restore');
    if (input.options.done === true && action !== 'review') throw superfluous('--done', `baseline ${action}`);
    switch (input.arguments.action) {
      case 'diff':
        return diff(context, input);
      case 'review':
        return review(context, input);
      case 'restore':
        return restore(context, input);
      default:
        return list(context);
    }
  },
};

const number = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure(
    exit.usage,
    `"${text}" is not a generation number.`,
    '',
    'List them with "desk baseline list".',
  );
};

/** Reads the store of the state folder; null when there is none. */
async function read<T>({ stateDir }: Context, look: (baseline: BaselineTables) => T): Promise<T | null> {
  const folder = await stateDir();
  if (!existsSync(join(folder, 'desk.db'))) return null;
  const [{ openStateDir }, { openStore, tablesOf }] = await Promise.all([
    import('../../state-folder/state-folder.ts'),
    import('../../service/tables.ts'),
  ]);
  const store = openStore(openStateDir(folder).path, { recover: false });
  try {
    return look(tablesOf(store).baseline);
  } finally {
    store.close();
  }
}

async function noStore({ stateDir }: Context): Promise<Failure> {
  const where = await stateDir();
  return new Failure(
    exit.findings,
    `There is no store in ${where}.`,
    '',
    'Start the service (desk boot), or set DESK_STATE to its state folder.',
  );
}

async function list(context: Context): Promise<ExitCode> {
  const { out, json, stateDir } = context;
  const held = await read(context, (store) => ({
    window: store.standing().window,
    generations: store.generations().map((one) => ({
      ...one,
      rows: store.rows(one.number).length,
      integrity: one.kept ? (store.verify(one.number)?.state ?? 'unread') : ('let go' as const),
    })),
  }));
  const until = held?.window ? new Date(held.window.untilMs).toISOString() : null;
  if (json)
    out.json({
      window_until: until,
      generations: (held?.generations ?? []).map(({ learnedAt, ...one }) => ({
        ...one,
        learned_at: learnedAt,
      })),
    });
  else if (held === null) out.line(`No store in ${await stateDir()} yet`, dim(' (desk boot makes one).'));
  else {
    out.line(strong('Generations'));
    out.table(
      [
        { title: 'number', align: 'right' },
        { title: '' },
        { title: 'how' },
        { title: 'learned' },
        { title: 'rows', align: 'right' },
        { title: 'digest' },
        { title: 'privilege', shrink: 'start' },
      ],
      held.generations.map(
        ({ authoritative, how, parent, learnedAt, rows, integrity, privilege, ...one }) => [
          one.number,
          authoritative ? good('held') : dim('kept'),
          how === 'restored' ? `restored from ${parent}` : how || dim('empty'),
          learnedAt || dim('never'),
          rows,
          integrity === 'sound' ? good(integrity) : integrity === 'let go' ? dim(integrity) : bad(integrity),
          privilege || dim('none'),
        ],
      ),
    );
    if (until !== null)
      out.line(
        warn('Learning window'),
        ` open until ${until}`,
        dim('  "desk secure learn once" ends it before.'),
      );
  }
  return exit.ok;
}

async function diff(context: Context, { arguments: { generation, other } }: Input): Promise<ExitCode> {
  const { out, json, withSource } = context;
  if (generation === undefined) {
    const record = await withSource((source) => source.ask(baselineDiff, {}));
    if (json) out.json(record);
    else
      showDiff(
        out,
        `A generation ${record.a.generation} against B observation ${record.b.generation}`,
        record,
      );
    return differs(record) ? exit.findings : exit.ok;
  }
  const compared = await read(context, (store) => {
    const from = number(generation);
    const to = other === undefined ? store.standing().baseline.generation : number(other);
    for (const one of [from, to]) mustExist(store, one);
    const { added, gone, changed } = store.compare(from, to);
    return { from, to, added, gone, changed: changedRows(changed) };
  });
  if (compared === null) throw await noStore(context);
  const { from, to, added, gone, changed } = compared;
  if (json) out.json({ from, to, added: added.map(plain), gone: gone.map(plain), changed });
  else showDiff(out, `Generation ${to} against generation ${from}`, compared);
  return differs(compared) ? exit.findings : exit.ok;
}

const differs = ({ added, gone, changed }: Compared): boolean =>
  added.length + gone.length + changed.length > 0;

function mustExist(store: BaselineTables, generation: number): void {
  if (!store.generations().some((one) => one.number === generation))
    throw new Failure(
      exit.findings,
      `There is no generation ${generation}.`,
      '',
      'List them with "desk baseline list".',
    );
}

interface Row {
  readonly kind: string;
  readonly text: string;
}

const plain = ({ kind, text }: Row) => ({ kind, text });

interface Compared extends Pick<BaselineDiff, 'changed'> {
  readonly added: readonly Row[];
  readonly gone: readonly Row[];
}

function showDiff(out: Terminal, title: string, compared: Compared): void {
  const { added, gone, changed } = compared;
  out.line(strong(title), differs(compared) ? '' : dim('  the same'));
  out.table(
    [{ title: '' }, { title: '' }, { title: '', shrink: 'start' }],
    [
      ...added.map(({ kind, text }) => [warn('new'), kind, text]),
      ...gone.map(({ kind, text }) => [dim('gone'), kind, text]),
      ...changed.flatMap(({ kind, text, learned, running }) => [
        [bad('changed content'), kind, text],
        [dim('  old'), '', contentWords(learned)],
        [dim('  new'), '', contentWords(running)],
      ]),
    ],
  );
}

async function review(context: Context, { options: { done } }: Input): Promise<ExitCode> {
  const { out, json, client } = context;
  if (done === true) {
    const record = await (await client()).ask(baselineReview, {});
    if (json) out.json(record);
    else out.line(good('Looked through'), record.rows === 1 ? ' 1 row.' : ` ${record.rows} rows.`);
    return exit.ok;
  }
  const found = await read(context, (store) => store.toReview());
  if (found === null) throw await noStore(context);
  const { generation, rows } = found;
  if (json) out.json({ generation, rows: rows.map(plain) });
  else if (rows.length === 0) out.line(good('Nothing to look through'), dim(`  generation ${generation}`));
  else {
    out.line(strong(`Learned in generation ${generation}, and to be looked through`));
    out.table(
      [{ title: 'kind' }, { title: 'what', shrink: 'start' }, { title: 'content' }],
      rows.map(({ kind, text, contents }) => [kind, text, contents.map(contentText)[0] ?? '']),
    );
    out.line(dim('  When you know them all: desk baseline review --done'));
  }
  return rows.length > 0 ? exit.findings : exit.ok;
}

async function restore(
  { out, json, client }: Context,
  { arguments: { generation } }: Input,
): Promise<ExitCode> {
  if (generation === undefined)
    throw new Failure(
      exit.usage,
      'Say which generation to restore.',
      '',
      'List them with "desk baseline list", then e.g. "desk baseline restore 1".',
    );
  const service = await client({ timeoutMs: SLOW_MS });
  const record = await service.ask(baselineRestore, { generation: number(generation) });
  if (json) out.json(record);
  else
    out.line(
      good('Restored'),
      ` generation ${record.generation} is held now, with the rows of ${generation}.`,
    );
  return exit.ok;
}
