/** Hand-made states, for tests of records, HTTP and pages. By default a small, quiet, consistent desk. */
import { CHECKS } from '../../src/checks/index.ts';
import type { Subject } from '../../src/checks/subjects.ts';
import type { Note } from '../../src/checks/verdicts.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { Finding, Suppressed } from '../../src/findings/finding.ts';
import { memberKey } from '../../src/findings/finding-id.ts';
import { judgementOf } from '../../src/findings/judgement.ts';
import type { ShortLived } from '../../src/findings/short-lived.ts';
import {
  type DeskFacts,
  type DeskState,
  type Duty,
  type FurtherFacts,
  type ListenerRole,
  NOTHING_DROPPED,
  type ServiceListener,
} from '../../src/records/state.ts';
import type { VitalsFacts } from '../../src/records/vitals.ts';
import { type SnapshotParts, snapshotFrom } from './snapshot.ts';
import { vitalsRead } from './vitals.ts';

export const NONE_SHORT_LIVED: ShortLived = { total: 0, lastHour: 0, programs: [] };

type Sections = { readonly [K in keyof DeskFacts]?: Partial<DeskFacts[K]> };

export interface StateParts
  extends Omit<
    Sections,
    | ('config' | 'sites' | 'vitals')
    | ('configDate' | 'configTrouble' | 'officeRefusal' | 'lawVersion' | 'lawExpired')
  > {
  /** As the user would write it, before defaults. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly sites?: readonly FurtherFacts[];
  readonly configDate?: string;
  /** Default: a healthy machine. */
  readonly vitals?: VitalsFacts | null | undefined;
  readonly configTrouble?: string;
  readonly officeRefusal?: string;
  readonly snapshot?: SnapshotParts;
  readonly findings?: readonly Finding[];
  /** Further members of findings, by their ids. */
  readonly members?: Readonly<Record<string, readonly Subject[]>>;
  readonly notes?: readonly Note[];
  readonly suppressed?: readonly Suppressed[];
  readonly lawExpired?: readonly string[];
  readonly pass?: number;
  readonly blind?: number;
  readonly recheckUs?: number;
}

const running: Duty = { configured: true, healthy: true, reason: '' };
const absent: Duty = { configured: false, healthy: false, reason: '' };

/** A confirmed finding; a scar when its severity says so. */
const pidsOf = (subject: Subject): readonly number[] => (subject.kind === 'process' ? [subject.pid] : []);

export function findingFrom(parts: Partial<Finding> = {}): Finding {
  const severity = parts.severity ?? 'medium';
  return {
    id: '00112233aabbccdd',
    check: 'traced',
    avenue: 'inject_clip',
    severity,
    members: { count: 1, pids: parts.subject === undefined ? [500] : pidsOf(parts.subject) },
    subject: {
      kind: 'process',
      pid: 500,
      start: '500',
      comm: 'sshd',
      executable: '/usr/sbin/sshd',
      identity: '/usr/sbin/sshd',
      uid: 0,
    },
    summary: 'Process 500 is traced by process 800',
    evidence: { tracer: 800 },
    about: null,
    evidenceClass: '',
    firstSeen: '2026-01-02T03:04:00.000+00:00',
    lastSeen: '2026-01-02T03:04:05.000+00:00',
    benign: 'a debugger that a person started',
    remedy: 'end process 800',
    scar: severity !== 'low',
    ...parts,
  };
}

export function noteFrom(parts: Partial<Note> = {}): Note {
  return {
    check: 'ownerless-socket',
    avenue: 'public_listen',
    reason: '3 descriptor tables could not be read',
    cure: 'run as root or give CAP_SYS_PTRACE',
    subjects: 3,
    ...parts,
  };
}

