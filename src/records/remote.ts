/**
 * What other machines are shown. This file is the one place that decides what leaves: each field is a number, a time, a word of
 * the desk's own, an address of a listener or the name of a program. No command line, path, user, mail address, evidence or text
 * that one of these could be in; `test/records/remote.test.ts` looks for each in everything that the remote listener answers.
 */
import { z } from 'zod';
import { AVENUE_IDS } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { endpointText, type Subject } from '../checks/subjects.ts';
import type { Finding } from '../findings/finding.ts';
import { mostSevereFirst, type SEVERITIES } from '../policy/severity.ts';
import { gapsOf } from './coverage.ts';
import {
  atState,
  count,
  done,
  field,
  flag,
  group,
  type RecordOf,
  shaped,
  snapshotTime,
  stateHead,
  text,
  wordsFor,
} from './define.ts';
import { answersWell, deskPorts, gatePasses, portsUp, scarCount } from './derive.ts';
import { severity } from './finding.ts';
import { REASON_KINDS, reasonsOf } from './problems.ts';
import type { DeskState } from './state.ts';
import { GRADES, TONES, verdictOf } from './verdict.ts';

/** Findings of one answer. */
const SHOWN = 50;

interface Asked {
  readonly state: DeskState;
  /** Age of the snapshot when it is answered, ms. */
  readonly ageMs: number;
}

/** What a finding is called on the remote listener, by its id. */
export type ShownId = (id: string) => string;

interface AskedRemotely extends Asked {
  readonly shownId: ShownId;
}

const asked = wordsFor<Asked>();
const remotely = wordsFor<AskedRemotely>();
const age = asked.field(count, 'age of the last recheck when this was answered, s', ({ ageMs }) =>
  Math.max(0, Math.round(ageMs / 1000)),
);

const ofSeverity = (wanted: (typeof SEVERITIES)[number]) =>
  field(
    count,
    `open findings of severity ${wanted}`,
    ({ judgement }) => judgement.findings.filter(({ severity }) => severity === wanted).length,
  );

const VERDICT = {
  ok: field(flag, 'ok of the desk status', (m) => verdictOf(m).ok),
  verdict: field(text, 'the verdict in a few words', (m) => verdictOf(m).opening),
  grade: field(z.enum(GRADES), 'grade of the desk status', (m) => verdictOf(m).grade),
  tone: field(
    z.enum(TONES),
    'colour: good is ok, warn is not ok without anything broken or severe, bad is the rest',
    (m) => verdictOf(m).tone,
  ),
  covered: field(
    flag,
    'enough could be seen for a good verdict; false: no finding does not mean that there is none',
    (m) => gapsOf(m).length === 0,
  ),
  findings: field(count, 'open findings', (m) => m.judgement.findings.length),
  critical: ofSeverity('critical'),
  high: ofSeverity('high'),
  medium: ofSeverity('medium'),
  low: ofSeverity('low'),
  scars: field(count, 'scars: findings of severity medium or above that nothing explains', scarCount),
  ports_up: field(count, 'desk ports with a TCP listener', portsUp),
  ports_n: field(count, 'desk ports', (m) => deskPorts(m).length),
  ports_required: field(
    count,
    'of these the required ones',
    (m) => deskPorts(m).filter(({ required }) => required).length,
  ),
  ports_required_up: field(
    count,
    'required ones with a TCP listener',
    (m) => deskPorts(m).filter(({ required, up }) => required && up).length,
  ),
} as const;

const BLIND = field(count, '(check, subject) pairs that could not be judged', (m) => m.judgement.blind);

const VERSION = field(text, 'version of the desk', (m) => m.desk.service.version);

/** `GET /widget.json`: flat, for dashboards. */
export const widget = asked.record('Widget', 'The desk in one flat object, for dashboards', {
  ...atState({ ts: snapshotTime, ...VERDICT, blind: BLIND, version: VERSION }),
  age_sec: age,
});

/** The last part of the path of a program, as far as it is a plain word. */
const PROGRAM = /\/([\w.+-]{1,32})(?: \(deleted\))?$/;

/**
 * What a finding is about, in a few words. A process is named by its executable, because it may set its own name to a part of
 * its command line (prctl(2), PR_SET_NAME); a file and a part of the host are not named.
 */
function remoteSubject(subject: Subject): string {
  if (subject.kind === 'process')
    return `${PROGRAM.exec(subject.executable)?.[1] ?? 'process'} (pid ${subject.pid})`;
  if (subject.kind === 'listener') return endpointText(subject);
  return subject.kind;
}

const ABOUT: ReadonlyMap<string, string> = new Map(CHECKS.map(({ id, text: { about } }) => [id, about]));

