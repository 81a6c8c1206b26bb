/** The scenes for the questions: those of the pages, with data of a store, a law and a ledger. */
import type { StoredFinding } from '../../../src/features/history/finding-history.ts';
import { Library } from '../../../src/features/hostess/knowledge.ts';
import type { ContextParts } from '../../../src/features/hostess/query-context.ts';
import { readKnowledge } from '../../../src/features/hostess/read-knowledge.ts';
import { lawOf } from '../../../src/features/law/law.ts';
import type { Accepted, Finding } from '../../../src/findings/finding.ts';
import type { Law } from '../../../src/policy/law.ts';
import type { LedgerPerson } from '../../../src/records/ledger.ts';
import type { SiteProbe } from '../../../src/records/site-probe.ts';
import type { DeskState } from '../../../src/records/state.ts';
import { SCENE_NOW, sceneOf } from '../../support/scenes.ts';
import { siteLine, siteProbe } from '../../support/site.ts';
import { findingFrom, stateFrom } from '../../support/state.ts';
import type { SceneName } from './questions/question.ts';
import {
  WORKSHOP_ACCEPTED,
  WORKSHOP_CLOSED,
  WORKSHOP_LEARNED,
  WORKSHOP_PEOPLE,
  workshopParts,
} from './workshop.ts';
import { startupOf } from './workshop-startup.ts';

export const KNOWLEDGE = readKnowledge();
export const LIBRARY = new Library(KNOWLEDGE);

/** The time zone of the scenes: UTC+1. */
const OFFSET_MIN = 60;
const CROWD_FINDINGS = 1_000;

const ago = (sec: number): string => {
  const at = new Date(SCENE_NOW - sec * 1000 + OFFSET_MIN * 60_000).toISOString();
  return at.replace('Z', '+01:00');
};

export interface Stage {
  readonly parts: ContextParts;
  readonly people: readonly LedgerPerson[];
  /** Findings of the store; `atMs`: the time of `wasOpen`. */
  stored(atMs: number | null): readonly StoredFinding[];
  readonly accepted: readonly Accepted[];
}

const HOUR = 3_600;
const DAY = 86_400;

/** A finding that has closed. */
const GONE = findingFrom({
  id: 'aaaaaaaaaaaaaaaa',
  summary: 'Process 1502 was traced by process 800',
  firstSeen: ago(3 * HOUR),
  lastSeen: ago(2 * HOUR),
});

function siteOf(
  name: SceneName,
  deskState: DeskState,
): { probe: SiteProbe | null; history: ReturnType<typeof siteLine>[] } {
  if (!deskState.desk.site.configured) return { probe: null, history: [] };
  const days = deskState.desk.site.certificateDays ?? 61;
  const resolves = (host: string) => name !== 'degraded' || host !== 'mail.desk.example';
  const probe = siteProbe({
    atMs: SCENE_NOW - 42_000,
    url: deskState.desk.site.url,
    status: deskState.desk.site.status,
    reason: deskState.desk.site.reason,
    names: deskState.desk.config.site.names.map((host) => ({
      name: host,
      resolves: resolves(host),
      addresses: resolves(host) ? 1 : 0,
      reason: resolves(host) ? '' : 'it does not resolve (ENOTFOUND), add it to the zone',
    })),
    certificate: {
      verified: true,
      problem: '',
      subject: 'desk.example',
      issuer: 'Example Trust',
      names: ['desk.example'],
      validTo: new Date(SCENE_NOW + days * DAY * 1000).toISOString(),
      daysLeft: days,
      chain: 3,
    },
    magazine: { url: 'https://magazine.example/', status: 200, reason: '' },
  });
  const state = { ...siteLine().state, url: deskState.desk.site.url };
  return {
    probe,
    history: [
      siteLine({ atMs: SCENE_NOW - HOUR * 1000, changed: '', state }),
      siteLine({ atMs: SCENE_NOW - 5 * HOUR * 1000, changed: 'answers 200 again, before 503', state }),
      siteLine({ atMs: SCENE_NOW - 9 * DAY * 1000, changed: 'first probe', state }),
    ],
  };
}

function lawFor({ desk }: DeskState): Law {
  const law = lawOf(desk.config);
  const allowed = { protocol: 'tcp', scope: 'any', expiresMs: null } as const;
  return {
    ...law,
    version: 'law 0123456789ab',
    allowedListeners: [
      {
        ...allowed,
        ports: [443, 631],
        executable: '',
        expiresMs: SCENE_NOW - 1,
        why: 'for the move, until it is done',
      },
      { ...allowed, ports: [631], executable: '/usr/sbin/cupsd', why: 'the printer of this room' },
      { ...allowed, ports: [443, 8443], executable: '', why: 'the web server' },
    ],
    suppressions: [
      {
        checks: ['traced'],
        executable: ['/usr/bin/gdb'],
        why: 'we debug here',
        expiresMs: null,
        source: 'law',
        name: '',
      },
      ...law.suppressions,
    ],
  };
}

