/** Everything known of a process as the command prints it. */
import { bad, dim, severityPiece, strong, type Terminal, warn } from '../base/terminal.ts';
import { startupRows } from '../records/finding-words.ts';
import type { ProcessDetail } from '../records/process-detail.ts';
import { cellText, NOT_KNOWN, namespaceText, userText } from '../records/process-words.ts';
import { bytesText } from '../records/vitals-words.ts';

/** `odd`: worth a look. */
type Row = readonly [name: string, text: string, odd?: boolean];

const WITHHELD: Readonly<Record<ProcessDetail['command'], string>> = {
  shown: 'it has none',
  unread: 'it could not be read',
  'only-findings': 'read only of processes with a finding; [privacy] command_lines = "asked" shows it',
  never: 'not read: [privacy] command_lines = "never"',
};
const BASELINE: Readonly<Record<ProcessDetail['baseline'], string>> = {
  learned: 'known',
  'not-learned': 'unknown: it is not in the baseline',
  'nothing-learned': 'nothing has been learned yet',
  'not-judged': 'not judged by the baseline',
};

const rate = (bytes: number | null): string =>
  bytes === null ? 'not read: it needs root, or CAP_SYS_PTRACE' : `${bytesText(bytes)}/s`;

function packageRow({ package: name, package_reason: reason }: ProcessDetail): Row {
  if (name !== '') return ['package', name];
  return reason === '' ? ['package', 'no package has it', true] : ['package', `${NOT_KNOWN}: ${reason}`];
}

function useRows({ uses }: ProcessDetail): readonly Row[] {
  if (uses === null) return [['use', 'it could not be measured']];
  return [
    ['CPU', `${uses.cpu_percent.toFixed(1)} % of one processor, over ${uses.interval_ms} ms`],
    ['memory', bytesText(uses.resident_bytes)],
    ['reads', rate(uses.read_per_sec)],
    ['writes', rate(uses.written_per_sec)],
  ];
}

const relatives = (all: ProcessDetail['parents'], none: string): string =>
  all.length === 0 ? none : all.map(({ pid, name }) => `${name} (${pid})`).join(', ');

function rowsOf(record: ProcessDetail): readonly Row[] {
  const { row, about, namespaces, children, children_total: total } = record;
  const more = total > children.length ? `, and ${total - children.length} more` : '';
  return [
    ['executable', row.executable || 'none, or it could not be read'],
    packageRow(record),
    ['baseline', BASELINE[record.baseline], record.baseline === 'not-learned'],
    ['user', userText(record)],
    ['command line', about?.command || WITHHELD[record.command]],
    ['started', row.start ?? NOT_KNOWN],
    ['directory', about?.directory || NOT_KNOWN],
    ['unit', record.unit || 'none'],
    ['control group', record.control_group || NOT_KNOWN],
    ['state', cellText(row, 'state')],
    ['threads', cellText(row, 'threads')],
    ...useRows(record),
    ['parents', relatives(record.parents, 'none that still runs')],
    ['children', relatives(children, 'none') + more],
    ['confined', `${row.wrap} ${row.by}`.trim(), row.wrap === 'blind'],
    ...namespaces
      .filter(({ differs }) => differs !== false)
      .map((one): Row => [`${one.kind} namespace`, namespaceText(one)]),
    ...(record.container
      ? ([['container', 'its mount or pid namespace is not that of the machine']] as const)
      : []),
    ['capabilities', record.capabilities || NOT_KNOWN],
    // Both are in the same file.
    record.capabilities === ''
      ? ['traced by', NOT_KNOWN]
      : ['traced by', record.tracer === 0 ? 'nothing' : `process ${record.tracer}`, record.tracer !== 0],
  ];
}

export function showProcess(out: Terminal, record: ProcessDetail): void {
  const { row, findings, explained, listeners, returns, starts } = record;
  out.line(strong(`${row.comm} (pid ${row.pid})`));
  out.line(
    findings.length === 0
      ? 'No open finding is about it.'
      : bad(`Open findings about it: ${findings.length}`),
  );
  for (const { severity, title, id } of findings)
    out.line('  ', severityPiece(severity), `  ${title}  `, dim(id));
  out.line();
  for (const [name, text, odd = false] of rowsOf(record))
    out.wrapped((odd ? warn : dim)(`  ${name.padEnd(18)}`), text);
  out.line();
  for (const { protocol, address, port, scope, allowed } of listeners)
    out.line(
      `  listens on ${protocol} ${address} port ${port} `,
      scope === 'public' ? warn(scope) : dim(scope),
      `, allowed by ${allowed || 'nothing'}`,
    );
  if (!record.listeners_known) out.wrapped(warn('  ! '), 'Not all sockets and their holders could be read.');
  else if (listeners.length === 0) out.line('  It listens on no socket.');
  for (const [name, text] of startupRows({ returns, reason: record.returns_reason, starts, running: [] }))
    out.wrapped(dim(`  ${name.padEnd(18)}`), text);
  if (explained.length === 0) return;
  out.line();
  for (const { check, source, summary } of explained)
    out.wrapped(dim('  explained: '), `${summary} (${check}, ${source})`);
}
