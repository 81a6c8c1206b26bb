import { setTimeout as pause } from 'node:timers/promises';
import { exit, wholeNumber } from '../../desk/failure.ts';
import { scarsText } from '../../findings/finding.ts';
import * as operations from '../../operations/status.ts';
import type { Live } from '../../records/live.ts';
import type { CliCommand } from '../command.ts';

export const watch: CliCommand = {
  name: 'watch',
  summary: 'Shows the running service in the whole terminal: findings, processes, listeners, ports, startup',
  options: [
    { flags: '--every <ms>', meaning: 'time between two updates, 1000 by default' },
    { flags: '--times <n>', meaning: 'print this many lines instead, one for each update' },
  ],
  examples: [
    ['desk watch', 'the view; the last line names its keys, q quits'],
    ['desk watch --times 5', 'five lines; without a terminal, a line each second until Ctrl-C'],
    ['desk watch --json --times 10', 'ten live records, one per line'],
  ],
  async run({ out, env, json, client }, { options: { every = '1000', times } }) {
    const gap = wholeNumber('--every', every, 50, 3_600_000);
    const most = times === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--times', times, 1, 1_000_000);
    const whole = out.isTerminal && process.stdin.isTTY === true && env.TERM !== 'dumb';
    if (whole && !json && times === undefined) {
      const { watchScreen } = await import('../watch/watch-screen.ts');
      await watchScreen(out, client, gap);
      return exit.ok;
    }
    const service = await client();
    for (let update = 1; update <= most; update += 1) {
      const live = await service.ask(operations.live, {});
      if (json) out.json(live);
      else out.line(summary(live));
      if (update < most) await pause(gap);
    }
    return exit.ok;
  },
};

const summary = ({ counts, ...live }: Live): string =>
  `${live.ts} generation ${live.generation} ${live.grade}, ${live.ok ? 'ok' : 'not ok'}, recheck ${live.recheck_us} µs, ${counts.wrapped}/${counts.pids} confined, ports ${counts.ports_up}/${counts.ports_n}, ${live.findings_open} findings, ${scarsText(live.scar_count)}`;
