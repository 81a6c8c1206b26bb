/** The folders of an IMAP mailbox that are read, and what the server says of each. */
import type { ImapFlow } from 'imapflow';
import { isPassedOver } from './folder-source.ts';

export interface ImapFolder {
  readonly path: string;
  readonly status: {
    readonly messages: number;
    readonly uidNext: number;
    /** Decimal. */
    readonly uidValidity: string;
    /** Decimal; null where the server tells none. */
    readonly highestModseq: string | null;
  };
}

/** Flags (RFC 9051 section 7.3.1) of what cannot be read, special uses (RFC 6154) of what tells nothing of people. */
const UNREADABLE = ['\\Noselect', '\\NonExistent'];
const UNWANTED = ['\\Junk', '\\Trash', '\\Drafts'];
/** More than any mailbox has. */
const MOST_FOLDERS = 10_000;

/** INBOX first. One round trip where the server knows LIST-STATUS (RFC 5819). */
export async function listFolders(client: ImapFlow): Promise<readonly ImapFolder[]> {
  const statusQuery = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
  const listed = await client.list({ statusQuery });
  return listed
    .filter(({ flags }) => !UNREADABLE.some((flag) => hasFlag(flags, flag)))
    .filter(({ specialUse = '' }) => !UNWANTED.includes(specialUse))
    .filter(({ path, delimiter }) => path === 'INBOX' || !isPassedOver(path, delimiter || undefined))
    .slice(0, MOST_FOLDERS)
    .flatMap(({ path, status }): ImapFolder[] => {
      const { messages = 0, uidNext, uidValidity, highestModseq } = status ?? {};
      if (uidNext === undefined || uidValidity === undefined) return [];
      const modseq = highestModseq === undefined ? null : String(highestModseq);
      return [
        { path, status: { messages, uidNext, uidValidity: String(uidValidity), highestModseq: modseq } },
      ];
    })
    .sort((one, other) => Number(other.path === 'INBOX') - Number(one.path === 'INBOX'));
}

/** Flags are told in any case. */
const hasFlag = (flags: ReadonlySet<string>, wanted: string): boolean =>
  [...flags].some((flag) => flag.toLowerCase() === wanted.toLowerCase());
