/**
 * Scenes for pages: whole states of a desk, with the people it knows. Each is a function of its name and the time of viewing
 * only: pictures of it are reproducible.
 */

import type { Check } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import {
  endpointText,
  holderText,
  type ListenerSubject,
  type ProcessSubject,
} from '../../src/checks/subjects.ts';
import type { Listener } from '../../src/engine/snapshot.ts';
import type { Finding, Suppressed } from '../../src/findings/finding.ts';
import { findingId } from '../../src/findings/finding-id.ts';
import type { GateStep } from '../../src/findings/pipeline.ts';
import type { LedgerPerson } from '../../src/records/ledger.ts';
import type { MailSource } from '../../src/records/mail.ts';
import type { HostessAnswer } from '../../src/records/talk.ts';
import { personFrom } from './fake-desk.ts';
import { HOSTILE, HOSTILE_PEOPLE, HOSTILE_PROCESSES } from './hostile-words.ts';
import {
  DESK_PID,
  OFFICE_LISTENERS,
  OFFICE_MACHINE,
  OFFICE_PORT,
  startedAgo,
  UPTIME_SEC,
} from './scene-machine.ts';
import { listenerFrom, snapshotFrom } from './snapshot.ts';
import { noteFrom, type StateParts } from './state.ts';
import type { ProcessRow } from './table.ts';

export const SCENES = ['empty', 'healthy', 'degraded', 'hostile', 'crowd'] as const;
export type SceneName = (typeof SCENES)[number];

/** Time of the scenes, by default. */
export const SCENE_NOW = Date.UTC(2026, 10, 22, 9, 30);

export interface Scene {
  readonly name: SceneName;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly parts: StateParts;
  readonly people: readonly LedgerPerson[];
  /** The answer of the hostess to any question. */
  readonly thought: HostessAnswer;
}

/** Times before now, RFC 3339. */
type Ago = (sec: number) => string;
const agoFrom =
  (nowMs: number): Ago =>
  (sec) =>
    new Date(nowMs - sec * 1000).toISOString().replace('Z', '+00:00');

const catalogue = new Map<string, Check>(CHECKS.map((check) => [check.id, check]));

/** What a finding has besides the texts of its check. */
interface Fault extends Pick<Finding, 'subject' | 'summary' | 'evidence'> {
  readonly check: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly severity?: Finding['severity'];
  readonly remedy?: string;
  readonly evidenceClass?: string;
}

/** A finding as the check of the catalogue would report it. */
function found(fault: Fault): Finding {
  const check = catalogue.get(fault.check);
  if (check === undefined) throw new RangeError(`no check ${fault.check}`);
  const severity = fault.severity ?? check.severity;
  return {
    evidenceClass: '',
    about: null,
    avenue: check.avenue,
    benign: check.text.benign,
    remedy: check.text.remedy,
    ...fault,
    id: findingId({ ...fault, check, evidenceClass: fault.evidenceClass ?? '', severity }),
    members: { count: 1, pids: fault.subject.kind === 'process' ? [fault.subject.pid] : [] },
    severity,
    scar: severity !== 'low',
  };
}

const latin = (text: string | Uint8Array): string =>
  typeof text === 'string' ? text : new TextDecoder().decode(text);

const processOf = ({ pid, start = 0n, comm = '', exe = '', uid = 1000 }: ProcessRow): ProcessSubject => ({
  kind: 'process',
  pid,
  start: String(start),
  comm: latin(comm),
  executable: latin(exe),
  identity: latin(exe),
  uid,
});

const listenerSubject = ({ protocol, address, port, inode }: Listener): ListenerSubject => ({
  kind: 'listener',
  protocol,
  address,
  port,
  inode,
});

