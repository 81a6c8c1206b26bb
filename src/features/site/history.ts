/** What of a probe goes into the history of the site: changes, and a line each hour. Pure. */
import type { SiteLine, SiteProbe, SiteState } from '../../records/site-probe.ts';

const HOUR_MS = 3_600_000;

function stateOf({ url, status, reason, names, certificate, magazine }: SiteProbe): SiteState {
  return {
    url,
    status,
    reason,
    names: names.length,
    unresolved: names
      .filter(({ resolves }) => !resolves)
      .map(({ name }) => name)
      .sort(),
    validTo: certificate?.validTo ?? '',
    problem: certificate?.problem ?? '',
    magazine: magazine?.status ?? null,
  };
}

const answer = (status: number | null): string =>
  status === null ? 'not configured' : status === 0 ? 'no answer' : `${status}`;
const day = (validTo: string): string => (validTo === '' ? 'not seen' : validTo.slice(0, 10));

/** In words, "" when nothing is. A probe of another address starts over. */
function changesBetween(before: SiteState | null, now: SiteState): string {
  if (before === null || before.url !== now.url) return 'first probe';
  const changes = [
    ...(before.status === now.status ? [] : [`site ${answer(before.status)} to ${answer(now.status)}`]),
    ...now.unresolved.filter((name) => !before.unresolved.includes(name)).map((name) => `${name} lost`),
    ...before.unresolved.filter((name) => !now.unresolved.includes(name)).map((name) => `${name} resolves`),
    ...(before.validTo === now.validTo
      ? []
      : [`certificate until ${day(before.validTo)} to until ${day(now.validTo)}`]),
    ...(before.problem === now.problem ? [] : [now.problem === '' ? 'certificate verifies' : now.problem]),
    ...(before.magazine === now.magazine
      ? []
      : [`magazine ${answer(before.magazine)} to ${answer(now.magazine)}`]),
  ];
  if (changes.length > 0) return changes.join(', ');
  if (before.reason !== now.reason) return now.reason;
  return before.names === now.names ? '' : `${before.names} names to ${now.names}`;
}

/** The line that a probe adds to the history whose newest line is `newest`; null when there is nothing to report. */
export function lineAfter(newest: SiteLine | null, probe: SiteProbe): SiteLine | null {
  const state = stateOf(probe);
  const changed = changesBetween(newest?.state ?? null, state);
  const { atMs, ms } = probe;
  // Also when the clock was set back.
  const due = newest === null || Math.abs(atMs - newest.atMs) >= HOUR_MS;
  return changed !== '' || due ? { atMs, ms, changed, state } : null;
}
