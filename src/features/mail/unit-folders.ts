/** Folders with a file per message, Maildir and MH: known files are numbers; new ones are read, missing ones dropped. */
import { join } from 'node:path';
import { getSystemErrorName } from 'node:util';
import { codeOf } from '../../base/error-code.ts';
import type { MessageFolder } from '../../engine/native/mail-types.ts';
import { type Asked, dropGone, type FolderRun, stateOf, type Troubles } from './folder-source.ts';
import { listMessages, MessageReader } from './message-reader.ts';
import { type FileList, filesIn, NO_MESSAGE, namesOf, readAhead, type Stretch } from './read-ahead.ts';

interface UnitFolder {
  /** Name within the source, levels divided by slashes. */
  readonly name: string;
  readonly kind: 'maildir' | 'mh';
  /** Where its files are; their times show every change. A Maildir may lack one of its two. */
  readonly directories: readonly string[];
}

/** The folder's `stateOf` when all of it was read, else "". */
const stateIn = (place: string | null): string =>
  place === null ? '' : ((JSON.parse(place) as { state?: string }).state ?? '');

/** A folder that changed. */
interface Changed {
  readonly folder: UnitFolder;
  readonly state: string;
}

/** New files of one of its directories. */
interface NewFiles extends FileList {
  readonly units: Float64Array;
  readonly of: News;
}

/** New and missing files of a folder. */
interface News extends Changed {
  readonly lists: NewFiles[];
  readonly gone: readonly number[];
}

/** New files that are kept in memory from counting to reading; folders beyond these are listed again. */
const REMEMBERED_FILES = 200_000;

const NO_FILES: MessageFolder = { names: '', begins: new Uint32Array(1), units: new Float64Array() };

/** @throws the system's error, except for a missing directory */
function listed(directory: string, kind: UnitFolder['kind']): MessageFolder {
  try {
    return listMessages(directory, kind);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return NO_FILES;
    throw error;
  }
}

function without(known: ReadonlySet<number>, files: MessageFolder): MessageFolder {
  if (known.size === 0) return files;
  const rows = [...files.units.keys()].filter((row) => !known.has(files.units[row] as number));
  const names = rows.map((row) => namesOf(files, row, row + 1));
  const begins = new Uint32Array(rows.length + 1);
  names.forEach((name, at) => {
    begins[at + 1] = (begins[at] as number) + name.length;
  });
  return {
    names: names.join(''),
    begins,
    units: Float64Array.from(rows, (row) => files.units[row] as number),
  };
}

function newsOf(changed: Changed, known: ReadonlySet<number>): News {
  const { kind, directories } = changed.folder;
  const there = directories.map((directory) => ({ directory, files: listed(directory, kind) }));
  const units = new Set(known.size === 0 ? [] : there.flatMap(({ files }) => [...files.units]));
  const lists: NewFiles[] = [];
  const news = { ...changed, lists, gone: [...known].filter((unit) => !units.has(unit)) };
  for (const { directory, files } of there) {
    const list = { directory, ...without(known, files), of: news };
    // Empty lists are left out: a run may be stopped after its first step. The last list ends the folder in any case.
    if (filesIn(list) > 0 || directory === directories.at(-1)) lists.push(list);
  }
  return news;
}

/** Reads what is new in the folders. Folders that are gone are dropped at the end. */
export async function* readUnitFolders(
  asked: Asked,
  folders: readonly UnitFolder[],
  troubles: Troubles,
): FolderRun {
  const { source, ledger, now } = asked;
  let [done, total] = [0, 0];
  const incomplete = new Set<UnitFolder>();

  const changed = folders.flatMap((folder) => {
    const state = stateOf(folder.directories, now());
    return state !== '' && state === stateIn(ledger.place(source, folder.name)) ? [] : [{ folder, state }];
  });
  const scan = (one: Changed): News | null => {
    try {
      return newsOf(one, ledger.units(source, one.folder.name));
    } catch (error) {
      troubles.refused(one.folder.directories[0] ?? one.folder.name, error);
      return null;
    }
  };
  const counted = new Set<Changed>();
  /** What is in folders that were counted before they are read. */
  const remembered = new Map<Changed, News>();
  const refused = new Set<Changed>();
  const count = (one: Changed): News | null => {
    counted.add(one);
    const news = scan(one);
    if (news === null) refused.add(one);
    for (const list of news?.lists ?? []) total += filesIn(list);
    return news;
  };
  function* lists(): Generator<NewFiles> {
    for (const one of changed) {
      if (refused.has(one)) continue;
      const news = remembered.get(one) ?? (counted.has(one) ? scan(one) : count(one));
      remembered.delete(one);
      if (news !== null) yield* news.lists;
    }
  }
  const stepOf = ({ list, from, states, messages, last }: Stretch<NewFiles>) => {
    const { folder, state, lists, gone } = list.of;
    const read: number[] = [];
    states.forEach((state, index) => {
      if (state === 0) read.push(list.units[from + index] as number);
      else if (state !== NO_MESSAGE) {
        incomplete.add(folder);
        const name = Buffer.from(namesOf(list, from + index, from + index + 1).slice(0, -1), 'latin1');
        troubles.refused(join(list.directory, name.toString()), { code: getSystemErrorName(-state) });
      }
    });
    done += states.length;
    const ends = last && list === lists.at(-1);
    const settled = ends && !incomplete.has(folder) ? state : '';
    return {
      batch: {
        messages,
        place: { source, folder: folder.name, place: JSON.stringify({ state: settled }) },
        units: { read, gone: ends ? gone : [] },
      },
      progress: { done, total: Math.max(done, total) },
    };
  };
  const stretches = readAhead(new MessageReader(ledger.messageKey), lists(), now());
  const first = stretches.next();
  // The other folders are counted while files of the first one are read.
  for (const one of changed) {
    if (counted.has(one)) continue;
    const news = count(one);
    if (news !== null && total <= REMEMBERED_FILES) remembered.set(one, news);
    // Lets other work of this process run.
    await new Promise(setImmediate);
  }
  for (let stretch = await first; !stretch.done; stretch = await stretches.next())
    yield stepOf(stretch.value);
  dropGone(asked, folders);
  return { reason: troubles.reason, folders: folders.length };
}
