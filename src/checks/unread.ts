/** What could not be read, as checks and commands report it. */
export interface Unread {
  /** A file, a folder or a pattern. */
  readonly path: string;
  /** An error code, or a phrase. */
  readonly reason: string;
}
