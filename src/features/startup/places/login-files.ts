/** passwd, shadow, group and authorized_keys: who may log in. */
import { createHash } from 'node:crypto';
import { idOf, parseAccounts } from '../accounts.ts';
import { significant } from '../parsers.ts';
import type { Parser, Start } from '../place.ts';
import { POWERFUL_GROUPS } from '../powerful-groups.ts';

const fields = (line: string): string[] => line.split(':');
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Shells of the system that end at once: a program of that name elsewhere may do anything. */
export const NO_SHELL = /^(?:\/usr)?\/s?bin\/(?:nologin|false|true|sync|shutdown|halt)$/;

/** Groups with the same number on every machine of a distribution that give rights: root, adm, tty, disk, kmem, wheel, sudo, shadow. */
const POWERFUL_GIDS = new Set([0, 4, 5, 6, 9, 10, 15, 27, 42]);

const hasPowerfulGroup = (uid: number, gid: number): boolean => gid !== uid && POWERFUL_GIDS.has(gid);

/** passwd(5): accounts that are root by another name, those that may have a shell, and those whose own group gives rights. */
export const passwd: Parser = ({ text }) =>
  parseAccounts(text).flatMap(({ name, hash, uid, gid, home, shell }): Start[] => {
    const password = hash === 'x' ? '' : passwordOf(hash);
    const runs = `${shell} as uid ${uid}, gid ${gid}, home ${home}${password && `, ${password} in passwd`}`;
    return uid === 0 || !NO_SHELL.test(shell) || hasPowerfulGroup(uid, gid)
      ? [{ runs, name, user: name }]
      : [];
  });

/** Users of services, which packages make: without a password here, and by the numbers themselves, not by words in another field. */
export function isOfService({ runs }: Start): boolean {
  const [, uid, gid] = /^\S+ as uid ([1-9]\d{0,2}), gid ([1-9]\d*), home [^,]*$/.exec(runs) ?? [];
  return (
    uid !== undefined && runs.split(' as uid ').length === 2 && !hasPowerfulGroup(Number(uid), Number(gid))
  );
}

/** How a password is kept, never the hash itself (crypt(5)). */
function passwordOf(hash: string): string {
  if (hash === '') return 'no password is needed';
  if (/^[!*]/.test(hash)) return '';
  const method = /^\$(\w+)\$/.exec(hash)?.[1] ?? 'DES';
  // Another password is another digest; the salt keeps it from being guessed.
  return `a password (${method}, ${digestOf(hash)})`;
}

export const shadow: Parser = ({ text }) =>
  significant(text, /^#/).flatMap((line): Start[] => {
    const [name = '', hash = ''] = fields(line);
    const runs = passwordOf(hash);
    return name === '' || runs === '' ? [] : [{ runs, name, user: name }];
  });

/** gshadow(5): a password with which anyone joins the group, and who may change it. */
const groupShadow: Parser = ({ text }) =>
  significant(text, /^#/).flatMap((line): Start[] => {
    const [name = '', hash = '', admins = ''] = fields(line);
    const password = hash === '' ? '' : passwordOf(hash);
    return [
      ...(password === '' ? [] : [{ runs: `${password} of group ${name}`, name }]),
      ...(admins === ''
        ? []
        : [{ runs: `administrators of group ${name}: ${admins}`, name: `${name} administrators` }]),
    ];
  });

const groupNames: Parser = ({ text }) => {
  const all = significant(text, /^#/).map(fields);
  // Another name of the same number has the same rights.
  const powerful = new Set(
    all.filter(([name = '']) => POWERFUL_GROUPS.has(name)).map(([, , gid = '']) => idOf(gid)),
  );
  return all.flatMap(([name = '', , gid = '', members = '']): Start[] => {
    if (members === '' || !(POWERFUL_GROUPS.has(name) || idOf(gid) === 0 || powerful.has(idOf(gid))))
      return [];
    return members.split(',').map((member) => ({ runs: `${member} in group ${name}`, name, user: member }));
  });
};

const KEY_TYPE = /^(?:sk-)?(?:ssh|ecdsa)-[\w@.-]+$/;
const KEY = /^[A-Za-z0-9+/]+=*$/;

export const group: Parser = (file) => (file.name === 'gshadow' ? groupShadow(file) : groupNames(file));

/** authorized_keys (sshd(8)): options, type, key, comment. */
export const authorizedKeys: Parser = ({ text }) =>
  significant(text, /^#/).flatMap((line): Start[] => {
    const words = line.split(/[ \t]+/);
    const at = words.findIndex((word, place) => KEY_TYPE.test(word) && KEY.test(words[place + 1] ?? ''));
    const key = words[at + 1];
    if (at < 0 || key === undefined) return [{ runs: line }];
    const print = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64').replace(/=+$/, '');
    const runs = [...words.slice(0, at + 1), `SHA256:${print}`, ...words.slice(at + 2)].join(' ');
    return [{ runs, name: print }];
  });

/** User and group records of systemd (nss-systemd(8), systemd.io/USER_RECORD): `NAME.user`, `NAME.group`, `USER:GROUP.membership`. */
export const userRecord: Parser = ({ text, name }) => {
  const [, subject = '', kind = ''] = /^(.*)\.((?:user|group)(?:-privileged)?|membership)$/.exec(name) ?? [];
  if (subject === '') return [];
  if (kind === 'membership') return [{ runs: `member ${subject.replace(':', ' in group ')}`, name }];
  try {
    // Passwords and keys are in one part.
    const shown = (key: string, value: unknown): unknown =>
      key === 'privileged' ? `digest ${digestOf(JSON.stringify(value))}` : value;
    return [{ runs: `${kind} ${JSON.stringify(JSON.parse(text), shown)}`, name, user: subject }];
  } catch {
    // systemd does not accept it either.
    return [];
  }
};
