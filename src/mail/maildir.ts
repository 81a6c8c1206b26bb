/**
 * Maildir (cr.yp.to/proto/maildir.html): `cur` and `new`, a file per message; the part of its name before `:2,` stays when flags
 * change or it moves to `cur`. Subfolders lie beside as `.Sub.Folder` (Maildir++, Courier's maildir(5)) or within as directories.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, type FolderRun, foldersOf, hash53, isPassedOver, Troubles } from './folder-source.ts';
import { type Files, readUnitFolders, type UnitFolder } from './unit-folders.ts';

const PARTS = ['cur', 'new'] as const;
const OF_A_MAILDIR: ReadonlySet<string> = new Set([...PARTS, 'tmp']);

/** @throws what the system says where that cannot be told */
const isMaildir = (path: string): boolean =>
  PARTS.some((part) => statSync(join(path, part), { throwIfNoEntry: false })?.isDirectory() === true);

/** `.Lists.devel` is `Lists/devel`; in directories as they lie. */
const nameOf = (folder: string): string =>
  folder
    .split('/')
    .map((level) => (level.startsWith('.') ? level.slice(1).replaceAll('.', '/') : level))
    .join('/');

function maildir(path: string, name: string): UnitFolder {
  const parts = PARTS.map((part) => join(path, part));
  const there = (part: string) => statSync(part, { throwIfNoEntry: false }) !== undefined;
  return {
    name,
    watched: parts,
    files: () => {
      const files: Files = { units: [], paths: [] };
      for (const part of parts.filter(there))
        for (const name of readdirSync(part)) {
          // What is no file is told when it is read.
          if (name.startsWith('.')) continue;
          const flags = name.indexOf(':');
          files.units.push(hash53(flags < 0 ? name : name.slice(0, flags)));
          files.paths.push(`${part}/${name}`);
        }
      return files;
    },
  };
}

export async function* readMaildir(asked: Asked): FolderRun {
  const { path } = asked;
  const troubles = new Troubles(asked);
  const names = foldersOf(asked, (name) => !OF_A_MAILDIR.has(name), troubles);
  if (names === null) return { reason: troubles.reason, folders: 0 };
  const folders = names
    .filter((folder) => {
      const there = join(path, folder);
      try {
        return !isPassedOver(nameOf(folder)) && isMaildir(there);
      } catch (error) {
        troubles.refused(there, error);
        return false;
      }
    })
    .map((folder) => maildir(join(path, folder), nameOf(folder) || 'INBOX'));
  if (folders.length === 0 && troubles.reason === '')
    troubles.add(
      `${path} holds no Maildir (a folder with cur and new): name another in place of ${asked.source}`,
    );
  return yield* readUnitFolders(asked, folders, troubles);
}
