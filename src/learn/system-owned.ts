/** Which executables the system itself installed: what may be learned without asking (`autoLearn`). */
import { lstatSync } from 'node:fs';

/** Only root can mount or link below these, so that looking there cannot block and a path there cannot be made by others. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64|libx32)\//;

/** The file and every folder above it are root's and writable by nobody else. False for what is not there. */
export function isSystemOwned(executable: string, look: typeof lstatSync = lstatSync): boolean {
  if (!SYSTEM.test(executable) || executable.includes('/../')) return false;
  const parts = executable.split('/');
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/') || '/');
  try {
    return paths.every((path, at) => {
      const info = look(path);
      const rightKind = at === paths.length - 1 ? info.isFile() : info.isDirectory();
      return rightKind && info.uid === 0 && (info.mode & 0o022) === 0;
    });
  } catch {
    return false;
  }
}