/** 1,000 findings that repeat the checks and severities of the scene. */
function manyFindings(deskState: DeskState) {
  const [...first] = deskState.judgement.findings;
  return Array.from({ length: CROWD_FINDINGS }, (_, at) => {
    const model = first[at % first.length] as (typeof first)[number];
    if (at < first.length) return model;
    return {
      ...model,
      severity: model.severity === 'critical' ? ('low' as const) : model.severity,
      id: at.toString(16).padStart(16, '0'),
      summary: `${model.summary}, again ${at}`,
    };
  });
}

/** Open findings since they were first seen, closed ones until they were last seen. */
const storedOf =
  ({ judgement }: DeskState, gone: readonly Finding[]): Stage['stored'] =>
  (atMs) =>
    [...judgement.findings, ...gone].map((finding) => {
      const isOpen = !gone.includes(finding);
      const from = Date.parse(finding.firstSeen);
      const until = isOpen ? Number.POSITIVE_INFINITY : Date.parse(finding.lastSeen);
      return {
        finding,
        state: isOpen ? 'open' : 'closed',
        closedAt: isOpen ? null : finding.lastSeen,
        wasOpen: atMs !== null && from <= atMs && atMs < until,
      };
    });

const stages = new Map<SceneName, Stage>();

export function stageOf(name: SceneName): Stage {
  const known = stages.get(name);
  if (known !== undefined) return known;
  const workshop = name === 'workshop';
  const scene = workshop ? { parts: workshopParts(), people: WORKSHOP_PEOPLE } : sceneOf(name);
  const gone = workshop ? WORKSHOP_CLOSED : [GONE];
  const [last = GONE] = gone;
  const at = { epochMs: SCENE_NOW, offsetMin: OFFSET_MIN };
  const parts = { ...scene.parts, snapshot: { ...scene.parts.snapshot, at } };
  const plain = stateFrom(parts);
  const deskState = name === 'crowd' ? stateFrom({ ...parts, findings: manyFindings(plain) }) : plain;
  const findings = new Map(
    [...deskState.judgement.findings, ...gone].map((finding) => [finding.id, finding]),
  );
  const made: ContextParts = {
    state: deskState,
    ageMs: () => 12,
    law: lawFor(deskState),
    knowledge: KNOWLEDGE,
    site: () => siteOf(name, deskState),
    finding: (id) => {
      const finding = findings.get(id);
      if (finding === undefined) return undefined;
      const opened = { at: finding.firstSeen, event: 'opened' };
      return {
        finding,
        history: gone.includes(finding) ? [opened, { at: finding.lastSeen, event: 'closed' }] : [opened],
      };
    },
    gateRuns: () => [
      {
        at: ago(312),
        mode: 'scar',
        state: deskState.desk.gate.state,
        scarCount: deskState.judgement.scars.length,
        god: 1,
        steps: [],
      },
      { at: ago(3 * HOUR), mode: 'scar', state: 'fail', scarCount: 1, god: 1, steps: [] },
      { at: ago(2 * DAY), mode: 'cook', state: 'pass', scarCount: 0, god: 1, steps: [] },
    ],
    findingEvents: () => [
      { at: last.lastSeen, event: 'closed', finding: last.id, summary: last.summary },
      { at: last.firstSeen, event: 'opened', finding: last.id, summary: last.summary },
    ],
    generations: () =>
      name === 'empty'
        ? [{ number: 0, learnedAt: '', how: '' }]
        : [
            { number: 7, learnedAt: ago(3 * DAY), how: 'learned' },
            { number: 6, learnedAt: ago(10 * DAY), how: 'first use' },
            { number: 0, learnedAt: '', how: '' },
          ],
    difference: () => ({
      generation: deskState.desk.baseline.generation,
      added: name === 'degraded' ? [{ kind: 'identity', text: '/usr/local/bin/backup-agent' }] : [],
      gone: [],
      changed: [],
      learns: [],
      refusal: deskState.judgement.scars.length > 0 ? 'the gate does not pass, look at its scars' : '',
    }),
    users: () =>
      startupOf(name, SCENE_NOW).accounts.accounts.map(({ name: user, uid }) => ({ name: user, uid })),
    allowSources: () =>
      deskState.snapshot.listeners.map(({ port, executable }) =>
        workshop
          ? WORKSHOP_LEARNED.has(port)
            ? 'baseline'
            : ''
          : port === 443 || (port === 631 && executable === '/usr/sbin/cupsd')
            ? 'law'
            : port === 22
              ? 'baseline'
              : '',
      ),
  };
  const stage = {
    parts: made,
    people: scene.people,
    stored: storedOf(deskState, gone),
    accepted: workshop ? WORKSHOP_ACCEPTED : [],
  };
  stages.set(name, stage);
  return stage;
}
