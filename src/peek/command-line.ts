/**
 * What is kept of a command line: its arguments with secrets masked. A process writes its own arguments, so they are evidence of
 * what it says of itself. Masking goes by the names of options and variables, by the options of known tools, and by form; a secret
 * that looks like any other word cannot be told.
 */
import { programName } from '../checks/executables.ts';
import { SECRET, withoutSecrets } from '../secrets.ts';

/** Stands where a secret was; one word. */
const MASK = '***';
/** Characters of the text; the helper reads 4 KiB at most. */
export const LONGEST_COMMAND = 1024;
const LONGEST_PROGRAM = 120;
/** Shells within shells; what is nested deeper is masked whole. */
const DEEPEST = 4;

const NAMES_SECRET =
  /pass(?!ive|through)|pwd|secret|token|credential|cookie|session|signature|kennwort|apikey|(?:^|[-_.])(?:auth|pat|key|sas|pin|otp|community)$|[-_.](?:key|auth)[-_.]|(?:api|access|private|account|shared)[-_]?key|authorization/i;
/** What holds a secret is named, not said. */
const NAMES_PLACE = /(?:file|path|dir|folder|fd|env|name|command|cmd|prompt|helper)$/i;
const namesSecret = (name: string): boolean => NAMES_SECRET.test(name) && !NAMES_PLACE.test(name);

interface Options {
  /** Options whose value is the next argument, or stands right behind one of a single letter. */
  readonly value?: readonly string[];
  /** Options with a value right behind them; the next argument is something else. */
  readonly attached?: readonly string[];
}

const of = (programs: string, options: Options): readonly (readonly [string, Options])[] =>
  programs.split(' ').map((program) => [program, options] as const);

/** Options of tools that take a secret under a name that does not say so. */
const TOOLS: ReadonlyMap<string, Options> = new Map([
  ...of('mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mariadb-admin', {
    attached: ['-p'],
  }),
  ...of('7z 7za 7zr rar unrar', { attached: ['-p', '-hp'] }),
  ...of(
    'sshpass mongo mongosh mongodump mongorestore docker podman nerdctl helm skopeo buildah useradd usermod',
    {
      value: ['-p'],
    },
  ),
  ...of('curl', {
    value: ['-u', '--user', '-U', '--proxy-user', '-b', '--oauth2-bearer', '--pass', '-E', '--cert'],
  }),
  ...of('wget', { value: ['--user', '--http-user', '--header'] }),
  ...of('redis-cli valkey-cli', { value: ['-a'] }),
  ...of('ldapsearch ldapmodify ldapadd ldapdelete ldappasswd ldapwhoami', { value: ['-w', '-s', '-a'] }),
  ...of('smbclient rpcclient smbget net', { value: ['-U', '--user'] }),
  ...of('sqlcmd bcp zip unzip ipmitool', { value: ['-P'] }),
  ...of('openssl', { value: ['-pass', '-passin', '-passout', '-k', '-K', '-iv', '-passwd'] }),
  ...of('plink pscp psftp', { value: ['-pw'] }),
  ...of('snmpget snmpwalk snmpset', { value: ['-c', '-A', '-X'] }),
  ...of('htpasswd', { value: ['-b'] }),
  ...of('gpg gpg2', { value: ['--passphrase'] }),
]);

