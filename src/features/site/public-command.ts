import { bad, dim, good, type Piece, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import * as operations from '../../operations/status.ts';
import type { Site } from '../../records/site.ts';
import { FEWEST_DAYS } from '../../records/site-probe.ts';
import { site as operation } from './operations.ts';

/** Lines of the history that are shown. */
const LATEST = 8;

export const publicSite: Command = {
  name: 'public',
  summary: 'Shows the public site: its probe, its names and certificate, what changed there, the links',
  local: true,
  examples: [
    ['desk public', 'the last probe and every link'],
    ['desk public --local', 'probes the site now, from this process'],
  ],
  async run({ answer, withSource }) {
    const { site, status } = await withSource(async (source) => ({
      // First: without a service this probes the site.
      site: await source.ask(operation, {}),
      status: await source.ask(operations.status, {}),
    }));
    const { atomic, whole_stick, hostess_charge } = status;
    const { global_protect } = hostess_charge;
    const print = (out: Terminal): void => {
      showSite(out, site);
      showHistory(out, site);
      out.line();
      const { law: _law, ...links } = whole_stick;
      out.table(
        [{ title: 'link' }, { title: 'address', shrink: 'start' }],
        Object.entries(links).map(([name, link]) => [name, link === '' ? dim('not configured') : link]),
      );
    };
    return answer({ atomic, global_protect, site, whole_stick }, print, site.ok && global_protect.ok);
  },
};

const answer = (status: number): string => (status === 0 ? 'no answer' : `${status}`);
const mark = (fine: boolean): Piece => (fine ? good('ok') : bad('not ok'));

function showSite(out: Terminal, site: Site): void {
  const { certificate, magazine, names } = site;
  const took = site.ms === null || site.status === 0 ? '' : `  ${site.ms} ms`;
  const status = site.ok ? good(site.status) : bad(answer(site.status));
  out.line(strong(site.name), '  ', status, `  ${site.url}`, dim(took));
  if (site.probed !== null) out.line(dim(`  probed ${site.probed}`));
  if (site.reason !== '') out.wrapped(bad('  ! '), site.reason);
  if (site.redirect !== '') out.wrapped(dim('  points to '), `${site.redirect} (not followed)`);
  const rows: (readonly [Piece, string, string])[] = names.map(({ name, resolves, addresses, reason }) => [
    mark(resolves),
    `name ${name}`,
    resolves ? `${addresses} ${addresses === 1 ? 'address' : 'addresses'}` : reason,
  ]);
  if (certificate !== null) {
    const { verified, days, valid_to, issuer, problem } = certificate;
    const enough = verified && days > FEWEST_DAYS;
    rows.push([
      verified && !enough ? warn('soon') : mark(enough),
      'certificate',
      `${verified ? '' : `${problem}, `}${days} days left, until ${valid_to.slice(0, 10)}, by ${issuer}`,
    ]);
  }
  if (magazine !== null)
    rows.push([
      mark(magazine.ok),
      'magazine',
      `${answer(magazine.status)}  ${magazine.url}  ${magazine.reason}`.trimEnd(),
    ]);
  if (rows.length > 0) out.table([{ title: '' }, { title: '' }, { title: '', shrink: 'start' }], rows);
}

function showHistory(out: Terminal, { history }: Site): void {
  const changes = history.filter(({ changed }) => changed !== '').slice(0, LATEST);
  if (changes.length === 0) return;
  out.line();
  out.table(
    [{ title: 'changed' }, { title: 'answer' }, { title: 'what', shrink: 'start' }],
    changes.map(({ at, status, changed }) => [at.slice(0, 19), answer(status), changed]),
  );
}
