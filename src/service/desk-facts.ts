/** What the desk knows beside the snapshot, gathered into the plain facts that records are made from. */
import { reachedAt, webAuthority } from '../base/addresses.ts';
import { COMPILED } from '../base/compiled.ts';
import { VERSION } from '../base/version.ts';
import { type Config, LISTENER_ROLES } from '../config/schema.ts';
import type { Desk } from '../desk/desk.ts';
import type { Allowlist } from '../egress/allowlist.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { WRAP_STATE } from '../engine/native/types.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import { isNews } from '../features/baseline/index.ts';
import { countEgress } from '../features/inspection/index.ts';
import { expiredPhrases } from '../features/law/index.ts';
import type { Remedies } from '../features/remedies/index.ts';
import type { Rechecked } from '../findings/recheck.ts';
import type { Law } from '../policy/law.ts';
import { starterTrouble } from '../privileges/child.ts';
import { namespacesTrouble } from '../privileges/namespaces.ts';
import type {
  DeskFacts,
  Duty,
  ListenerRole,
  LoopFacts,
  ServiceFacts,
  ServiceListener,
} from '../records/state.ts';
import type { Features } from './features.ts';
import type { Scheduler } from './scheduler.ts';
import type { Surroundings } from './surroundings.ts';
import type { Tables } from './tables.ts';

/** The address a person or a proxy on this machine reaches a listener at, without trailing slash. */
export function urlOf(host: string, port: number): string {
  return `http://${webAuthority(reachedAt(host), port)}`;
}

export function urlsOf(config: Config): DeskFacts['urls'] {
  const of = (role: Exclude<ListenerRole, 'remote'>) =>
    urlOf(config.listen[role].host, config.listen[role].port);
  return {
    control: of('control'),
    office: of('office'),
    themed: of('themed'),
    public: config.site.public_url === '' ? of('public') : config.site.public_url.replace(/\/+$/, ''),
  };
}

/** Executables that count as the desk's own beside its process tree. */
export const deskPrograms = (config: Config): readonly string[] => [
  ...new Set([...config.egress.processes, config.mail.client].filter((name) => name !== '')),
];

/** Weakest thread of our own process is confined. */
export function selfWrapped(snapshot: Snapshot, pid: number): boolean {
  const row = snapshot.processes.rowOf(pid);
  return row >= 0 && snapshot.processes.columns.wrapState[row] === WRAP_STATE.wrapped;
}

const off: Duty = { configured: false, healthy: false, reason: '' };
const on = (healthy: boolean, reason: string): Duty => ({
  configured: true,
  healthy,
  reason: healthy ? '' : reason,
});

/** What the duties rest on beside the snapshot. */
export interface DutyState {
  /** False inside a command, which keeps no timers. */
  readonly service: boolean;
  readonly residueTimer: boolean;
  /** What is wrong with the store or with what it holds, "" when nothing is. */
  readonly storeTrouble: string;
  /** What is wrong with the law's files, "" when nothing is. */
  readonly lawTrouble: string;
  /** Why processes cannot be inspected, "" when they can. */
  readonly peekTrouble: string;
  /** Why nothing can be started any more that inspects processes, "" when it can. */
  readonly startTrouble: string;
  /** What is wrong with the state folder, "" when nothing is. */
  readonly folderTrouble: string;
  /** Why the state folder could not be searched for residue, "" when it could. */
  readonly fieldTrouble: string;
  /** Why stale files cannot be set aside, "" when they can. */
  readonly quarantineTrouble: string;
  /** Why the store cannot be written, "" when it can. */
  readonly storeFailure: string;
  /** What is wrong with the people ledger or its sources, "" when nothing is; null where no ledger is kept. */
  readonly mailTrouble: string | null;
  /** A learning window is open, or what the system installed is learned by itself. */
  readonly deferred: boolean;
}

