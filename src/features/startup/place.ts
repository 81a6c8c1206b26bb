/** What a place is: where a machine keeps what it starts by itself, or what decides who may log in and with which rights. */
import type { StartupPlace } from '../../checks/startup.ts';
import type { ScannedFile } from './scanned-file.ts';

/** One thing that a file starts or sets. */
export interface Start {
  /** What would run, or the line that sets it, as written. */
  readonly runs: string;
  /** Where the file says so; default: that of the place. */
  readonly user?: string;
  readonly when?: string;
  /** Distinguishes it from others of the same file whose `runs` is the same. */
  readonly name?: string;
}

/** Text to read, and what a file is apart from it. */
export interface PlacedFile {
  readonly text: string;
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** The catalogue has exactly this name, for example of a file in a home: it is not a copy that an editor left. */
  readonly isNamed: boolean;
  readonly file: ScannedFile;
}

/** What a file starts: nothing if it has only comments. Must be linear in the text. */
export type Parser = (file: PlacedFile) => readonly Start[];

/** `id` is unique, `title` a noun phrase. */
export interface Place extends StartupPlace {
  /** Patterns of native/files/search.h; `~/` is the home directory of each user. */
  readonly files: readonly string[];
  /**
   * `digest`: a program, whose text says nothing. `facts`: the file behind a link, which a package need only own: its content is
   * compared with all files of packages. `privileged`: each program with set-user-ID, set-group-ID or capabilities, on every file system
   * of this machine. Default: `text`.
   */
  readonly depth?: 'text' | 'digest' | 'facts' | 'privileged';
  readonly parse: Parser;
  /** Whether scripts of packages are known to write this. */
  readonly expected?: (start: Start, file: PlacedFile) => boolean;
  /**
   * What tools write from files of packages: the same word for the start in such a file and for the one that is made from it, ""
   * for any other. What is made is expected while a package vouches for what it is made from.
   */
  readonly origin?: (start: Start, file: PlacedFile) => string;
  /** Its lines hold no secrets, and words that look like some are shown. */
  readonly plain?: true;
  /** When it runs or counts, as a phrase behind "runs". */
  readonly when: string;
  /** As whom: a user name; `owner` of the file; `each user` who logs in or runs it. */
  readonly user: string;
}

export const places = <const T extends readonly Place[]>(list: T): readonly Place[] => list;
