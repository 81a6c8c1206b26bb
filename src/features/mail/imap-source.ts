/**
 * People from an IMAP mailbox: headers of all its folders once, then only what is new. Each window of messages is committed
 * together with the place to go on from, so that a kill or a dropped connection costs at most one window.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import { Backoff } from '../../base/retry.ts';
import type { Egress } from '../../egress/egress.ts';
import { type ImapSession, openImap } from '../../egress/imap.ts';
import type { ServerAccount, SessionRefusal } from '../../egress/session.ts';
import { type ImapFolder, listFolders } from './imap-folders.ts';
import { type ImapPlace, parsePlace, writePlace } from './imap-place.ts';
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
/** The other folders are asked about this often, INBOX so often while others are imported. */
const LOOK_EVERY_MS = 60_000;
const INBOX_EVERY_MS = 1000;
/** A server that tells of news without end is listened to this often. */
const NEWS_EVERY_MS = 200;
/** After a refused login: soon again would look like guessing, and lock the user out. */
const LOGIN_AGAIN_MS = 5 * 60_000;

type MessageSink = Pick<Ledger, 'commit' | 'place' | 'keepFolders' | 'finish'>;

export interface ImapSourceOptions {
  readonly egress: Egress;
  /** Asked before each connection; why there is none. */
  readonly account: () => ServerAccount | { readonly reason: string };
  readonly sink: MessageSink;
  readonly reader: Pick<MessageReader, 'add' | 'take'>;
  readonly progress: SourceProgress;
  /** First pause before the connection is tried again, ms. */
  readonly againMs?: number;
}

/** Few names are asked for; the whole header cut by the server where even these are longer than what is taken. */
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
  #inboxLookMs = 0;
  #finishedMs = 0;

  constructor(options: ImapSourceOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.againMs);
  }

  /** Rejects only over a bug, or when the ledger cannot be written. */
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
      // What woke it until now was of the connection that is over.
      this.#waker.clear();
      if (refusal === null || this.#stopped) continue;
      this.#options.progress.failed(refusal.reason);
      await this.#waker.wait(refusal.kind === 'login' ? LOGIN_AGAIN_MS : this.#backoff.next());
    }
  }

  /** One connection, from its beginning to its end; why it ended, null when it was ended here. */
  async #connect(): Promise<Pick<SessionRefusal, 'kind' | 'reason'> | null> {
    const { egress, account } = this.#options;
    const known = account();
    if ('reason' in known) return { kind: 'rule', reason: known.reason };
    const opening = await openImap(egress, known);
    return opening.ok ? this.#serve(opening.session) : opening.refusal;
  }

  /** Reads and waits until the connection ends; why it did, null when it was ended here. */
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
        const nextLookMs = performance.now() + LOOK_EVERY_MS;
        while (!this.#stopped && session.open && performance.now() < nextLookMs)
          await this.#listen(session, nextLookMs - performance.now());
        if (!session.open) throw new Error('the connection ended');
      }
      return null;
    } catch (error) {
      // A command that throws while the connection stands, and that the server did not refuse, is no matter of the network.
      if (session.open && !('responseStatus' in (error as object))) throw error;
      return session.refusal(error);
    } finally {
      this.#session = null;
      await session.close();
    }
  }

  /** Reads whatever is new in all folders, INBOX first. */
  async #import(session: ImapSession): Promise<void> {
    const { progress, sink } = this.#options;
    session.allow();
    const folders = await listFolders(session.client);
    // None at all is a server's trouble rather than the end of all folders.
    if (folders.length > 0)
      sink.keepFolders(
        IMAP_SOURCE,
        folders.map(({ path }) => path),
      );
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
      if (folder.path !== INBOX) await this.#glanceAtInbox(session);
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
  async #glanceAtInbox(session: ImapSession): Promise<void> {
    if (performance.now() - this.#inboxLookMs < INBOX_EVERY_MS) return;
    this.#inboxLookMs = performance.now();
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
    if (this.#open(client) !== INBOX) {
      session.allow();
      await client.mailboxOpen(INBOX, { readOnly: true });
      // What came in before it was opened is told by nobody.
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

  #open(client: ImapSession['client']): string {
    return client.mailbox === false ? '' : client.mailbox.path;
  }

  /**
   * Reads the next window of a folder and commits it with its place. `live`: up to the newest message, whatever the server said
   * when the folder was opened.
   */
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
    if (this.#open(client) !== path) await client.mailboxOpen(path, { readOnly: true });
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
      sink.commit(
        batchOf(path, [reader.take()], {
          ...{ uidValidity, nextUid, highestModseq: complete ? highestModseq : null },
        }),
      );
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
        const header = headerOf(message);
        if (header === null) continue;
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

function isNews({ status }: ImapFolder, place: ImapPlace | null): boolean {
  if (place === null || place.uidValidity !== status.uidValidity) return true;
  // The one says whether messages came, the other whether anything changed (RFC 7162 section 3.1.2).
  return (
    place.nextUid !== status.uidNext &&
    (place.highestModseq === null || place.highestModseq !== status.highestModseq)
  );
}

function headerOf({ headers, bodyParts }: FetchMessageObject): Buffer | null {
  return headers ?? bodyParts?.get('header') ?? null;
}

const batchOf = (folder: string, messages: readonly Messages[], place: ImapPlace): LedgerBatch => ({
  messages,
  place: { source: IMAP_SOURCE, folder, place: writePlace(place) },
  units: { read: [], gone: [] },
});
