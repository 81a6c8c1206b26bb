import { existsSync, realpathSync } from 'node:fs';
import { dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { FALLBACK_OFFICE_PORT } from '../../config/schema.ts';
import { type ExitCode, exit, superfluous, usage, wholeNumber } from '../../desk/failure.ts';
import type { InstallPlan, InstallWishes } from '../../install/install.ts';
import type { Places } from '../../install/places.ts';
import type { CliCommand, CliContext } from '../command.ts';

export const install: CliCommand = {
  name: 'install',
  summary:
    'Installs the desk as a systemd service: shows the unit and what would be done, and does it with --yes',
  options: [
    { flags: '--yes', meaning: 'write the files and start the service; without it nothing is changed' },
    { flags: '--user', meaning: 'a service of your own, without root: it sees your own processes' },
    {
      flags: '--account <name>',
      meaning: 'run it as this account (default: that of the unit that is there, else desk, which is made)',
    },
    {
      flags: '--office-port <n>',
      meaning: `port of the office in a new configuration (default: ${FALLBACK_OFFICE_PORT})`,
    },
    {
      flags: '--password-file <path>',
      meaning:
        'file with the mail password, passed as a credential of systemd (default: that of the unit that is there)',
    },
  ],
  examples: [
    ['desk install', 'what would be written and run'],
    ['desk install --yes', 'for the whole machine, as root; again for an upgrade'],
    ['desk install --user --yes', 'for your user only'],
  ],
  async run(context, { options }) {
    const [{ placesOf }, { onlySystemPrograms }] = await Promise.all([
      import('../../install/places.ts'),
      import('../../install/programs.ts'),
    ]);
    const user = options.user === true;
    if (user && options.account !== undefined) throw superfluous('--account', 'install --user');
    const places = placesOf(user ? 'user' : 'system', context.env);
    if (!user) onlySystemPrograms();
    return installAt(context, places, await wishesOf(options), options.yes === true);
  },
};

type Options = Readonly<Record<string, string | boolean | undefined>>;

async function wishesOf({ account, officePort, passwordFile }: Options): Promise<InstallWishes> {
  const [{ CLOSED_INSPECTOR }, { COMPILED }, { PEEK_PROGRAM, START_PROGRAM }, { dirname, join, resolve }] =
    await Promise.all([
      import('../../engine/native/no-debugger.ts'),
      import('../../base/compiled.ts'),
      import('../../privileges/programs.ts'),
      import('node:path'),
    ]);
  if (import.meta.url.endsWith('.ts'))
    throw usage(
      'The desk runs from its TypeScript sources; a service needs the compiled program.',
      'Run "npm run build", then "node dist/cli/main.js install".',
    );
  const entry = realpathSync(process.argv[1] ?? '');
  return {
    command: [process.execPath, CLOSED_INSPECTOR, entry, 'boot'],
    programs: [process.execPath, entry, PEEK_PROGRAM, START_PROGRAM],
    starter: START_PROGRAM,
    folders: [dirname(dirname(entry)), join(entry, '../../../node_modules'), COMPILED.folder].filter(
      (folder) => existsSync(folder),
    ),
    ...(typeof account === 'string' && { account }),
    officePort:
      officePort === undefined ? FALLBACK_OFFICE_PORT : wholeNumber('--office-port', officePort, 1, 65_535),
    ...(typeof passwordFile === 'string' && { passwordFile: resolve(passwordFile) }),
    uid: process.geteuid?.() ?? 0,
  };
}

/** Apart from the command for tests, which have places and programs of their own. */
export async function installAt(
  context: Pick<CliContext, 'answer'>,
  places: Places,
  wishes: InstallWishes,
  yes: boolean,
): Promise<ExitCode> {
  const { carryOut, planInstall, runsAlready } = await import('../../install/install.ts');
  const plan = planInstall(places, wishes);
  const fresh = plan.files.some(({ state }) => state !== 'unchanged');
  const idle = yes && !fresh && runsAlready(places.manager);
  if (yes && !idle) carryOut(plan);
  const record = { manager: places.manager, done: yes, changed: fresh, ...plan };
  context.answer(record, (out) => (yes ? printDone(out, plan, places, idle) : printPlan(out, plan)));
  return exit.ok;
}

function printPlan(out: Terminal, { files, commands, notes }: InstallPlan): void {
  for (const { path, state, content } of files) {
    out.line(strong(path), state === 'unchanged' ? dim('  unchanged') : warn(`  ${state}`));
    if (state !== 'unchanged') for (const line of content.trimEnd().split('\n')) out.line('    ', line);
  }
  out.line(strong('Commands'));
  for (const words of commands) out.line('    ', words.join(' '));
  for (const note of notes) out.wrapped('  ', note);
  out.line(dim('Nothing was changed. Add --yes to do it.'));
}

function printDone(out: Terminal, { files, notes }: InstallPlan, { manager }: Places, idle: boolean): void {
  for (const { path, state } of files)
    out.line(good(state === 'unchanged' ? 'unchanged' : 'written  '), `  ${path}`);
  out.line(good(idle ? 'runs     ' : 'started  '), '  desk.service');
  for (const note of notes) out.wrapped('  ', note);
  out.line(
    'Open it: ',
    strong('desk open'),
    dim(`   its state: desk status · systemctl${manager === 'user' ? ' --user' : ''} status desk`),
  );
}
