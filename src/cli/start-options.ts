/**
 * With which options and variables the service refuses to start: those that open a debugger, change what code runs, or write
 * what it knows to a file. Each process option must be listed as harmless; variables are refused by name. Sources: Node.js
 * documentation, "Command-line API"; ld.so(8); openssl-env(7).
 */
import { CLOSED_INSPECTOR } from '../native/no-debugger.ts';
import { distrust } from '../trusted-file.ts';
import { exit, Failure } from './failure.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Options of node that are accepted, by their beginning. */
export const HARMLESS_OPTIONS: readonly { readonly form: RegExp; readonly reason: string }[] = [
  {
    form: new RegExp(`^${CLOSED_INSPECTOR.replaceAll('.', '[.]')}$`),
    reason: 'keeps the inspector from listening',
  },
  { form: /^--disable-sigusr1$/, reason: 'keeps SIGUSR1 from starting the inspector' },
  { form: /^--max-(?:old|semi)-space-size=\d+$/, reason: 'limits memory' },
  { form: /^--(?:no-warnings|no-deprecation|disable-warning=\w+)$/, reason: 'hides warnings of node' },
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
  SSL_CERT_FILE: 'replaces the authorities that are trusted',
  SSL_CERT_DIR: 'replaces the authorities that are trusted',
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

/** What is wrong with the way the process was started, one line each; [] when nothing is. */
export function startProblems({ options, env, fromSources }: Started): readonly string[] {
  const accepted = (option: string): boolean =>
    HARMLESS_OPTIONS.some(({ form }) => form.test(option)) || (fromSources && LOADER.test(option));
  const refused = (from: string, words: readonly string[]): readonly string[] =>
    joined(words)
      .filter((option) => !accepted(option))
      .map((option) => `${from}${option}: not among the options that the service accepts`);
  return [
    ...refused('node option ', options),
    ...refused('NODE_OPTIONS option ', (env.NODE_OPTIONS ?? '').split(/\s+/).filter(Boolean)),
    ...Object.entries(REFUSED_VARIABLES)
      .filter(([name]) => env[name])
      .map(([name, reason]) => `${name}: ${reason}`),
    ...authorityProblems(env.NODE_EXTRA_CA_CERTS),
  ];
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

/** Whoever may write this file decides which servers are believed. */
function authorityProblems(file: string | undefined): readonly string[] {
  const fault = file ? distrust(file) : null;
  return fault === null ? [] : [`NODE_EXTRA_CA_CERTS: ${file} ${fault.what}; ${fault.remedy}`];
}

/** @throws Failure (exit 2) when the service must not start like this. */
export function refuseUnsafeStart(started: Started): void {
  const problems = startProblems(started);
  if (problems.length === 0) return;
  throw new Failure(
    exit.usage,
    'The service does not start with options or variables that open a debugger or change what code runs.',
    problems.join('\n'),
    'Start it without them, e.g. "env -u NODE_OPTIONS desk boot".',
  );
}