/** A whole state; each section of the desk facts is merged over the defaults, lists are replaced. */
export function stateFrom(parts: StateParts = {}): DeskState {
  const config = configSchema.parse(parts.config ?? {});
  const listener = (role: ListenerRole): ServiceListener => {
    const { enabled, host, port } = config.listen[role];
    return { role, host, port, state: enabled ? 'bound' : 'off', reason: '' };
  };
  const listeners = (['control', 'office', 'themed', 'public'] as const).map(listener);
  const snapshot = snapshotFrom({
    listeners: listeners.filter(({ state }) => state === 'bound').map(({ port }) => ({ port })),
    ...parts.snapshot,
  });
  const findings = parts.findings ?? [];
  const members = findings.map(({ id, check, subject }) => {
    const all = [subject, ...(parts.members?.[id] ?? [])];
    return [id, new Set(all.map((one) => memberKey(check, one)))] as const;
  });
  const blind = parts.blind ?? 0;
  const counts = { pass: parts.pass ?? 60, fail: findings.length, blind };
  const url = (role: ListenerRole): string =>
    `http://${config.listen[role].host}${config.listen[role].port === 80 ? '' : `:${config.listen[role].port}`}`;
  const urls = {
    control: url('control'),
    office: url('office'),
    themed: url('themed'),
    public: config.site.public_url === '' ? url('public') : config.site.public_url.replace(/\/$/, ''),
    ...parts.urls,
  };
  return {
    snapshot,
    judgement: judgementOf({
      generation: snapshot.generation,
      checks: CHECKS,
      quick: counts,
      everyTier: counts,
      notes: parts.notes ?? [],
      suppressed: parts.suppressed ?? [],
      findings,
      members: new Map(members),
    }),
    recheckUs: parts.recheckUs ?? 900,
    desk: {
      config,
      configDate: parts.configDate ?? '',
      officeRefusal: parts.officeRefusal ?? '',
      configTrouble: parts.configTrouble ?? '',
      urls,
      service: {
        pid: 900,
        version: '0.1.0',
        listeners,
        lockHolders: 1,
        fieldDirt: 0,
        fieldTrouble: '',
        selfWrapped: false,
        residueTimer: true,
        namespacesTrouble: '',
        ...parts.service,
      },
      loop: {
        on: false,
        mode: 'off',
        pid: null,
        periodMs: 1000,
        cpuShare: null,
        eventReason: '',
        sources: [],
        fresh: true,
        staleSec: 0,
        quietMs: 0,
        ...parts.loop,
      },
      recheck: { p50Us: 900, mode: 'free_ball', pairsPerShard: 30, ...parts.recheck },
      site: {
        configured: config.site.public_url !== '',
        name: 'embedded public page',
        url: urls.public,
        status: 200,
        reason: '',
        magazineOk: false,
        dnsGreen: 0,
        dnsTotal: 0,
        certificateReady: false,
        certificateDays: null,
        certificateEndsMs: null,
        probedMs: null,
        isFailing: false,
        advice: [],
        ...parts.site,
      },
      sites: parts.sites ?? [],
      mail: {
        configured: false,
        passwordSet: false,
        clientRunning: false,
        finite: true,
        people: 0,
        messages: 0,
        sources: [],
        trouble: '',
        advice: [],
        exportPath: '',
        ...parts.mail,
      },
      baseline: {
        generation: 0,
        learnedAt: '',
        identities: 0,
        seenAgain: 0,
        rows: 0,
        toReview: 0,
        runningKnown: 0,
        windowOpen: false,
        ...parts.baseline,
      },
      gate: {
        state: findings.some(({ scar }) => scar) ? 'fail' : 'pass',
        god: 1,
        observation: snapshot.generation,
        lastRun: null,
        differs: false,
        ...parts.gate,
      },
      dropped: { ...NOTHING_DROPPED, ...parts.dropped },
      shortLived: { ...NONE_SHORT_LIVED, ...parts.shortLived },
      egress: { guardLoaded: false, deskHttps: 0, outside: 0, ...parts.egress },
      assistant: { place: 'none', pids: 0, ...parts.assistant },
      alerts: { targets: [], heartbeats: [], quiet: null, ...parts.alerts },
      vitals: parts.vitals === undefined ? vitalsRead() : parts.vitals,
      lawVersion: 'built-in 1',
      lawExpired: parts.lawExpired ?? [],
      remedies: { pending: [], refused: [], shutDown: [], ...parts.remedies },
      duties: {
        antivirus: running,
        field_hygiene: running,
        learning_security: absent,
        secure_learn: absent,
        av_close: absent,
        field_clear: absent,
        trickle_train: absent,
        mail_people: absent,
        law_pack: running,
        ...parts.duties,
      },
    },
  };
}
