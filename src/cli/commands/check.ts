/** The state of the desk for Nagios, Icinga and others that run monitoring plugins: one line, and the exit code says which state. */
import { type ExitCode, failureOf } from '../../desk/failure.ts';
import type { RecordOf } from '../../desk/operation.ts';
import * as operations from '../../operations/remote.ts';
import { SEVERITIES, type Severity } from '../../policy/severity.ts';
import type { CliCommand } from '../command.ts';

type Widget = RecordOf<typeof operations.widget.answer>;

/** Return codes of the Monitoring Plugins Development Guidelines. */
const STATES = { OK: 0, WARNING: 1, CRITICAL: 2, UNKNOWN: 3 } as const satisfies Record<string, ExitCode>;
type State = keyof typeof STATES;

/** A recheck that is older says nothing about now. */
const MOST_AGE_SEC = 60;

interface Thresholds {
  readonly warn: Severity;
  readonly crit: Severity;
}

/** Findings of at least this severity. */
const atLeast = (widget: Widget, least: Severity): number =>
  SEVERITIES.slice(SEVERITIES.indexOf(least)).reduce((sum, severity) => sum + widget[severity], 0);

/** Pure. What is known to be bad comes before what is unknown; what is unknown is never OK, and neither is a desk that is not well. */
export function stateOf(widget: Widget, { warn, crit }: Thresholds): State {
  if (!(widget.age_sec <= MOST_AGE_SEC)) return 'UNKNOWN';
  // Bad, and without a finding that could be the reason: a port is down, the loop or a duty does not run, a site does not answer.
  const broken = widget.tone === 'bad' && atLeast(widget, 'high') === 0;
  if (broken || atLeast(widget, crit) > 0) return 'CRITICAL';
  if (atLeast(widget, warn) > 0) return 'WARNING';
  if (!widget.covered) return 'UNKNOWN';
  return widget.ok ? 'OK' : 'WARNING';
}

/** What is behind the state, in one line. */
function textOf(widget: Widget): string {
  if (!(widget.age_sec <= MOST_AGE_SEC)) return `the last recheck was ${widget.age_sec} s ago`;
  const counts = [...SEVERITIES]
    .reverse()
    .filter((severity) => widget[severity] > 0)
    .map((severity) => `${widget[severity]} ${severity}`);
  return [
    `${widget.verdict}, grade ${widget.grade}`,
    counts.length === 0 ? 'no findings' : `findings: ${counts.join(', ')}`,
    `${widget.ports_up} of ${widget.ports_n} ports up`,
    ...(widget.covered ? [] : ['not all could be seen']),
  ].join('; ');
}

const performanceOf = (widget: Widget): string =>
  [
    `findings=${widget.findings};;;0`,
    ...SEVERITIES.map((severity) => `${severity}=${widget[severity]};;;0`),
    `scars=${widget.scars};;;0`,
    `blind=${widget.blind};;;0`,
    `ports_up=${widget.ports_up};;;0;${widget.ports_n}`,
    `age=${widget.age_sec}s;;;0`,
  ].join(' ');

function severityOf(flag: string, given: unknown): Severity {
  const severity = SEVERITIES.find((one) => one === given);
  if (severity === undefined) throw new RangeError(`${flag} takes one of ${SEVERITIES.join(', ')}`);
  return severity;
}

export const check: CliCommand = {
  name: 'check',
  summary: 'Reports the state as a monitoring plugin: exit code 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN',
  usageCode: STATES.UNKNOWN,
  options: [
    // Without choices: another value is UNKNOWN, and not the exit code of a wrong command line, which would be CRITICAL.
    {
      flags: '--warn <severity>',
      meaning: 'WARNING for findings of this severity or above: low, medium (default), high, critical',
    },
    {
      flags: '--crit <severity>',
      meaning: 'CRITICAL for findings of this severity or above: low, medium, high (default), critical',
    },
  ],
  examples: [
    ['desk check', 'one line for Nagios or Icinga, with performance data'],
    ['desk check --warn low --crit critical', 'warns of every finding'],
  ],
  async run({ out, json, client }, { options: { warn = 'medium', crit = 'high' } }) {
    const report = (state: State, text: string, performance = ''): ExitCode => {
      // A bar begins the performance data.
      const plain = text.replace(/\s+/g, ' ').replaceAll('|', '/');
      if (json) out.json({ state, code: STATES[state], text: plain, performance });
      else out.line(`HOSTESS DESK ${state} - ${plain}${performance && `|${performance}`}`);
      return STATES[state];
    };
    try {
      const thresholds = { warn: severityOf('--warn', warn), crit: severityOf('--crit', crit) };
      const widget = await (await client()).ask(operations.widget, {});
      return report(stateOf(widget, thresholds), textOf(widget), performanceOf(widget));
    } catch (error) {
      const failure = failureOf(error);
      const reason = failure === undefined ? String(error) : [failure.message, failure.why].join(' ').trim();
      return report('UNKNOWN', reason);
    }
  },
};
