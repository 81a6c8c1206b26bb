/**
 * Shuts a banned listener down: SIGTERM to every holder through its pidfd, children first, a wait, another verification, SIGKILL, until
 * the holders have ended and the port is closed. An outdated plan is made again.
 */
import { familyOf } from '../../base/addresses.ts';
import { endpointText } from '../../checks/subjects.ts';
import { textOf } from '../../engine/bytes.ts';
import {
  type Held,
  SIGNAL,
  type SignalAnswer,
  type SocketHolders,
  type SocketKey,
  type Standing,
} from '../../engine/native/act-types.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import type { Listener } from '../../engine/snapshot.ts';
import type { Finding } from '../../findings/finding.ts';
import { endpointKey } from '../../findings/finding-id.ts';
import { bannedSuppression } from '../../findings/suppression.ts';
import type { Law } from '../../policy/law.ts';
import type { DeskState } from '../../records/state.ts';
import type { Endpoint, Machine } from './machine.ts';
import { foreignSubject, planShutdown, refuseForeign, type ShutdownPlan, type Target } from './plan.ts';

const TERM_WAIT_MS = 3_000;
const KILL_WAIT_MS = 2_000;
/** A program that was passed the socket, such as dbus-daemon, closes it when it sees that the sender has ended. */
const NOTICE_MS = 250;
const POLL_MS = 10;
/** Per attempt; a program that reopens the port more often is reported, and tried again later. */
const MOST_PLANS = 4;
/** Tries to signal the holder of an endpoint that opens one socket after another. */
const MOST_CHASES = 20;

export interface ShutdownParts {
  readonly machine: Machine;
  readonly law: () => Pick<Law, 'bannedPorts' | 'suppressions'>;
  readonly sweep: () => Promise<DeskState>;
}

interface SentSignal {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly target: Target;
}

export interface ShutdownOutcome {
  /** `gone`: it was down before anything was done. */
  readonly result: 'closed' | 'gone' | 'refused' | 'failed';
  readonly text: string;
  /** What you can do, "" when nothing is left to do. */
  readonly advice: string;
  readonly signals: readonly SentSignal[];
}

/** A listener that is up, and what would be done about it. */
interface Planned {
  readonly listener: Listener;
  readonly plan: ShutdownPlan;
  /** It is another socket than the finding's: yet another one may follow before the signal. */
  readonly chased: boolean;
}

/**
 * What would be done now about a finding of banned-listener; null when it is not up any more. `chasing`: while its endpoint is
 * up, another socket there counts as the same.
 */
export async function planFor(
  finding: Finding,
  { machine, law, sweep }: ShutdownParts,
  chasing = true,
): Promise<Planned | null> {
  const { native, self } = machine;
  const { snapshot, judgement } = await sweep();
  const { subject } = finding;
  if (subject.kind !== 'listener') return null;
  const planOf = (listener: Listener, found: SocketHolders | Refusal, chased = false): Planned => {
    const held = isRefusal(found) ? {} : { holders: found.pids, unread: found.unread };
    const { inode, creatorUid } = listener;
    const standingOf = (pid: number): Standing => {
      const standing = native.holderStanding(pid, inode, creatorUid);
      return isRefusal(standing) ? 'other' : standing;
    };
    const maker = native.socketMaker(inode);
    const plan = planShutdown({ snapshot, listener, law: law(), self, standingOf, maker, ...held });
    return { listener, chased, plan };
  };
  const isOpen = judgement.findings.some(({ id }) => id === finding.id);
  const foreign = foreignSubject(finding);
  if (foreign !== undefined) {
    if (!isOpen) return null;
    // An inode number of another namespace means nothing in ours: our sockets are not searched.
    const plan = refuseForeign(finding, foreign, snapshot, law());
    return { listener: unseen({ ...subjectOf(finding), inode: foreign.inode }, 0), plan, chased: false };
  }
  const listener = snapshot.listeners.find(
    ({ inode, port, protocol }) =>
      isOpen && inode === subject.inode && port === subject.port && protocol === subject.protocol,
  );
  if (listener !== undefined) {
    // The snapshot may not know yet which process was handed the socket a moment ago.
    const found = await machine.holders(listener.inode);
    if (isRefusal(found) || found.pids.length > 0) return planOf(listener, found);
  }
  const key = endpointKey(finding.check, subject);
  const seen = [...judgement.findings, ...judgement.unconfirmed];
  const isUp = seen.some(({ check, subject: other }) => endpointKey(check, other) === key);
  const next = chasing && isUp ? await chase(subject, machine) : null;
  if (next !== null) return planOf(next.listener, next.found, true);
  return listener === undefined ? null : planOf(listener, { pids: [], unread: 0 });
}

