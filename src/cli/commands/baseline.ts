import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { contentText } from '../../checks/content.ts';
import { type ExitCode, exit, Failure, superfluous, usage } from '../../desk/failure.ts';
import type { BaselineTables } from '../../features/baseline/index.ts';
import { baselineDiff, baselineRestore, baselineReview } from '../../features/baseline/operations.ts';
import { SLOW_MS } from '../../features/gate/operations.ts';
import { type BaselineDiff, changedRows } from '../../records/baseline-diff.ts';
import { contentWords } from '../../records/finding-words.ts';
import type { CliCommand, CliContext } from '../command.ts';

const LIST_THEM = 'List them with "desk baseline list".';

export const baseline: CliCommand = {
  name: 'baseline',
  summary: 'The generations of what was learned: list, compare, review, go back',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['list', 'diff', 'review', 'restore'] },
    { name: 'generation', meaning: 'a generation by its number', optional: true },
    { name: 'other', meaning: 'diff: the generation to compare it with', optional: true },
  ],
  options: [{ flags: '--done', meaning: 'review: what is listed has been reviewed' }],
  examples: [
    ['desk baseline list', 'every generation, and whether its digest verifies'],
    ['desk baseline diff', 'the held generation against what runs now'],
    ['desk baseline diff 1 2', 'two generations'],
    ['desk baseline review', 'what was learned and should be reviewed'],
    ['desk baseline restore 1', 'a new generation with the rows of the first'],
  ],
  local: true,
  async run(context, { arguments: { action = '', generation, other }, options: { done } }) {
    if (generation !== undefined && (action === 'list' || action === 'review'))
      throw superfluous(`"${generation}"`, `baseline ${action}`);
    if (other !== undefined && action === 'restore') throw superfluous(`"${other}"`, 'baseline restore');
    if (done === true && action !== 'review') throw superfluous('--done', `baseline ${action}`);
    if (action === 'diff')
      return generation === undefined ? diffNow(context) : diff(context, generation, other);
    if (action === 'review') return done === true ? reviewed(context) : review(context);
    return action === 'restore' ? restore(context, generation) : list(context);
  },
};

function number(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a generation number.`, LIST_THEM);
}

interface Generations {
  readonly window: { readonly untilMs: number } | null;
  readonly generations: readonly (ReturnType<BaselineTables['generations']>[number] & {
    readonly rows: number;
    readonly integrity: string;
  })[];
}

async function list({ out, json, serviceDir, withStore }: CliContext): Promise<ExitCode> {
  const held = await withStore<Generations | null>(
    ({ baseline: store }) => ({
      window: store.state().window,
      generations: store.generations().map((one) => ({
        ...one,
        rows: store.rows(one.number).length,
        integrity: one.kept ? (store.verify(one.number)?.state ?? 'unread') : 'let go',
      })),
    }),
    null,
  );
  const until = held?.window ? new Date(held.window.untilMs).toISOString() : null;
  if (json) {
    const generations = held?.generations ?? [];
    out.json({
      window_until: until,
      generations: generations.map(({ learnedAt, ...one }) => ({ ...one, learned_at: learnedAt })),
    });
    return exit.ok;
  }
  if (held === null) {
    out.line(`No store in ${await serviceDir()} yet`, dim(' (desk boot makes one).'));
    return exit.ok;
  }
  out.line(strong('Generations'), dim('  the versions of the list of known programs and listeners'));
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
    held.generations.map(({ authoritative, how, parent, learnedAt, rows, integrity, privilege, ...one }) => [
      one.number,
      authoritative ? good('held') : dim('kept'),
      how === 'restored' ? `restored from ${parent}` : how || dim('empty'),
      learnedAt || dim('never'),
      rows,
      (integrity === 'sound' ? good : integrity === 'let go' ? dim : bad)(integrity),
      privilege || dim('none'),
    ]),
  );
  if (until !== null)
    out.line(
      warn('Learning window'),
      ` open until ${until}`,
      dim('  "desk secure learn once" ends it before.'),
    );
  return exit.ok;
}

interface Row {
  readonly kind: string;
  readonly text: string;
}

interface Compared extends Pick<BaselineDiff, 'changed'> {
  readonly added: readonly Row[];
  readonly gone: readonly Row[];
}

const differs = ({ added, gone, changed }: Compared): boolean =>
  added.length + gone.length + changed.length > 0;

/** The held generation and what runs now. */
async function diffNow({ withSource, answer }: CliContext): Promise<ExitCode> {
  const record = await withSource((source) => source.ask(baselineDiff, {}));
  const title = `A generation ${record.a.generation} against B observation ${record.b.generation}`;
  return answer(record, (out) => showDiff(out, title, record), !differs(record));
}

/** Two generations; `other` is the held one by default. */
async function diff(context: CliContext, generation: string, other: string | undefined): Promise<ExitCode> {
  const record = await context.withStore(({ baseline: store }) => {
    const from = number(generation);
    const to = other === undefined ? store.state().baseline.generation : number(other);
    const known = store.generations().map((one) => one.number);
    for (const one of [from, to])
      if (!known.includes(one))
        throw new Failure(exit.findings, `There is no generation ${one}.`, '', LIST_THEM);
    const { added, gone, changed } = store.compare(from, to);
    return { from, to, added: added.map(plain), gone: gone.map(plain), changed: changedRows(changed) };
  });
  const title = `Generation ${record.to} against generation ${record.from}`;
  return context.answer(record, (out) => showDiff(out, title, record), !differs(record));
}

const plain = ({ kind, text }: Row): Row => ({ kind, text });

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

async function reviewed({ client, answer }: CliContext): Promise<ExitCode> {
  const record = await (await client()).ask(baselineReview, {});
  return answer(record, (out, { rows }) =>
    out.line(good('Reviewed'), rows === 1 ? ' 1 row.' : ` ${rows} rows.`),
  );
}

async function review({ withStore, answer }: CliContext): Promise<ExitCode> {
  const { generation, rows } = await withStore(({ baseline: store }) => store.toReview());
  const print = (out: Terminal): void => {
    if (rows.length === 0) {
      out.line(good('Nothing to review'), dim(`  generation ${generation}`));
      return;
    }
    out.line(strong(`Learned in generation ${generation}, to be reviewed`));
    out.table(
      [{ title: 'kind' }, { title: 'what', shrink: 'start' }, { title: 'content' }],
      rows.map(({ kind, text, contents }) => [kind, text, contents.map(contentText)[0] ?? '']),
    );
    out.line(dim('  When you know them all: desk baseline review --done'));
  };
  return answer({ generation, rows: rows.map(plain) }, print, rows.length === 0);
}

async function restore({ client, answer }: CliContext, generation: string | undefined): Promise<ExitCode> {
  if (generation === undefined)
    throw usage(
      'Say which generation to restore.',
      'List them with "desk baseline list", then e.g. "desk baseline restore 1".',
    );
  const service = await client({ timeoutMs: SLOW_MS });
  const record = await service.ask(baselineRestore, { generation: number(generation) });
  return answer(record, (out) =>
    out.line(
      good('Restored'),
      ` generation ${record.generation} is held now, with the rows of ${generation}.`,
    ),
  );
}
