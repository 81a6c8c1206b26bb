/** Of a browser's tabs one leads (holds a Web Lock), asks the service and informs the others by BroadcastChannel: one client. */
import type { Live } from '../../records/live.ts';
import type { Page } from '../../records/page.ts';

/** What tabs send each other; all but `hello` come from the leading tab. */
export type Message =
  | { readonly kind: 'page'; readonly page: Page }
  /** `unread`: why the page record could not be read for it; "" when it could. */
  | { readonly kind: 'live'; readonly live: Live; readonly unread: string }
  | { readonly kind: 'link'; readonly up: boolean; readonly trouble: string }
  /** The leading tab runs, and has nothing new. */
  | { readonly kind: 'here' }
  /** A tab that is new, or visible again, asks for what is known; its page record is of this time. */
  | { readonly kind: 'hello'; readonly ts: string };

interface Part {
  /** This tab begins to lead. */
  lead(): void;
  /** Another tab has taken over. */
  resign(): void;
  hear(message: Message): void;
}

export function joinTabs({ lead, resign, hear }: Part) {
  let leads = false;
  let waiting = new AbortController();
  const channel = new BroadcastChannel('desk');
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
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
    send: (message: Message) => channel.postMessage(message),
    /** Leads from now on: a tab that hangs or is frozen keeps its lock and sends nothing. */
    takeOver: () => {
      if (leads) return;
      waiting.abort();
      ask({ steal: true });
    },
  };
}
