/**
 * MH folders (mh-mail(5)), as Claws Mail keeps them: a file per message, its name a number. Packing and sorting give messages other
 * numbers, so a file is known by inode, size and time; `.mh_sequences`, `.claws_mark` and the like are no messages.
 */
import { join } from 'node:path';
import { type Asked, type FolderRun, foldersOf, isPassedOver, Troubles } from './folder-source.ts';
import { readUnitFolders } from './unit-folders.ts';

export async function* readMh(asked: Asked): FolderRun {
  const troubles = new Troubles(asked);
  const names = foldersOf(asked, (name) => !name.startsWith('.'), troubles);
  if (names === null) return { reason: troubles.reason, folders: 0 };
  const folders = names
    .filter((name) => !isPassedOver(name))
    .map((name) => ({ name: name || '.', kind: 'mh' as const, directories: [join(asked.path, name)] }));
  return yield* readUnitFolders(asked, folders, troubles);
}
