import { resolve } from 'node:path';
import { bad, dim, good, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import { type ExitCode, exit, superfluous, usage } from '../../desk/failure.ts';
import type { LawRule } from '../../features/law/index.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { type FoundLaw, findLaw } from '../found-law.ts';

export const law: CliCommand = {
  name: 'law',
  summary: 'The law: show the rules in force, check its files, diff against the default law',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['show', 'check', 'diff'] },
    { name: 'file', meaning: 'check: this file instead of those in use', optional: true },
  ],
  options: [{ flags: '--default', meaning: 'show: the default law as a commented file' }],
  examples: [
    ['desk law show', 'every rule, with its source and its end'],
    ['desk law show --default', 'the default law.toml, as a starting point'],
    ['desk law check ./law.toml', 'everything that is wrong with a file, each with its line'],
    ['desk law diff', 'what differs from the default law, accepted findings included'],
  ],
  async run(context, { arguments: { action, file }, options }) {
    if (file !== undefined && action !== 'check') throw superfluous(`"${file}"`, `law ${action}`);
    if (options.default === true && action !== 'show') throw superfluous('--default', `law ${action}`);
    if (action === 'check') return check(context, file);
    return options.default === true ? showDefault(context) : show(context, action === 'diff');
  },
};

async function showDefault({ answer }: CliContext): Promise<ExitCode> {
  const { defaultLawText } = await import('../../features/law/index.ts');
  return answer({ text: defaultLawText() }, (out, { text }) => {
    for (const line of text.trimEnd().split('\n')) out.line(line);
  });
}

async function check(context: CliContext, file: string | undefined): Promise<ExitCode> {
  const { out, err, json } = context;
  const { describeProblems } = await import('../../config/document.ts');
  const checked = file === undefined ? await findLaw(context) : await findOne(context, resolve(file));
  const paths = [checked.lawPath, checked.acceptedPath].filter((path) => path !== null);
  const ok = checked.refused.length === 0;
  if (json) out.json({ ok, paths, refused: checked.refused });
  else if (ok) {
    for (const path of paths) out.line(good('ok'), `  ${path}`);
    if (paths.length === 0) out.line(good('ok'), '  no file, the default law applies');
  } else
    for (const refused of checked.refused) {
      err.line(bad(`Problems: ${refused.problems.length}`), ` in ${refused.path}`);
      for (const problem of describeProblems(refused)) err.wrapped('  ', problem);
    }
  return ok ? exit.ok : exit.usage;
}

/** A file that is not in use must exist. */
async function findOne({ config }: CliContext, path: string): Promise<Omit<FoundLaw, 'files'>> {
  const { loadLaw } = await import('../../features/law/index.ts');
  const { config: settings } = await config();
  const user = loadLaw([path], settings, 'does not exist');
  return { lawPath: path, acceptedPath: null, refused: user.ok ? [] : [user] };
}

async function show(context: CliContext, changedOnly: boolean): Promise<ExitCode> {
  const [{ lawOf, rulesOf }, { describeProblems }] = await Promise.all([
    import('../../features/law/index.ts'),
    import('../../config/document.ts'),
  ]);
  const { files, lawPath, acceptedPath, refused } = await findLaw(context);
  if (refused.length > 0)
    throw usage(
      'The law cannot be shown: a file of it is refused.',
      'Correct it, then try "desk law check". A running service uses the previous version of the file.',
      refused.flatMap(describeProblems).join('\n'),
    );
  const { config } = await context.config();
  const all = rulesOf(config, files, Date.now());
  const rules = changedOnly ? all.filter(({ instead }) => instead !== null) : all;
  const { version } = lawOf(config, files);
  return context.answer({ version, law: lawPath, accepted: acceptedPath, rules }, (out) => {
    out.line(strong('The law'), ` ${version}`, dim(`  ${lawPath ?? 'no law.toml, the default law applies'}`));
    if (rules.length === 0) out.line(good('  Nothing differs from the default law.'));
    else print(out, rules, changedOnly);
  });
}

const TITLES: Readonly<Record<LawRule['kind'], string>> = {
  threshold: 'Thresholds',
  learning: 'Learning',
  banned: 'Banned',
  egress: 'Egress',
  listen: 'Allowed listeners',
  except: 'Exceptions',
  benign: 'Benign causes',
};

const statePiece = ({ state, expires }: LawRule): Piece => {
  if (state === 'ended') return warn(`ended ${expires}`);
  if (state === 'off') return warn('off');
  return dim(expires === null ? '' : `until ${expires}`);
};

function print(out: Terminal, rules: readonly LawRule[], changedOnly: boolean): void {
  for (const [kind, title] of Object.entries(TITLES)) {
    const own = rules.filter((rule) => rule.kind === kind);
    if (own.length === 0) continue;
    out.line(strong(title));
    out.table(
      [{ title: '', shrink: 'start' }, { title: '' }, { title: '' }, { title: '', shrink: 'start' }],
      own.map((rule) => [
        rule.rule,
        dim(changedOnly && rule.instead ? `instead of ${rule.instead}` : rule.source),
        statePiece(rule),
        rule.why,
      ]),
    );
  }
}
