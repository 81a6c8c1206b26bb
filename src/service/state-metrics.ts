/** Metrics of what the desk found: verdict, findings, processes, ports, site, certificates, gate. */
import { SEVERITIES } from '../policy/severity.ts';
import { gapsOf } from '../records/coverage.ts';
import { answersWell, type DutyName, deskPorts, gatePasses, inCharge } from '../records/derive.ts';
import { REASON_KINDS, reasonsOf } from '../records/problems.ts';
import type { DeskState } from '../records/state.ts';
import { GRADES, verdictOf } from '../records/verdict.ts';
import {
  eachOfState,
  type Family,
  flag,
  type LabelledRow,
  labelled,
  type MetricSource,
  ofState,
  plain,
  type Row,
  type Sample,
  seconds,
} from './metric-family.ts';

/** One sample per known value: 1 for those that hold now, else 0. */
const states = (known: readonly string[], holds: (one: string) => boolean): readonly Sample[] =>
  known.map((one) => [one, holds(one) ? 1 : 0]);
/** Absent where there is neither a configured site nor the embedded public page. */
const ofSite = (read: (site: DeskState['desk']['site']) => number | null) =>
  ofState(({ desk }) => (desk.site.configured || desk.config.listen.public.enabled ? read(desk.site) : null));

function findingsOf({ judgement }: DeskState): readonly Sample[] {
  return SEVERITIES.flatMap((severity) =>
    [true, false].map((scar): Sample => {
      const same = judgement.findings.filter((one) => one.severity === severity && one.scar === scar);
      return [severity, String(scar), same.length];
    }),
  );
}

/** By check of the catalogue. */
function countedByCheck(
  { judgement }: DeskState,
  ones: readonly { readonly check: string; readonly subjects?: number }[],
): readonly Sample[] {
  const counts = new Map(judgement.checks.map(({ id }) => [id, 0]));
  for (const { check, subjects = 1 } of ones) counts.set(check, (counts.get(check) ?? 0) + subjects);
  return [...counts];
}

const dutiesOf = (state: DeskState): readonly Sample[] =>
  (Object.keys(state.desk.duties) as DutyName[])
    .filter((duty) => state.desk.duties[duty].configured)
    .map((duty) => [duty, flag(inCharge(state, duty))]);

const lastGateRun = ({ desk }: DeskState): number | null =>
  desk.gate.lastRun === null ? null : Date.parse(desk.gate.lastRun.at) / 1000;

function certificates(source: MetricSource): readonly Sample[] {
  const ends = source.remoteCertificateEnds();
  const endMs: Readonly<Record<string, number | null>> = {
    site: source.latest()?.desk.site.certificateEndsMs ?? null,
    remote: ends === null ? null : Date.parse(ends),
  };
  return Object.entries(endMs).flatMap(([name, ms]): Sample[] => (ms === null ? [] : [[name, ms / 1000]]));
}

/** While the loop is off, the newest state is all there is. */
function recheckedAt(source: MetricSource): number | null {
  const { on, quietMs } = source.loopFacts();
  const state = source.latest();
  if (state === null) return null;
  return (on ? Date.now() - quietMs : state.snapshot.at.epochMs) / 1000;
}

