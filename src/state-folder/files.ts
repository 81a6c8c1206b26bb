/** What of the state folder is read by everyone: the tokens, the pid in the lock file, the owner. */
import { closeSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openToRead, readInto } from '../base/private-file.ts';

export type TokenName = 'control.token' | 'mail.token';

export const lockName = 'desk.lock';
const tokenForm = /^[A-Za-z0-9_-]{43}$/;

/** First `bytes` of a regular file as latin1; undefined when it is none or cannot be read. Never waits. */
export function firstOf(path: string, bytes: number): string | undefined {
  try {
    const file = openToRead(path);
    try {
      if (!fstatSync(file).isFile()) return undefined;
      const room = Buffer.alloc(bytes);
      return room.toString('latin1', 0, readInto(room, file));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

export function folderOwner(folder: string): number | undefined {
  try {
    return statSync(folder).uid;
  } catch {
    return undefined;
  }
}

/** A token as its file has it; undefined when missing, unreadable or not of a token's form. */
export function readToken(folder: string, name: TokenName): string | undefined {
  const text = firstOf(join(folder, name), 64)?.trimEnd() ?? '';
  return tokenForm.test(text) ? text : undefined;
}

/** Pid in the lock file: the service's while one runs, else the last one's; null when none was ever written. */
export function lockPid(folder: string): number | null {
  const pid = Number.parseInt(firstOf(join(folder, lockName), 16) ?? '', 10);
  return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
}
