/**
 * Maildir (cr.yp.to/proto/maildir.html): `cur` and `new`, a file per message; the part of its name before `:2,` stays when flags
 * change or it moves to `cur`. Subfolders lie beside as `.Sub.Folder` (Maildir++, Courier's maildir(5)) or within as directories.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, type FolderRun, foldersOf, isPassedOver, Troubles } from './folder-source.ts';
import { readUnitFolders } from './unit-folders.ts';

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
    .map((folder) => ({
      name: nameOf(folder) || 'INBOX',
      kind: 'maildir' as const,
      directories: PARTS.map((part) => join(path, folder, part)),
    }));
  if (folders.length === 0 && troubles.reason === '')
    troubles.add(
      `${path} holds no Maildir (a folder with cur and new): name another in place of ${asked.source}`,
    );
  return yield* readUnitFolders(asked, folders, troubles);
}
