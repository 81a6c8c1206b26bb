/** What the desk knows beside the snapshot, gathered into the plain facts that records are made from. */
import { assistantPlace } from './assistant-place.ts';
import type { Config } from './config-schema.ts';
import type { Desk } from './desk.ts';
import type { DeskMail } from './desk-mail.ts';
import type { RecheckTimes } from './desk-moments.ts';
import type { DeskRemedies } from './desk-remedies.ts';
import type { Snapshot } from './engine/snapshot.ts';
import type { Rechecked } from './gate/recheck.ts';
import { expiredPhrases, type Law } from './law/law.ts';
import { isNews } from './learn/observation.ts';
import { WRAP_STATE } from './native/types.ts';
import type { Outside } from './outside.ts';
import { HELPER_CURE } from './peek/judge.ts';
import { starterTrouble } from './privileges/child.ts';
import type {
  AssistantFacts,
  DeskFacts,
  Duty,
  ListenerRole,
  LoopFacts,
  ServiceFacts,
  ServiceListener,
} from './records/moment.ts';
import { countEgress } from './site/egress.ts';
import { siteFacts } from './site/facts.ts';
import type { GuardedStore } from './store/guarded.ts';
import type { Surroundings } from './surroundings.ts';
import type { Turns } from './turns.ts';
import { VERSION } from './version.ts';

/** The address a person or a proxy on this machine reaches a listener at, without trailing slash. */
export function urlOf(host: string, port: number): string {
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const authority = reached.includes(':') ? `[${reached}]` : reached;
  return port === 80 ? `http://${authority}` : `http://${authority}:${port}`;
}

export function urlsOf(config: Config): DeskFacts['urls'] {
  const of = (role: ListenerRole) => urlOf(config.listen[role].host, config.listen[role].port);
  return {
    control: of('control'),
    office: of('office'),
    themed: of('themed'),
    public: config.site.public_url === '' ? of('public') : config.site.public_url.replace(/\/+$/, ''),
  };
}

const runs = ({ programs }: Snapshot, name: string): boolean =>
  programs.some((program) => program.name === name && program.pids.length > 0);

/** Executables that count as the desk's own beside its process tree. */
export const deskPrograms = (config: Config): readonly string[] => [
  ...new Set([...config.egress.processes, config.mail.client].filter((name) => name !== '')),
];

/** Holders of the assistant's loopback port; a remote assistant has none here. */
function assistantFacts(config: Config, snapshot: Snapshot): AssistantFacts {
  const place = assistantPlace(config);
  if (place.at !== 'here') return { place: place.at, pids: 0 };
  const pids = snapshot.listeners
    .filter((listener) => listener.protocol === 'tcp' && listener.port === place.port)
    .flatMap((listener) => listener.holders.map((holder) => holder.pid));
  return { place: 'here', pids: new Set(pids).size };
}

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
  /** Why processes cannot be looked into, "" when they can. */
  readonly peekTrouble: string;
  /** Why nothing can be started any more that looks into processes, "" when it can. */
  readonly startTrouble: string;
  /** What is wrong with the state folder, "" when nothing is. */
  readonly folderTrouble: string;
  /** Why the store cannot be written, "" when it can. */
  readonly storeFailure: string;
  /** What is wrong with the people ledger or its sources, "" when nothing is; null where no ledger is kept. */
  readonly mailTrouble: string | null;
  /** A learning window is open, or what the system installed is learned by itself. */
  readonly deferred: boolean;
}

/** Which duties are configured, and whether they run. */
export function dutiesOf(snapshot: Snapshot, state: DutyState): DeskFacts['duties'] {
  // A partial view degrades single checks, which say so; only blindness as a whole breaks the duty.
  const blind = snapshot.probes.filter(
    ({ id, works }) =>
      !works && (id === 'sock_diag tcp4' || (id === 'proc' && snapshot.counts.processes === 0)),
  );
  const troubles = [
    ...(blind.length === 0 ? [] : [`the sweep is blind: ${blind.map(({ reason }) => reason).join(', ')}`]),
    ...(state.startTrouble === '' ? [] : [state.startTrouble]),
    ...(state.peekTrouble === '' ? [] : [`${state.peekTrouble}, ${HELPER_CURE}`]),
  ];
  // What reads and learns little by little: mail, and learning that is deferred.
  const trickle = [state.deferred ? state.storeFailure : null, state.mailTrouble].filter(
    (one) => one !== null,
  );
  const trickling = trickle.filter((trouble) => trouble !== '').join(', and ');
  return {
    antivirus: on(troubles.length === 0, troubles.join(', and ')),
    field_hygiene: state.service ? on(state.residueTimer, 'the residue timer does not run') : off,
    learning_security: on(state.storeTrouble === '', state.storeTrouble),
    secure_learn: state.service ? on(state.storeFailure === '', state.storeFailure) : off,
    av_close: state.service ? on(true, '') : off,
    field_clear: state.service ? on(state.folderTrouble === '', state.folderTrouble) : off,
    trickle_train: trickle.length > 0 ? on(trickling === '', trickling) : off,
    mail_people: state.mailTrouble === null ? off : on(state.mailTrouble === '', state.mailTrouble),
    law_pack: on(state.lawTrouble === '', state.lawTrouble),
  };
}

