import { bad, dim, good, strong, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { superfluous, usage } from '../../desk/failure.ts';
import type { RemoteTokenAnswer, RemoteTokensAnswer } from '../../records/remote.ts';
import * as operations from './operations.ts';

export const tokenCommand: Command = {
  name: 'token',
  summary: 'Read-only tokens for browsers and programs on other machines: make, list, revoke',
  arguments: [
    { name: 'action', meaning: 'what to do', choices: ['make', 'list', 'revoke'] },
    {
      name: 'name',
      meaning: 'a name for the new token; the id or name of the one to revoke',
      optional: true,
    },
  ],
  options: [
    {
      flags: '--for <time>',
      meaning: 'how long the new token is valid: 12h, 30d, 1y; default 90d, at most 10y',
    },
  ],
  examples: [
    ['desk token make laptop', 'a token for 90 days, with the address and the fingerprint to compare'],
    ['desk token make grafana --for 1y', 'a token for a year'],
    ['desk token list', 'all tokens, and when each was last used'],
    ['desk token revoke laptop', 'ends that token at once, with the pages that use it'],
  ],
  async run({ answer, client }, { arguments: { action, name }, options }) {
    if (action !== 'make' && options.for !== undefined) throw superfluous('--for', `token ${action}`);
    if (action === 'list' && name !== undefined) throw superfluous(`"${name}"`, 'token list');
    const service = await client();
    if (action === 'list') return answer(await service.ask(operations.tokens, {}), list);
    if (name === undefined)
      throw action === 'make'
        ? usage('The token needs a name.', 'Name who or what uses it, for example "desk token make laptop".')
        : usage('The token to revoke is missing.', 'Name it: "desk token list" shows ids and names.');
    if (action === 'revoke')
      return answer(await service.ask(operations.tokenRevoke, { token: name }), (out, { tokens: [ended] }) =>
        out.line(
          good('revoked  '),
          `${ended?.name} (${ended?.id})`,
          dim('  requests and pages that used it have ended'),
        ),
      );
    const life = options.for === undefined ? {} : { for: String(options.for) };
    return answer(await service.ask(operations.tokenMake, { name, ...life }), made);
  },
};

function made(out: Terminal, { token, entry, listener }: RemoteTokenAnswer): void {
  out.line(strong(token));
  out.wrapped(
    '  ',
    'Shown this once. A browser asks for it; a program sends it as "Authorization: Bearer TOKEN".',
  );
  out.line(dim('  valid until  '), entry.expires);
  where(out, listener);
}

function where(out: Terminal, { state, url, reason, fingerprint }: RemoteTokensAnswer['listener']): void {
  if (state === 'bound') {
    out.line(dim('  open         '), url);
    if (reason !== '') out.wrapped(warn('  ! '), reason);
  } else if (state === 'off')
    out.wrapped(
      warn('  ! '),
      'The remote listener is off. Set [listen.remote] enabled = true in the configuration and reload (SIGHUP).',
    );
  else out.wrapped(bad('  ! '), `The remote listener is not up: ${reason}`);
  if (fingerprint !== '') {
    out.line(dim('  certificate, SHA-256, to compare with what the browser shows:'));
    out.line(`  ${fingerprint}`);
  }
}

function list(out: Terminal, { tokens, listener }: RemoteTokensAnswer): void {
  if (tokens.length === 0) out.line('There are no tokens.', dim('  desk token make NAME'));
  else
    out.table(
      [
        { title: 'id' },
        { title: 'name' },
        { title: 'made' },
        { title: 'valid until' },
        { title: 'last used' },
      ],
      tokens.map(({ id, name, made, expires, used, expired }) => [
        id,
        name,
        made.slice(0, 10),
        expired ? warn(`expired ${expires.slice(0, 10)}`) : expires.slice(0, 16),
        used?.slice(0, 16) ?? dim('never'),
      ]),
    );
  where(out, listener);
}