/** A finding about a listener, as public-listener, unknown-local-listener and banned-listener report it. */
function listening(check: string, listener: Listener, seen: Pick<Fault, 'firstSeen' | 'lastSeen'>): Finding {
  const banned = check === 'banned-listener';
  const who = `${endpointText(listener)} ${banned ? 'is a banned port and it is up,' : 'is'} held by ${holderText(listener)}`;
  return found({
    check,
    subject: listenerSubject(listener),
    summary: banned ? who : `${who} and was never learned`,
    evidence: {
      endpoint: endpointText(listener),
      inode: listener.inode,
      creator_uid: listener.creatorUid,
      holders: listener.holders.map(({ pid }) => pid).join(' '),
      executable: listener.executable,
    },
    ...seen,
  });
}

const steps = (...entries: readonly (readonly [GateStep['step'], boolean, string])[]): readonly GateStep[] =>
  entries.map(([step, ok, detail], at) => ({
    step,
    ok,
    ms: [0.42, 0.08, 0.05, 1.9, 0.31][at] ?? 0.1,
    detail,
  }));

const PASSED = steps(
  ['cook', true, 'observation 41, 0 findings'],
  ['scar-check', true, '0 scars'],
  ['gate', true, 'passed: 0 scars, 1 generation held'],
);
const failed = (scars: string, findings: number) =>
  steps(
    ['cook', true, `observation 41, ${findings} findings`],
    ['scar-check', false, scars],
    ['gate', false, `closed: ${scars}, generation 7 stays`],
    ['cook-off', false, 'nothing done, 1 left'],
    ['scar-recheck', false, scars],
  );

const running = { configured: true, healthy: true, reason: '' };
const broken = (reason: string) => ({ configured: true, healthy: false, reason });

const SITE_CONFIG = {
  site: {
    public_url: 'https://desk.example/',
    magazine_url: 'https://magazine.example/',
    names: ['desk.example', 'www.desk.example', 'mail.desk.example'],
  },
  ports: [
    { name: 'office', port: OFFICE_PORT, required: true },
    { name: 'control', port: 18_772 },
    { name: 'public', port: 18_770 },
    { name: 'ssh', port: 22, required: true },
    { name: 'https', port: 443 },
  ],
  identity: {
    from_name: 'Ada Example',
    address: 'ada@desk.example',
    user: 'ada',
    imap_host: 'imap.desk.example',
    imap_user: 'ada',
    smtp_host: 'smtp.desk.example',
    smtp_user: 'ada',
    provider: 'Example Post',
    webmail: 'https://webmail.desk.example/',
  },
  mail: { sources: ['imap', 'maildir:~/Mail'], own_addresses: ['ada@desk.example'], public_people: true },
  links: {
    magazine: 'https://magazine.example/',
    source_desk: 'https://source.example/desk',
    join: 'https://desk.example/join',
    share: 'https://desk.example/share',
  },
} as const;

const PEOPLE: readonly LedgerPerson[] = [
  ['grace@example.org', 'Grace Hopper', 214, 180],
  ['jean@example.net', 'Jean Bartik', 96, 71],
  ['office@printer.example', 'The printer upstairs', 41, 0],
  ['katherine@example.org', 'Katherine Johnson', 33, 40],
  ['no-reply@shop.example', 'Shop', 28, 0],
  ['margaret@example.com', 'Margaret Hamilton', 12, 15],
  ['radia@example.org', 'Radia Perlman', 7, 9],
  ['annie@example.net', '', 1, 0],
].map(([address, name, received, sent], at) =>
  personFrom({
    address: address as string,
    name: name as string,
    names: name === '' ? [] : [name as string],
    received: received as number,
    sent: sent as number,
    automated: (address as string).startsWith('no-reply'),
    firstMs: Date.UTC(2021 + (at % 4), at, 3, 8, 15),
    lastMs: Date.UTC(2026, 10, 21 - at, 17, 2),
  }),
);

