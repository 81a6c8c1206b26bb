import { dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import { type ExitCode, exit } from '../../desk/failure.ts';
import type { Places } from '../../install/places.ts';
import type { UninstallPlan } from '../../install/uninstall.ts';
import type { CliCommand, CliContext } from '../command.ts';

export const uninstall: CliCommand = {
  name: 'uninstall',
  summary:
    'Removes the systemd service that "desk install" wrote: shows what would be done, and does it with --yes',
  options: [
    { flags: '--yes', meaning: 'stop the service and remove the files; without it nothing is changed' },
    { flags: '--user', meaning: 'your own service, of "desk install --user"' },
    {
      flags: '--purge',
      meaning: 'also the state folder that the unit names: what the desk has learned and seen',
    },
  ],
  examples: [
    ['desk uninstall', 'what would be removed, and what stays'],
    ['desk uninstall --yes --purge', 'everything but the configuration and the account'],
  ],
  async run(context, { options }) {
    const [{ placesOf }, { onlySystemPrograms }] = await Promise.all([
      import('../../install/places.ts'),
      import('../../install/programs.ts'),
    ]);
    if (options.user !== true) onlySystemPrograms();
    const places = placesOf(options.user === true ? 'user' : 'system', context.env);
    const wishes = { purge: options.purge === true, uid: process.geteuid?.() ?? 0 };
    return uninstallAt(context, places, wishes, options.yes === true);
  },
};

/** Apart from the command for tests, which have places of their own. */
export async function uninstallAt(
  context: Pick<CliContext, 'answer'>,
  places: Places,
  wishes: { readonly purge: boolean; readonly uid: number; readonly root?: string },
  yes: boolean,
): Promise<ExitCode> {
  const { planUninstall, takeAway } = await import('../../install/uninstall.ts');
  const plan = planUninstall(places, wishes);
  if (yes) takeAway(plan);
  context.answer({ manager: places.manager, done: yes, ...plan }, (out) => print(out, plan, yes));
  return exit.ok;
}

function print(out: Terminal, { before, removed, after, kept }: UninstallPlan, done: boolean): void {
  if (!done) {
    out.line(strong('Commands'));
    for (const words of [...before, ...after]) out.line('    ', words.join(' '));
  }
  for (const path of removed) out.line(done ? good('removed  ') : warn('removes  '), path);
  for (const what of kept) out.wrapped(dim('  kept    '), what);
  if (!done) out.line(dim('Nothing was changed. Add --yes to do it.'));
}
