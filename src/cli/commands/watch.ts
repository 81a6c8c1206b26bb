import { setTimeout as pause } from 'node:timers/promises';
import { dim, type Terminal } from '../../base/terminal.ts';
import { exit, wholeNumber } from '../../desk/failure.ts';
import { scarsText } from '../../findings/finding.ts';
import * as operations from '../../operations/status.ts';
import type { Live } from '../../records/live.ts';
import type { Page } from '../../records/page.ts';
import type { CliCommand } from '../command.ts';
import { show } from './status.ts';

export const watch: CliCommand = {
  name: 'watch',
  summary: 'Follows the running service until Ctrl-C',
  options: [
    { flags: '--every <ms>', meaning: 'time between two updates, 1000 by default' },
    { flags: '--times <n>', meaning: 'stop after this many updates' },
  ],
  examples: [
    ['desk watch', 'the status page, redrawn each second'],
    ['desk watch --json --times 10', 'ten live records, one per line'],
  ],
  async run({ out, json, client }, { options: { every = '1000', times } }) {
    const gap = wholeNumber('--every', every, 50, 3_600_000);
    const most = times === undefined ? Number.POSITIVE_INFINITY : wholeNumber('--times', times, 1, 1_000_000);
    const service = await client();
    const leave = out.isTerminal && !json ? enterScreen(out) : () => undefined;
    try {
      for (let update = 1; update <= most; update += 1) {
        const live = await service.ask(operations.live, {});
        if (json) out.json(live);
        else if (out.isTerminal) redraw(out, await service.ask(operations.page, {}), live);
        else out.line(summary(live));
        if (update < most) await pause(gap);
      }
    } finally {
      leave();
    }
    return exit.ok;
  },
};

/** The alternate screen until the returned function is called, or the process ends by a signal that it can handle. */
function enterScreen(out: Terminal): () => void {
  const restore = (): void => out.alternate(false);
  const ended = (): never => process.exit(exit.ok);
  const suspended = (): void => {
    restore();
    process.kill(process.pid, 'SIGSTOP');
  };
  const resumed = (): void => out.alternate(true);
  const ends = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of ends) process.on(signal, ended);
  process.on('SIGTSTP', suspended).on('SIGCONT', resumed).on('exit', restore);
  out.alternate(true);
  return () => {
    for (const signal of ends) process.off(signal, ended);
    process.off('SIGTSTP', suspended).off('SIGCONT', resumed).off('exit', restore);
    restore();
  };
}

const summary = ({ counts, ...live }: Live): string =>
  `${live.ts} generation ${live.generation} ${live.grade}, ${live.ok ? 'ok' : 'not ok'}, recheck ${live.recheck_us} µs, ${counts.wrapped}/${counts.pids} confined, ports ${counts.ports_up}/${counts.ports_n}, ${live.findings_open} findings, ${scarsText(live.scar_count)}`;

const redraw = (out: Terminal, page: Page, live: Live): void =>
  out.screen(
    (screen) => show(screen, page),
    dim(
      `  generation ${live.generation}, recheck ${live.recheck_us} µs, ${live.findings_open} findings; Ctrl-C ends`,
    ),
  );