/** The state of a healthy desk: everything is known, nothing fails. */
function healthyParts(nowMs: number): StateParts {
  const ago = agoFrom(nowMs);
  const { identities } = snapshotFrom({ processes: OFFICE_MACHINE }).counts;
  return {
    config: SITE_CONFIG,
    configDate: '2026-11-02',
    pass: 512,
    snapshot: {
      processes: OFFICE_MACHINE,
      listeners: OFFICE_LISTENERS,
      sweepUs: 780,
      machine: {
        temperatures: [38, 44.5, 41],
        cameras: 1,
        captureDevices: 1,
        tcpActiveOpens: 18_204,
        tcpPassiveOpens: 3_377,
        uptimeSec: UPTIME_SEC,
      },
      engine: { backend: 'bpf', mark: 'avx512_mark', build: 'desk_avx512_mark.node' },
      connections: [{ address: '93.184.215.20' }],
    },
    service: { pid: DESK_PID, selfWrapped: true },
    loop: { on: true, mode: 'event', pid: DESK_PID, cpuShare: 0.0004, fresh: true },
    recheckUs: 912,
    recheck: { p50Us: 880, mode: 'forever', pairsPerShard: 256 },
    site: {
      configured: true,
      name: 'desk.example',
      url: 'https://desk.example/',
      status: 200,
      magazineOk: true,
      dnsGreen: 3,
      dnsTotal: 3,
      certificateReady: true,
      certificateDays: 61,
      probedMs: nowMs - 42_000,
    },
    mail: {
      configured: true,
      passwordSet: true,
      clientRunning: true,
      people: PEOPLE.length,
      messages: 869,
      exportPath: '~/.local/state/desk/people.json',
      sources: [
        source('imap', { folders: 6, read: 512, completeMs: nowMs - 65_000 }),
        source('maildir:~/Mail', { folders: 11, read: 357, completeMs: nowMs - 8_000 }),
      ],
    },
    baseline: {
      generation: 7,
      learnedAt: ago(3 * 86_400),
      identities: identities + 19,
      seenAgain: identities + 12,
      rows: identities + 31,
      runningKnown: identities,
    },
    gate: { state: 'pass', observation: 41, lastRun: { at: ago(312), steps: PASSED } },
    egress: { guardLoaded: true, deskHttps: 1, outside: 0 },
    suppressed: [
      {
        check: 'writable-code',
        avenue: 'inject_clip',
        severity: 'medium',
        subject: processOf(OFFICE_MACHINE.find(({ pid }) => pid === 1310) as ProcessRow),
        summary: 'process 1310 (chromium) has memory that is writable and executable',
        source: 'benign',
        name: 'jit-runtimes',
        why: 'it compiles code while it runs',
      },
    ],
    duties: Object.fromEntries(
      ['learning_security', 'secure_learn', 'av_close', 'field_clear', 'trickle_train', 'mail_people'].map(
        (duty) => [duty, running],
      ),
    ),
  };
}

const source = (name: string, parts: Partial<MailSource>): MailSource => ({
  source: name,
  state: 'watching',
  reason: '',
  folders: 0,
  read: 0,
  progress: null,
  completeMs: null,
  ...parts,
});

const UNDERSTOOD = { understood: 'full', query: null, choices: [] } as const;

const WELL: HostessAnswer = {
  answer: 'The desk is well: the grade is gold, all ports are up and nothing is found.',
  grounds: [
    { path: 'status.grade', value: 'gold' },
    { path: 'status.ports_up', value: 5 },
    { path: 'charge.scar_count', value: 0 },
  ],
  suggestions: ['desk status', 'desk findings'],
  ...UNDERSTOOD,
};

