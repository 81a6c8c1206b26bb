import { statSync } from 'node:fs';
import { join } from 'node:path';
import { dim, strong } from '../../base/terminal.ts';
import { exit } from '../../desk/failure.ts';
import { scarsText } from '../../findings/finding.ts';
import * as findings from '../../operations/findings.ts';
import { version } from '../../operations/service.ts';
import * as operations from '../../operations/status.ts';
import type { Detection } from '../../records/detection.ts';
import type { CliCommand } from '../command.ts';

/** Bytes of a file of the state folder; null when it cannot be seen from here. */
const bytesOf = (path: string): number | null => {
  try {
    return statSync(path).size;
  } catch {
    return null;
  }
};

/** `3 critical, 0 high, 20 medium, 5 low findings, 0 gate runs, 0 lines of history and 0 rows of residue, last 2026-…`; "nothing" without a drop. */
export function droppedText(dropped: Detection['dropped']): string {
  const { critical, high, medium, low, gate_runs, history_lines, residue_rows, last } = dropped;
  if (last === '') return 'nothing';
  return `${critical} critical, ${high} high, ${medium} medium, ${low} low findings, ${gate_runs} gate runs, ${history_lines} lines of history and ${residue_rows} rows of residue, last ${last}`;
}

/** `public-listener 12347 high, unlearned-process 20 medium`. */
export const checksText = ({ checks }: Detection['dropped']): string =>
  checks.map(({ check, severity, count }) => `${check} ${count} ${severity}`).join(', ');

/** `312 unlearned programs in the last hour: /usr/bin/head 300, /usr/bin/jq 12`. */
function shortLivedText({ last_hour, programs }: Detection['short_lived']): string {
  const named = programs.map(({ program, count }) => `${program} ${count}`).join(', ');
  return `${last_hour} unlearned programs in the last hour${named === '' ? '' : `: ${named}`}`;
}

export const stats: CliCommand = {
  name: 'stats',
  summary: "Shows counts, times, the store's size and what the desk itself costs",
  local: true,
  examples: [
    ['desk stats', 'from the running service'],
    ['desk stats --local --json', 'one sweep from this process, as JSON'],
  ],
  async run({ out, json, answer, withSource, serviceDir }) {
    const [live, { check, forever }, { engine }, { dropped, short_lived }] = await withSource(
      async (source) =>
        [
          await source.ask(operations.live, {}),
          await source.ask(operations.charge, {}),
          await source.ask(version, {}),
          await source.ask(findings.detection, { severity: 'critical' }),
        ] as const,
    );
    const folder = await serviceDir();
    const store = bytesOf(join(folder, 'desk.db'));
    const log = bytesOf(join(folder, 'desk.db-wal')) ?? 0;
    const store_bytes = store === null ? null : store + log;
    const record = { live, check, forever, engine, store_bytes, short_lived, dropped };
    if (json) return answer(record, () => undefined);
    const { counts, rates } = live;
    const row = (name: string, text: string): void => out.line(dim(`  ${name.padEnd(12)}`), text);
    out.line(strong(`Generation ${live.generation}`), dim(`  ${live.ts}, ${live.age_ms} ms old`));
    row('recheck', `${live.recheck_us} µs, mode ${check.mode}`);
    row(
      'processes',
      `${counts.pids} user-space: ${counts.wrapped} wrapped (confined by the kernel), ${counts.spv_free} unwrapped, ${counts.wrap_blind} blind; ${counts.fried} fried (zombies)`,
    );
    row(
      'listeners',
      `${counts.public_listen} public, ${counts.bgl} on loopback; desk ports ${counts.ports_up} of ${counts.ports_n}`,
    );
    row('batch', `${check.mega_N} pairs: ${counts.pass} pass, ${counts.fail} fail, ${counts.blind} blind`);
    row('findings', `${live.findings_open} open, ${scarsText(live.scar_count)}`);
    row(
      'rates',
      Object.entries(rates)
        .map(([key, rate]) => [key === 'rechecks' ? key : `connections ${key}`, rate] as const)
        .map(([name, rate]) => `${name} ${rate === null ? 'not known' : `${rate}/s`}`)
        .join(', '),
    );
    row(
      'loop',
      forever.on
        ? `${forever.mode}, pid ${forever.pid ?? '?'}, ${forever.zero_overhead ? 'below' : 'not below'} 0.1 % of a core`
        : 'off',
    );
    if (engine) row('engine', `${engine.backend}, ${engine.mark}, ${engine.workers} workers`);
    row('store', store_bytes === null ? 'not readable from here' : `${(store_bytes / 1024).toFixed(0)} KiB`);
    row('short-lived', shortLivedText(short_lived));
    row('dropped', droppedText(dropped));
    return exit.ok;
  },
};
