/** What the tab knows of the desk: one state, changed by the stream, by other tabs and by actions; components are told. */
import type { DeskView } from '../pages/desk-context.ts';
import type { Live } from '../records/live.ts';
import type { Page } from '../records/page.ts';
import { get } from './ask.ts';
import { mark } from './marks.ts';
import { follow } from './stream.ts';
import { joinTabs, type Tabs, type Told } from './tabs.ts';

/** Shortest time between two readings of the page record, when something has changed and when only figures have moved. */
const CHANGED_MS = 100;
const FIGURES_MS = 1_000;
/** A moment is told at least once a second; without one for so long what is shown is old. */
const STALE_MS = 3_500;

type Shown = Pick<DeskView, 'page' | 'live' | 'link' | 'trouble'>;

export class DeskBrowser {
  #shown: Shown;
  readonly #listeners = new Set<() => void>();
  readonly #tabs: Tabs;
  #up = false;
  #heardAt = Number.NEGATIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading = false;
  /** Readings are numbered as they are asked for: an answer that was overtaken is old. */
  #asked = 0;
  #answered = 0;
  /** A reading is wanted, not sooner after the last one than this; infinite: none is. */
  #wantedMs = Number.POSITIVE_INFINITY;
  #due: ReturnType<typeof setTimeout> | undefined;

  constructor(page: Page) {
    this.#shown = { page, live: null, link: 'rendered', trouble: '' };
    this.#tabs = joinTabs(
      () => this.#lead(),
      (message) => this.#hear(message),
    );
    this.#tabs.tell({ kind: 'hello' });
    setInterval(() => this.#judgeAge(), 500);
    document.addEventListener('visibilitychange', () => this.#judgeAge());
  }

  get shown(): Shown {
    return this.#shown;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads the page record anew, whoever leads. */
  async refresh(): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    mark('desk:page-asked');
    const page = await get<Page>('/h7/page');
    if (asked < this.#answered) return;
    this.#answered = asked;
    mark('desk:page-received', { generation: page.generation, ts: page.ts });
    this.#show({ page });
    this.#tabs.tell({ kind: 'page', page });
  }

  #lead(): void {
    void follow({
      opened: () => this.#linked(true, ''),
      snapshot: (live) => {
        this.#live(live);
        this.#tabs.tell({ kind: 'live', live });
        if (differs(live, this.#shown.page)) this.#read(CHANGED_MS);
        else if (live.generation !== this.#shown.page.generation) this.#read(FIGURES_MS);
      },
      changed: () => this.#read(CHANGED_MS),
      lost: (trouble) => this.#linked(false, trouble),
    });
  }

  #hear(message: Told): void {
    if (message.kind === 'hello') {
      if (!this.#tabs.leads()) return;
      this.#tabs.tell({ kind: 'link', up: this.#up, trouble: this.#shown.trouble });
      this.#tabs.tell({ kind: 'page', page: this.#shown.page });
      if (this.#shown.live !== null) this.#tabs.tell({ kind: 'live', live: this.#shown.live });
    } else if (message.kind === 'page') this.#show({ page: message.page });
    else if (message.kind === 'live') this.#live(message.live);
    else this.#link(message.up, message.trouble);
  }

  #live(live: Live): void {
    this.#heardAt = performance.now();
    this.#up = true;
    this.#show({ live, link: 'live', trouble: '' });
  }

  #linked(up: boolean, trouble: string): void {
    this.#link(up, trouble);
    this.#tabs.tell({ kind: 'link', up, trouble });
  }

  #link(up: boolean, trouble: string): void {
    this.#up = up;
    if (up) this.#judgeAge();
    else this.#show({ link: 'disconnected', trouble });
  }

  #judgeAge(): void {
    if (!this.#up) return;
    const silent = performance.now() - this.#heardAt;
    if (silent > STALE_MS && Number.isFinite(silent) && this.#shown.link !== 'stale')
      this.#show({ link: 'stale', trouble: '' });
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
    this.refresh()
      // That the service does not answer is told by the stream.
      .catch(() => undefined)
      .finally(() => {
        this.#reading = false;
        if (Number.isFinite(this.#wantedMs)) this.#read(this.#wantedMs);
      });
  }

  #show(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Facts of the page record that change while the generation holds. */
const differs = (live: Live, page: Page): boolean =>
  live.findings_open !== page.findings_total ||
  live.scar_count !== page.status.scar_count ||
  live.ok !== page.status.ok;
