/** The words of configuration errors: what was found, what was expected, which key was meant. */
import { z } from 'zod';
import { nearest } from '../base/nearest.ts';

type Issue = z.core.$ZodIssue;

const secretKey = /pass|secret|token|api_key|credential/i;

const typeWords: Readonly<Record<string, string>> = {
  string: 'text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list [..]',
  object: 'a table',
};

const formatWords: Readonly<Record<string, string>> = {
  email: 'a mail address',
  url: 'a web address (http, https or mailto) or ""',
};

/** A value as the user wrote it, shortened; text that may hold a secret is described only. */
export function found(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined) return 'nothing';
  if (value instanceof Date) return 'a date';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object') return 'a table';
  if (typeof value !== 'string') return String(value);
  const risky = value.includes('@') || value.length > 80 || path.some((part) => secretKey.test(String(part)));
  return risky ? `text of ${value.length} characters` : JSON.stringify(value);
}

const valueAt = (document: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    document,
  );

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string => {
  const limit = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  if (issue.origin === 'string') return `${limit} characters`;
  return issue.origin === 'array' ? `${limit} entries` : limit;
};

function expected(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.startsWith('expected ')) return issue.message.slice('expected '.length);
      return typeWords[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'invalid_format':
      if (issue.message.startsWith('expected ')) return issue.message.slice('expected '.length);
      return formatWords[issue.format] ?? issue.message;
    case 'invalid_union': {
      if (issue.message.startsWith('expected ')) return issue.message.slice('expected '.length);
      const inner = issue.errors.flat();
      const telling = inner.find((one) => one.code === 'invalid_format') ?? inner.at(-1);
      return telling ? expected(telling) : issue.message;
    }
    default:
      return issue.message.replace(/^expected /, '');
  }
}

/** One sentence: found X, expected Y. */
export const problemOf = (issue: Issue, document: unknown): string =>
  `found ${found(valueAt(document, issue.path), issue.path)}, expected ${expected(issue)}`;

/** Unwraps defaults and the like down to the object at a path; undefined when there is none. */
function shapeAt(
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
): Readonly<Record<string, z.core.$ZodType>> | undefined {
  let current: z.core.$ZodType | undefined = schema;
  const bare = (type: z.core.$ZodType | undefined): z.core.$ZodType | undefined => {
    if (type instanceof z.ZodPipe) return bare(type.in);
    if (type instanceof z.ZodDefault || type instanceof z.ZodPrefault || type instanceof z.ZodOptional)
      return bare(type.unwrap());
    return type;
  };
  for (const part of path) {
    current = bare(current);
    if (current instanceof z.ZodObject) current = current.shape[String(part)];
    else if (current instanceof z.ZodArray) current = current.element;
    else return undefined;
  }
  current = bare(current);
  return current instanceof z.ZodObject ? current.shape : undefined;
}

/** "did you mean …" for the nearest of the known words, else all of them. */
export function suggest(known: readonly string[], word: string): string {
  const [near] = nearest(known, word, 1);
  if (near !== undefined) return `did you mean "${near}"?`;
  return `known here: ${known.length === 0 ? 'none' : known.join(', ')}`;
}

/** The same for a key of the object at a path; former names are accepted, but not suggested. */
export const suggestKey = (schema: z.core.$ZodType, path: readonly PropertyKey[], key: string): string =>
  suggest(
    Object.entries(shapeAt(schema, path) ?? {})
      .filter(([, type]) => z.globalRegistry.get(type)?.deprecated !== true)
      .map(([name]) => name),
    key,
  );