export function loopFactsOf({ loop, mode, reason, sources }: Turns, fresh: boolean): LoopFacts {
  return {
    on: loop.on,
    mode,
    pid: loop.on ? process.pid : null,
    periodMs: loop.periodMs,
    cpuShare: loop.cpuShare(),
    eventReason: reason,
    sources,
    fresh,
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
    selfWrapped: wrapped,
    residueTimer: surroundings.timerRuns,
  };
}

/** How the listeners stand before any of them was started. */
export function firstListeners(config: Config, role: 'service' | 'local'): readonly ServiceListener[] {
  const reason = role === 'local' ? 'this command does not serve' : 'not started yet';
  return (['control', 'office', 'themed', 'public'] as const).map((one) => {
    const { enabled, host, port } = config.listen[one];
    const state = enabled && role === 'service' ? 'failed' : 'off';
    return { role: one, host, port, state, reason: enabled ? reason : '' };
  });
}

interface ReadyParts {
  /** Why a part does not work, by its name; "" when it does. */
  readonly troubles: Readonly<
    Record<'engine' | 'store' | 'peek' | 'start' | 'state' | 'law' | 'mail', string>
  >;
  readonly loop: LoopFacts;
  readonly listeners: readonly ServiceListener[];
}

/** Only what no answer can do without makes the service unready; the rest is shown. */
export function readinessOf({ troubles, loop, listeners }: ReadyParts): ReturnType<Desk['readiness']> {
  const part = (reason: string) => ({ ok: reason === '', reason });
  const { engine, ...others } = troubles;
  const parts: Record<string, { readonly ok: boolean; readonly reason: string }> = {
    engine: part(engine),
    loop: part(loop.on && !loop.fresh ? 'the last snapshot is older than two periods' : ''),
  };
  for (const [name, reason] of Object.entries(others)) parts[name] = part(reason);
  for (const { role, state, reason } of listeners)
    if (state !== 'off') parts[`listener.${role}`] = { ok: state === 'bound', reason };
  return { ready: parts.engine?.ok === true && parts.loop?.ok === true, parts };
}

/** The parts of a desk that its facts are gathered from. */
export interface Workings {
  readonly config: Config;
  readonly configDate: string;
  /** False inside a command. */
  readonly service: boolean;
  readonly urls: DeskFacts['urls'];
  readonly law: Law;
  readonly lawTrouble: string;
  readonly peekTrouble: string;
  readonly store: GuardedStore;
  readonly surroundings: Surroundings;
  readonly listeners: readonly ServiceListener[];
  readonly turns: Turns;
  readonly outside: Pick<Outside, 'allow' | 'probed'>;
  readonly mail: Pick<DeskMail, 'facts'>;
  readonly remedies: Pick<DeskRemedies, 'facts'>;
}

const UNLEARNED = 'nothing is learned, learn what runs with desk secure learn once';

/** The facts of the moment that has just been rechecked. */
export function deskFactsOf(
  { snapshot, judgement, unlearned, shards }: Rechecked,
  times: RecheckTimes,
  workings: Workings,
): DeskFacts {
  const { config, configDate, urls, law, store, surroundings, listeners, turns, outside, mail, remedies } =
    workings;
  const { baseline, god, lastRun, window, firstUse } = store.standing();
  const clean = judgement.scars.length === 0 && god === 1;
  const told = mail.facts(surroundings.passwordSet, runs(snapshot, config.mail.client));
  const embedded = listeners.find(({ role }) => role === 'public');
  return {
    config,
    configDate,
    configTrouble: surroundings.configTrouble,
    urls,
    service: serviceFactsOf(surroundings, listeners, selfWrapped(snapshot, process.pid)),
    loop: loopFactsOf(turns, true),
    recheck: {
      ...times,
      mode: turns.loop.on ? 'forever' : 'free_ball',
      pairsPerShard: Math.ceil(judgement.megaN / shards),
    },
    site: siteFacts(outside.probed, urls.public, {
      status: surroundings.siteStatus,
      // A command has no listener of its own: the one of a service answers, or none does.
      reason: workings.service ? (embedded?.reason ?? '') : '',
    }),
    mail: told,
    baseline: {
      ...baseline,
      runningKnown: Math.max(0, snapshot.counts.identities - unlearned),
      windowOpen: window !== null,
    },
    gate: {
      state: clean ? 'pass' : 'fail',
      god,
      observation: snapshot.generation,
      lastRun,
      differs: clean && (unlearned > 0 || judgement.findings.some(isNews)),
    },
    dropped: store.dropped(),
    egress: {
      guardLoaded: true,
      ...countEgress(snapshot, outside.allow),
    },
    assistant: assistantFacts(config, snapshot),
    lawVersion: law.version,
    lawExpired: expiredPhrases(law, snapshot.at.epochMs),
    remedies: remedies.facts(judgement, snapshot),
    duties: dutiesOf(snapshot, {
      service: workings.service,
      residueTimer: surroundings.timerRuns,
      storeTrouble: store.trouble || surroundings.trouble || (firstUse || baseline.rows > 0 ? '' : UNLEARNED),
      storeFailure: store.failure,
      deferred: window !== null || law.autoLearn === 'system',
      lawTrouble: workings.lawTrouble,
      peekTrouble: workings.peekTrouble,
      startTrouble: starterTrouble(),
      folderTrouble: surroundings.trouble,
      mailTrouble: workings.service && told.configured ? told.trouble : null,
    }),
  };
}
