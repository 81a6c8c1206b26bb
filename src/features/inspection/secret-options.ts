/** How tools take secrets under names that do not say so. */

/** Options of one tool. Those of one letter are also found among others behind one dash: `-su` has `-u`. */
export interface SecretOptions {
  /** The value is the next argument, or follows a single letter directly. */
  readonly value?: readonly string[];
  /** The same for options that are words behind one dash: a letter of theirs is not an option. */
  readonly words?: readonly string[];
  /** The value follows directly; the next argument is something else. */
  readonly attached?: readonly string[];
  /** From the argument behind a matching one on, every argument of the command. */
  readonly rest?: RegExp;
}

const of = (programs: string, options: SecretOptions): readonly (readonly [string, SecretOptions])[] =>
  programs.split(' ').map((program) => [program, options] as const);

export const TOOLS: ReadonlyMap<string, SecretOptions> = new Map([
  ...of(
    'mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mysqlpump mysql_upgrade mysqlsh mycli mariadb mariadb-dump mariadb-admin mariadb-import mariadb-show mariadb-check mariadb-slap mariadb-binlog',
    { attached: ['-p'] },
  ),
  ...of('7z 7za 7zr rar unrar', { attached: ['-p', '-hp'] }),
  ...of(
    'sshpass mongo mongosh mongodump mongorestore docker podman nerdctl helm skopeo buildah useradd usermod cypher-shell rdesktop',
    { value: ['-p'] },
  ),
  ...of('curl', {
    value: ['-u', '--user', '-U', '--proxy-user', '-b', '--oauth2-bearer', '--pass', '-E', '--cert'],
  }),
  ...of('wget', { value: ['--user', '--http-user', '--header'] }),
  ...of('http https httpie xh xhs redis-cli valkey-cli', { value: ['-a'] }),
  ...of('ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', { value: ['-w', '-s', '-a'] }),
  ...of('smbclient rpcclient smbget net', { value: ['-U', '--user'] }),
  ...of('sqlcmd bcp zip unzip ipmitool mosquitto_pub mosquitto_sub mosquitto_rr', { value: ['-P'] }),
  ...of('lftp', { value: ['-u'] }),
  ...of('ab', { value: ['-A', '-P'] }),
  ...of('openssl', { words: ['-pass', '-passin', '-passout', '-k', '-K', '-iv', '-passwd'] }),
  ...of('plink pscp psftp', { words: ['-pw'] }),
  ...of('snmpget snmpwalk snmpset', { value: ['-c', '-A', '-X'] }),
  ...of('gpg gpg2', { value: ['--passphrase'] }),
  ...of('htpasswd htdbm', { rest: /^-[A-Za-z]*b/ }),
  ...of('wpa_passphrase', { rest: /./ }),
  ...of('vault bao', { rest: /^login$/ }),
]);

/** Flags of MySQL's tools that take no value, so that another one may follow behind the same dash. */
const FLAGS = '[ABCEGHINTVXbcfinoqrstvw]*';

/** What an argument says of a secret: that the next one is it, or which part of this one is not. */
type Said = 'next' | { readonly shown: string } | null;

const expressions = new Map<string, RegExp>();
function expression(text: string): RegExp {
  const made = expressions.get(text) ?? new RegExp(text, 's');
  expressions.set(text, made);
  return made;
}

/** `option` without quotes around it. */
export function saidBy({ value = [], words = [], attached = [] }: SecretOptions, option: string): Said {
  for (const one of [...value, ...words]) {
    if (option === one) return 'next';
    if (option.startsWith(`${one}=`)) return { shown: `${one}=` };
  }
  for (const one of value) {
    if (one.length !== 2) continue;
    const shown = expression(`^-[A-Za-z]*?${one[1]}`).exec(option)?.[0];
    if (shown !== undefined) return shown === option ? 'next' : { shown };
  }
  for (const one of attached) {
    const shown = expression(`^-${one.length === 2 ? FLAGS : ''}${one.slice(1)}(?=.)`).exec(option)?.[0];
    if (shown !== undefined) return { shown };
  }
  return null;
}
