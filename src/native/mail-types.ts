/** The part of the native boundary that reads headers of messages. */
export interface MailAddon {
  /** The fields that are told, lower case, in their order. */
  readonly messageFieldNames: readonly string[];
  /**
   * A line for each of these fields of a header (RFC 5322 section 2.2), at most 64 KiB: a colon and the unfolded value of one that is there,
   * nothing of one that is not. A character per byte.
   */
  messageFields(header: Uint8Array): string;
  /**
   * The same of message files, one after another; `paths` are ended by NUL each. `states` tells of each path: 0 its lines are there, -1
   * it is gone, empty or no regular file, else the errno. Links are not followed, nothing is waited for.
   */
  readMessageFields(paths: string): { readonly lines: string; readonly states: Int32Array };
}
