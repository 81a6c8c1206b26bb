/**
 * Finds, reads and checks the configuration file. Every problem is told at once and exactly: file, line, key, what was
 * found, what was expected. A refusal is a value: at start the command prints it, on reload the old configuration stays.
 */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { conflictsOf } from './config-conflicts.ts';
import { type KeyLines, keyLines, lineOf } from './config-lines.ts';
import { problemOf, suggestKey } from './config-problems.ts';
import { type Config, configSchema } from './config-schema.ts';

/** One thing wrong with the file. `key` is dotted, "" for the file as a whole; `line` is 1-based, null when unknown. */
interface ConfigProblem {
  readonly line: number | null;
  readonly key: string;
  readonly message: string;
}

export interface LoadedConfig {
  readonly config: Config;
  /** The file read, null when the defaults stand alone. */
  readonly path: string | null;
  /** Local date of the file's last change, `YYYY-MM-DD`; "" without a file. */
  readonly date: string;
}

type ConfigResult =
  | ({ readonly ok: true } & LoadedConfig)
  | { readonly ok: false; readonly path: string; readonly problems: readonly ConfigProblem[] };

type Environment = Readonly<Record<string, string | undefined>>;

/** Larger files are refused unread: no configuration needs it. */
const maximumBytes = 1 << 20;

/** The places looked at, in order. `DESK_CONFIG` alone counts when it is set. */
export function configPlaces(env: Environment): readonly string[] {
  if (env.DESK_CONFIG) return [env.DESK_CONFIG];
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return [join(home, 'desk', 'desk.toml'), '/etc/desk/desk.toml'];
}

const errnoOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const localDate = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/**
 * Loads the first file that exists, else the defaults. A `DESK_CONFIG` that is missing is a problem; so is a file that
 * exists but cannot be read: falling through to another one would silently ignore what the user wrote.
 */
export function loadConfig(env: Environment = process.env): ConfigResult {
  for (const path of configPlaces(env)) {
    const refuse = (message: string): ConfigResult => ({
      ok: false,
      path,
      problems: [{ line: null, key: '', message }],
    });
    let bytes: Buffer;
    let changed: Date;
    try {
      const info = statSync(path);
      if (!info.isFile()) return refuse('is not a regular file; expected a TOML file');
      if (info.size > maximumBytes) return refuse(`is ${info.size} bytes; expected at most ${maximumBytes}`);
      bytes = readFileSync(path);
      changed = info.mtime;
    } catch (error) {
      const code = errnoOf(error);
      const absent = code === 'ENOENT' || code === 'ENOTDIR';
      if (absent && !env.DESK_CONFIG) continue;
      return refuse(
        absent
          ? 'does not exist; DESK_CONFIG names it. Create it, or unset DESK_CONFIG to use the defaults'
          : `cannot be read (${code}); make it readable for uid ${process.geteuid?.() ?? '?'}`,
      );
    }
    const checked = checkConfig(bytes);
    return checked.ok
      ? { ok: true, config: checked.config, path, date: localDate(changed) }
      : { ok: false, path, problems: checked.problems };
  }
  return { ok: true, config: defaultConfig(), path: null, date: '' };
}

export const defaultConfig = (): Config => configSchema.parse({});

type CheckedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Parses and validates the bytes of a configuration file. Never throws. */
export function checkConfig(bytes: Uint8Array): CheckedConfig {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, problems: [{ line: null, key: '', message: 'is not UTF-8 text' }] };
  }
  let document: Record<string, unknown>;
  try {
    document = parse(text, { maxDepth: 32, unsafeKeyBehaviour: 'throw' });
  } catch (error) {
    return { ok: false, problems: [syntaxProblem(error)] };
  }
  const lines = keyLines(text);
  const parsed = configSchema.safeParse(document);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, document, lines) };
  const problems = conflictsOf(parsed.data).map(({ path, message }) => ({
    line: lineOf(lines, path),
    key: dotted(path),
    message,
  }));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config: parsed.data };
}

/** smol-toml quotes the offending lines after the first one; they may hold a secret and are left out. */
function syntaxProblem(error: unknown): ConfigProblem {
  if (!(error instanceof TomlError)) throw error;
  const reason = error.message.split('\n', 1)[0]?.replace(/^Invalid TOML document: /, '');
  return { line: error.line, key: '', message: `is not valid TOML: ${reason} (column ${error.column})` };
}

const dotted = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  );

function problemsOf(
  error: z.ZodError,
  document: Record<string, unknown>,
  lines: KeyLines,
): readonly ConfigProblem[] {
  const problems = error.issues.flatMap((issue): ConfigProblem[] => {
    if (issue.code !== 'unrecognized_keys')
      return [
        { line: lineOf(lines, issue.path), key: dotted(issue.path), message: problemOf(issue, document) },
      ];
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const message = `is an unknown key; ${suggestKey(configSchema, issue.path, key)}`;
      return { line: lineOf(lines, path), key: dotted(path), message };
    });
  });
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** One line per problem: `file:line: key message`. */
export const describeProblems = (refused: Extract<ConfigResult, { ok: false }>): readonly string[] =>
  refused.problems.map(({ line, key, message }) => {
    const place = line === null ? refused.path : `${refused.path}:${line}`;
    return key === '' ? `${place}: ${message}` : `${place}: ${key} ${message}`;
  });
