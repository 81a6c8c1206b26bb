import type { DeskStatus } from '../../records/desk-status.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';
import { dim, strong } from '../terminal.ts';

export const mail: Command = {
  name: 'mail',
  summary: 'Shows the mail identity and what stands ready; never the password',
  local: true,
  examples: [['desk mail', 'identity, servers, client and ledger']],
  async run({ out, json, withSource }) {
    const record = await withSource((source) => source.ask<DeskStatus>('GET', '/status'));
    const { identity, hostess_charge } = record;
    const { mail: state } = hostess_charge;
    if (json) {
      out.json({ identity, mail: state });
      return exit.ok;
    }
    const unset = 'not configured';
    const row = (name: string, text: string): void =>
      out.line(dim(`  ${name.padEnd(10)}`), text || dim(unset));
    out.line(
      strong(identity.from_name || 'Mail'),
      dim(identity.updated === '' ? '' : `  as of ${identity.updated}`),
    );
    row('address', identity.address);
    row(
      'IMAP',
      identity.imap_host &&
        `${identity.imap_user} at ${identity.imap_host}:${identity.imap_port} (${identity.ssl_mode})`,
    );
    row(
      'SMTP',
      identity.smtp_host &&
        `${identity.smtp_user} at ${identity.smtp_host}:${identity.smtp_port} (${identity.ssl_mode})`,
    );
    row('webmail', identity.webmail);
    row('password', state.pass_set ? 'set' : '');
    row('client', state.claws_up ? 'runs' : 'does not run');
    row('ledger', state.finite ? 'within its cap' : 'over its cap');
    row('page', state.page);
    return exit.ok;
  },
};
