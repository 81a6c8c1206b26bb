/** What a place is: where a machine keeps what it starts by itself, or what decides who may log in and with which rights. */
import type { Severity } from '../../policy/severity.ts';
import type { ScannedFile } from './scanned-file.ts';

/** One thing that a file starts or sets. */
export interface Start {
  /** What would run, or the line that sets it, as written. */
  readonly runs: string;
  /** Where the file says so; default: that of the place. */
  readonly user?: string;
  readonly when?: string;
  /** Tells it from others of the same file whose `runs` is the same. */
  readonly name?: string;
}

/** Text to read, and what a file is apart from it. */
export interface PlacedFile {
  readonly text: string;
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly file: ScannedFile;
}

/** What a file starts: nothing where it has comments alone. Must be linear in the text. */
export type Parser = (file: PlacedFile) => readonly Start[];

export interface Place {
  /** Kebab-case, unique. */
  readonly id: string;
  /** What it is, as a noun phrase. */
  readonly title: string;
  /** Patterns of native/files/search.h; `~/` is the home directory of each user. */
  readonly files: readonly string[];
  /** `digest`: a program, whose text says nothing. Default: `text`. */
  readonly depth?: 'text' | 'digest';
  readonly parse: Parser;
  /** Its lines hold no secrets, and words that look like some are shown. */
  readonly plain?: true;
  /** When it runs or counts, as a phrase behind "runs". */
  readonly when: string;
  /** As whom: a user name; `owner` of the file; `each user` who logs in or runs it. */
  readonly user: string;
  /** Of something there that nothing vouches for. */
  readonly severity: Severity;
  /** Why it may be harmless. */
  readonly benign: string;
  /** Techniques of MITRE ATT&CK for Enterprise. */
  readonly techniques: readonly string[];
}

export const places = <const T extends readonly Place[]>(list: T): readonly Place[] => list;