/** Quotes and escapes keep a word together, as in a shell. */
const WORDS = /(?:\\[\s\S]|[^\s"'\\]|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?)+|\\$/g;
const OPTION = /^(?<before>["']?(?:--?|\/)?(?<name>[A-Za-z][\w.-]*)\s*[=:]\s*)(?=[\s\S])/;
const HEADER = /^(?<before>["']?(?<name>[A-Za-z][\w-]*)\s*:\s*)(?=[\s\S])/;
/** `ann:secret@host` without a scheme before it; a password may have any sign but blanks. */
const USER_INFO = /(?<=(?:^|[\s=,"'/])[\w.+%-]+:)[^\s/][^\s]*?(?=@[\w.[-])/g;
/** What base64 with slashes looks like: nothing else mixes small and capital letters and digits for so long. */
const BLOB = /(?<![\w+/=.~-])(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+=-][\w+/=-]{31,}/g;

/** Masks words one after another: what came before says what a word is. */
class Masker {
  /** Of every tool that was named so far: which of the words is the program cannot be told for sure. */
  readonly #value: string[] = [];
  readonly #attached: string[] = [];
  /** The word before asks for a value that is a secret. */
  #waits = false;
  readonly #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  word(word: string): string {
    if (this.#waits) {
      this.#waits = false;
      return MASK;
    }
    const bare = word.replace(/^["']/, '');
    const tool = TOOLS.get(programName(bare.replace(/["']$/, '')).toLowerCase());
    this.#value.push(...(tool?.value ?? []));
    this.#attached.push(...(tool?.attached ?? []));
    const [value, attached] = [this.#value, this.#attached];
    const option = bare.replace(/["']$/, '');
    if (value.includes(option)) {
      this.#waits = true;
      return word;
    }
    const behind = [...attached, ...value].find(
      (one) =>
        bare.startsWith(one) && (attached.includes(one) || one.length === 2 || bare[one.length] === '='),
    );
    if (behind !== undefined && bare.length > behind.length && !bare.startsWith(`--${behind.slice(1)}`))
      return `${word.slice(0, word.length - bare.length)}${behind}${bare[behind.length] === '=' ? '=' : ''}${MASK}`;
    const assigned = OPTION.exec(word)?.groups ?? HEADER.exec(word)?.groups;
    if (assigned?.name !== undefined && namesSecret(assigned.name)) return `${assigned.before}${MASK}`;
    if (/^--?[A-Za-z]/.test(bare) && namesSecret(option.replace(/^-+/, ''))) {
      this.#waits = true;
      return word;
    }
    return /\s/.test(word) ? this.#script(word) : masked(word);
  }

  /** A text with words of its own, as what `sh -c` is given. */
  #script(text: string): string {
    if (this.#depth === DEEPEST) return MASK;
    const inner = new Masker(this.#depth + 1);
    const unquoted = /^(["'])([\s\S]*)\1$/.exec(text);
    const [, quote = '', within = text] = unquoted ?? [];
    // First as a whole: what is told by the words before it, as in "password is x".
    const told = masked(within).replace(WORDS, (word) => (word === MASK ? word : inner.word(word)));
    return quote + told + quote;
  }
}

const masked = (text: string): string =>
  withoutSecrets(text).replaceAll(SECRET, MASK).replace(USER_INFO, MASK).replace(BLOB, MASK);

/** The arguments as one line without secrets; `cut`: there were more. */
export function commandText(args: readonly string[], cut = false): string {
  const masker = new Masker();
  const words = args.map((word) => masker.word(word));
  // Once more over all: a secret may be told by the argument before it.
  const text = masked(words.map(quoted).join(' '));
  return cut || text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}

/** As a shell would take it, for reading alone. */
const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : `'${word}'`);

const INTERPRETER =
  /^(?:python|node|nodejs|perl|ruby|php|php-cgi|lua|bash|dash|ash|sh|zsh|ksh|java|deno|bun)$/;
/** Options that are followed by a value, of any interpreter. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['-W', '-X', '-I', '-r', '--require', '--import', '--loader', '--experimental-loader'],
  ...['-cp', '-classpath', '--class-path', '-d', '-o', '-O', '--max-old-space-size'],
]);
const CODE: ReadonlySet<string> = new Set(['-c', '-e', '-E', '-p', '--eval', '--print', '-r']);

const withoutVersion = (name: string): string => name.replace(/[\d.-]+$/, '');

/**
 * What runs, in a few words: the name of the executable, and of an interpreter the script or module that it was given
 * (`python3 -m http.server`), without further arguments.
 */
export function programText(executable: string, args: readonly string[]): string {
  const own = programName(executable);
  const kind = withoutVersion(own);
  if (!INTERPRETER.test(kind)) return own;
  // A process chooses its own first argument: it names an interpreter only where the executable is called alike.
  const called = programName(args[0] ?? '');
  const name = withoutVersion(called) === kind && own.startsWith(called) ? called : own;
  const what = given(kind, args.slice(1));
  const text = masked(what === '' ? name : `${name} ${what}`);
  return text.length > LONGEST_PROGRAM ? `${text.slice(0, LONGEST_PROGRAM)}…` : text;
}

/** Script or module among the arguments of an interpreter; "" without one. */
function given(kind: string, args: readonly string[]): string {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    const next = args[at + 1];
    if (kind === 'python' && word.startsWith('-m')) return `-m ${word.slice(2) || (next ?? '')}`.trimEnd();
    if (kind === 'java' && word === '-jar') return `-jar ${next ?? ''}`.trimEnd();
    if (CODE.has(word) && !(kind.startsWith('node') && word === '-r')) return `${word} …`;
    if (WITH_VALUE.has(word)) at++;
    else if (word !== '' && !word.startsWith('-')) return word;
  }
  return '';
}
