/** Accounts of the machine, as far as places need them: names of uids, and homes. */
import { significant } from './parsers.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly home: string;
}

/** Homes that are none. */
const NO_HOME = /^(?:|\/|\/nonexistent|\/(?:usr\/)?s?bin|\/dev(?:\/.*)?|\/proc|\/usr)$/;

/** Lines of passwd(5); those that are none are left out. */
export function parseAccounts(text: string): Account[] {
  return significant(text, /^#/).flatMap((line): Account[] => {
    const [name = '', , id = '', , , home = ''] = line.split(':');
    const uid = /^\d{1,10}$/.test(id) ? Number(id) : Number.NaN;
    return name === '' || !(uid <= 0xffff_ffff) ? [] : [{ name, uid, home }];
  });
}

/** The name of a uid: of several accounts the first, as getpwuid(3) has it. */
export function namesOf(accounts: readonly Account[]): (uid: number) => string {
  const names = new Map([...accounts].reverse().map(({ uid, name }) => [uid, name]));
  return (uid) => names.get(uid) ?? String(uid);
}

/** Without slashes at its end. */
export const homeOf = ({ home }: Pick<Account, 'home'>): string => home.replace(/\/+$/, '');

/** One account for each home; of several the first. A `*` in a path would be a pattern. */
export function homesOf(accounts: readonly Account[]): Account[] {
  const homes = new Map<string, Account>();
  for (const account of accounts) {
    const home = homeOf(account);
    if (!home.startsWith('/') || NO_HOME.test(home) || home.includes('*')) continue;
    if (!homes.has(home)) homes.set(home, { ...account, home });
  }
  return [...homes.values()];
}