/** Which duties are configured, and whether they run. */
export function dutiesOf(state: DutyState): DeskFacts['duties'] {
  // What the sweep could not see is the records' to say: a duty here is what works at all.
  const allOf = (...reasons: readonly string[]): Duty => {
    const troubles = [...new Set(reasons.filter((reason) => reason !== ''))];
    return on(troubles.length === 0, troubles.join(', and '));
  };
  const inService = (...reasons: readonly string[]): Duty => (state.service ? allOf(...reasons) : off);
  const peek = state.peekTrouble === '' ? '' : `${state.peekTrouble}, ${COMPILED.remedy}`;
  const timer = state.residueTimer ? '' : 'the residue timer does not run';
  // What reads and learns little by little: mail, and learning that is deferred.
  const trickle = [state.deferred ? state.storeFailure : null, state.mailTrouble].filter(
    (one) => one !== null,
  );
  const trickling = trickle.filter((trouble) => trouble !== '').join(', and ');
  return {
    antivirus: allOf(state.startTrouble, peek),
    field_hygiene: inService(timer, state.fieldTrouble),
    learning_security: allOf(state.storeTrouble),
    secure_learn: inService(state.storeFailure, state.folderTrouble),
    av_close: inService(state.startTrouble, peek, state.storeFailure, state.folderTrouble),
    field_clear: inService(state.folderTrouble, state.fieldTrouble, state.quarantineTrouble),
    trickle_train: trickle.length > 0 ? on(trickling === '', trickling) : off,
    mail_people: state.mailTrouble === null ? off : on(state.mailTrouble === '', state.mailTrouble),
    law_pack: allOf(state.lawTrouble),
  };
}

/** `staleAfterMs`: a loop whose recheck is due for longer is stale. */
export function loopFactsOf(scheduler: Scheduler, staleAfterMs: number): LoopFacts {
  const { loop, mode, reason, sources, dueForMs, quietMs } = scheduler;
  const fresh = dueForMs <= staleAfterMs;
  return {
    on: loop.on,
    mode,
    pid: loop.on ? process.pid : null,
    periodMs: loop.periodMs,
    cpuShare: loop.cpuShare(),
    eventReason: reason,
    sources,
    fresh,
    staleSec: fresh ? 0 : Math.ceil(dueForMs / 1000),
    quietMs,
  };
}

export function serviceFactsOf(
  surroundings: Surroundings,
  listeners: readonly ServiceListener[],
  wrapped: boolean,
): ServiceFacts {
  return {
    pid: process.pid,
    version: VERSION,
    listeners,
    lockHolders: surroundings.lockHolders,
    fieldDirt: surroundings.fieldDirt,
    fieldTrouble: surroundings.fieldTrouble,
    selfWrapped: wrapped,
    residueTimer: surroundings.timerRuns,
    namespacesTrouble: namespacesTrouble(),
  };
}

/** The listeners before any of them is started. */
export function firstListeners(config: Config, role: 'service' | 'local'): readonly ServiceListener[] {
  const reason = role === 'local' ? 'this command does not serve' : 'not started yet';
  return LISTENER_ROLES.map((one) => {
    const { enabled, host, port } = config.listen[one];
    const state = enabled && role === 'service' ? 'failed' : 'off';
    return { role: one, host, port, state, reason: enabled ? reason : '' };
  });
}

interface ReadyParts {
  /** Why a part does not work, by its name; "" when it does. */
  readonly troubles: Readonly<Record<'engine' | 'store' | 'peek' | 'start' | 'state' | 'law', string>>;
  /** What of the state folder is gone, so that nothing can be stored in it. */
  readonly lost: string;
  readonly loop: LoopFacts;
  readonly listeners: readonly ServiceListener[];
}

