/**
 * Tabs of one browser: one leads (it holds a Web Lock as long as it lives), asks the service, and tells the others over a
 * BroadcastChannel. Twenty tabs are one client to the service.
 */
import type { Live } from '../../records/live.ts';
import type { Page } from '../../records/page.ts';

/** What the leading tab tells. */
export type Told =
  | { readonly kind: 'page'; readonly page: Page }
  /** `unread`: why the page record could not be read for it; "" when it could. */
  | { readonly kind: 'live'; readonly live: Live; readonly unread: string }
  | { readonly kind: 'link'; readonly up: boolean; readonly trouble: string }
  /** The leading tab runs, and has nothing to tell. */
  | { readonly kind: 'here' }
  /** A tab that has just come, or is looked at again, asks for what is known; its page record is of this time. */
  | { readonly kind: 'hello'; readonly ts: string };

export interface Tabs {
  readonly leads: () => boolean;
  tell(message: Told): void;
  /** Leads from now on, whoever led: a tab that hangs or is frozen keeps its lock and tells nothing. */
  takeOver(): void;
}

interface Part {
  /** This tab begins to lead. */
  lead(): void;
  /** Another tab has taken over. */
  resign(): void;
  /** What another tab tells. */
  hear(message: Told): void;
}

export function joinTabs({ lead, resign, hear }: Part): Tabs {
  let leads = false;
  let waiting = new AbortController();
  const channel = new BroadcastChannel('desk');
  channel.onmessage = ({ data }: MessageEvent<Told>) => hear(data);
  const ask = (options: LockOptions): void => {
    navigator.locks
      .request('desk.leader', options, () => {
        leads = true;
        lead();
        // Held until the tab goes, or another takes over.
        return new Promise<never>(() => undefined);
      })
      .catch(() => {
        // No longer waited for, or taken.
        if (!leads) return;
        leads = false;
        resign();
        queue();
      });
  };
  const queue = (): void => {
    waiting = new AbortController();
    ask({ signal: waiting.signal });
  };
  queue();
  return {
    leads: () => leads,
    tell: (message) => channel.postMessage(message),
    takeOver: () => {
      if (leads) return;
      waiting.abort();
      ask({ steal: true });
    },
  };
}
