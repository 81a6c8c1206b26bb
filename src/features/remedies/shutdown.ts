/**
 * Shuts a banned listener down: identity first, signal last. SIGTERM to every holder by its own pidfd, children first, a
 * wait, everything verified again, SIGKILL, until the pidfds are readable and the port is closed. A plan that does not hold
 * any more is made anew over a fresh look.
 */
import { bannedExcuse } from '../../checks/excuse.ts';
import { endpointKey } from '../../checks/finding-id.ts';
import type { Finding } from '../../checks/judgement.ts';
import { endpointText } from '../../checks/subjects.ts';
import { textOf } from '../../engine/bytes.ts';
import type { Listener } from '../../engine/snapshot.ts';
import type { Law } from '../../law/law.ts';
import {
  type ActAddon,
  type Held,
  SIGNAL,
  type SignalAnswer,
  type SocketHolders,
  type SocketKey,
  type Standing,
} from '../../native/act-types.ts';
import { isRefusal, type Refusal } from '../../native/types.ts';
import type { Moment } from '../../records/moment.ts';
import type { Endpoint, OpenSocket } from './endpoint-sockets.ts';
import { foreignSubject, refuseElsewhere } from './other-network.ts';
import { planShutdown, type ShutdownPlan, type Target } from './plan.ts';

/** A program that wants to end cleanly has this long. */
export const TERM_WAIT_MS = 3_000;
const KILL_WAIT_MS = 2_000;
const LOOK_EVERY_MS = 10;
/** Plans that did not hold; whoever moves on faster than this is told, and tried again later. */
const MOST_ROUNDS = 4;
/** Tries to meet a socket of an endpoint that opens one after another, and to signal its holder while it is open. */
const MOST_CHASES = 20;

export interface ShutdownParts {
  readonly native: ActAddon;
  /** Pid of the desk's own process. */
  readonly self: number;
  readonly law: () => Pick<Law, 'bannedPorts' | 'excuses'>;
  /** A fresh look at the machine. */
  readonly look: () => Promise<Moment>;
  /** Every process that has the socket among its descriptors, read anew. */
  readonly holders: (inode: number) => Promise<SocketHolders | Refusal>;
  /** Sockets that listen on an endpoint at this very moment. */
  readonly sockets: (endpoint: Endpoint) => readonly OpenSocket[];
  readonly pause: (ms: number) => Promise<void>;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs: () => number;
  /** Milliseconds since the epoch. */
  readonly nowMs: () => number;
  /** Told of every signal that went out. */
  readonly tell?: (signal: 'SIGTERM' | 'SIGKILL', target: Target) => void;
}

export interface ShutdownOutcome {
  /** `gone`: it was down before anything was done. */
  readonly result: 'closed' | 'gone' | 'refused' | 'failed';
  /** What happened, one phrase. */
  readonly text: string;
  /** What a person can do, "" when nothing is left to do. */
  readonly advice: string;
}

/** A listener that is up, and what would be done about it. */
interface Planned {
  readonly listener: Listener;
  readonly plan: ShutdownPlan;
  /** The socket is another one than the finding's: there may be a next one by the time of the signal. */
  readonly chased: boolean;
}

/**
 * What would be done about a finding of banned-listener now; null when it does not stand any more. `chasing`: while its endpoint
 * is up, another socket there counts as the same.
 */
export async function planFor(
  finding: Finding,
  parts: ShutdownParts,
  chasing = true,
): Promise<Planned | null> {
  const { native, holders, self, law, look } = parts;
  const { snapshot, judgement } = await look();
  const { subject } = finding;
  if (subject.kind !== 'listener') return null;
  const planOf = (listener: Listener, found: SocketHolders | Refusal, chased = false): Planned => {
    const held = isRefusal(found) ? {} : { holders: found.pids, unread: found.unread };
    const { inode, creatorUid } = listener;
    const standingOf = (pid: number): Standing => {
      const standing = native.holderStanding(pid, inode, creatorUid);
      return isRefusal(standing) ? 'other' : standing;
    };
    const known = { standingOf, maker: native.socketMaker(inode) };
    const plan = planShutdown({ snapshot, listener, law: law(), self, ...held, ...known });
    return { listener, chased, plan };
  };
  const stands = judgement.findings.some(({ id }) => id === finding.id);
  const foreign = foreignSubject(finding);
  if (foreign !== undefined) {
    // The number of its inode says nothing about sockets of our own: none of them is looked at.
    const plan = refuseElsewhere(finding, foreign, snapshot, law());
    return stands
      ? { listener: unseen({ ...subjectOf(finding), inode: foreign.inode }, 0), plan, chased: false }
      : null;
  }
  const listener = snapshot.listeners.find(
    ({ inode, port, protocol }) =>
      stands && inode === subject.inode && port === subject.port && protocol === subject.protocol,
  );
  if (listener !== undefined) {
    // Read anew at every descriptor: a snapshot may not know yet who was handed the socket a moment ago.
    const found = await holders(listener.inode);
    if (isRefusal(found) || found.pids.length > 0) return planOf(listener, found);
  }
  const key = endpointKey(finding.check, subject);
  const seen = [...judgement.findings, ...judgement.unconfirmed];
  const isUp = seen.some(({ check, subject: other }) => endpointKey(check, other) === key);
  const met = chasing && isUp ? await chase(subject, parts) : null;
  if (met !== null) return planOf(met.listener, met.found, true);
  return listener === undefined ? null : planOf(listener, { pids: [], unread: 0 });
}

