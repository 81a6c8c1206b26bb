/**
 * Every boolean and every state of the three records: facts with which it is good, facts with which it is bad, and the test that
 * creates that situation for real and checks that the value changes. test/house.test.ts checks that none is missing.
 */
import { findingFrom, noteFrom, type StateParts } from './state.ts';

interface Flag {
  readonly good: readonly [StateParts, boolean | string];
  readonly bad: readonly [StateParts, boolean | string];
  /** A test with real processes, sockets and files, and its name. */
  readonly proof: readonly [file: string, test: string];
}

const PROBES = {
  proc: 'proc',
  tcp: 'sock_diag tcp4',
  https: 'sock_diag https4',
} as const;
/** A state whose probe of this name fails. */
const blind = (probe: keyof typeof PROBES): StateParts => ({
  snapshot: { probes: [{ id: PROBES[probe], works: false, reason: 'EPERM: see', cure: 'see' }] },
});
const broken = { configured: true, healthy: false, reason: 'it fails' };
const running = { configured: true, healthy: true, reason: '' };
const on = { on: true, mode: 'event', pid: 900, cpuShare: 0.0001 } as const;
const all = { snapshot: { counts: { identities: 4 } } };
const learned = { generation: 1, runningKnown: 4, identities: 4, rows: 4 };
const site = { config: { site: { public_url: 'https://desk.example/' } } };
const siteWell = { status: 200, dnsGreen: 1, dnsTotal: 1, certificateReady: true, magazineOk: true };
const virus: StateParts = { snapshot: { listeners: [{ port: 80 }, { port: 8766 }] } };
const graver: StateParts = {
  findings: [...'123456789'].map((id) => findingFrom({ id, severity: 'critical' })),
};

const BLIND = ['test/real/blind.test.ts', 'the kernel refuses every dump of sockets'] as const;
const LOST = ['test/real/lost.test.ts', 'when the folder, database, token or lock file is missing'] as const;
const QUARANTINE = [
  'test/real/lost.test.ts',
  'with an unusable quarantine, field clear is not in charge',
] as const;
const CLIENT = ['test/real/lost.test.ts', 'the mail client is up only while its program runs'] as const;
const BANNED = ['test/service/desk.test.ts', 'a banned listener becomes a critical scar'] as const;
const LOOP = ['test/service/desk.test.ts', 'the loop takes snapshots by itself and reports them'] as const;
const STALE = ['test/service/scheduler.test.ts', 'a loop whose rechecks fail is stale'] as const;
const POLLS = [
  'test/service/scheduler.test.ts',
  'without process events every cycle reads everything',
] as const;
const CPU = ['test/engine/loop.test.ts', 'CPU time is that of the rechecks and of the event source'] as const;
const LAW = ['test/real/law.test.ts', 'an invalid law changes nothing'] as const;
const WINDOW = ['test/real/learning.test.ts', 'a learning window is opened by the command'] as const;
const FRESH = ['test/real/learning.test.ts', 'a new folder is learned automatically'] as const;
const SITE = ['test/real/site.test.ts', 'each flag of the site is true with a good site'] as const;
const MAIL = ['test/real/mail.test.ts', 'a complete desk has identity, ledger and look-up'] as const;
const FULL = [
  'test/features/mail/ledger.test.ts',
  'a full ledger drops the lowest ranks and counts them',
] as const;
const PASSWORD = [
  'test/config/state-dir.test.ts',
  'a password is used only when its file is private',
] as const;
const CLEAR = ['test/service/desk.test.ts', 'field clear quarantines our own stale files'] as const;
const CURES = [
  'test/service/desk.test.ts',
  'improvements are not all known while something blind has no remedy',
] as const;
const HIDEPID = [
  'test/real/blind.test.ts',
  'with hidepid on proc the processes of others are hidden',
] as const;
const PLANTED = [
  'test/real/verdicts.test.ts',
  'a desk of root is gold and ok; each planted process',
] as const;

/** A duty of `in_charge`. */
const duty = (name: string, proof: Flag['proof']): Readonly<Record<string, Flag>> => ({
  [`charge.in_charge.${name}`]: {
    good: [{ duties: { [name]: running } }, true],
    bad: [{ duties: { [name]: broken } }, false],
    proof,
  },
});

