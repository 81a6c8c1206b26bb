/** The frame of every page: landmarks, navigation, and what is known of the link to the service. */
import type { ComponentChildren } from 'preact';
import { ActionScope } from './actions.tsx';
import { useDesk } from './desk-context.ts';
import { State, Time } from './parts.tsx';

export type Nav = readonly (readonly [path: string, label: string])[];

export const OFFICE_NAV: Nav = [
  ['/', 'Desk'],
  ['/hostess7.html', 'Hostess'],
  ['/links.html', 'Links'],
  ['/email/', 'Mail'],
];

interface FrameProps {
  /** Path of the page itself, marked in the navigation. */
  readonly path: string;
  readonly nav: Nav;
  readonly status?: ComponentChildren;
  readonly foot: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Frame = ({ path, nav, status, foot, children }: FrameProps) => (
  <>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="top">
      <a class="brand" href={nav[0]?.[0] ?? '/'}>
        <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
          <path d="M4 17h16M6 17a6 6 0 0 1 12 0M12 8V6M10.5 6h3" />
        </svg>
        Hostess Desk
      </a>
      {nav.length > 0 && (
        <nav aria-label="Pages">
          <ul>
            {nav.map(([to, label]) => (
              <li key={to}>
                <a href={to} aria-current={to === path ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {status}
    </header>
    <main id="content" tabIndex={-1}>
      {children}
    </main>
    <footer>{foot}</footer>
  </>
);

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
        <State tone={tone}>{word}</State>
      </span>
      <Time at={live?.ts ?? page.ts} />
    </p>
  );
}

/** A banner that says why what is shown may be old; nothing while it is of now. Its place is kept over the page. */
export function LinkBanner() {
  const { link, trouble } = useDesk();
  if (link !== 'stale' && link !== 'disconnected') return null;
  return (
    <p class={`banner ${link === 'stale' ? 'warn' : 'bad'}`} role="alert">
      {trouble || LINK[link][2]}
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
