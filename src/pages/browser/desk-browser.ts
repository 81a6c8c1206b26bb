/** What the tab knows of the desk: one state, changed by the stream, by other tabs and by actions; components subscribe to it. */
import type { Live } from '../../records/live.ts';
import type { Page } from '../../records/page.ts';
import type { DeskView } from '../desk-context.ts';
import { get } from './ask.ts';
import { follow, mark } from './stream.ts';
import { joinTabs, type Message } from './tabs.ts';

/** Shortest time between two readings of the page record, when something has changed and when only figures have moved. */
const CHANGED_MS = 100;
const FIGURES_MS = 1_000;
/** A live record comes at least once a second, or once a period where that is longer; after this long without one the page is old. */
const STALE_MS = 3_500;
/** How often a leading tab sends at least that it runs, and for how long a visible tab waits without hearing that. */
const HERE_MS = 2_000;
const LEADERLESS_MS = 8_000;
const CHECK_MS = 500;
/** An answer that takes longer will not come. */
const PAGE_MS = 10_000;

type Shown = Pick<DeskView, 'page' | 'live' | 'link' | 'trouble'>;

export class DeskBrowser {
  #shown: Shown;
  readonly #listeners = new Set<() => void>();
  readonly #tabs: ReturnType<typeof joinTabs>;
  #up = false;
  #heardAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  /** Readings that were asked for, and the newest that was answered. */
  #asked = 0;
  #answered = 0;
  /** A reading is wanted, not sooner after the last one than this; infinite: none is. */
  #wantedMs = Number.POSITIVE_INFINITY;
  #due: ReturnType<typeof setTimeout> | undefined;
  /** Why the page record could not be read the last time; "" when it could. */
  #unread = '';
  /** Ends the stream; held while this tab leads. */
  #stream: AbortController | undefined;
  /** Asks for the stream at once, if it waits. */
  #hurry = (): void => undefined;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** When the leading tab last sent anything, and when this one last checked. */
  #leaderAt = performance.now();
  #checkedAt = performance.now();

