/**
 * The arguments of a command line with secrets masked. A process writes its own arguments, so they are only what it says of itself.
 * Masked are values by names of options and variables, by options of known tools, and by form; a secret that looks like any other word
 * cannot be recognised.
 */
import { SECRET, withoutSecrets } from '../../base/secrets.ts';
import { isInterpreter, programName, withoutVersion } from '../../checks/executables.ts';
import { type SecretOptions, saidBy, TOOLS } from './secret-options.ts';

/** In place of a secret; one word. */
const MASK = '***';
/** Characters of the text; the helper reads 4 KiB at most. */
export const LONGEST_COMMAND = 1024;
const LONGEST_PROGRAM = 120;
/** Shells within shells; what is nested deeper is masked whole. */
const DEEPEST = 4;
/** What any program takes behind `-u`. */
const WITH_USER: SecretOptions = { value: ['-p'] };

const NAMES_SECRET =
  /pass(?!ive|through)|pwd|secret|token|credential|cookie|session|signature|kennwort|apikey|literal|(?:^|[-_.])(?:auth|pat|key|sas|pin|otp|community|pw|psw|pswd|psk|jwt|bearer|creds?|dsn|p)$|[-_.](?:key|auth)[-_.]|(?:api|access|private|account|shared)[-_]?key|authorization/i;
/** It names the place of a secret. */
const NAMES_PLACE = /(?:file|path|dir|folder|fd|env|name|command|cmd|prompt|helper)$/i;
const namesSecret = (name: string): boolean => NAMES_SECRET.test(name) && !NAMES_PLACE.test(name);
/** Words without a dash whose next word is a secret: `password x`, `aws_secret_access_key x`. */
const SAYS_SECRET =
  /^(?:pass(?:word|wd|phrase)|psk|requirepass|masterauth|\w+[-_](?:pass(?:word|wd|phrase)?|pwd|secret|token|key))$/i;
/** Of `ann:secret` the name is shown. */
const NAMES_USER = /^(?:\w+-)?(?:u|user(?:name|pwd)?|login)$/i;

