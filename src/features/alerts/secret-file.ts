/** Addresses and tokens of targets, which may be secrets in files of their own. */
import { readPrivateLine } from '../../base/private-line.ts';

export type SecretText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** The text, or the line of the file where one is named. Read at each use: files change. */
export function secretText(text: string, file: string, what: string): SecretText {
  if (file === '') return { ok: true, text };
  const line = readPrivateLine(file, { ours: true, what });
  if (line === null) return { ok: false, reason: `the ${what} file ${file} does not exist, write it` };
  return line.ok ? { ok: true, text: line.secret } : line;
}
