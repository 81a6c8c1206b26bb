/** The frame of every page: landmarks and navigation. It does not depend on a desk: public pages use it too. */
import type { ComponentChildren } from 'preact';
import './visible.ts';

export type Nav = readonly (readonly [path: string, label: string])[];

export const OFFICE_NAV: Nav = [
  ['/', 'Desk'],
  ['/hostess7.html', 'Hostess'],
  ['/startup.html', 'Startup'],
  ['/diff.html', 'Changes'],
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
          <ul class="row">
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