/** A listener that no snapshot has. */
const unseen = (
  socket: Pick<Listener, 'protocol' | 'family' | 'address' | 'port' | 'inode'>,
  creatorUid: number,
): Listener => ({
  ...socket,
  creatorUid,
  scope: 'loopback',
  holders: [],
  owner: 'held',
  executable: '',
});

/** Looks for a socket of the endpoint that stays open while its holders are looked for; null when none did. */
async function chase(
  endpoint: Endpoint,
  { holders, sockets, pause }: ShutdownParts,
): Promise<{ readonly listener: Listener; readonly found: SocketHolders } | null> {
  const { protocol, address, port } = endpoint;
  for (let attempt = 0; attempt < MOST_CHASES; attempt++) {
    for (const { family, inode, uid } of sockets(endpoint)) {
      const found = await holders(inode);
      if (isRefusal(found) || found.pids.length === 0) continue;
      return { listener: unseen({ protocol, family, address, port, inode }, uid), found };
    }
    await pause(1);
  }
  return null;
}

export async function shutDown(finding: Finding, parts: ShutdownParts): Promise<ShutdownOutcome> {
  const signals: string[] = [];
  let obstacle = '';
  // Once somebody was held, nobody else is looked for who may have come in his place.
  let chasing = true;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const planned = await planFor(finding, parts, chasing);
    if (planned === null)
      return signals.length === 0
        ? { result: 'gone', text: 'it was down already', advice: '' }
        : { result: 'closed', text: `it is down after ${signals.join(', ')}`, advice: '' };
    const { plan } = planned;
    if (plan.kind === 'refuse') {
      const text = signals.length === 0 ? plan.text : `${plan.text}, after ${signals.join(', ')}`;
      return { result: 'refused', text, advice: plan.advice };
    }
    chasing = false;
    const attempt = new Attempt(planned, plan.targets, parts, signals);
    try {
      obstacle = await attempt.run();
      if (!(await attempt.listens())) {
        const left = attempt.alive();
        const rest = left.length === 0 ? '' : `, pid ${left.join(', ')} closed it and runs on`;
        return {
          result: 'closed',
          text: `it is down after ${signals.join(', ') || 'its holder let go'}${rest}`,
          advice: '',
        };
      }
    } finally {
      attempt.release();
    }
  }
  const tried = signals.length === 0 ? 'no process was signalled' : `after ${signals.join(', ')}`;
  return {
    result: 'failed',
    text: `${endpointText(subjectOf(finding))} is still up, ${tried}${obstacle === '' ? '' : `: ${obstacle}`}`,
    advice: 'look who holds it with desk findings, it is tried again',
  };
}

/** One round: the holders of one plan. */
class Attempt {
  readonly #parts: ShutdownParts;
  readonly #listener: Listener;
  readonly #chased: boolean;
  readonly #socket: SocketKey;
  readonly #targets: readonly Target[];
  readonly #signals: string[];
  readonly #held = new Map<Target, Held>();
  readonly #signalled = new Set<Held>();

  constructor(
    { listener, chased }: Planned,
    targets: readonly Target[],
    parts: ShutdownParts,
    signals: string[],
  ) {
    this.#chased = chased;
    const { protocol, family, port, inode } = listener;
    this.#listener = listener;
    this.#socket = { protocol: protocol === 'tcp' ? 6 : 17, family, port, inode };
    this.#targets = targets;
    this.#parts = parts;
    this.#signals = signals;
  }

