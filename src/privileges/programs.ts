/** The desk's other programs: where they are, and the words and the environment they are started with. */
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CLOSED_INSPECTOR } from '../native/no-debugger.ts';

/** Where native/build.mjs leaves programs, seen from src/privileges and from dist/privileges alike. */
const built = (name: string): string =>
  fileURLToPath(new URL(`../../build/Release/${name}`, import.meta.url));

export const PEEK_PROGRAM = built('desk-peek');
export const START_PROGRAM = built('desk-start');

/** What the JavaScript of the mail process may take, MiB. */
const MAIL_HEAP_MB = 256;

/** Program and arguments of the mail process. */
export function mailWords(): readonly string[] {
  // It has the extension this file runs under: .ts beneath tsx, .js when compiled.
  const typescript = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(
    new URL(`../features/mail/process.${typescript ? 'ts' : 'js'}`, import.meta.url),
  );
  const loader = typescript ? ['--import', import.meta.resolve('tsx')] : [];
  const limits = [CLOSED_INSPECTOR, `--max-old-space-size=${MAIL_HEAP_MB}`, '--max-semi-space-size=4'];
  return [process.execPath, ...limits, ...loader, entry];
}

/** What of the environment the mail process needs: nothing else is handed on. */
const PASSED = ['NODE_EXTRA_CA_CERTS', 'CREDENTIALS_DIRECTORY', 'PATH', 'TZ', 'LANG'] as const;

/** The descriptor of its channel. */
export const MAIL_CHANNEL = 3;

/** HOME is that of the service's user, in whose home `~/` of a source is. */
export function mailEnvironment(): Readonly<Record<string, string>> {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name];
    return value ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(passed),
    HOME: process.env.HOME || homedir(),
    // The names by which node knows the channel that node:child_process would have made.
    NODE_CHANNEL_FD: String(MAIL_CHANNEL),
    NODE_CHANNEL_SERIALIZATION_MODE: 'json',
  };
}

/** `NAME=VALUE` each, as execve(2) takes it. */
export const asWords = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
