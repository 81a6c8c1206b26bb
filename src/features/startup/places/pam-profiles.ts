/** Files of PAM, and profiles of packages, which pam-auth-update(8) writes into the common files. */
import { isLeftover, joined, significant } from '../parsers.ts';
import type { Parser, PlacedFile, Start } from '../place.ts';
import { letsAnyoneIn } from './pam-stack.ts';

const FOLDER = '/usr/share/pam-configs/';
const BLOCK = /^(Auth|Account|Password|Session)(?:-Initial|-Final)?:(.*)$/;

const isPamProfile = ({ path }: PlacedFile): boolean => path.startsWith(FOLDER);

/** Lines behind `Auth:` and the like, as they are written but for the number in `[success=end …]`. */
function pamProfile({ text, name }: PlacedFile): Start[] {
  if (isLeftover(name)) return [];
  const found: Start[] = [];
  let kind = '';
  for (const line of text.split('\n')) {
    // What belongs to a field begins with a blank.
    const [field = ''] = /^\S.*$/.exec(line) ?? [];
    const [, block, rest = ''] = BLOCK.exec(field) ?? [];
    if (field !== '') kind = block?.toLowerCase() ?? '';
    if (kind === '') continue;
    for (const one of significant(field === '' ? line : rest, /^#/))
      found.push({ runs: `${kind} ${one.replace(/\s+/g, ' ')}` });
  }
  return found;
}

/** The entry of a file that lets everyone in, beside those of its lines. */
export const ANYONE = 'auth succeeds for everyone';

/** Each line of pam.d(5), what they come to, and what a profile has to be written there. */
export const pamLines: Parser = (file) => {
  if (isPamProfile(file)) return pamProfile(file);
  if (isLeftover(file.name)) return [];
  const lines = significant(joined(file.text, { comment: /^#/ }), /^#/);
  return [
    ...lines.map((runs) => ({ runs: runs.replace(/\s+/g, ' ') })),
    ...(letsAnyoneIn(lines) ? [{ runs: ANYONE, name: 'the lines together' }] : []),
  ];
};

/** Lines that pam-auth-update(8) writes for the modules of Debian; not those that let anyone in. */
export const PAM_WRITTEN =
  /^(?:(?:auth|account|password|session)\s+(?:\[success=\d+ (?:new_authtok_reqd=done )?default=ignore\]|required|requisite|optional)\s+pam_(?:unix|systemd|cap|sss|winbind|krb5|ldap|gnome_keyring|kwallet5|pwquality|umask|fscrypt|ecryptfs|mkhomedir)\.so(?:\s+[\w=.-]+)*|\w+\s+requisite\s+pam_deny\.so|(?:auth|account|password|session)\s+required\s+pam_permit\.so|session\s+\[default=1\]\s+pam_permit\.so)$/;

/** The kind of lines in each common file. */
const COMMON: Readonly<Record<string, string>> = {
  'common-auth': 'auth',
  'common-account': 'account',
  'common-password': 'password',
  'common-session': 'session',
  'common-session-noninteractive': 'session',
};

export function pamOrigin({ runs }: Start, file: PlacedFile): string {
  if (isPamProfile(file)) return runs;
  const kind = file.path === `/etc/pam.d/${file.name}` ? COMMON[file.name] : undefined;
  return kind !== undefined && runs.startsWith(`${kind} `)
    ? runs.replace(/^(\w+ \[[^\]]*\bsuccess=)\d+\b/, '$1end')
    : '';
}