const remoteFinding = z.strictObject({
  id: text.describe(
    'id of the finding on this listener, keyed by a secret of the desk; the desk itself has another one',
  ),
  check: text.describe('the check that failed'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue it opens'),
  severity: severity.describe('low, medium, high or critical'),
  subject: text.describe(
    'what it is about: program and pid of a process, address of a listener, or its kind',
  ),
  meaning: text.describe('what a fail of the check means'),
  count: z.int().positive().describe('how many equal ones there are'),
  first_seen: text.describe('RFC 3339'),
  last_seen: text.describe('RFC 3339'),
  scar: flag.describe('severity medium or above, and nothing explains it'),
});

/** A finding as other machines are shown it. An id is a digest of what it is about, so that a plain one would confirm a guessed path. */
const shown =
  (shownId: ShownId) =>
  ({ id, check, avenue, severity, subject, members, firstSeen, lastSeen, scar }: Finding) => ({
    ...{ id: shownId(id), check, avenue, severity, subject: remoteSubject(subject) },
    ...{ meaning: ABOUT.get(check) ?? '', count: members.count, firstSeen, lastSeen, scar },
  });

const remoteFindingShape = shaped(remoteFinding);

/** The finding of a `finding` event. */
export const remoteFindingOf = (finding: Finding, shownId: ShownId): z.output<typeof remoteFinding> =>
  remoteFindingShape(shown(shownId)(finding));

const port = z.strictObject({
  name: text.describe('its name'),
  port: count.describe('its number'),
  required: flag.describe('the desk is not ok while it is down'),
  up: flag.describe('a TCP listener was seen there'),
  known: flag.describe('false: none was seen, and not all listeners could be read'),
});

/** `GET /view.json`: what the page of the remote listener shows. */
export const remoteView = remotely.record('RemoteView', 'The desk as shown to other machines', {
  ...stateHead('REMOTE'),
  ...atState({
    generation: field(count, 'generation of the snapshot', (m) => m.snapshot.generation),
    ...VERDICT,
    reasons: field(z.array(z.enum(REASON_KINDS)), 'kinds of reasons against the verdict', (m) => [
      ...new Set(reasonsOf(m).map(({ kind }) => kind)),
    ]),
    gate: field(z.enum(['pass', 'fail']), 'the scar gate', (m) => (gatePasses(m) ? 'pass' : 'fail')),
    ports: field(z.array(port), 'the desk ports', (m) =>
      deskPorts(m).map(({ name, port, required, up, known }) => ({ name, port, required, up, known })),
    ),
    site: group('The public site as it was last probed', {
      status: field(count, 'HTTP status, 0 without an answer', (m) => m.desk.site.status),
      ok: field(flag, 'status is 2xx or 3xx', (m) => answersWell(m.desk.site.status)),
      certificate_days: field(
        z.int().nullable(),
        'whole days the certificate lasts, negative when it has ended; null without one',
        (m) => m.desk.site.certificateDays,
      ),
    }),
    processes: group('User-space processes', {
      all: field(count, 'all of them', (m) => m.snapshot.counts.userSpace),
      wrapped: field(count, 'wrapped ones', (m) => m.snapshot.counts.wrapped),
      fried: field(count, 'zombie or dead processes', (m) => m.snapshot.counts.fried),
    }),
    listeners: field(count, 'listening sockets', (m) => m.snapshot.listeners.length),
    blind: BLIND,
    recheck_us: field(count, 'duration of the last recheck, µs', (m) => Math.round(m.recheckUs)),
    version: VERSION,
  }),
  open: remotely.field(
    z.array(remoteFinding),
    `the ${SHOWN} most severe findings, the newest of equals first`,
    ({ state: { judgement }, shownId }) =>
      mostSevereFirst(
        judgement.findings
          .map(shown(shownId))
          .sort((a, b) => b.firstSeen.localeCompare(a.firstSeen) || a.id.localeCompare(b.id)),
      ).slice(0, SHOWN),
  ),
  age_sec: age,
});
export type RemoteView = RecordOf<typeof remoteView>;

/** Figures that are about people, or name hosts that the desk connects to, further sites or mount points. */
const PRIVATE_FIGURES = /^(?:# (?:HELP|TYPE) )?desk_(?:mail|egress|sites|vitals_disk)_/;

/** The metrics without these. */
export const remoteMetrics = (metrics: string): string =>
  metrics
    .split('\n')
    .filter((line) => !PRIVATE_FIGURES.test(line))
    .join('\n');

const entry = z.strictObject({
  id: text.describe('what "desk token revoke" takes, as it takes the name'),
  name: text.describe('its name'),
  made: text.describe('when it was made, RFC 3339'),
  expires: text.describe('when it ends, RFC 3339'),
  used: text.nullable().describe('when it was last used, to the minute; null when it never was'),
  expired: flag.describe('it has ended'),
});

const listener = z.strictObject({
  state: z
    .enum(['bound', 'failed', 'off'])
    .describe('the remote listener: bound, failed, or off by configuration'),
  url: text.describe('where other machines reach it'),
  reason: text.describe('why it failed and what to do; "" otherwise'),
  fingerprint: text.describe('SHA-256 of its certificate; "" without TLS'),
  certificate_ends: text.describe('when the certificate ends, RFC 3339; "" without TLS'),
});

export const remoteTokens = done('RemoteTokens', 'REMOTE_TOKENS', 'The read-only tokens of other machines', {
  tokens: z.array(entry).describe('all of them, without what proves them; after revoke the one that ended'),
  listener: listener.describe('where they are used'),
});
export type RemoteTokensAnswer = RecordOf<typeof remoteTokens>;

export const remoteToken = done('RemoteToken', 'REMOTE_TOKEN', 'A new read-only token', {
  token: text.describe('sent as "Authorization: Bearer"; shown this once'),
  entry: entry.describe('what is kept of it'),
  listener: listener.describe('where it is used'),
});
export type RemoteTokenAnswer = RecordOf<typeof remoteToken>;