/** Quotes and escapes keep a word together, as in a shell. */
const WORDS = /(?:\\[\s\S]|[^\s"'\\]|"(?:\\[\s\S]|[^"\\])*"?|'[^']*'?)+|\\$/g;
/** A word that ends a command of a shell. */
const ENDS = /(?:[;&|]|^\))$/;
/** What writes to a pipe, and commands that read a password from one. */
const WRITES = /\b(?:echo|printf)\s/;
const READS_PASSWORD = /\bsudo\s|stdin|passwd|cryptsetup/g;
const OPTION = /^(?<before>["']?(?:--?|\/)?(?<name>[A-Za-z][\w.-]*)\s*[=:]\s*)(?=[\s\S])/;
const HEADER = /^(?<before>["']?(?<name>[A-Za-z][\w-]*)\s*:\s*)(?=[\s\S])/;
/** `ann:secret@host` without a scheme before it; a password may have any sign but blanks. */
const USER_INFO = /(?<=(?:^|[\s=,"'/])[\w.+%-]+:)[^\s/][^\s]*(?=@[\w.[-])/g;
/** A run that may be base64 with slashes, an option's name before it included. */
const RUN = /(?<![\w+/=.~-])[\w+=-][\w+/=-]{31,}/g;
/** Of base64 about half of the letters are capitals; of names in camel case, few. */
const FEWEST_CAPITALS = 1 / 4;

const unquoted = (word: string): string => word.replace(/^["']|["']$/g, '');

/** Masks words one after another, since earlier words decide what a word is. */
class Masker {
  /** Of every tool named so far, since any of the words may be the program. */
  readonly #tools = new Set<SecretOptions>();
  /** By the previous word, this one is a secret, or may be a user with one. */
  #waits: 'secret' | 'user' | null = null;
  /** Every word until the command ends. */
  #rest = false;
  /** A user was named: `-p` is hardly a port. */
  #user = false;
  #first = true;
  readonly #depth: number;

  constructor(depth = 0) {
    this.#depth = depth;
  }

  word(word: string): string {
    const first = this.#first;
    this.#first = false;
    const waits = this.#waits;
    this.#waits = null;
    if (this.#rest) {
      this.#rest = !ENDS.test(word);
      return MASK;
    }
    if (waits === 'secret') return MASK;
    if (waits === 'user') return withoutPassword(word, '');
    const option = unquoted(word);
    const masking = this.#named(word, option, first);
    if (masking !== null) return masking;
    return /\s/.test(word) ? this.#script(word) : masked(word);
  }

  /** Masked by the name of an option, or by the options of a tool; null when neither applies. */
  #named(word: string, option: string, first: boolean): string | null {
    this.#rest = [...this.#tools].some(({ rest }) => rest?.test(option) === true);
    const tool = TOOLS.get(programName(option).toLowerCase());
    if (tool !== undefined) this.#tools.add(tool);
    for (const one of this.#user ? [...this.#tools, WITH_USER] : this.#tools) {
      const said = saidBy(one, option);
      if (said === 'next') return this.#next('secret', word);
      if (said !== null) return `${quoteOf(word)}${said.shown}${MASK}`;
    }
    const assigned = OPTION.exec(word)?.groups ?? HEADER.exec(word)?.groups;
    const { name = '', before = '' } = assigned ?? {};
    if (name !== '' && namesSecret(name)) return `${before}${MASK}`;
    const dashed = /^--?(?<name>[A-Za-z].*)$/s.exec(option)?.groups?.name ?? '';
    if (dashed !== '' && NAMES_USER.test(name)) return withoutPassword(word, before);
    if (/^-u/.test(option)) this.#user = true;
    if (/^-u./s.test(option)) return withoutPassword(word, `${quoteOf(word)}-u`);
    if (dashed === '') return !first && SAYS_SECRET.test(option) ? this.#next('secret', word) : null;
    if (dashed !== 'p' && namesSecret(dashed)) return this.#next('secret', word);
    return NAMES_USER.test(dashed) ? this.#next('user', word) : null;
  }

  #next(waits: 'secret' | 'user', word: string): string {
    this.#waits = waits;
    return word;
  }

  /** A text of several words, for example of `sh -c`. */
  #script(word: string): string {
    if (this.#depth === DEEPEST) return MASK;
    const inner = new Masker(this.#depth + 1);
    const [, quote = '', within = word] = /^(["'])([\s\S]*)\1$/.exec(word) ?? [];
    // First as a whole, for secrets after several words, as in "password is x".
    const text = masked(withoutPiped(within)).replace(WORDS, (one) => (one === MASK ? one : inner.word(one)));
    return quote + text + quote;
  }
}

const quoteOf = (word: string): string => /^["']?/.exec(word)?.[0] ?? '';

/** Masks what `echo` writes to a command that reads a password. By plain searches: a process chooses this text, and could make a regular expression slow. */
function withoutPiped(text: string): string {
  const reads = [...text.matchAll(READS_PASSWORD)].at(-1)?.index;
  const writes = WRITES.exec(text);
  if (reads === undefined || writes === null) return text;
  const from = writes.index + writes[0].length;
  const pipe = text.lastIndexOf('|', reads);
  return pipe < from ? text : `${text.slice(0, from)}${MASK} ${text.slice(pipe)}`;
}

/** A user name, and what follows a colon behind it masked; `before` is not part of it. */
function withoutPassword(word: string, before: string): string {
  const value = word.slice(before.length);
  const at = value.indexOf(':');
  return at < 0 ? before + masked(value) : `${before}${value.slice(0, at + 1)}${MASK}`;
}

const masked = (text: string): string =>
  withoutSecrets(text)
    .replaceAll(SECRET, MASK)
    .replace(USER_INFO, MASK)
    .replace(RUN, (run) => (looksEncoded(run) ? MASK : run));

/** Nothing else mixes small letters with digits, or with many capitals, for so long. */
function looksEncoded(run: string): boolean {
  const small = run.match(/[a-z]/g)?.length ?? 0;
  const capitals = run.match(/[A-Z]/g)?.length ?? 0;
  if (small === 0 || capitals === 0) return false;
  return /\d/.test(run) || capitals >= (small + capitals) * FEWEST_CAPITALS;
}

/** The arguments as one line without secrets; `cut`: there were more. */
export function commandText(args: readonly string[], cut = false): string {
  const masker = new Masker();
  const words = args.map((word) => masker.word(word));
  // Again as a whole, for secrets that the previous argument announces.
  const text = masked(words.map(quoted).join(' '));
  return cut || text.length > LONGEST_COMMAND ? `${text.slice(0, LONGEST_COMMAND)}…` : text;
}

const quoted = (word: string): string => (/^[^\s"']+$/.test(word) ? word : `'${word}'`);

/** Options that are followed by a value, of any interpreter. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['-W', '-X', '-I', '-r', '--require', '--import', '--loader', '--experimental-loader'],
  ...['-cp', '-classpath', '--class-path', '-d', '-o', '-O', '--max-old-space-size'],
]);
const CODE: ReadonlySet<string> = new Set(['-c', '-e', '-E', '-p', '--eval', '--print', '-r']);

/** The name of the executable, and for an interpreter also its script or module (`python3 -m http.server`). */
export function programText(executable: string, args: readonly string[]): string {
  const own = programName(executable);
  if (!isInterpreter(executable)) return own;
  const kind = withoutVersion(own);
  // A process chooses its first argument: it counts as the name only when the executable has a similar one.
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
