/** `GET /h7/page`: everything the pages show, in one answer. The server renders from it and the browser continues with it. */
import { z } from 'zod';
import { AVENUE_IDS } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { mostSevereFirst } from '../policy/severity.ts';
import { heartbeat, quiet, target } from './alerts.ts';
import { count, embed, field, flag, group, head, type RecordOf, record, text } from './define.ts';
import {
  alsoBanned,
  answersWell,
  type DutyName,
  deskPorts,
  dutyOf,
  failedListener,
  inCharge,
  once,
  socketsBlind,
  timeOf,
  VIRUS_PORT,
  virusState,
} from './derive.ts';
import { deskStatus } from './desk-status.ts';
import { findingSchema, noteSchema, severity, titled } from './finding.ts';
import { axesOf } from './groups/war-machine.ts';
import { magazineOf } from './links.ts';
import { mailState } from './mail.ts';
import { portIssue } from './problems.ts';
import { GATE } from './scar.ts';
import { notSetUp, SET_UP_IDS } from './setup.ts';
import { shutdownSchema, summed } from './shutdowns.ts';
import type { DeskState } from './state.ts';
import { verdict } from './verdict.ts';
import { vitalsShown, vitalsShownOf } from './vitals.ts';

/** Findings and notes on one page; the rest are in `/detection`. */
const SHOWN = 50;
const SHOWN_DOWN = 10;

/** The most severe first, the newest of equals. */
const ranked = once(({ judgement }) =>
  mostSevereFirst(
    [...judgement.findings].sort(
      (a, b) => b.firstSeen.localeCompare(a.firstSeen) || a.id.localeCompare(b.id),
    ),
  ),
);

export const portSchema = z.strictObject({
  name: text.describe('its name'),
  port: count.describe('its number'),
  required: flag.describe('the desk is not ok while it is down'),
  up: flag.describe('a TCP listener was seen there'),
  known: flag.describe('false: none was seen, and not all listeners could be read'),
  reason: text.describe('why the listener of the desk could not bind it, and what to do; "" otherwise'),
  issue: text.describe('the entry of issues about it: required and down, or unknown; "" otherwise'),
});

const duty = z.strictObject({
  name: text.describe('the duty, as in in_charge'),
  configured: flag.describe('it is configured'),
  in_charge: flag.describe('configured, running and healthy'),
  reason: text.describe('why it does not run; "" otherwise'),
});

const axis = z.strictObject({
  name: text.describe('the axis, as in war_machine.axes'),
  points: count.nullable().describe('0 to 100; null when not configured or never measured'),
  weight: count.describe('how often it counts in the score'),
  formula: text.describe('how the points are made'),
});

const BANNED_STATE = 'inactive is good; failed: it could not be read';
const bannedState = z.enum(['active', 'inactive', 'failed']);
const alsoBannedPort = z.strictObject({
  port: count.describe('its number'),
  state: bannedState.describe(BANNED_STATE),
});

