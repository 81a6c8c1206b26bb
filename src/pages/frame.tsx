/** The frame of the desk's pages: the state of the link to the service, and what can be done. */
import type { ComponentChildren } from 'preact';
import { ActionScope } from './actions.tsx';
import { useDesk } from './desk-context.ts';
import { State, Time } from './parts.tsx';
import { Frame, type Nav, OFFICE_NAV } from './plain-frame.tsx';

const LINK = {
  rendered: ['calm', 'as rendered', 'Scripts have not run: reload the page to see what is new.'],
  live: ['good', 'live', 'Events arrive from the service.'],
  stale: ['warn', 'stale', 'No event for a while; what is shown is old.'],
  disconnected: ['bad', 'disconnected', 'The service does not answer; what is shown is old. Trying again.'],
} as const;

/** Whether what is shown is current; announced politely when it changes. */
function LinkStatus() {
  const { link, trouble, live, page } = useDesk();
  const [tone, word, meaning] = LINK[link];
  return (
    <p class="link" data-link={link}>
      <span role="status" title={trouble || meaning}>
        {/* An element per state: one that changed its width would count as a layout shift. */}
        <State key={link} tone={tone}>
          {word}
        </State>
      </span>
      <Time at={live?.ts ?? page.ts} />
    </p>
  );
}

/** Says why what is shown may be old, or why signing in failed. It lies over the page, so that nothing moves. */
function LinkBanner() {
  const { link, trouble, actions } = useDesk();
  if (link === 'stale' || link === 'disconnected')
    return (
      <p class={`banner ${link === 'stale' ? 'warn' : 'bad'}`} role="alert">
        {trouble || LINK[link][2]}
      </p>
    );
  if (actions === null || actions.signedIn || actions.refusal === '') return null;
  return (
    <p class="banner bad" role="alert">
      <State tone="bad">not signed in</State> {actions.refusal}
    </p>
  );
}

/** A page of the desk: its frame, the state of the link, the content. */
export function DeskFrame(props: { path: string; nav?: Nav; children: ComponentChildren }) {
  const { path, nav = OFFICE_NAV, children } = props;
  const { version, backend, mark } = useDesk().page.service;
  const foot = `Measured on this machine. Hostess Desk ${version}, ${backend}, ${mark}.`;
  return (
    <Frame path={path} nav={nav} status={<LinkStatus />} foot={foot}>
      <LinkBanner />
      <ActionScope>{children}</ActionScope>
    </Frame>
  );
}