const unseen = (
  socket: Pick<Listener, 'protocol' | 'family' | 'address' | 'port' | 'inode'>,
  creatorUid: number,
): Listener => ({ ...socket, creatorUid, scope: 'loopback', holders: [], owner: 'held', executable: '' });

/** A socket of the endpoint that stays open while its holders are searched; null when none does. */
async function chase(endpoint: Endpoint, machine: Machine) {
  const { protocol, address, port } = endpoint;
  for (let attempt = 0; attempt < MOST_CHASES; attempt++) {
    for (const { family, inode, uid } of machine.sockets(endpoint)) {
      const found = await someHolders(inode, machine);
      if (isRefusal(found) || found.pids.length === 0) continue;
      return { listener: unseen({ protocol, family, address, port, inode }, uid), found };
    }
    await machine.pause(1);
  }
  return null;
}

/** Its maker if that holds it, else all that a search finds: with many processes a search takes longer than such a socket is open. */
async function someHolders(inode: number, { native, holders }: Machine): Promise<SocketHolders | Refusal> {
  const maker = native.socketMaker(inode);
  const isHeld = maker !== null && native.holdsSocket(maker.pid, inode) === true;
  return isHeld ? { pids: [maker.pid], unread: 0 } : await holders(inode);
}

export async function shutDown(
  finding: Finding,
  parts: ShutdownParts,
  sent: (signal: SentSignal) => void = () => undefined,
): Promise<ShutdownOutcome> {
  const signals: SentSignal[] = [];
  const end = (result: ShutdownOutcome['result'], text: string, advice = ''): ShutdownOutcome => ({
    result,
    text,
    advice,
    signals,
  });
  const sentText = () => signals.map(({ signal, target }) => `${signal} to pid ${target.pid}`).join(', ');
  const note = (signal: SentSignal): void => {
    signals.push(signal);
    sent(signal);
  };
  let obstacle = '';
  for (let made = 0; made < MOST_PLANS; made++) {
    // After the first plan with targets, no process that has taken their place is chased.
    const planned = await planFor(finding, parts, made === 0);
    if (planned === null)
      return signals.length === 0
        ? end('gone', 'it was down already')
        : end('closed', `it is down after ${sentText()}`);
    const { plan } = planned;
    if (plan.kind === 'refuse') {
      const after = signals.length === 0 ? '' : `, after ${sentText()}`;
      return end('refused', plan.text + after, plan.advice);
    }
    const attempt = new Attempt(planned, plan.targets, parts, note);
    try {
      obstacle = await attempt.run();
      if (!(await attempt.listens())) {
        const left = attempt.alive();
        const rest = left.length === 0 ? '' : `, pid ${left.join(', ')} closed it and still runs`;
        return end('closed', `it is down after ${sentText() || 'its holder let go'}${rest}`);
      }
    } finally {
      attempt.release();
    }
  }
  const tried = signals.length === 0 ? 'no process was signalled' : `after ${sentText()}`;
  const text = `${endpointText(subjectOf(finding))} is still up, ${tried}${obstacle === '' ? '' : `: ${obstacle}`}`;
  return end('failed', text, 'see who holds it with desk findings, it is tried again');
}

/** Outcomes that need another plan. After `exited` and `not-holding` other holders may still have the socket. */
const OBSTACLES: Partial<Readonly<Record<SignalAnswer['outcome'], string>>> = {
  'not-maker': 'did not make the socket that it holds',
  changed: 'became another program',
  forbidden: 'may not be signalled',
};

/** Signals the holders of one plan. */
class Attempt {
  readonly #parts: ShutdownParts;
  readonly #sent: (signal: SentSignal) => void;
  readonly #listener: Listener;
  readonly #chased: boolean;
  readonly #socket: SocketKey;
  readonly #targets: readonly Target[];
  readonly #held = new Map<Target, Held>();
  readonly #signalled = new Set<Held>();

  constructor(
    { listener, chased }: Planned,
    targets: readonly Target[],
    parts: ShutdownParts,
    sent: (signal: SentSignal) => void,
  ) {
    const { protocol, family, port, inode } = listener;
    this.#chased = chased;
    this.#listener = listener;
    this.#socket = { protocol: protocol === 'tcp' ? 6 : 17, family, port, inode };
    this.#targets = targets;
    this.#parts = parts;
    this.#sent = sent;
  }

