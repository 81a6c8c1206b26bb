/** Why the owner of a folder cannot write into it, and what changes that. */
import { accessSync, constants, statSync } from 'node:fs';

/** A file mode as chmod(1) takes it. */
export const octal = (mode: number): string => (mode & 0o7777).toString(8).padStart(4, '0');

export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function closedFolder(path: string): { readonly why: string; readonly cure: string } {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o200;
  return (mode & 0o200) === 0
    ? {
        why: `its mode ${octal(mode)} forbids writing`,
        cure: `make it writable with "chmod u+w ${path}"`,
      }
    : {
        why: 'the system does not permit writing into it',
        cure: `check its attributes (lsattr -d ${path}) and the log of AppArmor or SELinux`,
      };
}