  /** Why it did not go through; "" when every signal that was due went out. */
  async run(): Promise<string> {
    // All are held and known to be who the plan says before the first is signalled.
    for (const target of this.#targets) {
      const obstacle = this.#hold(target);
      if (obstacle !== '') return obstacle;
    }
    const refused = this.#signal(SIGNAL.term);
    await this.#wait(TERM_WAIT_MS);
    if (refused !== '' || !(await this.listens())) return refused;
    // Somebody may have accepted it meanwhile: the next plan says so.
    if (bannedExcuse(this.#parts.law(), this.#listener, this.#parts.nowMs()) !== null) return '';
    const again = this.#signal(SIGNAL.kill);
    await this.#wait(KILL_WAIT_MS);
    return again;
  }

  /** Unknown counts as listening, and so does another socket of those who were to end. */
  async listens(): Promise<boolean> {
    const { native, holders, sockets } = this.#parts;
    if (native.socketListens(this.#socket) !== false) return true;
    const pids = [...this.#held.values()]
      .filter(({ handle }) => !native.hasExited(handle))
      .map(({ pid }) => pid);
    if (pids.length === 0) return false;
    for (const { inode } of sockets(this.#listener)) {
      const found = await holders(inode);
      if (!isRefusal(found) && found.pids.some((pid) => pids.includes(pid))) return true;
    }
    return false;
  }

  /** Those who were signalled and run on. */
  alive(): number[] {
    return [...this.#signalled]
      .filter(({ handle }) => !this.#parts.native.hasExited(handle))
      .map(({ pid }) => pid);
  }

  release(): void {
    for (const { handle } of this.#held.values()) this.#parts.native.releaseProcess(handle);
    this.#held.clear();
  }

  #hold(target: Target): string {
    const held = this.#parts.native.holdProcess(target.pid);
    if (isRefusal(held)) return `pid ${target.pid} could not be held (${held.code})`;
    this.#held.set(target, held);
    const same =
      String(held.start) === target.start &&
      held.uid === target.uid &&
      textOf(held.executable) === target.executable;
    if (!same) return `pid ${target.pid} is another process by now`;
    if (held.kin !== 'none' || !held.ourPidNamespace || held.kernelThread)
      return `pid ${target.pid} may not be signalled`;
    return '';
  }

  /** Children first; stops at the first holder that is not what it was, so that a new plan is made. */
  #signal(signal: 15 | 9): string {
    const name = signal === SIGNAL.term ? 'SIGTERM' : 'SIGKILL';
    for (const [target, held] of this.#held) {
      // Nobody is killed who was not asked to end first.
      if (signal === SIGNAL.kill && !this.#signalled.has(held)) continue;
      const { outcome, refusal } = this.#signalOne(held, signal);
      switch (outcome) {
        case 'sent':
          this.#signalled.add(held);
          this.#signals.push(`${name} to pid ${target.pid}`);
          this.#parts.tell?.(name, target);
          break;
        case 'exited':
          break;
        case 'not-listening':
          return '';
        case 'not-holding':
          // A child that let go of the socket is no holder any more; the others are.
          break;
        case 'not-maker':
          return `pid ${target.pid} did not make the socket that it holds`;
        case 'changed':
          return `pid ${target.pid} became another program`;
        case 'forbidden':
          return `pid ${target.pid} may not be signalled`;
        case 'refused':
          return `the kernel refuses to signal pid ${target.pid} (${refusal?.code ?? ''})`;
      }
    }
    return '';
  }

  /** Who has closed the socket of the plan may hold the next one on the same endpoint by now. */
  #signalOne({ handle }: Held, signal: 15 | 9): SignalAnswer {
    const { native, sockets } = this.#parts;
    const missed = ({ outcome }: SignalAnswer) => outcome === 'not-listening' || outcome === 'not-holding';
    const first = native.signalHolder(handle, signal, this.#socket);
    for (let attempt = 0; this.#chased && attempt < MOST_CHASES && missed(first); attempt++)
      for (const { family, inode } of sockets(this.#listener)) {
        const answer = native.signalHolder(handle, signal, { ...this.#socket, family, inode });
        if (!missed(answer)) return answer;
      }
    return first;
  }

  /** Until the port is closed and everybody who was signalled has ended, at most so long. */
  async #wait(atMostMs: number): Promise<void> {
    const { clockMs, pause } = this.#parts;
    const until = clockMs() + atMostMs;
    while (clockMs() < until) {
      if (this.alive().length === 0) return;
      await pause(LOOK_EVERY_MS);
    }
  }
}

function subjectOf({ subject }: Finding): Pick<Listener, 'protocol' | 'family' | 'address' | 'port'> {
  if (subject.kind !== 'listener') throw new TypeError('a banned-listener finding is about a listener');
  const { protocol, address, port } = subject;
  return { protocol, address, port, family: address.includes(':') ? 6 : 4 };
}