export const STATE_METRICS: readonly Family[] = [
  ...(
    [
      [
        'desk_ok',
        '1 while the desk is well; 0 also while too much could not be seen',
        ofState((m) => flag(verdictOf(m).ok)),
      ],
      [
        'desk_covered',
        '1 while enough could be seen for a good verdict',
        ofState((m) => flag(gapsOf(m).length === 0)),
      ],
      ['desk_gate_pass', '1 while the scar gate passes', ofState((m) => flag(gatePasses(m)))],
      ['desk_gate_last_run_timestamp_seconds', 'Unix time of the last run of the gate', ofState(lastGateRun)],
      [
        'desk_last_recheck_timestamp_seconds',
        'Unix time at which the newest recheck ended well, or a look showed that none was needed',
        recheckedAt,
      ],
      ['desk_generation', 'Generation of the newest snapshot', ofState((m) => m.snapshot.generation)],
      [
        'desk_sweep_duration_seconds',
        'Duration of the newest sweep',
        ofState((m) => m.snapshot.sweepUs / 1e6),
      ],
      [
        'desk_baseline_generation',
        'Generation number of the baseline; 0: nothing was learned',
        ofState((m) => m.desk.baseline.generation),
      ],
      [
        'desk_learning_open',
        '1 while a learning window is open',
        ofState((m) => flag(m.desk.baseline.windowOpen)),
      ],
      [
        'desk_listeners',
        'Listening TCP and bound, unconnected UDP sockets',
        ofState((m) => m.snapshot.listeners.length),
      ],
      [
        'desk_site_up',
        '1 while the public site answers 2xx or 3xx, as it was last probed',
        ofSite(({ status }) => flag(answersWell(status))),
      ],
      [
        'desk_site_http_status_code',
        'HTTP status of the public site; 0 without an answer',
        ofSite(({ status }) => status),
      ],
      [
        'desk_site_probe_timestamp_seconds',
        'Unix time of the last probe of the configured site',
        ofSite(({ probedMs }) => seconds(probedMs)),
      ],
      ['desk_mail_people', 'People in the mail ledger', ofState((m) => m.desk.mail.people)],
      ['desk_mail_messages', 'Messages that were counted', ofState((m) => m.desk.mail.messages)],
      [
        'desk_mail_sources_failed',
        'Sources of people that fail',
        ofState((m) => m.desk.mail.sources.filter(({ state }) => state === 'failed').length),
      ],
    ] as Row<(source: MetricSource) => number | null>[]
  ).map(plain('gauge')),
  ...(
    [
      [
        'desk_grade',
        'Grade of the desk: 1 for the present one',
        eachOfState((m) => states(GRADES, (grade) => verdictOf(m).grade === grade)),
        'grade',
      ],
      [
        'desk_reason',
        '1 while there is a reason of this kind against a good verdict',
        eachOfState((m) => states(REASON_KINDS, (one) => reasonsOf(m).some(({ kind }) => kind === one))),
        'kind',
      ],
      [
        'desk_findings',
        'Open findings; scar: of severity medium or above, and nothing explains it',
        eachOfState(findingsOf),
        ...['severity', 'scar'],
      ],
      [
        'desk_check_findings',
        'Open findings of each check',
        eachOfState((m) => countedByCheck(m, m.judgement.findings)),
        'check',
      ],
      [
        'desk_check_blind_subjects',
        'Subjects that each check could not judge',
        eachOfState((m) => countedByCheck(m, m.judgement.notes)),
        'check',
      ],
      [
        'desk_verdicts',
        'Verdicts of all checks: pass, fail or blind',
        eachOfState(({ judgement: { everyTier } }) =>
          (['pass', 'fail', 'blind'] as const).map((one) => [one, everyTier[one]]),
        ),
        'verdict',
      ],
      [
        'desk_processes',
        'User-space processes by how they are confined: wrapped, free, or blind where that could not be read',
        eachOfState(({ snapshot: { counts } }) => [
          ['wrapped', counts.wrapped],
          ['free', counts.free],
          ['blind', counts.wrapBlind],
        ]),
        'wrap',
      ],
      [
        'desk_port_up',
        '1 while a TCP listener of the desk port was seen; 0 also while it is not known',
        eachOfState((m) =>
          deskPorts(m).map(({ name, port, required, up }) => [name, `${port}`, `${required}`, flag(up)]),
        ),
        ...['name', 'port', 'required'],
      ],
      [
        'desk_port_known',
        '0 while the desk port was not seen and not all listeners could be read',
        eachOfState((m) => deskPorts(m).map(({ name, port, known }) => [name, `${port}`, flag(known)])),
        ...['name', 'port'],
      ],
      [
        'desk_sites_up',
        'Whether a site of [[sites]] is up (1) or down (0); absent while that is not known',
        eachOfState(({ desk }) =>
          desk.sites.flatMap(({ name, state }) =>
            state === 'unknown' ? [] : [[name, flag(state === 'up')]],
          ),
        ),
        'site',
      ],
      [
        'desk_sites_certificate_left_seconds',
        'Seconds until the certificate of a site of [[sites]] ends, rounded down to whole days; absent without one',
        eachOfState(({ desk }) =>
          desk.sites.flatMap(({ name, certificateDays }) =>
            certificateDays === null ? [] : [[name, certificateDays * 86_400]],
          ),
        ),
        'site',
      ],
      ['desk_duty_ok', '1 while a configured duty runs and is healthy', eachOfState(dutiesOf), 'duty'],
      [
        'desk_certificate_expiry_timestamp_seconds',
        'Unix time at which a certificate ends: of the public site as last probed, of the remote listener',
        certificates,
        'certificate',
      ],
      [
        'desk_part_ok',
        '1 while a part of the service works, 0 while it is degraded; the reasons are in /readyz',
        (s) => Object.entries(s.parts()).map(([part, { ok }]) => [part, flag(ok)]),
        'part',
      ],
    ] as LabelledRow<(source: MetricSource) => readonly Sample[]>[]
  ).map(labelled('gauge')),
];
