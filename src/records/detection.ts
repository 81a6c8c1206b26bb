/** The answer of `GET /detection` (`H7_DETECTION`): what was found and what could not be seen. */
import { z } from 'zod';
import { type AvenueId, SETTLED_SEC } from '../checks/check.ts';
import type { Finding } from '../findings/finding.ts';
import type { Severity } from '../policy/severity.ts';
import { atState, count, field, group, type RecordOf, stateHead, text, wordsFor } from './define.ts';
import { findingSchema, noteSchema, severity, suppressedSchema, titled } from './finding.ts';
import { avenue } from './groups/antivirus.ts';
import { shutdownSchema, summed } from './shutdowns.ts';
import type { DeskState } from './state.ts';
import { verdict } from './verdict.ts';

interface DetectionAsked {
  readonly state: DeskState;
  /** Only findings and notes of this avenue. */
  readonly avenue?: AvenueId | undefined;
  /** Only findings and explained fails of exactly this severity; notes are low. */
  readonly severity?: Severity | undefined;
  /** Only findings first seen at or after this RFC 3339 time (an open one was last seen just now); notes are current. */
  readonly since?: string | undefined;
}

const inAvenue = (asked: DetectionAsked, avenue: AvenueId): boolean => avenue === (asked.avenue ?? avenue);
const ofSeverity = (asked: DetectionAsked, severity: Severity): boolean =>
  severity === (asked.severity ?? severity);

function wanted(asked: DetectionAsked): (finding: Finding) => boolean {
  const since = asked.since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(asked.since);
  if (Number.isNaN(since)) throw new RangeError('since is not an RFC 3339 time');
  return ({ avenue, severity, firstSeen }) =>
    inAvenue(asked, avenue) && ofSeverity(asked, severity) && !(Date.parse(firstSeen) < since);
}

const asked = wordsFor<DetectionAsked>();

const droppedBy = (one: Severity) =>
  field(count, `findings of severity ${one}`, (m) => m.desk.dropped.findings[one]);

/** Counts and avenues are those of the whole state; findings, explained fails and notes follow the filter. A `since` that is not a time throws RangeError. */
export const detection = asked.record('Detection', 'Findings and notes of one snapshot', {
  ...stateHead('H7_DETECTION'),
  ...atState({
    generation: field(count, 'generation of the snapshot', (m) => m.snapshot.generation),
    verdict,
    counts: group('(check, subject) pairs of the snapshot', {
      pass: field(count, 'pairs that passed', (m) => m.judgement.everyTier.pass),
      fail: field(count, 'pairs that failed', (m) => m.judgement.everyTier.fail),
      blind: field(count, 'pairs whose evidence could not be read', (m) => m.judgement.everyTier.blind),
    }),
    egress: group('Established connections of desk processes to port 443', {
      desk_https: field(count, 'all of them', (m) => m.desk.egress.deskHttps),
      outside_h: field(count, 'those off the allowlist', (m) => m.desk.egress.outside),
      age_ms: field(
        count,
        'age of this reading at the start of the sweep, ms; connections are read after a change, else at most once a second',
        (m) => Math.round(m.snapshot.connectionsAgeMs),
      ),
    }),
    avenues: field(z.array(avenue), 'the six avenues of checks', (m) => m.judgement.avenues),
  }),
  findings: asked.field(z.array(findingSchema), 'confirmed fails that match the filter', (all) =>
    all.state.judgement.findings.filter(wanted(all)).map(titled),
  ),
  excused: asked.field(
    z.array(suppressedSchema),
    'fails that law or baseline explain, counted as passed, that match the filter',
    (all) =>
      all.state.judgement.suppressed.filter(
        ({ avenue, severity }) => inAvenue(all, avenue) && ofSeverity(all, severity),
      ),
  ),
  notes: asked.field(z.array(noteSchema), 'what could not be judged, one note per check and reason', (all) =>
    all.state.judgement.notes.filter(({ avenue }) => inAvenue(all, avenue) && ofSeverity(all, 'low')),
  ),
  ...atState({
    short_lived: group(
      `Processes of unlearned programs that ended within ${SETTLED_SEC} seconds of their start: counted, no findings`,
      {
        last_hour: field(count, 'how many in the last hour', (m) => m.desk.shortLived.lastHour),
        programs: field(
          z.array(
            z.strictObject({
              program: text.describe('what the baseline would know it by'),
              count: count.describe('how many processes of it'),
            }),
          ),
          'the programs among them that ran most often, at most eight',
          (m) => m.desk.shortLived.programs,
        ),
      },
    ),
    shut_down: field(
      z.array(shutdownSchema),
      'banned listeners that were shut down, newest first: process, how it ended, how to allow it; kept over restarts',
      (m) => m.desk.remedies.shutDown.map(summed),
    ),
    dropped: group('Dropped closed findings, counted since the database was created', {
      low: droppedBy('low'),
      medium: droppedBy('medium'),
      high: droppedBy('high'),
      critical: droppedBy('critical'),
      gate_runs: field(count, 'runs of the gate', (m) => m.desk.dropped.gateRuns),
      history_lines: field(
        count,
        "lines of findings' histories that were never stored, because the store failed for too long",
        (m) => m.desk.dropped.lines,
      ),
      residue_rows: field(
        count,
        'rows of residue of gate runs beyond those kept for each run',
        (m) => m.desk.dropped.residue,
      ),
      checks: field(
        z.array(
          z.strictObject({
            check: text.describe('id of the check'),
            severity: severity.describe('severity of its findings'),
            count: count.describe('findings of it that were dropped'),
          }),
        ),
        'the checks that lost most findings, at most five',
        (m) => m.desk.dropped.checks,
      ),
      last: field(text, 'time of the newest drop, RFC 3339; "" without drops', (m) => m.desk.dropped.lastAt),
    }),
  }),
});

export type Detection = RecordOf<typeof detection>;
