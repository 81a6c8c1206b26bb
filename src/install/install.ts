/** `desk install`: what would be written and run, and doing it. */
import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../base/private-file.ts';
import { describeProblems, loadConfig } from '../config/load.ts';
import { isLocalOnly } from '../config/local-only.ts';
import { exit, Failure } from '../desk/failure.ts';
import { accountText, DEFAULT_ACCOUNT, isOwnAccountFile } from './account.ts';
import { NAMESPACES_UNITS, namespacesServiceText, namespacesSocketText } from './namespaces.ts';
import type { Places } from './places.ts';
import { commandText, control, runProgram, succeeds, type Words } from './programs.ts';
import {
  hasAccount,
  ownUnit,
  ownUnitAt,
  refuseOddPaths,
  refusePasswordFile,
  refusePersonsAccount,
  refuseUntrustedFolders,
  refuseUntrustedPrograms,
  refuseWithoutRoot,
  refuseWithoutSystemd,
} from './refusals.ts';
import { UNIT_NAME, unitText } from './unit.ts';

export interface InstallWishes {
  /** Words of the service's command line; `programs`: files among them, and others that it runs. */
  readonly command: readonly string[];
  readonly programs: readonly string[];
  /** Path of desk-start, one of `programs`. */
  readonly starter: string;
  /** Folders with all that the service loads. */
  readonly folders: readonly string[];
  /** Account of a system service; without it that of the unit that is there, else the default one, which is made. */
  readonly account?: string;
  /** Port of the office in a configuration that is written. */
  readonly officePort: number;
  /** File with the mail password, '' for none; without it that of the unit that is there. */
  readonly passwordFile?: string;
  readonly uid: number;
}

export interface PlannedFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly content: string;
}

