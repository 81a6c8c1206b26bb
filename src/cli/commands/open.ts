import { spawn } from 'node:child_process';
import { webAuthority } from '../../base/addresses.ts';
import { dim } from '../../base/terminal.ts';
import { exit, wholeNumber } from '../../desk/failure.ts';
import { sessionCode } from '../../operations/session.ts';
import { status } from '../../operations/status.ts';
import type { CliCommand } from '../command.ts';

export const open: CliCommand = {
  name: 'open',
  summary:
    'Opens the desk in the browser, signed in: pages may cook, close avenues, learn and accept, and show the people of the mail',
  options: [
    { flags: '--print', meaning: 'only print the address (it is always printed), open nothing' },
    {
      flags: '--port <port>',
      meaning:
        'the port of an SSH tunnel on your own machine: the address names it, and nothing is opened here',
    },
  ],
  examples: [
    ['desk open', 'the office in your browser'],
    ['desk open --print', 'the address, valid once and for 60 s'],
    [
      'desk open --port 9999',
      'the address for "ssh -L 9999:127.0.0.1:18780 HOST", or another port of the desk',
    ],
  ],
  async run({ out, json, answer, client, env }, { options: { print, port } }) {
    const service = await client();
    const { code, expires_sec } = await service.ask(sessionCode, {});
    const { nav } = await service.ask(status, {});
    // A fragment stays in the browser: it is neither sent nor logged.
    const base =
      port === undefined
        ? nav.employee || `${service.url}/`
        : `http://${webAuthority('localhost', wholeNumber('--port', port, 1, 65_535))}/`;
    const url = `${base}#code=${encodeURIComponent(code)}`;
    answer({ url, expires_sec }, () => {
      out.line(url);
      out.line(dim(`  valid once, for ${expires_sec} s`));
    });
    const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
    if (!json && !print && port === undefined && hasDisplay && out.isTerminal && !(await browse(url)))
      out.line(dim('  no browser could be started (xdg-open): open the address yourself'));
    return exit.ok;
  },
};

/** Hands an address to the desktop's own opener; false when there is none. */
function browse(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opener = spawn('xdg-open', [url], { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('spawn', () => {
      opener.unref();
      resolve(true);
    });
  });
}
