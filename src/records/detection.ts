/** The answer of `GET /detection` (`H7_DETECTION`): what was found and what could not be seen. */
import { z } from 'zod';
import { type AvenueId, SETTLED_SEC } from '../checks/check.ts';
import { offsetTime } from '../engine/time.ts';
import type { Finding } from '../findings/finding.ts';
import type { Severity } from '../policy/severity.ts';
import { count, type RecordOf, wordsFor } from './define.ts';
import {
  excusedOf,
  excusedSchema,
  findingOf,
  findingSchema,
  noteOf,
  noteSchema,
  severity,
  TIME,
} from './finding.ts';
import { avenue, avenuesOf } from './groups/antivirus.ts';
import { verdict } from './groups/verdict.ts';
import type { Moment } from './moment.ts';
import { shutdownOf, shutdownSchema } from './shutdowns.ts';

interface DetectionAsked {
  readonly moment: Moment;
  /** Only findings and notes of this avenue. */
  readonly avenue?: AvenueId | undefined;
  /** Only findings and explained fails of exactly this severity; notes are low. */
  readonly severity?: Severity | undefined;
  /** Only findings first seen at or after this RFC 3339 time (an open one was last seen just now); notes are of the moment. */
  readonly since?: string | undefined;
}

const inAvenue = (asked: DetectionAsked, avenue: AvenueId): boolean =>
  asked.avenue === undefined || asked.avenue === avenue;
const ofSeverity = (asked: DetectionAsked, severity: Severity): boolean =>
  asked.severity === undefined || asked.severity === severity;

function wanted(asked: DetectionAsked): (finding: Finding) => boolean {
  const since = asked.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(asked.since);
  if (Number.isNaN(since)) throw new RangeError('since is no RFC 3339 time');
  return ({ avenue, severity, firstSeen }) =>
    inAvenue(asked, avenue) && ofSeverity(asked, severity) && !(Date.parse(firstSeen) < since);
}

const { field, constant, group, of, record } = wordsFor<DetectionAsked>();

const droppedBy = (one: Severity) =>
  field(count, `findings of severity ${one}`, ({ moment }) => moment.desk.dropped.findings[one]);

/** Counts and avenues are those of the whole moment; findings, explained fails and notes follow the filter. A `since` that is no time throws RangeError. */
export const detection = record('Detection', 'Findings and notes of one moment', {
  ts: field(z.string(), TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: constant('H7_DETECTION', 'name of this answer'),
  generation: field(count, 'generation of the snapshot', ({ moment }) => moment.snapshot.generation),
  verdict: group(verdict.meaning, of(({ moment }) => moment)(verdict.shape)),
  counts: group('(check, subject) pairs of the moment', {
    pass: field(count, 'pairs that passed', ({ moment }) => moment.judgement.everyTier.pass),
    fail: field(count, 'pairs that failed', ({ moment }) => moment.judgement.everyTier.fail),
    blind: field(
      count,
      'pairs whose evidence could not be read',
      ({ moment }) => moment.judgement.everyTier.blind,
    ),
  }),
  egress: group('Established connections of desk processes to port 443', {
    desk_https: field(count, 'all of them', ({ moment }) => moment.desk.egress.deskHttps),
    outside_h: field(count, 'those off the allowlist', ({ moment }) => moment.desk.egress.outside),
    age_ms: field(
      count,
      'age of this reading at the start of the sweep, ms; connections are read when one comes or goes, else at most once a second',
      ({ moment }) => Math.round(moment.snapshot.connectionsAgeMs),
    ),
  }),
  avenues: field(z.array(avenue), 'the six avenues of checks', ({ moment }) => avenuesOf(moment)),
  findings: field(z.array(findingSchema), 'confirmed fails that match the filter', (asked) =>
    asked.moment.judgement.findings.filter(wanted(asked)).map(findingOf),
  ),
  excused: field(
    z.array(excusedSchema),
    'fails that law or baseline explain, counted as passed, that match the filter (all are of the moment)',
    (asked) =>
      asked.moment.judgement.excused
        .filter(({ avenue, severity }) => inAvenue(asked, avenue) && ofSeverity(asked, severity))
        .map(excusedOf),
  ),
  notes: field(z.array(noteSchema), 'what could not be judged, one note per check and reason', (asked) =>
    asked.moment.judgement.notes
      .filter((note) => inAvenue(asked, note.avenue) && ofSeverity(asked, 'low'))
      .map(noteOf),
  ),
  short_lived: group(
    `Processes of unlearned programs that ended within ${SETTLED_SEC} seconds of their start: counted, no findings`,
    {
      last_hour: field(count, 'how many in the last hour', ({ moment }) => moment.desk.shortLived.lastHour),
      programs: field(
        z.array(
          z.strictObject({
            program: z.string().describe('what the baseline would know it by'),
            count: count.describe('how many processes of it'),
          }),
        ),
        'the programs among them that ran most often, at most eight',
        ({ moment }) => [...moment.desk.shortLived.programs],
      ),
    },
  ),
  shut_down: field(
    z.array(shutdownSchema),
    'banned listeners that are down, the newest first: who it was, how it ended, how to allow it; they outlive a restart',
    ({ moment }) => moment.desk.remedies.shutDown.map(shutdownOf),
  ),
  dropped: group('Closed findings that the history no longer keeps, counted since the database was made', {
    low: droppedBy('low'),
    medium: droppedBy('medium'),
    high: droppedBy('high'),
    critical: droppedBy('critical'),
    gate_runs: field(count, 'runs of the gate', ({ moment }) => moment.desk.dropped.gateRuns),
    history_lines: field(
      count,
      "lines of findings' histories that were never stored, because the store took nothing for too long",
      ({ moment }) => moment.desk.dropped.lines,
    ),
    residue_rows: field(
      count,
      'rows of what the scars of a run of the gate touched, beyond those that are kept of each run',
      ({ moment }) => moment.desk.dropped.residue,
    ),
    checks: field(
      z.array(
        z.strictObject({
          check: z.string().describe('id of the check'),
          severity: severity.describe('severity of its findings'),
          count: count.describe('findings of it that are no longer kept'),
        }),
      ),
      'the checks that lost most findings, at most five',
      ({ moment }) => [...moment.desk.dropped.checks],
    ),
    last: field(
      z.string(),
      'time of the newest drop, RFC 3339; "" when nothing was dropped',
      ({ moment }) => moment.desk.dropped.lastAt,
    ),
  }),
});

export type Detection = RecordOf<typeof detection>;
