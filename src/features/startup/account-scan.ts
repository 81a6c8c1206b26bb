/** Reads the files that decide about accounts, by desk-peek. */

import type { Unread } from '../../checks/unread.ts';
import { containerFiles } from '../../desk/container-files.ts';
import type { AccountScan } from '../../desk/startup.ts';
import { containerView } from '../../privileges/container.ts';
import { HANGS, type PeekOptions } from '../../privileges/peek-helper.ts';
import { accountsFrom, groupsOf } from './account-rights.ts';
import { bareHomesOf, homesOf, parseAccounts } from './accounts.ts';
import { HungHomes } from './hung-homes.ts';
import { significant } from './parsers.ts';
import { isSudoersFile } from './places/access.ts';
import { FileReader } from './reader.ts';

const LOGINS = '/var/log/wtmp';
const KEYS = ['.ssh/authorized_keys', '.ssh/authorized_keys2'];
const SUDOERS = ['/etc/sudoers', '/etc/sudoers.d/*', '/usr/local/etc/sudoers', '/usr/local/etc/sudoers.d/*'];
/** The folders above are included by what Debian installs. */
const INCLUDES = /^[#@]include(?:dir)?\s+(?!\/(?:usr\/local\/)?etc\/sudoers\.d\/?$)(.+)$/gm;
/** Homes whose keys are read. */
const MOST_HOMES = 2_000;

/** Never rejects for what the machine refuses. */
export async function scanAccounts(options: PeekOptions = {}): Promise<AccountScan> {
  const reader = new FileReader(options);
  try {
    return await scanning(reader);
  } finally {
    await reader.close();
  }
}

async function scanning(reader: FileReader): Promise<AccountScan> {
  const unread: Unread[] = [];
  /** `whole`: nothing of it is unread. */
  const read = async (pattern: string, viewer = 0, counts: (path: string) => boolean = () => true) => {
    const scan = await reader.read({ depth: 'text', viewer, pattern });
    if (typeof scan === 'string') {
      unread.push({ path: pattern, reason: scan });
      return { texts: [], whole: false, hangs: scan === HANGS };
    }
    const refused = [
      ...scan.unread.map(({ path, error }) => ({ path, reason: error })),
      ...scan.files.flatMap(({ path, error, cut }) =>
        error !== undefined || cut ? [{ path, reason: error ?? 'only its first 256 KiB were read' }] : [],
      ),
    ];
    unread.push(...refused);
    const texts = scan.files.flatMap(({ path, text }) => (text !== undefined && counts(path) ? [text] : []));
    return { texts, whole: refused.length === 0, hangs: false };
  };
  const textOf = async (pattern: string, counts?: (path: string) => boolean) =>
    (await read(pattern, 0, counts)).texts.join('\n');
  const passwd = await textOf('/etc/passwd');
  const group = await textOf('/etc/group');
  const shadow = (await read('/etc/shadow')).texts[0] ?? null;
  let sudoers = '';
  for (const pattern of SUDOERS) sudoers += `${await textOf(pattern, isSudoersFile)}\n`;
  for (const [, path = ''] of sudoers.matchAll(INCLUDES))
    unread.push({ path, reason: 'what sudoers includes from elsewhere is not read' });
  const doas = await read('/etc/doas.conf');
  if (doas.texts.length > 0) unread.push({ path: '/etc/doas.conf', reason: 'rights of doas are not listed' });
  const keys = new Map<string, number>();
  const all = parseAccounts(passwd);
  const every = [...homesOf(all), ...bareHomesOf(all)];
  const homes = every.slice(0, MOST_HOMES);
  const hung = new HungHomes();
  for (const { home, uid } of homes) {
    let [count, whole] = [0, true];
    for (const name of KEYS) {
      if (hung.has(home)) {
        unread.push({ path: `${home}/${name}`, reason: HANGS });
        whole = false;
        continue;
      }
      const found = await read(`${home}/${name}`, uid);
      hung.note(home, found.hangs);
      for (const text of found.texts) count += significant(text, /^#/).length;
      whole &&= found.whole;
    }
    if (whole) keys.set(home, count);
  }
  if (every.length > MOST_HOMES)
    unread.push({ path: every[MOST_HOMES]?.home ?? '', reason: `only ${MOST_HOMES} homes are read` });
  const logins = await reader.logins(LOGINS);
  if (typeof logins === 'string')
    unread.push({
      path: LOGINS,
      reason: logins === 'ENOENT' ? 'it does not exist: last logins are not known' : logins,
    });
  const known = typeof logins === 'string' ? [] : logins;
  const nowMs = Date.now();
  const accounts = accountsFrom({ passwd, group, shadow, sudoers, keys, logins: known, nowMs });
  return { accounts, groups: groupsOf(group), unread, container: containerFiles(containerView()) };
}
