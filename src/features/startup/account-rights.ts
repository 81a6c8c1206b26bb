/** Accounts of a machine from the texts of its files: who can log in, how, and with which rights. Any bytes are taken. */
import type { AccountFacts, GroupFacts, Login, PasswordState } from '../../desk/startup.ts';
import { homeOf, idOf, parseAccounts } from './accounts.ts';
import { joined, significant } from './parsers.ts';
import { SUDOERS } from './places/access.ts';
import { NO_SHELL } from './places/login-files.ts';
import { POWERFUL_GROUPS } from './powerful-groups.ts';

export interface AccountTexts {
  readonly passwd: string;
  readonly group: string;
  /** Null where it could not be read. */
  readonly shadow: string | null;
  readonly sudoers: string;
  /** Keys by home, where its file could be read. */
  readonly keys: ReadonlyMap<string, number>;
  readonly logins: readonly Login[];
  /** For what has ended. */
  readonly nowMs: number;
}

const DAY_MS = 86_400_000;
const MOST_LINE = 200;
/** Aliases within aliases. */
const DEEPEST = 16;

interface Shadow {
  readonly state: PasswordState;
  readonly setMs: number | null;
  readonly expired: boolean;
}

const days = (text: string): number | null => (/^\d{1,7}$/.test(text) ? Number(text) * DAY_MS : null);

/** By the field that has the hash (crypt(5)). */
const stateOf = (hash: string): PasswordState =>
  hash === '' ? 'empty' : /^[!*]|^x$/.test(hash) ? 'locked' : 'set';

function shadowsOf(text: string, nowMs: number): Map<string, Shadow> {
  const shadows = new Map<string, Shadow>();
  for (const line of significant(text, /^#/)) {
    const [name = '', hash = '', changed = '', , , , , ends = ''] = line.split(':');
    const endMs = days(ends);
    if (!shadows.has(name))
      shadows.set(name, {
        state: stateOf(hash),
        setMs: days(changed) || null,
        expired: endMs !== null && endMs <= nowMs,
      });
  }
  return shadows;
}

/** Lines of group(5); invalid ones are left out. */
export const groupsOf = (text: string): GroupFacts[] =>
  significant(text, /^#/).flatMap((line): GroupFacts[] => {
    const [name = '', , id = '', members = ''] = line.split(':');
    const gid = idOf(id);
    if (Number.isNaN(gid)) return [];
    return [{ name, gid, members: members.split(',').filter((one) => one !== '') }];
  });

interface Grant {
  /** Users, `%group`, `#uid`, `%#gid`, ALL; aliases are expanded. */
  readonly who: readonly string[];
  readonly line: string;
}

/** A name without quotes and escapes. */
const plain = (word: string): string => word.trim().replace(/\\(.)|"/g, '$1');

/** Lines of sudoers(5) that grant something. */
function grantsOf(text: string): Grant[] {
  const all = significant(joined(text, SUDOERS), SUDOERS.comment).filter(
    (line) => !/^(?:[#@]include|Defaults\b)/.test(line),
  );
  const aliases = new Map<string, readonly string[]>();
  for (const line of all) {
    const [, list = ''] = /^User_Alias\s+(.*)$/.exec(line) ?? [];
    for (const part of list.split(':')) {
      const [name = '', members = ''] = part.split('=');
      if (members !== '') aliases.set(name.trim(), members.split(',').map(plain));
    }
  }
  const expanded = (words: readonly string[], within: readonly string[] = []): string[] =>
    words.flatMap((word) => {
      const members = within.includes(word) || within.length === DEEPEST ? undefined : aliases.get(word);
      return members === undefined ? [word] : expanded(members, [...within, word]);
    });
  return all.flatMap((line): Grant[] => {
    const at = line.indexOf('=');
    if (at < 0 || /^(?:User|Runas|Host|Cmnd|Cmd)_Alias\b/.test(line)) return [];
    // Users are separated by commas; a blank that is not quoted or escaped ends them.
    const users = /^(?:"[^"]*"|\\.|\s*,\s*|!\s*|[^\s"\\])*/.exec(line.slice(0, at))?.[0] ?? '';
    const who = expanded(users.split(',').map(plain));
    return [{ who, line: line.length > MOST_LINE ? `${line.slice(0, MOST_LINE)}…` : line }];
  });
}

/** The last word that is about the account counts (sudoers(5)). */
function grants(who: readonly string[], names: ReadonlySet<string>): boolean {
  const last = who.findLast((word) => names.has(word.replace(/^!+\s*/, '')));
  return last !== undefined && (/^!*/.exec(last)?.[0].length ?? 0) % 2 === 0;
}

function rightsOf(name: string, uid: number, groups: readonly GroupFacts[], all: readonly Grant[]): string[] {
  const names = new Set([
    ...['ALL', name, `#${uid}`],
    ...groups.flatMap((group) => [`%${group.name}`, `%#${group.gid}`]),
  ]);
  return [
    ...(uid === 0 ? ['is root (uid 0)'] : []),
    ...all.filter(({ who }) => grants(who, names)).map(({ line }) => `sudo: ${line}`),
    ...groups.flatMap((group) => {
      const why = uid === 0 ? undefined : POWERFUL_GROUPS.get(group.gid === 0 ? 'root' : group.name);
      return why === undefined || why === '' ? [] : [`group ${group.name}: ${why}`];
    }),
  ];
}

function loginOf(password: PasswordState, shell: string, keys: number | null, expired: boolean): string[] {
  if (expired || NO_SHELL.test(shell)) return [];
  return [
    ...(password === 'set' ? ['password'] : []),
    ...(password === 'empty' ? ['no password is asked for'] : []),
    ...(password === 'unknown' ? ['password not known'] : []),
    ...(keys === null ? ['SSH keys not known'] : []),
    ...(keys !== null && keys > 0 ? [`${keys} SSH ${keys === 1 ? 'key' : 'keys'}`] : []),
  ];
}

/** Every line of passwd(5), in its order. */
export function accountsFrom(texts: AccountTexts): AccountFacts[] {
  const shadows = texts.shadow === null ? null : shadowsOf(texts.shadow, texts.nowMs);
  const groups = groupsOf(texts.group);
  const grants = grantsOf(texts.sudoers);
  const last = new Map(texts.logins.map((login) => [login.user, login]));
  return parseAccounts(texts.passwd).map(({ name, hash, uid, gid, home, shell }): AccountFacts => {
    const own = groups.find((group) => group.gid === gid);
    const of = [
      ...(own === undefined ? [] : [own]),
      ...groups.filter((group) => group !== own && group.members.includes(name)),
    ];
    // A hash may be in passwd itself; an empty field asks for none.
    const inPasswd = hash === 'x' ? null : stateOf(hash);
    const shadow = shadows?.get(name);
    const password = inPasswd ?? shadow?.state ?? 'unknown';
    const expired = shadow?.expired ?? false;
    const keys = texts.keys.get(homeOf({ home })) ?? null;
    return {
      ...{ name, uid, gid, home, shell, password, expired, keys },
      groups: of.map((group) => group.name),
      passwordSetMs: shadow?.setMs ?? null,
      login: loginOf(password, shell, keys, expired),
      rights: rightsOf(name, uid, of, grants),
      last: last.get(name) ?? null,
    };
  });
}
