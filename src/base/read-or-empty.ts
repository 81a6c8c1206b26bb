/** Files, links and folders of the kernel that may be gone or closed, for readers to which that is the same as empty. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Bytes as Latin-1; "" when it cannot be read. */
export const textOf = (path: string): string => orElse(() => readFileSync(path, 'latin1'), '');

/** The target; "" when it cannot be read. */
export const linkOf = (path: string): string => orElse(() => readlinkSync(path), '');

/** Sorted by the kernel; none when it cannot be read. */
export const namesIn = (path: string): readonly string[] => orElse(() => readdirSync(path), []);
