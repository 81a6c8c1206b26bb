/** The six avenues: which families of checks have something, and what. */
import type { Page } from '../records/page.ts';
import { Clip } from './long.tsx';
import { State, words } from './parts.tsx';

type Avenue = Page['status']['hostess_charge']['antivirus']['avenues'][number];

export const openCount = (avenues: readonly Avenue[]): number => avenues.filter(({ open }) => open).length;

/** One row each: its name, open or closed, and what keeps it open. */
export const Avenues = ({ avenues }: { avenues: readonly Avenue[] }) => (
  <ul class="avenue-list">
    {avenues.map(({ id, name, open, detail }) => (
      <li key={id} data-avenue={id} data-open={open ? 'yes' : 'no'}>
        <State tone={open ? 'warn' : 'good'}>{open ? 'open' : 'closed'}</State>
        <span>
          {name} <span class="soft small">{words(id)}</span>
        </span>
        {open && (
          <span class="avenue-detail soft small">
            <Clip text={detail} />
          </span>
        )}
      </li>
    ))}
  </ul>
);
