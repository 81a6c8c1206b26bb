/**
 * MH folders (mh-mail(5)), as Claws Mail keeps them: a file per message, its name a number. Packing and sorting give messages other
 * numbers, so a file is known by inode, size and time; `.mh_sequences`, `.claws_mark` and the like are no messages.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Asked, type FolderRun, foldersOf, hash53, isPassedOver, Troubles } from './folder-source.ts';
import { type Files, readUnitFolders, type UnitFolder } from './unit-folders.ts';

const MESSAGE = /^[1-9]\d*$/;

const mhFolder = (path: string, name: string): UnitFolder => ({
  name,
  watched: [path],
  files: () => {
    const files: Files = { units: [], paths: [] };
    for (const entry of readdirSync(path)) {
      if (!MESSAGE.test(entry)) continue;
      const file = `${path}/${entry}`;
      const info = lstatSync(file, { throwIfNoEntry: false });
      if (!info?.isFile()) continue;
      files.units.push(hash53(`${info.ino} ${info.size} ${info.mtimeMs}`));
      files.paths.push(file);
    }
    return files;
  },
});

export async function* readMh(asked: Asked): FolderRun {
  const troubles = new Troubles(asked);
  const names = foldersOf(asked, (name) => !name.startsWith('.'), troubles);
  if (names === null) return { reason: troubles.reason, folders: 0 };
  const folders = names
    .filter((name) => !isPassedOver(name))
    .map((name) => mhFolder(join(asked.path, name), name || '.'));
  return yield* readUnitFolders(asked, folders, troubles);
}