export const FLAGS: Readonly<Record<string, Flag>> = {
  'status.ok': { good: [{}, true], bad: [blind('tcp'), false], proof: BLIND },
  'status.grade': { good: [{}, 'gold'], bad: [virus, 'lead'], proof: BANNED },
  ...duty('antivirus', BLIND),
  ...duty('field_hygiene', LOST),
  ...duty('learning_security', LOST),
  ...duty('secure_learn', LOST),
  ...duty('av_close', LOST),
  ...duty('field_clear', QUARANTINE),
  ...duty('trickle_train', WINDOW),
  ...duty('mail_people', MAIL),
  ...duty('law_pack', LAW),
  'charge.ok': {
    good: [{}, true],
    bad: [{ loop: { ...on, fresh: false, staleSec: 9 } }, false],
    proof: BLIND,
  },
  'charge.check.full_learned': {
    good: [{ ...all, baseline: learned }, true],
    bad: [{ snapshot: { ...all.snapshot, ...blind('proc').snapshot }, baseline: learned }, false],
    proof: WINDOW,
  },
  'charge.check.mode': {
    good: [{ recheck: { mode: 'forever' } }, 'forever'],
    bad: [{}, 'free_ball'],
    proof: LOOP,
  },
  'charge.forever.on': { good: [{ loop: on }, true], bad: [{}, false], proof: LOOP },
  'charge.forever.mode': {
    good: [{ loop: on }, 'event'],
    bad: [{ loop: { ...on, mode: 'poll' } }, 'poll'],
    proof: POLLS,
  },
  'charge.forever.zero_overhead': {
    good: [{ loop: on }, true],
    bad: [{ loop: { ...on, cpuShare: null } }, false],
    proof: CPU,
  },
  'charge.global_protect.ok': {
    good: [{ ...site, site: siteWell }, true],
    bad: [{ ...site, site: { ...siteWell, status: 0 } }, false],
    proof: SITE,
  },
  'charge.global_protect.magazine_ok': {
    good: [{ ...site, site: siteWell }, true],
    bad: [site, false],
    proof: SITE,
  },
  'charge.global_protect.le_ready': {
    good: [{ ...site, site: siteWell }, true],
    bad: [site, false],
    proof: SITE,
  },
  'charge.antivirus.ok': { good: [{}, true], bad: [blind('tcp'), false], proof: BLIND },
  'charge.security_learn.ok': { good: [{}, true], bad: [blind('https'), false], proof: BLIND },
  'charge.security_learn.field_ok': {
    good: [{}, true],
    bad: [{ service: { fieldTrouble: 'EACCES' } }, false],
    proof: CLEAR,
  },
  'charge.war_machine.grade': {
    good: [{}, 'B'],
    bad: [{ ...graver, service: { fieldDirt: 10 }, recheck: { p50Us: 900_000 } }, 'F'],
    proof: PLANTED,
  },
  'charge.system_run.hostess_runs': {
    good: [{ loop: on }, true],
    bad: [{ loop: { ...on, fresh: false, staleSec: 9 } }, false],
    proof: STALE,
  },
  'charge.system_run.trickle': {
    good: [{ duties: { trickle_train: running } }, true],
    bad: [{ duties: { trickle_train: broken } }, false],
    proof: WINDOW,
  },
  'charge.system_run.knows_improvements': {
    good: [{ findings: [findingFrom()], notes: [noteFrom()] }, true],
    bad: [{ notes: [noteFrom({ cure: '' })] }, false],
    proof: CURES,
  },
  'charge.system_run.mail_finite': {
    good: [{}, true],
    bad: [{ mail: { finite: false } }, false],
    proof: FULL,
  },
  'charge.mail.finite': { good: [{}, true], bad: [{ mail: { finite: false } }, false], proof: FULL },
  'charge.mail.claws_up': {
    good: [{ mail: { clientRunning: true } }, true],
    bad: [{}, false],
    proof: CLIENT,
  },
  'charge.mail.pass_set': {
    good: [{ mail: { passwordSet: true } }, true],
    bad: [{}, false],
    proof: PASSWORD,
  },
  'av.live.av': { good: [{}, 'active'], bad: [blind('tcp'), 'failed'], proof: BLIND },
  'av.live.spv': { good: [{}, 'active'], bad: [blind('proc'), 'failed'], proof: HIDEPID },
  'av.live.plug': {
    good: [{ loop: on }, 'active'],
    bad: [{ loop: { ...on, mode: 'poll' } }, 'failed'],
    proof: POLLS,
  },
  'av.live.datacenter': { good: [{}, 'inactive'], bad: [blind('tcp'), 'failed'], proof: BLIND },
  'av.live.orphan_timer': {
    good: [{}, 'active'],
    bad: [{ service: { fieldTrouble: 'EACCES' } }, 'failed'],
    proof: LOST,
  },
  'av.live.business': {
    good: [{ ...site, site: siteWell }, true],
    bad: [{ ...site, site: { ...siteWell, certificateReady: false } }, false],
    proof: SITE,
  },
  'av.live.tx_wrap': {
    good: [{ egress: { guardLoaded: true } }, true],
    bad: [{ egress: { guardLoaded: true }, ...blind('https') }, false],
    proof: BLIND,
  },
  'av.live.always_wrap': { good: [{ service: { selfWrapped: true } }, true], bad: [{}, false], proof: BLIND },
  'av.live.active_targeting': {
    good: [{ loop: on }, true],
    bad: [{ loop: { ...on, fresh: false, staleSec: 9 } }, false],
    proof: STALE,
  },
  'av.live.updates': { good: [{}, false], bad: [{ gate: { differs: true } }, true], proof: FRESH },
  'av.live.no_other_internal': { good: [{}, true], bad: [blind('tcp'), false], proof: BLIND },
  'av.datacenter_port_8766.status': { good: [{}, 'inactive'], bad: [virus, 'active'], proof: BANNED },
  'av.datacenter_port_8766.up': { good: [{}, false], bad: [virus, true], proof: BANNED },
};
