/** People from an IMAP mailbox: all headers once, then new ones. Messages are committed with their place, so a kill costs one window. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchQueryObject, ImapFlow } from 'imapflow';
import { Backoff } from '../../base/retry.ts';
import type { Egress } from '../../egress/egress.ts';
import { type ImapSession, openImap } from '../../egress/imap.ts';
import type { ServerAccount, SessionRefusal } from '../../egress/session.ts';
import { isPassedOver } from './folder-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { FINISH_EVERY_MS, type LedgerBatch, type Messages } from './ledger/types.ts';
import { FIELDS, LONGEST_HEADER, type MessageReader, MOST_WAITING } from './message-reader.ts';
import type { SourceProgress } from './source-progress.ts';
import { Waker } from './waker.ts';

export const IMAP_SOURCE = 'imap';
const INBOX = 'INBOX';
/** UIDs asked for at once; more where they are sparse. */
const WINDOW = 200;
const WIDEST = 1 << 20;
/** What the server may send for one message: its header may be as long as the longest literal that is taken. */
const MESSAGE_BYTES = (1 << 20) + (256 << 10);
const IDLE_BYTES = 1 << 20;
/** How often the other folders are checked, and INBOX while others are imported. */
const CHECK_EVERY_MS = 60_000;
const INBOX_EVERY_MS = 1000;
/** Shortest pause between two reads when the server keeps reporting new mail. */
const NEWS_EVERY_MS = 200;
/** After a refused login: a quick retry would count as guessing, and could lock the user out. */
const LOGIN_AGAIN_MS = 5 * 60_000;

export interface ImapSourceOptions {
  readonly egress: Egress;
  /** Called before each connection; `reason`: why there is none. */
  readonly account: () => ServerAccount | { readonly reason: string };
  readonly sink: Pick<Ledger, 'commit' | 'place' | 'keepFolders' | 'finish'>;
  readonly reader: Pick<MessageReader, 'add' | 'take'>;
  readonly progress: SourceProgress;
  /** First pause before the connection is tried again, ms. */
  readonly againMs?: number;
}

/** Usually a few fields are fetched; the whole header, cut by the server, where even these are too long. */
const FEW: FetchQueryObject = { uid: true, headers: [...FIELDS] };
const CUT: FetchQueryObject = { uid: true, bodyParts: [{ key: 'HEADER', maxLength: LONGEST_HEADER }] };

export class ImapSource {
  readonly #options: ImapSourceOptions;
  readonly #waker = new Waker();
  readonly #backoff: Backoff;
  #session: ImapSession | null = null;
  #stopped = false;
  #news = false;
  #running: Promise<void> = Promise.resolve();
  /** Folder whose next window holds a header that is too long to be taken uncut. */
  #cutAt: { readonly folder: string; readonly nextUid: number } | null = null;
  #width = WINDOW;
  #inboxCheckMs = 0;
  #finishedMs = 0;

