import { bad, cells, dim, good, type Line, type Terminal, warn } from '../../base/terminal.ts';
import { type ExitCode, exit } from '../../desk/failure.ts';
import * as operations from '../../operations/status.ts';
import { startText } from '../../records/about.ts';
import type { Page } from '../../records/page.ts';
import { vitalWords } from '../../records/vitals-words.ts';
import type { CliCommand } from '../command.ts';

export const status: CliCommand = {
  name: 'status',
  summary: 'Shows the state of the whole desk: grade, issues, ports, site, avenues',
  local: true,
  examples: [
    ['desk status', 'asks the running service'],
    ['desk status --local', 'scans from this process, no service needed'],
    ['desk status --json', 'prints the desk status record alone'],
  ],
  async run({ out, json, local, answer, withSource }) {
    if (json) {
      const record = await withSource((source) => source.ask(operations.status, {}));
      return answer(record, () => undefined, record.ok);
    }
    const page = await withSource((source) => source.ask(operations.page, {}));
    show(out, page, local);
    showShutDown(out, page.shut_down.slice(0, SHOWN), page.status.ts);
    return verdictExit(page.verdict);
  },
};

/** The exit code of the commands that answer with the verdict. */
export const verdictExit = ({ ok }: { readonly ok: boolean }): ExitCode => (ok ? exit.ok : exit.findings);

/** Banned listeners that are down. */
const SHOWN = 3;

/** What a scar is, in a phrase. */
const SCARS = 'findings of medium or above that nothing explains';

/** Who each was, how it ended, and how to allow it. `today`: a time of today, RFC 3339. */
export function showShutDown(out: Terminal, shutDown: Page['shut_down'], today: string): void {
  for (const { at, summary, about, executable, allow, finding } of shutDown) {
    out.line();
    out.wrapped(warn('  Shut down '), `${at}  ${summary}`);
    const start = about === null ? '' : startText(about, today);
    if (start !== '') out.wrapped(dim('    '), start);
    if (executable !== '') out.wrapped(dim('    executable  '), executable);
    if (about !== null && about.command !== null) out.wrapped(dim('    command     '), about.command);
    out.wrapped(dim('    finding     '), `desk findings ${finding}`);
    out.line(dim('    To allow it, add these lines to law.toml:'));
    for (const line of allow.split('\n')) out.line('      ', line);
  }
}

const tones = { good, warn, bad } as const;
const grades = { gold: good, silver: warn, bronze: bad, lead: bad } as const;

const secondsBetween = (before: string, after: string): number =>
  Math.max(0, Math.round((Date.parse(after) - Date.parse(before)) / 1000));

/** In one line what `desk vitals` shows in full; then what is beyond a limit of the law. */
const BRIEF: ReadonlySet<string> = new Set(['load', 'memory', 'fullest disk', 'up']);

function showVitals(
  out: Terminal,
  row: (name: string, ...pieces: Line) => void,
  vitals: Page['vitals'],
): void {
  if (vitals === null) {
    row('machine', dim('not read yet: desk vitals'));
    return;
  }
  const words = vitalWords(vitals).filter(({ name }) => BRIEF.has(name));
  const text = words.map(({ name, text }) => `${name} ${text === '' ? 'not known' : text}`).join(', ');
  row('machine', text, dim('  desk vitals'));
  for (const concern of vitals.concerns) out.wrapped(warn(`  ${' '.repeat(10)}! `), concern);
}

/** `local`: from a desk in this process, which does not probe the site. */
export function show(
  out: Terminal,
  { ts, status: record, verdict, site, vitals }: Page,
  local = false,
): void {
  const { hostess_charge: charge, atomic } = record;
  const { antivirus, check, security_learn: learn } = charge;
  out.line(tones[verdict.tone](verdict.headline));
  out.line(
    dim('grade '),
    grades[record.grade](record.grade),
    dim(`  ${record.ok ? 'ok' : 'not ok'}  ${record.ts}`),
  );
  for (const issue of record.issues) out.wrapped(bad('  ! '), issue);
  out.line();
  const row = (name: string, ...pieces: Line): void => {
    const lead = dim(`  ${name.padEnd(10)}`);
    const text = pieces.map((one) => (typeof one === 'string' ? one : one.text)).join('');
    if (cells(lead.text) + cells(text) > out.width) out.wrapped(lead, text);
    else out.line(lead, ...pieces);
  };
  row('ports', `${record.ports_up} of ${record.ports_n} up`);
  row(
    'site',
    atomic.https > 0 ? `${atomic.https}` : local ? dim('not probed by --local') : warn('no answer'),
    `  ${atomic.url}`,
    dim(site.probed === null ? '' : `  ${secondsBetween(site.probed, ts)} s ago`),
    dim(record.nav.magazine === '' ? '  magazine not configured' : ''),
  );
  const { spv_wrapped: wrapped, spv_pids: pids } = antivirus;
  const { spv_free: free } = record.iron;
  row(
    'wrapped',
    `${wrapped} of ${pids} processes are confined by the kernel`,
    dim(`  ${free} unwrapped, ${pids - wrapped - free} not readable`),
  );
  row(
    'checks',
    `${check.pass} pass, ${check.fail} fail`,
    dim(
      `  ${check.mega_N - check.pass - check.fail} blind of ${check.mega_N} in ${check.recheck_ms} ms, ${check.mode}`,
    ),
  );
  row(
    'scars',
    record.scar_count === 0 ? good('0') : bad(record.scar_count),
    dim(`  ${SCARS}; open score ${antivirus.open_score}`),
  );
  row(
    'learning',
    learn.ok ? 'ok' : warn('not ok'),
    dim(`  ${learn.new_comm} unlearned, ${learn.field_dirt} residue`),
  );
  showVitals(out, row, vitals);
  row('score', `${charge.war_machine.score} (${charge.war_machine.grade})`, dim(`  ${charge.she}`));
  out.line();
  out.table(
    [{ title: 'avenue (checks)' }, { title: '' }, { title: 'detail', shrink: 'start' }],
    antivirus.avenues.map(({ id, open, detail }) => [id, open ? warn('open') : good('closed'), detail]),
  );
  const steps = charge.improvements
    .split(';')
    .map((step) => step.trim())
    .filter((step) => step !== '');
  if (steps.length > 0) out.line();
  for (const step of steps.slice(0, 3)) out.wrapped(dim('  - '), step);
  const more = steps.length > 3 ? `${steps.length - 3} more · ` : '';
  out.line();
  out.line(dim(`  ${more}desk findings · desk web check · desk doctor · desk watch`));
}
