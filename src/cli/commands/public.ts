import type { DeskStatus } from '../../records/desk-status.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { bad, dim, good, strong } from '../terminal.ts';

export const publicSite: Command = {
  name: 'public',
  summary: 'Shows the public site: its probe, its names and certificate, the links',
  examples: [['desk public', 'the last probe and every link']],
  async run({ out, json, withSource }) {
    const record = await withSource((source) => source.ask<DeskStatus>('GET', '/status'));
    const { atomic, whole_stick, hostess_charge } = record;
    const { global_protect: protect } = hostess_charge;
    const answers = atomic.https >= 200 && atomic.https < 400;
    const healthy = protect.ok && answers;
    if (json) {
      out.json({ atomic, global_protect: protect, whole_stick });
      return healthy ? exit.ok : exit.findings;
    }
    const status = answers ? good(atomic.https) : bad(atomic.https === 0 ? 'no answer' : atomic.https);
    out.line(strong(protect.business), '  ', status, `  ${atomic.url}`);
    const { magazine_ok, dns_green, le_ready } = protect;
    out.line(
      dim(
        `  magazine ${magazine_ok ? 'ok' : 'not ok or not configured'}, ${dns_green} names resolve, certificate ${le_ready ? 'ready' : 'not ready or not configured'}`,
      ),
    );
    out.line();
    const { law: _law, ...links } = whole_stick;
    out.table(
      [{ title: 'link' }, { title: 'address', shrink: 'start' }],
      Object.entries(links).map(([name, link]) => [name, link === '' ? dim('not configured') : link]),
    );
    return healthy ? exit.ok : exit.findings;
  },
};