  constructor(options: ImapSourceOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.againMs);
  }

  /** Rejects only because of a bug, or when the ledger cannot be written. */
  run(): Promise<void> {
    this.#running = this.#run();
    return this.#running;
  }

  /** Ends the connection; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waker.wake();
    await this.#session?.close();
    await this.#running.catch(() => undefined);
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const refusal = await this.#connect();
      // Wakes so far were about the connection that has ended.
      this.#waker.clear();
      if (refusal === null || this.#stopped) continue;
      this.#options.progress.failed(refusal.reason);
      await this.#waker.wait(refusal.kind === 'login' ? LOGIN_AGAIN_MS : this.#backoff.next());
    }
  }

  /** One connection; why it ended, null after `stop`. */
  async #connect(): Promise<Pick<SessionRefusal, 'kind' | 'reason'> | null> {
    const { egress, account } = this.#options;
    const known = account();
    if ('reason' in known) return { kind: 'rule', reason: known.reason };
    const opening = await openImap(egress, known);
    return opening.ok ? this.#serve(opening.session) : opening.refusal;
  }

  /** Reads and waits until the connection ends; why it did, null after `stop`. */
  async #serve(session: ImapSession): Promise<SessionRefusal | null> {
    this.#session = session;
    const { client } = session;
    const wake = (): void => {
      if (this.#session === session) this.#waker.wake();
    };
    client.on('exists', ({ path }) => {
      if (path === INBOX) this.#news = true;
      wake();
    });
    client.on('close', wake);
    try {
      if (this.#stopped) return null;
      while (!this.#stopped) {
        await this.#import(session);
        this.#backoff.reset();
        const nextCheckMs = performance.now() + CHECK_EVERY_MS;
        while (!this.#stopped && session.open && performance.now() < nextCheckMs)
          await this.#listen(session, nextCheckMs - performance.now());
        if (!session.open) throw new Error('the connection ended');
      }
      return null;
    } catch (error) {
      // An error on an open connection that is not a refusal of the server is a bug or a failure of the ledger.
      if (session.open && !('responseStatus' in (error as object))) throw error;
      return session.refusal(error);
    } finally {
      this.#session = null;
      await session.close();
    }
  }

  /** Reads what is new in all folders, INBOX first. */
  async #import(session: ImapSession): Promise<void> {
    const { progress, sink } = this.#options;
    session.allow();
    const folders = await listFolders(session.client);
    // An empty list is an error of the server rather than the end of all folders.
    const paths = folders.map(({ path }) => path);
    if (paths.length > 0) sink.keepFolders(IMAP_SOURCE, paths);
    const waiting = folders.filter((folder) => isNews(folder, this.#place(folder.path)));
    progress.begin(
      folders.length,
      waiting.reduce((sum, folder) => sum + this.#pending(folder), 0),
    );
    for (const folder of waiting) await this.#readFolder(session, folder);
    sink.finish();
    progress.complete();
  }

  #place(folder: string): ImapPlace | null {
    return parsePlace(this.#options.sink.place(IMAP_SOURCE, folder));
  }

  /** About how many messages of a folder are to be read. */
  #pending({ path, status }: ImapFolder): number {
    const place = this.#place(path);
    if (place === null || place.uidValidity !== status.uidValidity) return status.messages;
    return Math.max(0, Math.min(status.messages, status.uidNext - place.nextUid));
  }

  async #readFolder(session: ImapSession, folder: ImapFolder): Promise<void> {
    const { progress } = this.#options;
    const expected = this.#pending(folder);
    let read = 0;
    this.#width = WINDOW;
    for (let more = true; more && !this.#stopped; ) {
      if (folder.path !== INBOX) await this.#checkInbox(session);
      const window = await this.#window(session, folder.path, false);
      read += window.read;
      more = window.more;
      if (performance.now() - this.#finishedMs > FINISH_EVERY_MS) {
        this.#options.sink.finish();
        this.#finishedMs = performance.now();
      }
    }
    progress.miss(expected - read);
  }

  /** New mail in INBOX does not wait for a long import of other folders. */
  async #checkInbox(session: ImapSession): Promise<void> {
    if (performance.now() - this.#inboxCheckMs < INBOX_EVERY_MS) return;
    this.#inboxCheckMs = performance.now();
    session.allow();
    const status = await session.client.status(INBOX, { uidNext: true, uidValidity: true });
    const place = this.#place(INBOX);
    if (status === false || place === null) return;
    if (place.uidValidity === String(status.uidValidity) && place.nextUid === status.uidNext) return;
    await this.#readInbox(session);
  }

  async #readInbox(session: ImapSession): Promise<void> {
    for (let more = true; more && !this.#stopped; ) more = (await this.#window(session, INBOX, true)).more;
  }

  /** Waits for news of INBOX, at most so long, and reads them. */
  async #listen(session: ImapSession, forMs: number): Promise<void> {
    const { client } = session;
    this.#news = false;
    if (openFolder(client) !== INBOX) {
      session.allow();
      await client.mailboxOpen(INBOX, { readOnly: true });
      // The server does not report what came before it was opened.
      this.#news = this.#inboxHasNews(session);
    }
    if (!this.#news) {
      session.allow(IDLE_BYTES);
      // It ends with the next command, or with the connection, which is noticed below.
      void client.idle().catch(() => undefined);
      await this.#waker.wait(forMs);
    }
    if (this.#stopped || !session.open || !this.#news) return;
    this.#news = false;
    await this.#readInbox(session);
    this.#options.sink.finish();
    this.#options.progress.complete();
    await delay(NEWS_EVERY_MS);
  }

  #inboxHasNews({ client }: ImapSession): boolean {
    const place = this.#place(INBOX);
    const box = client.mailbox;
    if (box === false) return false;
    return place === null || place.uidValidity !== String(box.uidValidity) || place.nextUid < box.uidNext;
  }

  /** Reads the next window of a folder and commits it with its place. `live`: up to the newest message, not only what the server announced. */
  async #window(
    session: ImapSession,
    path: string,
    live: boolean,
  ): Promise<{ readonly read: number; readonly more: boolean }> {
    const { client } = session;
    const { sink, reader, progress } = this.#options;
    // What a window that was broken off has left is read again.
    reader.take();
    session.allow();
    if (openFolder(client) !== path) await client.mailboxOpen(path, { readOnly: true });
    const box = client.mailbox;
    if (box === false) throw Object.assign(new Error('no folder is open'), { code: 'NoConnection' });
    const uidValidity = String(box.uidValidity);
    const known = this.#place(path);
    const first = known !== null && known.uidValidity === uidValidity ? known.nextUid : 1;
    const highestModseq = box.highestModseq === undefined ? null : String(box.highestModseq);
    const last = first + this.#width - 1;
    const final = live || last >= box.uidNext - 1;
    if (final && !live && first >= box.uidNext) {
      sink.commit(batchOf(path, [], { uidValidity, nextUid: Math.max(first, box.uidNext), highestModseq }));
      return { read: 0, more: false };
    }
    const cut = this.#cutAt?.folder === path && this.#cutAt.nextUid === first;
    let [count, committed] = [0, 0];
    let reached = first - 1;
    let ascending = true;
    const commit = (nextUid: number, complete: boolean): void => {
      const place = { uidValidity, nextUid, highestModseq: complete ? highestModseq : null };
      sink.commit(batchOf(path, [reader.take()], place));
      progress.advance(count - committed);
      committed = count;
      // A connection that brought something was worth it.
      this.#backoff.reset();
    };
    session.allow(MESSAGE_BYTES);
    try {
      for await (const message of client.fetch(`${first}:${final ? '*' : last}`, cut ? CUT : FEW, {
        uid: true,
      })) {
        session.allow(MESSAGE_BYTES);
        const { uid } = message;
        // `n:*` names the last message also where n is beyond it (RFC 9051 section 6.4.9).
        if (!Number.isSafeInteger(uid) || uid < first || (!final && uid > last)) continue;
        ascending &&= uid > reached;
        reached = Math.max(reached, uid);
        const header = message.headers ?? message.bodyParts?.get('header');
        if (header === undefined) continue;
        const waiting = reader.add(header.subarray(0, LONGEST_HEADER), Date.now());
        count++;
        if (count > WIDEST) throw Object.assign(new Error('more messages than UIDs'), { code: 'TooMuch' });
        if (count - committed >= WINDOW || waiting >= MOST_WAITING)
          commit(ascending ? reached + 1 : first, false);
      }
    } catch (error) {
      if (!cut && session.oversize(error))
        this.#cutAt = { folder: path, nextUid: this.#place(path)?.nextUid ?? 1 };
      throw error;
    }
    // A fetch that was broken off may end without a word.
    if (!session.open) throw new Error('the connection ended');
    commit(final ? Math.max(reached + 1, first, live ? 0 : box.uidNext) : last + 1, final);
    this.#width = count > WINDOW / 2 ? WINDOW : Math.min(WIDEST, this.#width * 2);
    return { read: count, more: !final };
  }
}

