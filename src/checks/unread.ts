/** What could not be read, as checks and commands report it. */
export interface Unread {
  /** A file, a folder or a pattern. */
  readonly path: string;
  /** An error code, or a phrase. */
  readonly reason: string;
  /** Set where the helper did not answer: a later pass may read it. */
  readonly missed?: Missed;
}

/** Of one kind of place, by its id, whatever is at or below a path. */
export interface Missed {
  readonly place: string;
  readonly path: string;
}

/** What a pattern names is at or below this path. */
export const folderOf = (pattern: string): string => pattern.replace(/\/[^/]*\*.*$/, '') || '/';