/** Just started in a new state folder: nothing configured, nothing learned, no site, no mail, no sensor. */
const empty = (nowMs: number): Omit<Scene, 'name' | 'nowMs'> => ({
  parts: {
    snapshot: { machine: { uptimeSec: UPTIME_SEC } },
    loop: {
      on: true,
      mode: 'poll',
      pid: DESK_PID,
      eventReason: 'the proc connector is not there in this network namespace',
    },
    gate: { state: 'pass', observation: 1, lastRun: null },
    site: { probedMs: nowMs - 900 },
    findings: [
      found({
        check: 'learning-open',
        subject: { kind: 'desk' },
        summary: 'Nothing has been learned yet: generation 0 of the baseline is empty',
        evidence: { generation: 0 },
        firstSeen: agoFrom(nowMs)(2),
        lastSeen: agoFrom(nowMs)(0),
      }),
    ],
  },
  people: [],
  thought: {
    answer: 'Nothing is known yet: the desk has learned nothing and nothing is configured.',
    grounds: [{ path: 'charge.learn.vocab_total', value: null }],
    suggestions: ['desk secure learn once'],
    ...UNDERSTOOD,
  },
});

const healthy = (nowMs: number): Omit<Scene, 'name' | 'nowMs'> => ({
  parts: healthyParts(nowMs),
  people: PEOPLE,
  thought: WELL,
});

/** A required port is down, the certificate ends soon, parts of the desk do not work; two findings, and some blindness. */
function degraded(nowMs: number): Omit<Scene, 'name' | 'nowMs'> {
  const ago = agoFrom(nowMs);
  const good = healthyParts(nowMs);
  const backup: ProcessRow = {
    pid: 1730,
    uid: 0,
    comm: 'backup-agent',
    exe: '/usr/local/bin/backup-agent',
    start: startedAgo(5_000),
  };
  const full =
    'the store cannot be written (ENOSPC: no space left on the device), make room in the state folder';
  const officeDown = `port ${OFFICE_PORT} needs a privilege that the service has not (EACCES), run it as root or give CAP_NET_BIND_SERVICE`;
  const listener = { host: '127.0.0.1', state: 'bound', reason: '' } as const;
  return {
    parts: {
      ...good,
      config: { ...SITE_CONFIG, mail: { ...SITE_CONFIG.mail, public_people: false } },
      blind: 37,
      snapshot: {
        ...good.snapshot,
        processes: [
          ...OFFICE_MACHINE,
          backup,
          { pid: 1802, uid: 33, comm: 'php-fpm', state: 'Z', start: startedAgo(900) },
        ],
        listeners: OFFICE_LISTENERS.filter(({ port }) => port !== OFFICE_PORT),
        machine: { ...good.snapshot?.machine, temperatures: [71, 88] },
        probes: [
          { id: 'proc', works: true, reason: '', cure: '' },
          { id: 'sock_diag tcp4', works: true, reason: '', cure: '' },
          {
            id: 'proc connector',
            works: false,
            reason: 'no such source: load cn_proc',
            cure: 'load cn_proc',
          },
        ],
      },
      findings: [
        found({
          check: 'deleted-executable',
          subject: processOf(backup),
          summary: 'process 1730 (backup-agent) runs /usr/local/bin/backup-agent, and that file was deleted',
          evidence: { executable: '/usr/local/bin/backup-agent', fate: 'deleted', started_sec_ago: 5_000 },
          remedy: 'check what process 1730 does while it runs, and stop it if it is not yours',
          evidenceClass: 'deleted',
          firstSeen: ago(4_800),
          lastSeen: ago(1),
        }),
        found({
          check: 'learning-open',
          subject: { kind: 'desk' },
          summary: 'A learning window has been open for 47 minutes',
          evidence: { until: ago(-780) },
          evidenceClass: 'window',
          remedy: 'close it with desk secure learn once',
          firstSeen: ago(2_820),
          lastSeen: ago(1),
        }),
      ],
      notes: [
        noteFrom({
          check: 'ownerless-socket',
          reason: 'the descriptors of 6 processes could not be read (EACCES)',
          cure: 'run the desk as root or give it CAP_SYS_PTRACE',
          subjects: 31,
        }),
        noteFrom({
          check: 'hidden-process',
          avenue: 'inject_clip',
          reason: '/proc is mounted with hidepid=2',
          cure: 'mount it without hidepid, or run the desk as root',
          subjects: 6,
        }),
      ],
      loop: {
        ...good.loop,
        mode: 'poll',
        eventReason: 'the proc connector is not there (ENOENT)',
        cpuShare: 0.021,
      },
      recheckUs: 5_310,
      recheck: { ...good.recheck, p50Us: 4_902 },
      service: {
        ...good.service,
        listeners: [
          { ...listener, role: 'control', port: 18_772 },
          { ...listener, role: 'office', port: OFFICE_PORT, state: 'failed', reason: officeDown },
          { ...listener, role: 'themed', port: 18_771, state: 'off' },
          { ...listener, role: 'public', port: 18_770 },
        ],
      },
      site: {
        ...good.site,
        certificateReady: false,
        certificateDays: 5,
        dnsGreen: 2,
        reason: '',
        advice: [
          'renew the certificate of desk.example: 5 days are left',
          'mail.desk.example does not resolve (ENOTFOUND)',
        ],
        probedMs: nowMs - 54_000,
      },
      mail: {
        ...good.mail,
        clientRunning: false,
        trouble: 'imap cannot be read: the server refused the password',
        advice: ['set the password of imap.desk.example again with desk identity password'],
        sources: [
          source('imap', {
            state: 'failed',
            reason: 'the server refused the password (AUTHENTICATIONFAILED), set it again',
            folders: 6,
            read: 512,
            completeMs: nowMs - 3 * 86_400_000,
          }),
          source('maildir:~/Mail', {
            state: 'importing',
            folders: 11,
            read: 120,
            progress: { done: 120, total: 4_210, perSec: 95, leftSec: 43 },
          }),
        ],
      },
      baseline: { ...good.baseline, windowOpen: true, toReview: 4 },
      gate: {
        ...good.gate,
        state: 'fail',
        differs: true,
        lastRun: { at: ago(4), steps: failed('1 scar', 2) },
      },
      duties: {
        ...good.duties,
        learning_security: broken(full),
        secure_learn: broken(full),
        mail_people: broken('imap cannot be read: the server refused the password'),
      },
      lawExpired: [
        'the exception for /usr/bin/old-agent ended on 2026-11-20: renew it or take it out of law.toml',
      ],
    },
    people: PEOPLE,
    thought: {
      answer:
        'Port 80 is down, the certificate of desk.example lasts 5 days, and one finding keeps the gate closed.',
      grounds: [
        { path: 'status.ports_up', value: 4 },
        { path: 'status.ok', value: false },
        { path: 'charge.scar_count', value: 1 },
      ],
      ...UNDERSTOOD,
      suggestions: ['desk status', 'desk doctor', 'desk findings'],
    },
  };
}

