import { dim, good, type Terminal, warn } from '../../base/terminal.ts';
import type { Command } from '../../desk/command.ts';
import { superfluous, usage } from '../../desk/failure.ts';
import type { QuietAnswer } from '../../records/alerts.ts';
import * as operations from './operations.ts';

export const quietCommand: Command = {
  name: 'quiet',
  summary: 'Stops alerts for a while, except critical ones; findings are kept',
  arguments: [
    { name: 'time', meaning: 'how long: 30m, 2h, 1d; "end" ends it; without it, shows it', optional: true },
  ],
  options: [{ flags: '--why <reason>', meaning: 'the reason, shown with it' }],
  examples: [
    [
      'desk quiet 30m --why "kernel update"',
      'no alerts for half an hour, across a reboot too, then one summary',
    ],
    ['desk quiet', 'whether it is quiet time'],
    ['desk quiet end', 'ends it now'],
  ],
  async run({ answer, client }, { arguments: { time }, options: { why } }) {
    if (time === undefined || time === 'end') {
      if (why !== undefined) throw superfluous('--why', time === undefined ? 'quiet' : 'quiet end');
      const service = await client();
      const asked = time === undefined ? operations.quiet : operations.quietEnd;
      return answer(await service.ask(asked, {}), show);
    }
    if (typeof why !== 'string' || why === '')
      throw usage('The reason is missing.', 'Say why, for example desk quiet 30m --why "kernel update".');
    return answer(await (await client()).ask(operations.quietBegin, { for: time, why }), show);
  },
};

function show(out: Terminal, { quiet, action }: QuietAnswer): void {
  if (quiet === null) {
    out.line(action === 'end' ? good('ended  ') : '', 'Alerts are sent as usual.');
    return;
  }
  out.wrapped(warn('quiet  '), `until ${quiet.until.slice(0, 16).replace('T', ' ')} UTC: ${quiet.why}`);
  out.line(dim('  Critical findings alert at once; one summary follows at the end. desk quiet end'));
}
