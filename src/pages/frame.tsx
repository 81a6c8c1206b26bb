/** The frame of the desk's pages: what is known of the link to the service, and what can be done. */
import type { ComponentChildren } from 'preact';
import { ActionScope } from './actions.tsx';
import { useDesk } from './desk-context.ts';
import { State, Time } from './parts.tsx';
import { Frame, type Nav, OFFICE_NAV } from './plain-frame.tsx';

const LINK = {
  rendered: ['calm', 'as rendered', 'Scripts have not run: reload the page to see what is new.'],
  live: ['good', 'live', 'Events of the service arrive.'],
  stale: ['warn', 'stale', 'Nothing has come for a while; what is shown is old.'],
  disconnected: ['bad', 'disconnected', 'The service does not answer; what is shown is old. Asking again.'],
} as const;

/** Whether what is shown is of now. Told politely when it changes. */
export function LinkStatus() {
  const { link, trouble, live, page } = useDesk();
  const [tone, word, meaning] = LINK[link];
  return (
    <p class="link" data-link={link}>
      <span role="status" title={trouble || meaning}>
        {/* A word of its own for each state: one that changed its width would count as moved. */}
        <State key={link} tone={tone}>
          {word}
        </State>
      </span>
      <Time at={live?.ts ?? page.ts} />
    </p>
  );
}

/** A banner that says why what is shown may be old, or why nobody is signed in. Its place is kept over the page. */
export function LinkBanner() {
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
export function DeskFrame({
  path,
  nav = OFFICE_NAV,
  children,
}: {
  path: string;
  nav?: Nav;
  children: ComponentChildren;
}) {
  const { page } = useDesk();
  const { service } = page;
  return (
    <Frame
      path={path}
      nav={nav}
      status={<LinkStatus />}
      foot={
        <>
          Measured on this machine. Hostess Desk {service.version}, {service.backend}, {service.mark}.
        </>
      }
    >
      <LinkBanner />
      <ActionScope>{children}</ActionScope>
    </Frame>
  );
}
