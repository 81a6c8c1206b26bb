/** Where reading an IMAP folder goes on (RFC 9051 section 2.3.1.1, RFC 7162), as the ledger keeps it. */

export interface ImapPlace {
  /** UIDs hold as long as it is the same; decimal. */
  readonly uidValidity: string;
  /** All messages with lower UIDs were read. */
  readonly nextUid: number;
  /** HIGHESTMODSEQ when the folder was last read to its end, decimal; null where the server tells none. */
  readonly highestModseq: string | null;
}

export const writePlace = (place: ImapPlace): string => JSON.stringify(place);

/** Null for no place, and for one that is damaged: the folder is read anew, and what was counted counts once. */
export function parsePlace(text: string | null): ImapPlace | null {
  if (text === null) return null;
  try {
    const { uidValidity, nextUid, highestModseq = null } = JSON.parse(text) as ImapPlace;
    const sound =
      typeof uidValidity === 'string' &&
      Number.isSafeInteger(nextUid) &&
      nextUid >= 1 &&
      (highestModseq === null || typeof highestModseq === 'string');
    return sound ? { uidValidity, nextUid, highestModseq } : null;
  } catch {
    return null;
  }
}