/** Every name that an attacker controls is hostile: see hostile-words.ts. */
function hostile(nowMs: number): Omit<Scene, 'name' | 'nowMs'> {
  const ago = agoFrom(nowMs);
  const good = healthyParts(nowMs);
  const rows = HOSTILE_PROCESSES.map(
    (parts, at): ProcessRow => ({
      pid: 6_600 + at,
      uid: [0, 1000, 65_534][at % 3] as number,
      start: startedAgo(60 + at),
      ...parts,
    }),
  );
  const listeners = rows.map((row, at) =>
    listenerFrom({
      port: at === 0 ? 8766 : 4_440 + at,
      address: ['0.0.0.0', '127.0.0.1', '::'][at % 3] as string,
      protocol: at % 4 === 3 ? 'udp' : 'tcp',
      executable: latin(row.exe ?? ''),
      holders: [{ pid: row.pid, start: String(row.start), fd: 3 }],
    }),
  );
  const seen = { firstSeen: ago(55), lastSeen: ago(0) };
  const about = (check: string, row: ProcessRow, severity?: Finding['severity']): Finding => {
    const subject = processOf(row);
    return found({
      check,
      subject,
      summary: `process ${subject.pid} (${subject.comm}) runs ${subject.executable}`,
      evidence: { comm: subject.comm, executable: subject.executable, uid: subject.uid ?? 0 },
      evidenceClass: subject.comm,
      remedy: `check process ${subject.pid} (${subject.comm}) while it runs`,
      ...(severity !== undefined && { severity }),
      ...seen,
    });
  };
  const findings = [
    ...listeners.map((listener) =>
      listening(
        listener.port === 8766
          ? 'banned-listener'
          : listener.scope === 'public'
            ? 'public-listener'
            : 'unknown-local-listener',
        listener,
        seen,
      ),
    ),
    ...rows.flatMap((row, at) => [
      about(['deleted-executable', 'memfd-executable', 'odd-executable-path'][at % 3] as string, row),
      about('unlearned-process', row, 'low'),
    ]),
    found({
      check: 'preload-file',
      subject: { kind: 'file', path: `/etc/ld.so.preload ${HOSTILE.markup}` },
      summary: `/etc/ld.so.preload loads /tmp/${HOSTILE.script}.so into every program`,
      evidence: { libraries: `/tmp/${HOSTILE.script}.so ${HOSTILE.rtl} ${HOSTILE.terminal}`, bytes: 96 },
      ...seen,
    }),
  ];
  const suppressed: Suppressed[] = rows.slice(0, 3).map((row) => ({
    check: 'traced',
    avenue: 'inject_clip',
    severity: 'medium',
    subject: processOf(row),
    summary: `process ${row.pid} (${latin(row.comm ?? '')}) is traced`,
    source: 'accepted',
    name: '',
    why: HOSTILE.markup,
  }));
  const [first] = findings;
  return {
    parts: {
      ...good,
      config: {
        ...SITE_CONFIG,
        site: { ...SITE_CONFIG.site, names: ['desk.example', HOSTILE.markup, HOSTILE.rtl] },
        identity: { ...SITE_CONFIG.identity, from_name: HOSTILE.markup, notes: HOSTILE.everything },
        links: { ...SITE_CONFIG.links, share: 'https://desk.example/?"><script>alert(1)</script>' },
      },
      snapshot: {
        ...good.snapshot,
        processes: [...OFFICE_MACHINE, ...rows],
        listeners: [...OFFICE_LISTENERS, ...listeners],
      },
      findings,
      suppressed,
      notes: [noteFrom({ reason: `${HOSTILE.markup} ${HOSTILE.rtl}`, cure: HOSTILE.script, subjects: 3 })],
      gate: {
        ...good.gate,
        state: 'fail',
        lastRun: { at: ago(2), steps: failed(`scars of ${HOSTILE.markup}`, findings.length) },
      },
      site: {
        ...good.site,
        status: 500,
        name: HOSTILE.markup,
        reason: `the site says ${HOSTILE.everything}`,
        advice: [HOSTILE.script],
      },
      mail: {
        ...good.mail,
        people: HOSTILE_PEOPLE.length,
        trouble: HOSTILE.everything,
        sources: [
          source(`maildir:/home/ada/${HOSTILE.markup}`, { state: 'failed', reason: HOSTILE.everything }),
        ],
      },
      duties: { ...good.duties, mail_people: broken(HOSTILE.everything) },
      lawExpired: [HOSTILE.markup],
      remedies: {
        pending:
          first === undefined
            ? []
            : [{ finding: first.id, at: ago(-20), advice: `wait for ${HOSTILE.markup}` }],
        refused: [],
        shutDown: [],
      },
    },
    people: HOSTILE_PEOPLE,
    thought: {
      answer: `Process 6600 is called ${HOSTILE.everything} and listens on port 8766.`,
      grounds: [
        { path: 'detection.findings.0.summary', value: HOSTILE.everything },
        { path: 'status.datacenter_port_8766.up', value: true },
      ],
      suggestions: [`desk findings ${first?.id ?? ''}`, `desk accept ${HOSTILE.markup}`],
      ...UNDERSTOOD,
    },
  };
}