/** Where reading a folder goes on (RFC 9051 section 2.3.1.1, RFC 7162), as JSON in the ledger. */
interface ImapPlace {
  /** UIDs are valid while it is the same; decimal. */
  readonly uidValidity: string;
  /** All messages with lower UIDs were read. */
  readonly nextUid: number;
  /** HIGHESTMODSEQ when the folder was last read to its end, decimal; null if the server has none. */
  readonly highestModseq: string | null;
}

/** Null without a place, and for a damaged one: the folder is read again, and each message still counts once. */
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

interface ImapFolder {
  readonly path: string;
  readonly status: Pick<ImapPlace, 'uidValidity' | 'highestModseq'> & {
    readonly messages: number;
    readonly uidNext: number;
  };
}

/** Flags (RFC 9051 section 7.3.1) of folders that cannot be read; special uses (RFC 6154) of those that say nothing about people. */
const UNREADABLE = /^\\(?:Noselect|NonExistent)$/i;
const UNWANTED = ['\\Junk', '\\Trash', '\\Drafts'];
/** More than any mailbox has. */
const MOST_FOLDERS = 10_000;

/** INBOX first. One round trip where the server knows LIST-STATUS (RFC 5819). */
async function listFolders(client: ImapFlow): Promise<readonly ImapFolder[]> {
  const statusQuery = { messages: true, uidNext: true, uidValidity: true, highestModseq: true };
  const listed = await client.list({ statusQuery });
  return listed
    .filter(({ flags }) => ![...flags].some((flag) => UNREADABLE.test(flag)))
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

/** UIDNEXT shows whether messages came, HIGHESTMODSEQ whether anything changed (RFC 7162 section 3.1.2). */
const isNews = ({ status }: ImapFolder, place: ImapPlace | null): boolean =>
  place === null ||
  place.uidValidity !== status.uidValidity ||
  (place.nextUid !== status.uidNext &&
    (place.highestModseq === null || place.highestModseq !== status.highestModseq));

const openFolder = ({ mailbox }: ImapFlow): string => (mailbox === false ? '' : mailbox.path);

const batchOf = (folder: string, messages: readonly Messages[], place: ImapPlace): LedgerBatch => ({
  messages,
  place: { source: IMAP_SOURCE, folder, place: JSON.stringify(place) },
  units: { read: [], gone: [] },
});