  /** Why it was not completed; "" when every signal that was due was sent. */
  async run(): Promise<string> {
    // All are held and verified before the first is signalled.
    for (const target of this.#targets) {
      const obstacle = this.#hold(target);
      if (obstacle !== '') return obstacle;
    }
    const refused = this.#signal('SIGTERM');
    await this.#wait(TERM_WAIT_MS);
    if (refused !== '' || !(await this.listens())) return refused;
    // It may have been accepted meanwhile: the next plan says so.
    if (bannedSuppression(this.#parts.law(), this.#listener, Date.now()) !== null) return '';
    const again = this.#signal('SIGKILL');
    await this.#wait(KILL_WAIT_MS);
    return again;
  }

  /** True also when that is unknown, and when a holder has opened another socket on the endpoint. */
  async listens(): Promise<boolean> {
    const { native, holders, sockets } = this.#parts.machine;
    if (native.socketListens(this.#socket) !== false) return true;
    const pids = this.#running(this.#held.values());
    if (pids.length === 0) return false;
    for (const { inode } of sockets(this.#listener)) {
      const found = await holders(inode);
      if (!isRefusal(found) && found.pids.some((pid) => pids.includes(pid))) return true;
    }
    return false;
  }

  /** Processes that were signalled and still run. */
  alive(): number[] {
    return this.#running(this.#signalled);
  }

  release(): void {
    for (const { handle } of this.#held.values()) this.#parts.machine.native.releaseProcess(handle);
    this.#held.clear();
  }

  #running(held: Iterable<Held>): number[] {
    const { native } = this.#parts.machine;
    return [...held].filter(({ handle }) => !native.hasExited(handle)).map(({ pid }) => pid);
  }

  #hold(target: Target): string {
    const held = this.#parts.machine.native.holdProcess(target.pid);
    if (isRefusal(held)) return `pid ${target.pid} could not be held (${held.code})`;
    this.#held.set(target, held);
    const { start, uid, executable } = held;
    if (String(start) !== target.start || uid !== target.uid || textOf(executable) !== target.executable)
      return `pid ${target.pid} is another process by now`;
    if (held.kin !== 'none' || !held.ourPidNamespace || held.kernelThread)
      return `pid ${target.pid} may not be signalled`;
    return '';
  }

  /** Children first; stops at the first holder that has changed, so that a new plan is made. */
  #signal(signal: SentSignal['signal']): string {
    for (const [target, held] of this.#held) {
      if (signal === 'SIGKILL' && !this.#signalled.has(held)) continue;
      const { outcome, refusal } = this.#signalOne(held, signal);
      if (outcome === 'not-listening') return '';
      if (outcome === 'refused')
        return `the kernel refuses to signal pid ${target.pid} (${refusal?.code ?? ''})`;
      if (outcome === 'sent') {
        this.#signalled.add(held);
        this.#sent({ signal, target });
      } else if (outcome in OBSTACLES) return `pid ${target.pid} ${OBSTACLES[outcome]}`;
    }
    return '';
  }

  /** A holder that has closed the socket of the plan may hold the next one on the same endpoint by now. */
  #signalOne({ handle }: Held, signal: SentSignal['signal']): SignalAnswer {
    const { native, sockets } = this.#parts.machine;
    const number = signal === 'SIGTERM' ? SIGNAL.term : SIGNAL.kill;
    const missed = ({ outcome }: SignalAnswer) => outcome === 'not-listening' || outcome === 'not-holding';
    const first = native.signalHolder(handle, number, this.#socket);
    for (let attempt = 0; this.#chased && attempt < MOST_CHASES && missed(first); attempt++)
      for (const { family, inode } of sockets(this.#listener)) {
        const answer = native.signalHolder(handle, number, { ...this.#socket, family, inode });
        if (!missed(answer)) return answer;
      }
    return first;
  }

  /** Waits until every signalled process has ended, then up to NOTICE_MS for programs that were passed the socket to close it. */
  async #wait(atMostMs: number): Promise<void> {
    const { clockMs, pause, native } = this.#parts.machine;
    const until = clockMs() + atMostMs;
    while (clockMs() < until && this.alive().length > 0) await pause(POLL_MS);
    if (this.#signalled.size === 0 || this.alive().length > 0) return;
    const noticed = clockMs() + NOTICE_MS;
    while (clockMs() < noticed && native.socketListens(this.#socket) !== false) await pause(POLL_MS);
  }
}

function subjectOf({ subject }: Finding): Pick<Listener, 'protocol' | 'family' | 'address' | 'port'> {
  if (subject.kind !== 'listener') throw new TypeError('a banned-listener finding is about a listener');
  const { protocol, address, port } = subject;
  return { protocol, address, port, family: familyOf(address) };
}
