/**
 * Tabs of one browser: one leads (it holds a Web Lock as long as it lives), asks the service, and tells the others over a
 * BroadcastChannel. Twenty tabs are one client to the service.
 */
import type { Live } from '../records/live.ts';
import type { Page } from '../records/page.ts';

/** What tabs tell each other: the leading one what comes, and one that has acted the page record it has read. */
export type Told =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'live'; readonly live: Live }
  | { readonly kind: 'link'; readonly up: boolean; readonly trouble: string }
  /** A tab that has just come asks for what is known. */
  | { readonly kind: 'hello' };

export interface Tabs {
  readonly leads: () => boolean;
  tell(message: Told): void;
}

/** `lead` is called when this tab begins to lead; `heard` gets what other tabs tell. */
export function joinTabs(lead: () => void, heard: (message: Told) => void): Tabs {
  let leads = false;
  const channel = new BroadcastChannel('desk');
  channel.onmessage = ({ data }: MessageEvent<Told>) => heard(data);
  void navigator.locks.request('desk.leader', () => {
    leads = true;
    lead();
    // Held until the tab goes.
    return new Promise<never>(() => undefined);
  });
  return { leads: () => leads, tell: (message) => channel.postMessage(message) };
}
