/** What has to hold before anything is installed or removed. Each refusal says what, why, and what to do. */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, join } from 'node:path';
import { codeText } from '../base/error-code.ts';
import { asSentence } from '../base/sentence.ts';
import { shellWord } from '../base/shell-word.ts';
import { distrust, faultText, readTrusted } from '../base/trusted-file.ts';
import { exit, Failure } from '../desk/failure.ts';
import type { Places } from './places.ts';
import { UNIT_MARKER } from './unit-syntax.ts';

const refused = (message: string, why: string, remedy: string): Failure =>
  new Failure(exit.refused, message, why, remedy);

const infoOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** @throws Failure without systemd, with how to start the service by another init. */
export function refuseWithoutSystemd({ booted }: Places, command: readonly string[]): void {
  if (infoOf(booted)?.isDirectory() === true) return;
  throw refused(
    'systemd does not run this machine, so no unit can be installed.',
    `${booted} does not exist.`,
    `Let your init start this command as root, and restart it when it ends: "DESK_STATE=/var/lib/desk ${command.map(shellWord).join(' ')}". It stays in the foreground, SIGTERM ends it, SIGHUP reloads it.`,
  );
}

/** @throws Failure for a system unit without root. */
export function refuseWithoutRoot({ manager }: Places, words: string, uid: number): void {
  if (manager === 'user' || uid === 0) return;
  throw refused(
    'Only root can do this for the whole machine.',
    `You are uid ${uid}.`,
    `Run "sudo ${words}", or add --user for a service of your own, which sees less.`,
  );
}

/** A unit file could hold these, but other readers of the path (shells, logs, hand edits) get them wrong. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
const ODD = /["'%\\\u0000-\u001f\u007f]/;

/** @throws Failure for a path with a quote, a percent sign, a backslash or a line break in it. */
export function refuseOddPaths(paths: readonly string[]): void {
  const odd = paths.find((path) => ODD.test(path));
  if (odd === undefined) return;
  throw refused(
    `The path ${JSON.stringify(odd)} cannot be put into a unit.`,
    'It has a quote, a percent sign, a backslash or a control character in it.',
    'Move it to a path without these.',
  );
}

/**
 * A program that root starts must not be another user's to change. The first fault is reported.
 * @throws Failure when the program, its links or a folder above it may be changed by other users, or is in a home folder
 */
export function refuseUntrustedPrograms(programs: readonly string[], manager: Places['manager']): void {
  for (const path of programs) {
    const fault = distrust(path);
    if (fault !== null)
      throw refused(
        `${path} ${fault.what}.`,
        'The service would run what other users can change.',
        `${asSentence(fault.remedy)} Or install Node and the desk as root: "sudo npm install -g ./hostess-desk-*.tgz".`.trim(),
      );
    const real = realpathSync(path);
    if (manager === 'system' && /^\/(?:home|root|run\/user)\//.test(real))
      throw refused(
        `${real} is in a home folder.`,
        'A service of the whole machine must not depend on a home, which may be encrypted, unmounted or removed with its user.',
        'Install Node and the desk outside of it, for example with the package manager and "sudo npm install -g ./hostess-desk-*.tgz".',
      );
  }
}

/**
 * Who may change a file that the service loads has the rights of the service.
 * @throws Failure for the first file of a folder that is not root's or this user's, or that others may write
 */
export function refuseUntrustedFolders(folders: readonly string[]): void {
  const uid = process.geteuid?.() ?? 0;
  for (const folder of folders)
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      const info = infoOf(path);
      const own = info === undefined || info.uid === 0 || info.uid === uid;
      if (own && (info === undefined || info.isSymbolicLink() || (info.mode & 0o022) === 0)) continue;
      throw refused(
        `${path} can be changed by others (${own ? `mode ${(info.mode & 0o7777).toString(8)}` : `it belongs to uid ${info.uid}`}).`,
        'The service would run what other users can change.',
        `Run "chown -R root:root ${shellWord(folder)} && chmod -R go-w ${shellWord(folder)}" if you trust what is in it, or install the package again as root.`,
      );
    }
}

const MOST_UNIT_BYTES = 64 << 10;

/** The text of our unit desk.service; null without a unit of that name. @throws Failure for anything else at its path, and for one of a package */
export function ownUnit({ unit, packaged }: Places): string | null {
  const other = packaged.find((path) => infoOf(path) !== undefined);
  if (other !== undefined)
    throw refused(
      `${other} is there already: a package has installed the unit.`,
      'A second one would hide it from the package manager.',
      'Use "systemctl enable --now desk", and the package manager for upgrades.',
    );
  return ownUnitAt(unit);
}

/** The text of a unit of ours; null without a file. @throws Failure for anything else at this path */
export function ownUnitAt(unit: string): string | null {
  const info = infoOf(unit);
  if (info === undefined) return null;
  const see = `See "ls -l ${shellWord(unit)}", and move it away if it is not needed.`;
  if (info.isSymbolicLink()) {
    const target = readlinkSync(unit);
    if (target === '/dev/null')
      throw refused(
        `The unit is masked: ${unit} is a link to /dev/null.`,
        '',
        `Run "systemctl unmask ${basename(unit)}" first.`,
      );
    throw refused(`${unit} is a link to ${target}.`, 'A file that "desk install" wrote is not a link.', see);
  }
  if (!info.isFile()) throw refused(`${unit} is not a regular file.`, '', see);
  const read = readTrusted(unit, MOST_UNIT_BYTES, { link: false });
  if (!read.ok) throw refused(`${unit} ${read.fault.what}.`, '', asSentence(read.fault.remedy));
  const text = read.bytes.toString('utf8');
  if (!text.startsWith(`${UNIT_MARKER}\n`))
    throw refused(
      `${unit} was not written by "desk install".`,
      'Its first line is not that of "desk install".',
      `Keep it and change it by hand, or move it away: "mv ${shellWord(unit)} ${shellWord(unit)}.old".`,
    );
  return text;
}

/** Whether an account exists (passwd(5)). */
export const hasAccount = (places: Places, name: string): boolean => accountLine(places, name) !== undefined;

/** @throws Failure where the account of the service is one that people log in with, who would have the rights of the service. */
export function refusePersonsAccount(places: Places, name: string): void {
  const uid = Number(accountLine(places, name)?.split(':')[2] ?? Number.NaN);
  if (uid !== 0 && !(uid >= FIRST_PERSON)) return;
  throw refused(
    `The account "${name}" has uid ${uid}, so it is not a system account.`,
    'The service has rights over processes and files of other users, and who logs in with its account has them too.',
    'Name another one with --account: "useradd --system --no-create-home --shell /usr/sbin/nologin NAME" makes it.',
  );
}

/** First uid of people by login.defs(5); systemd(1) has the same bound. */
const FIRST_PERSON = 1000;

function accountLine({ passwd }: Places, name: string): string | undefined {
  try {
    return readFileSync(passwd, 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`));
  } catch (error) {
    throw refused(
      `${passwd} cannot be read (${codeText(error)}).`,
      '',
      'Check that it exists and is readable.',
    );
  }
}

/** @throws Failure for a password file that the service would refuse. */
export function refusePasswordFile(path: string): void {
  const fault = distrust(path, { secret: true });
  if (fault === null) return;
  throw refused(`The password file ${path} ${faultText(fault)}.`, '', 'Correct it, then try again.');
}
