/** Accounts of the machine, as far as places need them: names of uids, and homes. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly home: string;
}

/** A line of passwd(5). */
interface PasswdLine extends Account {
  /** The second field: `x` where the hash is in shadow(5). */
  readonly hash: string;
  readonly gid: number;
  readonly shell: string;
}

const MOST_ID = 0xffff_ffff;
const LONG = 1n << 64n;

/** A uid or gid as glibc reads it, by strtoul(3): "-0" and " +0" are 0 too. NaN for anything else. */
export function idOf(text: string): number {
  const [, sign, digits = ''] = /^[ \t\v\f\r]*([+-]?)(\d{1,30})$/.exec(text) ?? [];
  if (digits === '') return Number.NaN;
  const value = BigInt(digits);
  const long = value >= LONG ? LONG - 1n : sign === '-' ? (LONG - value) % LONG : value;
  return long > BigInt(MOST_ID) ? MOST_ID : Number(long);
}

/** Values of the field for the home that do not name a home. */
const NO_HOME = /^(?:|\/|\/nonexistent|\/(?:usr\/)?s?bin|\/dev(?:\/.*)?|\/proc|\/usr)$/;

/** Lines of passwd(5); invalid ones are left out, as by getpwent(3). */
export function parseAccounts(text: string): PasswdLine[] {
  // A blank at the end belongs to the shell.
  return text.split('\n').flatMap((whole): PasswdLine[] => {
    const line = whole.trimStart();
    if (line.startsWith('#')) return [];
    const [name = '', hash = '', user = '', group = '', , home = '', shell = ''] = line.split(':');
    const [uid, gid] = [idOf(user), idOf(group)];
    if (name === '' || Number.isNaN(uid) || Number.isNaN(gid)) return [];
    return [{ name, hash, uid, gid, home, shell: shell || '/bin/sh' }];
  });
}

/** The name of a uid: of several accounts the first, as getpwuid(3) has it. */
export function namesOf(accounts: readonly Account[]): (uid: number) => string {
  const names = new Map([...accounts].reverse().map(({ uid, name }) => [uid, name]));
  return (uid) => names.get(uid) ?? String(uid);
}

/** Without slashes at its end. */
export const homeOf = ({ home }: Pick<Account, 'home'>): string => home.replace(/\/+$/, '');

/** Homes of accounts that share a folder of the system, such as /bin: sshd reads keys there too. */
export const bareHomesOf = (accounts: readonly Account[]): Account[] =>
  homesWhere(accounts, (home) => NO_HOME.test(home) && !/^\/(?:dev|proc)(?:\/|$)/.test(home));

/** One account for each home; of several the first. */
export const homesOf = (accounts: readonly Account[]): Account[] =>
  homesWhere(accounts, (home) => home.startsWith('/') && !NO_HOME.test(home));

/** A `*` in a path would be a pattern. */
function homesWhere(accounts: readonly Account[], isOne: (home: string) => boolean): Account[] {
  const homes = new Map<string, Account>();
  for (const account of accounts) {
    const home = homeOf(account);
    if (!isOne(home) || home.includes('*')) continue;
    if (!homes.has(home)) homes.set(home, { name: account.name, uid: account.uid, home });
  }
  return [...homes.values()];
}
