/**
 * With which options and variables the service refuses to start: those that open a debugger, change what code runs, or write
 * what it knows to a file. Each process option must be listed as harmless; variables are refused by name. Sources: Node.js
 * documentation, "Command-line API"; ld.so(8); openssl-env(7).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { distrust, faultText } from '../base/trusted-file.ts';
import { usage } from '../desk/failure.ts';
import { CLOSED_INSPECTOR } from '../engine/native/no-debugger.ts';
import type { Environment } from './command.ts';

/** Options of node that are accepted. */
const HARMLESS_OPTIONS: readonly RegExp[] = [
  // Keep the inspector closed.
  new RegExp(`^${CLOSED_INSPECTOR.replaceAll('.', '[.]')}$`),
  /^--disable-sigusr1$/,
  // Limit memory.
  /^--max-(?:old|semi)-space-size=\d+$/,
  // Hide warnings of node.
  /^--(?:no-warnings|no-deprecation|disable-warning=\w+)$/,
];

/** Accepted besides while the desk runs from its TypeScript, which needs a loader. */
const LOADER = /^--import=tsx$/;

/** Variables that are refused, with the reason. */
export const REFUSED_VARIABLES: Readonly<Record<string, string>> = {
  LD_PRELOAD: 'loads code into every process',
  LD_AUDIT: 'loads code into every process',
  LD_LIBRARY_PATH: 'replaces libraries',
  GCONV_PATH: 'loads code into programs that convert text',
  NODE_PATH: 'adds places where modules are found',
  NODE_PRESERVE_SYMLINKS: 'changes where modules are found',
  NODE_PRESERVE_SYMLINKS_MAIN: 'changes where modules are found',
  NODE_CHANNEL_FD: 'makes node the child of another process',
  NODE_UNIQUE_ID: 'makes node the child of another process',
  NODE_REPL_EXTERNAL_MODULE: 'loads a module',
  NODE_INSPECT_RESUME_ON_START: 'steers the debugger',
  NODE_V8_COVERAGE: 'writes what code ran to files',
  NODE_DEBUG: 'prints requests and their secrets',
  NODE_DEBUG_NATIVE: 'prints requests and their secrets',
  NODE_REDIRECT_WARNINGS: 'writes to a file',
  NODE_COMPILE_CACHE: 'runs compiled code found in a folder',
  NODE_ICU_DATA: 'replaces data that node is compiled with',
  NODE_TLS_REJECT_UNAUTHORIZED: 'turns the check of certificates off',
  NODE_USE_ENV_PROXY: 'sends requests through a proxy',
  SSLKEYLOGFILE: 'writes the keys of connections to a file',
  OPENSSL_CONF: 'loads providers and engines',
  OPENSSL_MODULES: 'replaces providers',
  OPENSSL_ENGINES: 'replaces engines',
};

/** How this process was started. */
export interface Started {
  /** Options before the script (`process.execArgv`). */
  readonly options: readonly string[];
  readonly env: Environment;
  /** It runs from TypeScript by a loader. */
  readonly fromSources: boolean;
}

interface StartProblem {
  /** The variable to unset; null: an option on the command line. */
  readonly variable: string | null;
  /** What is refused and why, in one line. */
  readonly text: string;
  /** The option as node names it, without its value; "" when a variable is refused as a whole. */
  readonly option: string;
}

/** What OpenSSL reads of SSL_CERT_DIR: in each folder of the list, files named by a hash (X509_LOOKUP_hash_dir(3)). */
function certificatesIn(folders: string): readonly string[] {
  return folders.split(':').flatMap((folder) => {
    try {
      const names = readdirSync(folder).filter((name) => /^[0-9a-f]{8}\.r?\d+$/.test(name));
      return names.map((name) => join(folder, name));
    } catch {
      return [];
    }
  });
}

/** What is wrong with the way the process was started; [] when nothing is. */
export function startProblems({ options, env, fromSources }: Started): readonly StartProblem[] {
  const accepted = (option: string): boolean =>
    HARMLESS_OPTIONS.some((form) => form.test(option)) || (fromSources && LOADER.test(option));
  const refused = (variable: string | null, words: readonly string[]): readonly StartProblem[] =>
    joined(words)
      .filter((option) => !accepted(option))
      .map((option) => ({
        variable,
        text: `${variable ?? 'node'} option ${option}: not among the options that the service accepts`,
        option: option.split('=', 1)[0] ?? '',
      }));
  const whole = (variable: string, why: string) => ({ variable, text: `${variable}: ${why}`, option: '' });
  // Their content decides which TLS servers are trusted.
  const authorities = [
    ...(env.NODE_EXTRA_CA_CERTS ? [['NODE_EXTRA_CA_CERTS', env.NODE_EXTRA_CA_CERTS]] : []),
    ...(env.SSL_CERT_FILE ? [['SSL_CERT_FILE', env.SSL_CERT_FILE]] : []),
    ...certificatesIn(env.SSL_CERT_DIR ?? '').map((file) => ['SSL_CERT_DIR', file]),
  ].flatMap(([name = '', file = '']) => {
    const fault = distrust(file);
    // What is not there is not read; a file that is meant for this program alone has to be.
    if (fault === null || (fault.kind === 'absent' && name !== 'NODE_EXTRA_CA_CERTS')) return [];
    return [whole(name, `${file} ${faultText(fault)}`)];
  });
  return [
    ...refused(null, options),
    ...refused('NODE_OPTIONS', wordsOf(env.NODE_OPTIONS ?? '')),
    ...Object.entries(REFUSED_VARIABLES)
      .filter(([name]) => env[name])
      .map(([name, reason]) => whole(name, reason)),
    ...authorities,
  ];
}

/**
 * NODE_OPTIONS as node splits it: at spaces only; double quotes keep spaces, and in them a backslash keeps the next character
 * (node.cc, ParseNodeOptionsEnvVar).
 */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/(?:[^ "]|"(?:\\.|[^"\\])*"?)+/gs) ?? [];
  return words
    .map((word) =>
      word.replace(/"((?:\\.|[^"\\])*)"?/gs, (_, quoted: string) => quoted.replace(/\\(.)/gs, '$1')),
    )
    .filter(Boolean);
}

/** Options that take their value as the next word, in one. `_` and `-` are the same to node. */
function joined(words: readonly string[]): readonly string[] {
  const options: string[] = [];
  for (const word of words) {
    const last = options.at(-1);
    if (word.startsWith('-') || last === undefined || last.includes('='))
      options.push(word.replace(/(?<=^[^=]*)_/g, '-'));
    else options[options.length - 1] = `${last}=${word}`;
  }
  return options;
}

/** What to do, with the names of what was refused. */
function remedyOf(problems: readonly StartProblem[]): string {
  const options = problems.filter(({ variable }) => variable === null).map(({ option }) => option);
  const variables = new Set(problems.flatMap(({ variable }) => variable ?? []));
  const unset = [...variables].map((name) => `-u ${name} `).join('');
  return [
    options.length > 0 ? `Remove ${[...new Set(options)].join(', ')} from the command line of node.` : '',
    unset === '' ? '' : `Start it without these variables: "env ${unset}desk boot".`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @throws Failure (exit 2) when the service must not start like this. */
export function refuseUnsafeStart(started: Started): void {
  const problems = startProblems(started);
  if (problems.length === 0) return;
  throw usage(
    'The service does not start with options or variables that open a debugger or change what code runs.',
    remedyOf(problems),
    problems.map(({ text }) => text).join('\n'),
  );
}
