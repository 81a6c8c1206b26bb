/** The desk's other programs: paths, arguments and environment. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMPILED } from '../base/compiled.ts';
import { CLOSED_INSPECTOR } from '../engine/native/no-debugger.ts';

export const PEEK_PROGRAM = join(COMPILED.folder, 'desk-peek');
export const START_PROGRAM = join(COMPILED.folder, 'desk-start');

/** Heap limit of the mail process, MiB. */
const MAIL_HEAP_MB = 256;

/** Program and arguments of the mail process. */
export function mailWords(): readonly string[] {
  // .ts under tsx, .js when compiled.
  const typescript = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(
    new URL(`../features/mail/process.${typescript ? 'ts' : 'js'}`, import.meta.url),
  );
  const loader = typescript ? ['--import', import.meta.resolve('tsx')] : [];
  const limits = [CLOSED_INSPECTOR, `--max-old-space-size=${MAIL_HEAP_MB}`, '--max-semi-space-size=4'];
  return [process.execPath, ...limits, ...loader, entry];
}

/** Environment variables that are passed to the mail process. */
const PASSED = ['NODE_EXTRA_CA_CERTS', 'CREDENTIALS_DIRECTORY', 'PATH', 'TZ', 'LANG'] as const;

export const MAIL_CHANNEL = 3;

/** HOME is that of the service's user, in whose home `~/` of a source is. */
export function mailEnvironment(): Readonly<Record<string, string>> {
  const passed = PASSED.map((name) => [name, process.env[name] ?? ''] as const);
  return {
    ...Object.fromEntries(passed.filter(([, value]) => value !== '')),
    HOME: process.env.HOME || homedir(),
    // Names by which Node finds a channel of node:child_process.
    NODE_CHANNEL_FD: String(MAIL_CHANNEL),
    NODE_CHANNEL_SERIALIZATION_MODE: 'json',
  };
}

/** `NAME=VALUE` each, for execve(2). */
export const asWords = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