export interface InstallPlan {
  readonly files: readonly PlannedFile[];
  /** Run in this order after the files are written. */
  readonly commands: readonly Words[];
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

const configText = (
  port: number,
): string => `# Hostess Desk: written by "desk install". Every setting: docs/configuration.md; "desk config check" checks this file.

[listen.office]
# Not 80, which a web server that is installed later must get.
port = ${port}
`;

function planned(path: string, content: string): PlannedFile {
  const before = lstatSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : null;
  const state = before === null ? 'new' : before === content ? 'unchanged' : 'changed';
  return { path, state, content };
}

/** A setting of the unit that is there: a second installation keeps what it is not asked to change. */
const settingOf = (unit: string | null, line: RegExp): string | undefined => line.exec(unit ?? '')?.[1];

/** What lets an account see other network namespaces; root sees them without. @throws Failure for a unit of that name that is not ours */
function namespacesFiles({ namespaces }: Places, account: string, starter: string): readonly PlannedFile[] {
  if (namespaces === null || account === 'root') return [];
  for (const path of Object.values(namespaces)) ownUnitAt(path);
  return [
    planned(namespaces.socket, namespacesSocketText(account)),
    planned(namespaces.service, namespacesServiceText(starter)),
  ];
}

/** Units of an installation under an account, of no use to root. @throws Failure for units of that name that are not ours */
function leftOfNamespaces({ namespaces }: Places, account: string): readonly string[] {
  if (namespaces === null || account !== 'root') return [];
  return Object.values(namespaces).filter((path) => ownUnitAt(path) !== null);
}

/** Checks everything and changes nothing. @throws Failure with what to do when something does not hold */
export function planInstall(places: Places, wishes: InstallWishes): InstallPlan {
  const { command, programs, officePort, uid } = wishes;
  const system = places.manager === 'system';
  refuseWithoutSystemd(places, command);
  refuseWithoutRoot(places, 'desk install', uid);
  refuseOddPaths([...command, ...programs, places.unit, places.config]);
  refuseUntrustedPrograms(programs, places.manager);
  refuseUntrustedFolders(wishes.folders);
  const before = ownUnit(places);
  const account = wishes.account ?? settingOf(before, /^User=(.+)$/m) ?? DEFAULT_ACCOUNT;
  const passwordFile =
    wishes.passwordFile ?? settingOf(before, /^LoadCredential=mail\.password:(.+)$/m) ?? '';
  if (passwordFile !== '') {
    refuseOddPaths([passwordFile]);
    refusePasswordFile(passwordFile);
  }
  const exists = lstatSync(places.config, { throwIfNoEntry: false }) !== undefined;
  const loaded = loadConfig(
    exists ? { DESK_CONFIG: places.config } : { HOME: '/nonexistent', DESK_CONFIG: '' },
  );
  if (exists && !loaded.ok)
    throw new Failure(
      exit.refused,
      `The configuration ${places.config} is refused, so the service would not start.`,
      describeProblems(loaded).join('\n'),
      'Correct it, then try again.',
    );
  const network = loaded.ok && isLocalOnly(loaded.config) ? 'localhost' : 'any';
  if (!/^[a-z_][\w-]*$/i.test(account))
    throw new Failure(
      exit.usage,
      `"${account}" is not a valid account name.`,
      '',
      'See /etc/passwd for those that exist.',
    );
  const known = !system || hasAccount(places, account);
  if (system && account === DEFAULT_ACCOUNT) refusePersonsAccount(places, account);
  if (!known && account !== DEFAULT_ACCOUNT)
    throw new Failure(
      exit.refused,
      `There is no account "${account}".`,
      '',
      `Make it first ("useradd --system --no-create-home --shell /usr/sbin/nologin ${account}"), or leave --account out: "${DEFAULT_ACCOUNT}" is made for you.`,
    );
  const unit = planned(
    places.unit,
    unitText({
      manager: places.manager,
      command,
      user: account,
      passwordFile,
      config: places.config,
      network,
    }),
  );
  const makesAccount = system && account === DEFAULT_ACCOUNT && (!known || isOwnAccountFile(places.account));
  const files = [
    ...(makesAccount ? [planned(places.account, accountText())] : []),
    ...(exists ? [] : [planned(places.config, configText(officePort))]),
    unit,
    ...namespacesFiles(places, account, wishes.starter),
  ];
  const systemctl = control(places.manager);
  const left = leftOfNamespaces(places, account);
  const changed = files.some(({ state }) => state !== 'unchanged');
  return {
    files,
    commands: [
      ...(known ? [] : [['systemd-sysusers', places.account] as const]),
      ...(left.length > 0
        ? [[...systemctl, 'stop', ...Object.values(NAMESPACES_UNITS)] as const, ['rm', ...left] as const]
        : []),
      ...(changed
        ? [[...systemctl, 'daemon-reload'] as const, [...systemctl, 'enable', UNIT_NAME] as const]
        : []),
      [...systemctl, changed && before !== null ? 'restart' : 'start', UNIT_NAME],
    ],
    notes: [
      ...(network === 'localhost' && system
        ? [
            'The unit lets the service talk to this machine only. After you configure a site, mail, an assistant or a listener for other machines, run "sudo desk install --yes" again.',
          ]
        : []),
      ...(system
        ? []
        : [
            'It runs while you are logged in; "loginctl enable-linger" starts it at boot. It sees your own processes; those of others only in part.',
          ]),
      ...(unit.state === 'unchanged'
        ? [
            `The unit is up to date. "${commandText([...systemctl, 'restart', 'desk'])}" starts a newer program.`,
          ]
        : []),
    ],
  };
}

/** Units and configurations are no secrets. */
function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  replaceFile(path, content, 0o644);
}

/** Writes the files and runs the commands; the last one returns when the service is ready. */
export function carryOut({ files, commands }: InstallPlan): void {
  for (const { path, content, state } of files) if (state !== 'unchanged') put(path, content);
  for (const words of commands)
    runProgram(
      words,
      'See "systemctl status desk" and "journalctl -u desk" (with --user for a service of your own).',
    );
}

export const runsAlready = (manager: Places['manager']): boolean =>
  succeeds([...control(manager), '--quiet', 'is-active', UNIT_NAME]);
