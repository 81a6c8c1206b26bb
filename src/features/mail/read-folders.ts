/** The folder sources of the configuration: `maildir:PATH`, `mh:PATH`, `mbox:PATH`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Asked,
  expandHome,
  type FolderRun,
  foldersOf,
  isPassedOver,
  Troubles,
} from './folder-source.ts';
import { readMbox } from './mbox.ts';
import { readUnitFolders } from './unit-folders.ts';

/*
 * Maildir (cr.yp.to/proto/maildir.html): `cur` and `new`, a file per message; the part of its name before `:2,` stays when flags
 * change or it moves to `cur`. Subfolders lie beside as `.Sub.Folder` (Maildir++, Courier's maildir(5)) or within as directories.
 */
const PARTS = ['cur', 'new'] as const;
const OF_A_MAILDIR: ReadonlySet<string> = new Set([...PARTS, 'tmp']);

/** @throws the system's error */
const isMaildir = (path: string): boolean =>
  PARTS.some((part) => statSync(join(path, part), { throwIfNoEntry: false })?.isDirectory() === true);

/** `.Lists.devel` is `Lists/devel`; in directories as they lie. */
const nameOf = (folder: string): string =>
  folder
    .split('/')
    .map((level) => (level.startsWith('.') ? level.slice(1).replaceAll('.', '/') : level))
    .join('/');

async function* readMaildir(asked: Asked): FolderRun {
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

/**
 * MH folders (mh-mail(5)), as Claws Mail keeps them: a file per message, its name a number. Packing and sorting renumber messages,
 * so a file is known by inode, size and time; `.mh_sequences`, `.claws_mark` and the like are not messages.
 */
async function* readMh(asked: Asked): FolderRun {
  const troubles = new Troubles(asked);
  const names = foldersOf(asked, (name) => !name.startsWith('.'), troubles);
  if (names === null) return { reason: troubles.reason, folders: 0 };
  const folders = names
    .filter((name) => !isPassedOver(name))
    .map((name) => ({ name: name || '.', kind: 'mh' as const, directories: [join(asked.path, name)] }));
  return yield* readUnitFolders(asked, folders, troubles);
}

const READERS: Readonly<Record<string, (asked: Asked) => FolderRun>> = {
  maildir: readMaildir,
  mh: readMh,
  mbox: readMbox,
};

/**
 * Reads what is new in a source, as configured: the caller commits the batch of each step before it requests the next, and calls
 * `finish` of the ledger now and then. Null for a text that is not a folder source.
 */
export function readFolders(
  source: string,
  ledger: Asked['ledger'],
  home: string,
  now: () => number,
): FolderRun | null {
  const [, kind = '', path = ''] = /^(maildir|mh|mbox):(.+)$/.exec(source) ?? [];
  return READERS[kind]?.({ source, path: expandHome(path, home), ledger, now }) ?? null;
}