const checkState = z.strictObject({
  id: text.describe('the check'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue that it opens'),
  findings: count.describe('open findings of it'),
  blind: count.describe('subjects that it could not judge'),
});

/** The catalogue of checks with the state of each. */
function checkStates({ judgement }: DeskState) {
  const found = new Map<string, number>();
  for (const { check } of judgement.findings) found.set(check, (found.get(check) ?? 0) + 1);
  const blind = new Map<string, number>();
  for (const { check, subjects } of judgement.notes) blind.set(check, (blind.get(check) ?? 0) + subjects);
  return judgement.checks.map(({ id, avenue }) => ({
    id,
    avenue,
    findings: found.get(id) ?? 0,
    blind: blind.get(id) ?? 0,
  }));
}

const targetState = z.enum(['answers', 'silent', 'unset', 'not-looked-at', 'no-link']);

const findingGroup = z.strictObject({
  severity: severity.describe('their severity'),
  check: text.describe('their check'),
  about: text.describe('what that check reports, one sentence'),
  count: count.describe('how many are open'),
});

/** What checks report, by their ids. */
const ABOUT: ReadonlyMap<string, string> = new Map(CHECKS.map(({ id, text: { about } }) => [id, about]));

/** Open findings by severity and check, in the order of the most severe and newest of each. */
const groupsOf = once((state) => {
  const groups = new Map<string, z.output<typeof findingGroup>>();
  for (const { severity, check } of ranked(state)) {
    const key = `${severity} ${check}`;
    const group = groups.get(key) ?? { severity, check, about: ABOUT.get(check) ?? '', count: 0 };
    groups.set(key, { ...group, count: group.count + 1 });
  }
  return [...groups.values()];
});

const linkStateSchema = z.strictObject({
  group: z.enum(['nav', 'whole_stick']).describe('where it is in the desk status'),
  name: text.describe('its key there'),
  target: text.describe('the link; "" when unset'),
  state: targetState.describe(
    'answers; silent: no good answer; unset: not configured or nothing answers there; not-looked-at: another host, which the desk does not check; no-link: a text',
  ),
  detail: text.describe('what is known, or how to set it; "" when that is all'),
});
type LinkState = z.output<typeof linkStateSchema>;

/** Names whose target is a listener of our own: given only while it is bound. */
const OWN = /^(employee|themed_local_optional|links|hostess7|h7_charge|claws_local|office_local)$/;

/** Where a link is set, for those that the configuration sets. */
const SETTING: Readonly<Record<string, string>> = {
  magazine: '[site] magazine_url',
  email: '[identity] address',
  provider_webmail: '[identity] webmail',
  themed_local_optional: '[listen.themed] enabled',
};

function stateOf(
  { desk: { site, urls, config } }: DeskState,
  group: LinkState['group'],
  name: string,
  target: string,
): Pick<LinkState, 'state' | 'detail'> {
  const answers = (ok: boolean, detail: string) => ({ state: ok ? 'answers' : 'silent', detail }) as const;
  if (target === '') return { state: 'unset', detail: `set it with ${SETTING[name] ?? `[links] ${name}`}` };
  if (!/^(https?|mailto):/.test(target)) return { state: 'no-link', detail: '' };
  if (name === 'public_site' || (group === 'whole_stick' && name === 'email')) {
    const ok = answersWell(site.status);
    return answers(ok, ok ? `the site answered ${site.status}` : site.reason);
  }
  if (target === magazineOf(config))
    return answers(site.magazineOk, site.magazineOk ? '' : 'the magazine did not answer well');
  const own = Object.values(urls).some((base) => base !== '' && target.startsWith(`${base}/`));
  if (OWN.test(name) && own) return { state: 'answers', detail: 'a listener of the desk' };
  return { state: 'not-looked-at', detail: '' };
}

/** Every link of the desk with what is known of its target. No request is sent: own listeners and the site are already known. */
function linkStates(state: DeskState): LinkState[] {
  const status = deskStatus.assemble(state);
  return (['nav', 'whole_stick'] as const).flatMap((group) =>
    Object.entries(status[group]).map(([name, target]) => ({
      group,
      name,
      target,
      ...stateOf(state, group, name, target),
    })),
  );
}

export const page = record('Page', 'Everything the pages show, of one snapshot', {
  ...head('H7_PAGE'),
  generation: field(count, 'generation of the snapshot', (m) => m.snapshot.generation),
  status: embed(deskStatus, 'the desk status of the snapshot, including the charge report'),
  verdict,
  ports: field(z.array(portSchema), 'the desk ports', (m) =>
    deskPorts(m).map((port) => ({
      ...port,
      reason: failedListener(m, port.port)?.reason ?? '',
      issue: portIssue(m, port),
    })),
  ),
  ports_known: field(
    flag,
    'all listeners could be read: ports that were not seen are down',
    (m) => !socketsBlind(m),
  ),
  banned: group('The listeners that must stay down', {
    port: field(count, 'its port', () => VIRUS_PORT),
    state: field(bannedState, BANNED_STATE, virusState),
    also: field(z.array(alsoBannedPort), 'the ports of [banned] also', alsoBanned),
    pending: field(
      z.array(text),
      'pending automatic shutdowns and how to prevent them; one phrase each',
      (m) => m.desk.remedies.pending.map(({ advice }) => advice),
    ),
  }),
  vitals: field(
    vitalsShown.nullable(),
    'the state of the machine as it was last read; null before that',
    (m) => (m.desk.vitals === null ? null : vitalsShownOf(m.desk.vitals)),
  ),
  site: group('The public site as it was last probed', {
    configured: field(flag, 'else the embedded public page is the site', (m) => m.desk.site.configured),
    name: field(text, 'its name', (m) => m.desk.site.name),
    url: field(text, 'what is probed', (m) => m.desk.site.url),
    status: field(count, 'HTTP status, 0 without an answer', (m) => m.desk.site.status),
    ok: field(flag, 'status is 2xx or 3xx', (m) => answersWell(m.desk.site.status)),
    reason: field(text, 'why not and what to do; "" when ok', (m) => m.desk.site.reason),
    certificate_days: field(
      z.int().nullable(),
      'whole days the certificate lasts, negative when it has ended; null without one',
      (m) => m.desk.site.certificateDays,
    ),
    certificate_ready: field(
      flag,
      'the chain verifies and more than 14 days are left',
      (m) => m.desk.site.certificateReady,
    ),
    dns_green: field(count, 'configured names that resolve', (m) => m.desk.site.dnsGreen),
    dns_total: field(count, 'configured names', (m) => m.desk.site.dnsTotal),
    magazine_ok: field(flag, 'the magazine answers 2xx or 3xx', (m) => m.desk.site.magazineOk),
    probed: field(text.nullable(), 'when, RFC 3339; null before the first probe', (m) =>
      timeOf(m, m.desk.site.probedMs),
    ),
  }),
  findings: field(
    z.array(findingSchema),
    `the ${SHOWN} most severe findings, the newest of equals first`,
    (m) => ranked(m).slice(0, SHOWN).map(titled),
  ),
  finding_groups: field(
    z.array(findingGroup),
    'all open findings by severity and check, the most severe first',
    groupsOf,
  ),
  findings_total: field(count, 'all open findings', (m) => m.judgement.findings.length),
  shut_down: field(
    z.array(shutdownSchema),
    `banned listeners that are down, the newest ${SHOWN_DOWN} at most`,
    (m) => m.desk.remedies.shutDown.slice(0, SHOWN_DOWN).map(summed),
  ),
  notes: field(z.array(noteSchema), `what could not be judged, ${SHOWN} notes at most`, (m) =>
    m.judgement.notes.slice(0, SHOWN),
  ),
  notes_total: field(count, 'all notes', (m) => m.judgement.notes.length),
  checks: field(z.array(checkState), 'every check with its state', checkStates),
  blind: field(count, '(check, subject) pairs that could not be judged', (m) => m.judgement.blind),
  excused: field(count, 'fails that law or baseline explain', (m) => m.judgement.suppressed.length),
  processes: group('User-space processes', {
    all: field(count, 'all of them: wrapped + free + blind', (m) => m.snapshot.counts.userSpace),
    wrapped: field(count, 'wrapped ones', (m) => m.snapshot.counts.wrapped),
    free: field(count, 'unwrapped ones', (m) => m.snapshot.counts.free),
    blind: field(count, 'those whose confinement could not be read', (m) => m.snapshot.counts.wrapBlind),
    fried: field(count, 'zombie or dead processes', (m) => m.snapshot.counts.fried),
    kernel: field(count, 'kernel threads', (m) => m.snapshot.counts.kernelThreads),
  }),
  listeners: field(count, 'listening sockets', (m) => m.snapshot.listeners.length),
  recheck: group('The loop and its last recheck', {
    last_us: field(count, 'duration of the last recheck, µs', (m) => Math.round(m.recheckUs)),
    p50_us: field(count, 'median of the last 64, µs', (m) => Math.round(m.desk.recheck.p50Us)),
    sweep_us: field(count, 'duration of the sweep of this snapshot, µs', (m) => m.snapshot.sweepUs),
    period_ms: field(count, 'period of the loop, ms', (m) => m.desk.loop.periodMs),
    event_reason: field(
      text,
      'why the loop polls although events are configured; "" otherwise',
      (m) => m.desk.loop.eventReason,
    ),
  }),
  duties: field(z.array(duty), 'the duties and why one does not run', (m) =>
    (Object.keys(m.desk.duties) as DutyName[]).map((name) => {
      const { configured, reason } = dutyOf(m, name);
      return { name, configured, inCharge: inCharge(m, name), reason };
    }),
  ),
  axes: field(z.array(axis), 'the axes of the war machine with their formulas', axesOf),
  gate: group('The scar gate', {
    state: GATE.gate,
    god: GATE.god,
    a: field(count, 'A, the held generation; 0 is the empty baseline', (m) => m.desk.baseline.generation),
    learned: GATE.learned,
    b: GATE.observation,
    c: field(z.array(text), 'C, ids of the scars', (m) => m.judgement.scars.map(({ id }) => id)),
    differs: field(flag, 'B of a clean gate differs from A', (m) => m.desk.gate.differs),
    last: GATE.last,
  }),
  baseline: group('What was learned', {
    to_review: field(count, 'rows that you should review and have not', (m) => m.desk.baseline.toReview),
    window_open: field(flag, 'a learning window is open', (m) => m.desk.baseline.windowOpen),
  }),
  links: field(z.array(linkStateSchema), 'every link of nav and whole_stick with its state', linkStates),
  assistant: group('The consulting teammate of the hostess', {
    place: field(
      z.enum(['none', 'here', 'elsewhere']),
      'not configured, on loopback, or on another machine, which is asked with a token only',
      (m) => m.desk.assistant.place,
    ),
    model: field(text, 'its model as configured; "" without one', (m) => m.desk.config.assistant.model),
  }),
  mail: embed(mailState, 'how the mail people ledger is kept'),
  alerts: group('Where alerts go', {
    targets: field(z.array(target), 'targets of [[alerts.to]]', (m) => [...m.desk.alerts.targets]),
    heartbeats: field(z.array(heartbeat), 'those of [[heartbeat]]', (m) => [...m.desk.alerts.heartbeats]),
    quiet: field(
      quiet,
      'time in which only critical findings alert; null outside of it',
      (m) => m.desk.alerts.quiet,
    ),
  }),
  not_set_up: field(z.array(z.enum(SET_UP_IDS)), 'what could be configured and is not', (m) => [
    ...notSetUp(m.desk.config),
  ]),
  service: group('What runs here', {
    version: field(text, 'version of the desk', (m) => m.desk.service.version),
    mark: field(text, 'CPU mark of the loaded native build', (m) => m.snapshot.engine.mark),
    backend: field(text, 'backend of the sweep', (m) => m.snapshot.engine.backend),
  }),
});
export type Page = RecordOf<typeof page>;
