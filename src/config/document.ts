/** A TOML file as people write it (configuration, law), read and checked. All problems are reported at once, and nothing is thrown. */
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { faultText, readTrusted } from '../base/trusted-file.ts';
import { isWritten, type KeyLines, keyLines, lineOf } from './lines.ts';
import { problemOf, suggestKey } from './problems.ts';

/** One thing wrong with a file. `key` is dotted, "" for the file as a whole; `line` is 1-based, null when unknown. */
interface Problem {
  readonly line: number | null;
  readonly key: string;
  readonly message: string;
  /** What to do; may name paths, which `message` does not. */
  readonly remedy?: string;
}

/** What a schema cannot say. */
export interface Conflict {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The other side of it, reported where that one alone is written in the file. */
  readonly other?: Omit<Conflict, 'other'>;
}

type FileRead =
  | { readonly ok: true; readonly bytes: Buffer; readonly changed: Date }
  /** `absent`: it does not exist; else why it cannot be read or is not to be trusted. */
  | { readonly ok: false; readonly absent: boolean; readonly problem: Problem };

/** Larger files are refused unread. */
const maximumBytes = 1 << 20;

/** Reads a file that is to be trusted (trusted-file.ts). */
export function readDocument(path: string): FileRead {
  const refuse = (message: string, remedy?: string, absent = false): FileRead => ({
    ok: false,
    absent,
    problem: { line: null, key: '', message, ...(remedy ? { remedy } : {}) },
  });
  const read = readTrusted(path, maximumBytes);
  if (!read.ok) return refuse(read.fault.what, read.fault.remedy, read.fault.kind === 'absent');
  const { bytes, info } = read;
  if (bytes.length <= maximumBytes) return { ok: true, bytes, changed: info.mtime };
  // fstat(2) says 0 for the files of proc(5).
  const size = info.size > maximumBytes ? info.size : `more than ${maximumBytes}`;
  return refuse(`is ${size} bytes; expected at most ${maximumBytes}`);
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Parses and validates the bytes of a file. `conflictsOf` is asked about what the schema takes. */
export function checkDocument<S extends z.ZodType>(
  bytes: Uint8Array,
  schema: S,
  conflictsOf: (value: z.output<S>) => readonly Conflict[] = () => [],
): Checked<z.output<S>> {
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
  const parsed = schema.safeParse(document);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, document, lines, schema) };
  const problems = conflictsOf(parsed.data).map((conflict) => {
    const { other } = conflict;
    const { path, message } =
      other && !isWritten(lines, conflict.path) && isWritten(lines, other.path) ? other : conflict;
    return { line: lineOf(lines, path), key: dotted(path), message };
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: parsed.data };
}

/** smol-toml quotes the offending lines after the first one; they may hold a secret and are left out. */
function syntaxProblem(error: unknown): Problem {
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
  schema: z.core.$ZodType,
): readonly Problem[] {
  const at = (path: readonly PropertyKey[], message: string): Problem => ({
    line: lineOf(lines, path),
    key: dotted(path),
    message,
  });
  const problems = error.issues.flatMap((issue): Problem[] =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) =>
          at([...issue.path, key], `is an unknown key; ${suggestKey(schema, issue.path, key)}`),
        )
      : [at(issue.path, problemOf(issue, document))],
  );
  return problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** A file that is refused. */
export interface RefusedFile {
  readonly path: string;
  readonly problems: readonly Problem[];
}

/** The first problem of refused files and how many more there are, in one phrase without paths; "" without any. */
export function firstProblem(refused: readonly RefusedFile[]): string {
  const [first, ...more] = refused.flatMap(({ problems }) => problems);
  if (first === undefined) return '';
  const place = first.line === null ? '' : `line ${first.line}: `;
  const text = `${place}${first.key} ${first.message}`.replace(/ +/g, ' ').replaceAll(';', ',').trim();
  return more.length > 0 ? `${text}, and ${more.length} more` : text;
}

/** One line per problem: `file:line: key message`. */
export const describeProblems = ({ path, problems }: RefusedFile): readonly string[] =>
  problems.map(({ line, key, message, remedy }) => {
    const place = line === null ? path : `${path}:${line}`;
    const text = key === '' ? `${place}: ${message}` : `${place}: ${key} ${message}`;
    return faultText({ what: text, remedy: remedy ?? '' });
  });
