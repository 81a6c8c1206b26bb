/** `desk uninstall`: takes away what `desk install` wrote; the state folder only with `--purge`. */
import { lstatSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from '../base/private-file.ts';
import { exit, Failure } from '../desk/failure.ts';
import { isOwnAccountFile } from './account.ts';
import type { Places } from './places.ts';
import { control, runProgram, type Words } from './programs.ts';
import { ownUnit, ownUnitAt, refuseWithoutRoot, refuseWithoutSystemd } from './refusals.ts';
import { UNIT_NAME } from './unit.ts';

export interface UninstallPlan {
  readonly before: readonly Words[];
  /** Files and folders; folders with all that is in them. */
  readonly removed: readonly string[];
  readonly after: readonly Words[];
  /** What stays, each with how to remove it. */
  readonly kept: readonly string[];
}

const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** The state folder that a unit of ours names; "" when it names none. */
function stateFolder(unit: string, root: string): string {
  const name = /^StateDirectory=(\w[\w.-]*)$/m.exec(unit)?.[1] ?? '';
  return name === '' ? '' : join(root, 'var/lib', name);
}

/** Checks everything and changes nothing. `root`: "/" unless a test has a folder for it. @throws Failure */
export function planUninstall(
  places: Places,
  { purge, uid, root = '/' }: { readonly purge: boolean; readonly uid: number; readonly root?: string },
): UninstallPlan {
  refuseWithoutSystemd(places, ['desk', 'boot']);
  refuseWithoutRoot(places, 'desk uninstall', uid);
  const unit = ownUnit(places);
  if (unit === null)
    throw new Failure(
      exit.refused,
      `There is no unit ${places.unit}.`,
      '"desk install" has not written one, or it was removed already.',
      places.manager === 'system'
        ? 'For a service of your own, add --user.'
        : 'For that of the machine, leave --user out.',
    );
  const systemctl = control(places.manager);
  const namespaces = Object.values(places.namespaces ?? {}).filter((path) => ownUnitAt(path) !== null);
  const state = stateFolder(unit, root);
  const purged = purge && state !== '' && isFolder(state);
  const account = places.account !== '' && isOwnAccountFile(places.account);
  return {
    before: [[...systemctl, 'disable', '--now', UNIT_NAME]],
    removed: [places.unit, ...namespaces, ...(account ? [places.account] : []), ...(purged ? [state] : [])],
    after: [[...systemctl, 'daemon-reload']],
    kept: [
      ...(state !== '' && !purged && isFolder(state)
        ? [`${state}, what the desk has learned and seen ("desk uninstall --purge", while the unit is there)`]
        : []),
      ...(state === ''
        ? [
            'the state folder, which the unit does not name (~/.local/state/desk unless XDG_STATE_HOME says otherwise)',
          ]
        : []),
      ...(lstatSync(places.config, { throwIfNoEntry: false })
        ? [`${places.config} (remove it by hand)`]
        : []),
      ...(account ? ['the account desk ("userdel desk")'] : []),
    ],
  };
}

/** The service has ended before anything of it is removed. */
export function takeAway({ before, removed, after }: UninstallPlan): void {
  for (const words of before) runProgram(words, 'See "systemctl status desk". Nothing was removed.');
  for (const path of removed) {
    // Of a folder that another account may change: rm(1) follows no link, also not one that appears meanwhile.
    if (isFolder(path))
      runProgram(['/bin/rm', '-rf', '--one-file-system', '--', path], 'See what is left there.');
    else rmSync(path, { force: true });
    syncFolder(dirname(path));
  }
  for (const words of after) runProgram(words, 'Run it again by hand.');
}
