/** The public site, and all sites that are watched. */

import { bad, dim, good, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { SITE } from '../../desk/site-seen.ts';
import { SITES } from '../../desk/sites-seen.ts';
import { now } from '../../engine/now.ts';
import { site as siteRecord } from '../../records/site.ts';
import { type Sites, sites as sitesRecord } from '../../records/sites.ts';

export const site = operation({
  route: 'GET /site',
  roles: DESK,
  summary: 'The public site as it was last probed, and its history',
  answer: siteRecord.schema,
  async handle({ desk }) {
    const seen = await desk.use(SITE).seen();
    return siteRecord.assemble({ ...seen, state: await desk.state() });
  },
});

export const sites = operation({
  route: 'GET /sites',
  roles: DESK,
  summary: 'Every site that is watched: up or down, uptime, and when it was down',
  answer: sitesRecord.schema,
  handle: async ({ desk }) => sitesRecord.assemble({ ts: now(), sites: await desk.use(SITES).seen() }),
  command: {
    name: 'sites',
    examples: [
      ['desk sites', 'every site with its uptime'],
      ['desk sites --local', 'probes the sites now, from this process'],
    ],
    timeoutMs: 60_000,
    print: show,
    isWell: (record) => record.sites.every(({ state }) => state === 'up'),
  },
});

type Shown = Sites['sites'][number];

const STATES: Readonly<Record<Shown['state'], Piece>> = {
  up: good('up'),
  down: bad('down'),
  unknown: warn('unknown'),
};

/** `99.98 %`, rounded down, with a mark where a part of the time is not known. */
function share({ up, known }: Shown['uptime']['day']): string | Piece {
  if (up === null) return dim('not known');
  return `${(Math.floor(up * 10_000) / 100).toFixed(2)} %${known < 0.995 ? '*' : ''}`;
}

function show(out: Terminal, { sites }: Sites): void {
  if (sites.length === 0) {
    out.line('No site is configured: see [site] and [[sites]] of the configuration.');
    return;
  }
  out.table(
    [
      { title: 'site', shrink: 'start' },
      { title: 'state' },
      { title: 'since' },
      { title: '24 h', align: 'right' },
      { title: '7 d', align: 'right' },
      { title: '30 d', align: 'right' },
      { title: '90 d', align: 'right' },
      { title: 'address', shrink: 'end' },
    ],
    sites.map(({ name, state, since, uptime, url }) => [
      strong(name),
      STATES[state],
      since === null ? dim('not known') : since.slice(0, 16).replace('T', ' '),
      share(uptime.day),
      share(uptime.week),
      share(uptime.month),
      share(uptime.quarter),
      url,
    ]),
  );
  if (sites.some(({ uptime }) => uptime.quarter.known < 0.995))
    out.line(dim('* of the part of this time that is known. Times are in UTC.'));
  for (const { name, reason, failing, advice, downs } of sites) {
    if (reason !== '')
      out.wrapped(bad('! '), `${name}: ${reason}${failing ? ' (first failure, repeated soon)' : ''}`);
    for (const step of advice) out.wrapped(warn('! '), `${name}: ${step}`);
    for (const { from, to, seconds, reason: why } of downs.slice(0, 3))
      out.wrapped(
        dim('  '),
        to === null
          ? `${name} has been down since ${from.slice(0, 19)}: ${why}`
          : `${name} was down from ${from.slice(0, 19)} for ${seconds} s: ${why}`,
      );
  }
}
