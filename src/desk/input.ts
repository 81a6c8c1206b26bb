/** Input checked against the schema of an operation, and the words for what is wrong with it. */
import type { z } from 'zod';
import { DeskError } from '../base/desk-error.ts';

/** Faults reported at once. */
const MAX_FAULTS = 8;

/** A key is repeated in an answer only when it is an ordinary word. */
const safeKey = (key: PropertyKey): string => (/^[\w-]{1,40}$/.test(String(key)) ? String(key) : '…');

const sizeText = (size: number | bigint, origin: string): string =>
  origin === 'string' ? (size === 1 ? '1 character' : `${size} characters`) : String(size);

/** What was expected, as a person says it: of the library's own words those that name its types and codes are replaced. */
export function faultText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `missing, expected ${issue.expected}` : `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `expected at least ${sizeText(issue.minimum, issue.origin)}`;
    case 'too_big':
      return `expected at most ${sizeText(issue.maximum, issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'expected an RFC 3339 time, e.g. 2027-01-31T08:00:00+01:00'
        : issue.message;
    default:
      return issue.message;
  }
}

/** Checks parsed input. @throws DeskError `usage` with a JSON pointer (RFC 6901) to each fault; unknown keys are faults. */
export function conform<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const faults = result.error.issues.slice(0, MAX_FAULTS).flatMap((issue): string[] => {
    const pointer = issue.path.map((key) => `/${safeKey(key)}`).join('');
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, MAX_FAULTS).map((key) => `${pointer}/${safeKey(key)}: unknown key`);
    return [`${pointer || 'the whole'}: ${faultText(issue)}`];
  });
  throw new DeskError('usage', `Invalid fields: ${faults.join('; ')}.`, '');
}