  constructor(page: Page) {
    this.#shown = { page, live: null, link: 'rendered', trouble: '' };
    this.#tabs = joinTabs({
      lead: () => this.#lead(),
      resign: () => this.#stream?.abort(),
      hear: (message) => this.#hear(message),
    });
    this.#hello();
    setInterval(() => this.#check(), CHECK_MS);
    document.addEventListener('visibilitychange', () => {
      this.#judgeAge();
      // Timers of a hidden tab are slow: the next try may be a minute away.
      if (document.visibilityState === 'visible') this.#visibleAgain();
    });
    addEventListener('focus', () => this.#visibleAgain());
    // Every tab gets this event itself.
    addEventListener('online', () => this.#tryNow());
  }

  get shown(): Shown {
    return this.#shown;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the page record, whichever tab leads. */
  async refresh(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    mark('desk:page-asked');
    const page = await get('/h7/page', {}, AbortSignal.timeout(PAGE_MS));
    // One that was asked for earlier may be answered later.
    if (asked < this.#answered) return;
    this.#answered = asked;
    mark('desk:page-received', { generation: page.generation, ts: page.ts });
    this.#show({ page });
    this.#send({ kind: 'page', page });
  }

  #send(message: Message): void {
    this.#sentAt = performance.now();
    this.#tabs.send(message);
  }

  #lead(): void {
    this.#stream?.abort();
    this.#stream = new AbortController();
    this.#hurry = follow(
      {
        opened: () => {
          // A restarted service counts its generations from the start, so they do not show what has changed.
          if (this.#shown.link !== 'rendered') this.#read(CHANGED_MS);
          this.#linked(true, '');
        },
        snapshot: (live) => {
          this.#live(live, this.#unread);
          this.#send({ kind: 'live', live, unread: this.#unread });
          if (differs(live, this.#shown.page)) this.#read(CHANGED_MS);
          else if (live.generation !== this.#shown.page.generation) this.#read(FIGURES_MS);
        },
        changed: () => this.#read(CHANGED_MS),
        lost: (trouble) => this.#linked(false, trouble),
      },
      this.#stream.signal,
    );
  }

  /** The service has just answered, or the tab is visible again: the next try is now. */
  #tryNow(): void {
    if (this.#tabs.leads() && this.#shown.link === 'disconnected') this.#hurry();
  }

  /** Asks the leading tab for what is known; where the service does not answer it tries again. */
  #hello(): void {
    this.#send({ kind: 'hello', ts: this.#shown.page.ts });
  }

  #visibleAgain(): void {
    this.#tryNow();
    if (!this.#tabs.leads() && this.#shown.link === 'disconnected') this.#hello();
  }

  #hear(message: Message): void {
    if (message.kind === 'hello') {
      if (!this.#tabs.leads()) return;
      const { page, live, trouble } = this.#shown;
      this.#send({ kind: 'link', up: this.#up, trouble });
      // The page of a new tab may be newer than this one.
      if (Date.parse(page.ts) > Date.parse(message.ts)) this.#send({ kind: 'page', page });
      if (this.#up && this.#fresh && live !== null) this.#send({ kind: 'live', live, unread: this.#unread });
      this.#tryNow();
      return;
    }
    this.#leaderAt = performance.now();
    if (message.kind === 'page') this.#show({ page: message.page });
    else if (message.kind === 'live') this.#live(message.live, message.unread);
    else if (message.kind === 'link') this.#link(message.up, message.trouble);
  }

  /** Events alone are not enough: findings, ports and grade are in the page record. */
  #live(live: Live, unread: string): void {
    this.#heardAt = performance.now();
    this.#up = true;
    this.#show({ live, link: unread === '' ? 'live' : 'stale', trouble: unread });
  }

  #linked(up: boolean, trouble: string): void {
    this.#link(up, trouble);
    this.#send({ kind: 'link', up, trouble });
  }

  #link(up: boolean, trouble: string): void {
    this.#up = up;
    if (!up) this.#show({ link: 'disconnected', trouble });
    // A service that takes the request and sends nothing is recognised by its silence.
    else if (this.#heardAt === Number.NEGATIVE_INFINITY) this.#heardAt = performance.now();
  }

  /** How long silence is normal, ms. */
  get #patienceMs(): number {
    return Math.max(STALE_MS, 2 * this.#shown.page.recheck.period_ms + STALE_MS / 2);
  }

  get #fresh(): boolean {
    return performance.now() - this.#heardAt <= this.#patienceMs;
  }

  #judgeAge(): void {
    if (!this.#up || this.#fresh || this.#shown.link === 'stale') return;
    const off = this.#shown.page.status.hostess_charge.forever.mode === 'off';
    this.#show({ link: 'stale', trouble: off ? LOOP_OFF : silentFor(this.#patienceMs) });
  }

  /** What changes by time alone: the age of what is shown, and whether a tab leads. */
  #check(): void {
    this.#judgeAge();
    const now = performance.now();
    // After a sleep, messages are still in the queue.
    if (now - this.#checkedAt > 2 * HERE_MS) this.#leaderAt = now;
    this.#checkedAt = now;
    if (this.#tabs.leads()) {
      if (now - this.#sentAt > HERE_MS) this.#send({ kind: 'here' });
    } else if (document.visibilityState === 'visible' && now - this.#leaderAt > LEADERLESS_MS) {
      this.#leaderAt = now;
      this.#tabs.takeOver();
    }
  }

  /** Reads the page record `sinceMs` after the last reading, or at once if that is over; and once more for what comes meanwhile. */
  #read(sinceMs: number): void {
    this.#wantedMs = Math.min(this.#wantedMs, sinceMs);
    clearTimeout(this.#due);
    if (this.#reading) return;
    const wait = this.#readAt + this.#wantedMs - performance.now();
    if (wait > 0) {
      this.#due = setTimeout(() => this.#read(this.#wantedMs), wait);
      return;
    }
    this.#reading = true;
    this.#wantedMs = Number.POSITIVE_INFINITY;
    this.#readAt = performance.now();
    void this.#readNow();
  }

  async #readNow(): Promise<void> {
    try {
      await this.refresh();
      this.#unread = '';
    } catch (error) {
      this.#unread = `${UNREAD} ${error instanceof Error ? error.message : ''}`;
    }
    this.#reading = false;
    if (Number.isFinite(this.#wantedMs)) this.#read(this.#wantedMs);
  }

  #show(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Written once: it must stay true however long the silence lasts. */
const silentFor = (ms: number): string =>
  `Nothing has come from the service for ${Math.floor(ms / 1000)} s or longer, though the connection is up. What is shown is old.`;
const UNREAD = 'Events arrive, but the record of the page cannot be read. What is shown is old.';
const LOOP_OFF =
  'The loop is off (mode = "off" of [loop]), so the desk scans only on request. What is shown is old: reload the page to scan again.';

/** Facts of the page record that change while the generation is the same. */
const differs = (live: Live, page: Page): boolean =>
  live.findings_open !== page.findings_total ||
  live.scar_count !== page.status.scar_count ||
  live.headline !== page.verdict.headline;