const SECCOMP_FILTER = 2;
const CROWD = { processes: 5_000, listeners: 300, findings: 200 } as const;

/** Large numbers of everything. */
function crowd(nowMs: number): Omit<Scene, 'name' | 'nowMs'> {
  const ago = agoFrom(nowMs);
  const good = healthyParts(nowMs);
  const words = 'render worker postgres python3 java sshd queue-runner node php-fpm agent'.split(' ');
  const rows = Array.from({ length: CROWD.processes - OFFICE_MACHINE.length }, (_, at): ProcessRow => {
    const word = words[(at * 7) % words.length] as string;
    return {
      pid: 10_000 + at * 3,
      ppid: at % 5 === 0 ? 1 : 10_000 + (at - (at % 5)) * 3,
      uid: [0, 33, 1000, 1001, 65_534][at % 5] as number,
      comm: `${word}-${at % 97}`,
      exe: `/opt/${word}/${at}/bin/${word}`,
      threads: 1 + (at % 31),
      start: startedAgo(30 + at * 17),
      ...(at % 3 === 0 && { seccomp: SECCOMP_FILTER, noNewPrivs: 1, wrap: 1 }),
      ...(at % 211 === 0 && { state: 'Z' }),
    };
  });
  const listeners = Array.from({ length: CROWD.listeners - OFFICE_LISTENERS.length }, (_, at) => {
    const row = rows[at * 11] as ProcessRow;
    return listenerFrom({
      port: 20_000 + at,
      address: at % 4 === 0 ? '0.0.0.0' : '127.0.0.1',
      protocol: at % 6 === 5 ? 'udp' : 'tcp',
      executable: latin(row.exe ?? ''),
      holders: [{ pid: row.pid, start: String(row.start), fd: 9 }],
    });
  });
  const kinds = ['unlearned-process', 'odd-executable-path', 'traced', 'name-mismatch', 'memfd-executable'];
  const severities = ['low', 'medium', 'medium', 'low', 'high'] as const;
  const findings = Array.from({ length: CROWD.findings }, (_, at) => {
    const subject = processOf(rows[at * 23] as ProcessRow);
    return found({
      check: kinds[at % kinds.length] as string,
      severity: at === 0 ? 'critical' : (severities[at % severities.length] as Finding['severity']),
      subject,
      summary: `process ${subject.pid} (${subject.comm}) runs ${subject.executable}, number ${at}`,
      evidence: { executable: subject.executable, comm: subject.comm, uid: subject.uid ?? 0 },
      firstSeen: ago(60 * at + 5),
      lastSeen: ago(1),
    });
  });
  const people = Array.from({ length: 400 }, (_, at) =>
    personFrom({
      address: `person-${at}@example.org`,
      name: `Person ${at}`,
      received: 400 - at,
      sent: at % 50,
    }),
  );
  return {
    parts: {
      ...good,
      pass: 60_000,
      snapshot: {
        ...good.snapshot,
        processes: [...OFFICE_MACHINE, ...rows],
        listeners: [...OFFICE_LISTENERS, ...listeners],
        sweepUs: 6_400,
      },
      findings,
      recheckUs: 9_800,
      recheck: { ...good.recheck, p50Us: 9_100 },
      mail: { ...good.mail, people: people.length },
      gate: {
        ...good.gate,
        state: 'fail',
        lastRun: { at: ago(9), steps: failed('120 scars', findings.length) },
      },
    },
    people,
    thought: { ...WELL, answer: 'There are 200 findings, 120 of them are scars.' },
  };
}

const MAKERS = { empty, healthy, degraded, hostile, crowd } as const;

/** A scene as it is at `nowMs` (milliseconds since the epoch). */
export const sceneOf = (name: SceneName, nowMs = SCENE_NOW): Scene => ({
  name,
  nowMs,
  ...MAKERS[name](nowMs),
});