/** Only what no answer can do without makes the service unready; the rest is shown. */
export function readinessOf({ troubles, lost, loop, listeners }: ReadyParts): ReturnType<Desk['readiness']> {
  const part = (reason: string) => ({ ok: reason === '', reason });
  const { engine, ...others } = troubles;
  const parts: Record<string, { readonly ok: boolean; readonly reason: string }> = {
    engine: part(engine),
    loop: part(loop.fresh ? '' : `the loop made no recheck for ${loop.staleSec} s`),
  };
  for (const [name, reason] of Object.entries(others)) parts[name] = part(reason);
  for (const { role, state, reason } of listeners)
    if (state !== 'off') parts[`listener.${role}`] = { ok: state === 'bound', reason };
  return { ready: parts.engine?.ok === true && parts.loop?.ok === true && lost === '', parts };
}

/** The parts of a desk that its facts are gathered from. */
export interface Workings {
  readonly config: Config;
  readonly configDate: string;
  readonly officeRefusal: string;
  /** False inside a command. */
  readonly service: boolean;
  readonly urls: DeskFacts['urls'];
  readonly law: Law;
  readonly lawTrouble: string;
  readonly peekTrouble: string;
  readonly tables: Tables;
  readonly surroundings: Surroundings;
  readonly listeners: readonly ServiceListener[];
  readonly scheduler: Scheduler;
  /** A loop without a recheck for longer is stale. */
  readonly staleAfterMs: number;
  readonly guard: Pick<EgressGuard, 'loaded'>;
  readonly allow: Pick<Allowlist, 'has'>;
  readonly features: Pick<Features, 'facts'>;
  readonly remedies: Pick<Remedies, 'facts'>;
}

const UNLEARNED = 'nothing is learned, learn what runs with desk secure learn once';

/** The facts of the state that has just been rechecked. */
export function deskFactsOf(rechecked: Rechecked, p50Us: number, workings: Workings): DeskFacts {
  const { config, configDate, urls, law, tables, surroundings, listeners, scheduler, remedies } = workings;
  const { snapshot, judgement, unlearned, shortLived, shards } = rechecked;
  const { baseline, god, window, firstUse } = tables.baseline.state();
  const clean = judgement.scars.length === 0 && god === 1;
  const features = workings.features.facts(rechecked, urls);
  return {
    ...features,
    config,
    configDate,
    configTrouble: surroundings.configTrouble,
    officeRefusal: workings.officeRefusal,
    urls,
    service: serviceFactsOf(surroundings, listeners, selfWrapped(snapshot, process.pid)),
    loop: loopFactsOf(scheduler, workings.staleAfterMs),
    recheck: {
      p50Us,
      mode: scheduler.loop.on ? 'forever' : 'free_ball',
      pairsPerShard: Math.ceil(judgement.megaN / shards),
    },
    baseline: {
      ...baseline,
      runningKnown: Math.max(0, snapshot.counts.identities - unlearned),
      windowOpen: window !== null,
    },
    gate: {
      state: clean ? 'pass' : 'fail',
      god,
      observation: snapshot.generation,
      lastRun: tables.gate.last(),
      differs: clean && (unlearned > 0 || judgement.findings.some(isNews)),
    },
    dropped: tables.findings.dropped(),
    shortLived,
    egress: {
      guardLoaded: workings.guard.loaded,
      ...countEgress(snapshot, workings.allow),
    },
    lawVersion: law.version,
    lawExpired: expiredPhrases(law, snapshot.at.epochMs),
    remedies: remedies.facts(judgement, snapshot),
    duties: dutiesOf({
      service: workings.service,
      residueTimer: surroundings.timerRuns,
      storeTrouble:
        tables.access.trouble || surroundings.trouble || (firstUse || baseline.rows > 0 ? '' : UNLEARNED),
      storeFailure: tables.access.failure,
      deferred: window !== null || law.autoLearn === 'system',
      lawTrouble: workings.lawTrouble,
      peekTrouble: workings.peekTrouble,
      startTrouble: starterTrouble(),
      folderTrouble: surroundings.trouble,
      fieldTrouble: surroundings.fieldTrouble,
      quarantineTrouble: surroundings.quarantineTrouble,
      mailTrouble: workings.service && features.mail.configured ? features.mail.trouble : null,
    }),
  };
}
