/**
 * `[banned] shut_down = "auto"`: shuts each confirmed banned listener down, once, unless the law allows it. Refused attempts are
 * repeated with growing pauses. A UDP socket is shut down after 10 s. A listener that ran before the state folder was first used has
 * 30 s of grace, reported with the command that keeps it. A few attempts run at a time, and the users who created the listeners take
 * turns, so that a user who opens thousands delays only their own.
 */
import { backoffMs } from '../../base/retry.ts';
import { ageSec, listenerOf } from '../../checks/subjects.ts';
import type { Config } from '../../config/schema.ts';
import type { Listener, Snapshot } from '../../engine/snapshot.ts';
import { offsetTime } from '../../engine/time.ts';
import type { Finding, Judgement } from '../../findings/finding.ts';
import { endpointKey } from '../../findings/finding-id.ts';
import { bannedSuppression } from '../../findings/suppression.ts';
import { BANNED_LISTENER } from '../../policy/banned.ts';
import type { Law } from '../../policy/law.ts';
import type { DeskState, RemedyFacts } from '../../records/state.ts';
import type { AttemptLog, Maker } from './attempt-log.ts';
import { foreignSubject } from './plan.ts';
import type { Remedies } from './remedies.ts';

export const GRACE_MS = 30_000;
/** A UDP client has a port only while it waits for an answer: a socket that stays longer is shut down. */
export const UDP_STAY_MS = 10_000;
/** Attempts at a time, in all and for the listeners of one user: each may wait seconds for a process. */
export const MOST_RUNNING = 32;
export const MOST_OF_USER = 8;
/** The last of them are for users who have none running. */
const RESERVED = 8;
/** Period of updates of the records while attempts run: each is a sweep. */
const UPDATE_EVERY_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 600_000;

interface AutoShutdownParts {
  readonly policy: Config['banned']['shut_down'];
  readonly remedies: Pick<Remedies, 'shutDown' | 'refusal' | 'keepOnly'>;
  readonly law: () => Pick<Law, 'suppressions'>;
  /** First use of the state folder by a service, milliseconds since the epoch; null = unknown, and no grace. */
  readonly firstStartMs: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs: () => number;
  readonly log: Pick<AttemptLog, 'line'>;
  /** An attempt has ended: the records need an update. */
  readonly tried: () => void;
}

/** A listener to shut down. `rank` 0: a process of its creator holds it, so that success is likely. */
interface Due {
  readonly finding: Finding;
  readonly state: State;
  readonly rank: 0 | 1;
}

/** Of a finding. */
interface State {
  /** Open since then without a gap, by the monotonic clock; null when closed. */
  sinceMs: number | null;
  announced: boolean;
  running: boolean;
  /** Failed attempts in a row; 1 after any other. */
  tries: number;
  /** Of the monotonic clock. */
  nextMs: number;
}

/** A user who created listeners. */
interface User {
  /** To be tried now, the next one last. */
  due: Due[];
  running: number;
  /** Counter of the last turn: the user who has waited longest is next. */
  served: number;
}

export class AutoShutdown {
  readonly #parts: AutoShutdownParts;
  readonly #states = new Map<string, State>();
  /**
   * By endpoint, until when no other attempt is made: where one socket follows another, each is a finding of its own, and every
   * attempt searches all descriptors of the machine. The pause is constant, so that nothing gains a longer stay by it.
   */
  readonly #pauseUntilMs = new Map<string, number>();
  readonly #users = new Map<Maker, User>();
  #turn = 0;
  #updatedMs = Number.NEGATIVE_INFINITY;
  #stopped = false;

  constructor(parts: AutoShutdownParts) {
    this.#parts = parts;
  }

  /** No attempt begins from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Starts what is due; does not wait for it. */
  observe({ snapshot, judgement }: DeskState): void {
    const { policy, remedies, clockMs } = this.#parts;
    const nowMs = clockMs();
    const banned = this.#dueOf(judgement, snapshot);
    const open = new Set(banned.map(({ id }) => id));
    for (const [id, state] of this.#states)
      if (!open.has(id)) {
        state.sinceMs = null;
        if (!state.running) this.#states.delete(id);
      }
    for (const [endpoint, untilMs] of this.#pauseUntilMs)
      if (untilMs <= nowMs) this.#pauseUntilMs.delete(endpoint);
    remedies.keepOnly(open);
    for (const user of this.#users.values()) user.due = [];
    const isActive = policy === 'auto' && !this.#stopped;
    for (const finding of banned) {
      const state = this.#states.get(finding.id) ?? {
        sinceMs: null,
        announced: false,
        running: false,
        tries: 0,
        nextMs: nowMs,
      };
      this.#states.set(finding.id, state);
      state.sinceMs ??= nowMs;
      if (isActive) this.#queue(finding, state, snapshot);
    }
    for (const [uid, { due, running }] of this.#users) {
      due
        .reverse()
        .sort((one, other) => pauseMs(other.state.tries) - pauseMs(one.state.tries) || other.rank - one.rank);
      if (due.length === 0 && running === 0) this.#users.delete(uid);
    }
    this.#start();
  }

  #queue(finding: Finding, state: State, snapshot: Snapshot): void {
    const { clockMs, log } = this.#parts;
    const listener = listenerOf(finding.subject, snapshot);
    const uid = listener?.creatorUid ?? null;
    if (this.#graceEndsMs(finding, snapshot) !== null) {
      const fields = { finding: finding.id, grace_ms: GRACE_MS };
      if (!state.announced) log.line(uid, 'attempt', fields, `${finding.summary}, ${keepCommand(finding)}`);
      state.announced = true;
      return;
    }
    const notBeforeMs = Math.max(state.nextMs, this.#pauseUntilMs.get(endpointOf(finding)) ?? 0);
    if (state.running || notBeforeMs > clockMs() || this.#udpStayMs(finding) > 0) return;
    const user = this.#users.get(uid) ?? { due: [], running: 0, served: 0 };
    this.#users.set(uid, user);
    user.due.push({ finding, state, rank: rankOf(listener, snapshot) });
  }

  #start(): void {
    let free = MOST_RUNNING - this.#runningNow();
    for (; free > 0 && !this.#stopped; free--) {
      const next = this.#whoseTurn(free);
      if (next === undefined) return;
      const [uid, user] = next;
      const { finding, state } = user.due.pop() as Due;
      user.served = ++this.#turn;
      user.running++;
      void this.#try(finding, uid, state).finally(() => {
        user.running--;
        this.#start();
        this.#update();
      });
    }
  }

  #runningNow(): number {
    return [...this.#users.values()].reduce((sum, { running }) => sum + running, 0);
  }

  /** The user who has waited longest among those with something to try and attempts left. */
  #whoseTurn(free: number): readonly [Maker, User] | undefined {
    const most = free > RESERVED ? MOST_OF_USER : 1;
    return [...this.#users]
      .filter(([, { due, running }]) => due.length > 0 && running < most)
      .sort(([, one], [, other]) => one.served - other.served)[0];
  }

  #update(): void {
    const { clockMs, tried } = this.#parts;
    if (this.#stopped || (this.#runningNow() > 0 && clockMs() < this.#updatedMs + UPDATE_EVERY_MS)) return;
    this.#updatedMs = clockMs();
    tried();
  }

  facts(judgement: Judgement, snapshot: Snapshot): Omit<RemedyFacts, 'shutDown'> {
    const { policy, remedies } = this.#parts;
    const banned = this.#dueOf(judgement, snapshot);
    const { epochMs, offsetMin } = snapshot.at;
    const pending = (policy === 'auto' ? banned : []).flatMap((finding) => {
      const stay = this.#udpStayMs(finding);
      const grace = this.#graceEndsMs(finding, snapshot);
      if (grace === null && stay <= 0) return [];
      const at = offsetTime({ epochMs: Math.max(grace ?? 0, epochMs + stay), offsetMin });
      const unless = stay > 0 ? ' unless it is closed before' : '';
      return [
        { finding: finding.id, at, advice: `it is shut down at ${at}${unless}, ${keepCommand(finding)}` },
      ];
    });
    const refused = banned.flatMap(({ id }) => {
      const outcome = remedies.refusal(id);
      return outcome === undefined ? [] : [{ finding: id, reason: outcome.text, advice: outcome.advice }];
    });
    return { pending, refused };
  }

  /** Banned listeners that the law does not allow. */
  #dueOf({ findings }: Judgement, snapshot: Snapshot): readonly Finding[] {
    const law = this.#parts.law();
    return findings.filter((finding) => {
      if (finding.check !== BANNED_LISTENER) return false;
      const listener = foreignSubject(finding) ?? listenerOf(finding.subject, snapshot);
      return listener === undefined || bannedSuppression(law, listener, snapshot.at.epochMs) === null;
    });
  }

  /** Milliseconds until a finding about UDP has lasted long enough; 0 or less when it has, for TCP, and in another namespace. */
  #udpStayMs(finding: Finding): number {
    if (!isUdp(finding) || foreignSubject(finding) !== undefined) return 0;
    const { clockMs } = this.#parts;
    return (this.#states.get(finding.id)?.sinceMs ?? clockMs()) + UDP_STAY_MS - clockMs();
  }

  async #try(finding: Finding, uid: Maker, state: State): Promise<void> {
    const { remedies, clockMs, log } = this.#parts;
    state.running = true;
    const result = await remedies.shutDown(finding, 'policy', uid).then(
      (outcome) => outcome.result,
      (error) => {
        // `stop` ends running attempts.
        if (!this.#stopped)
          log.line(uid, 'attempt', { finding: finding.id, reason: String(error) }, 'shutdown failed');
        return 'failed' as const;
      },
    );
    if (result === 'closed') this.#pauseUntilMs.delete(endpointOf(finding));
    else this.#pauseUntilMs.set(endpointOf(finding), clockMs() + FIRST_PAUSE_MS);
    state.running = false;
    state.tries = result === 'refused' || result === 'failed' ? state.tries + 1 : 1;
    state.nextMs = clockMs() + pauseMs(state.tries);
  }

  /** Epoch milliseconds at which the grace of a finding ends; null without grace. */
  #graceEndsMs(finding: Finding, snapshot: Snapshot): number | null {
    const { firstStartMs } = this.#parts;
    const nowMs = snapshot.at.epochMs;
    if (foreignSubject(finding) !== undefined) return null;
    if (firstStartMs === null || nowMs < firstStartMs || nowMs >= firstStartMs + GRACE_MS) return null;
    return ranBefore(finding, snapshot, firstStartMs) ? firstStartMs + GRACE_MS : null;
  }
}

/** After so many tries without success; 0 before the first. */
const pauseMs = (tries: number): number =>
  tries === 0 ? 0 : backoffMs(tries - 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);

/** A listener held by its creator comes before thousands that are not. */
const rankOf = (listener: Listener | undefined, { processes }: Snapshot): Due['rank'] =>
  listener?.holders.some(({ pid }) => processes.columns.uid[processes.rowOf(pid)] === listener.creatorUid)
    ? 0
    : 1;

const isUdp = ({ subject }: Finding): boolean => subject.kind === 'listener' && subject.protocol === 'udp';

const endpointOf = ({ check, subject, id }: Finding): string => endpointKey(check, subject) ?? id;

const keepCommand = ({ id }: Finding): string => `to keep it: desk accept ${id} --why "…"`;

/** Whether any holder of the listener started before the first start; unknown ages count as before. */
function ranBefore(finding: Finding, snapshot: Snapshot, firstStartMs: number): boolean {
  return (listenerOf(finding.subject, snapshot)?.holders ?? []).some(({ start }) => {
    const age = ageSec(snapshot, Number(start));
    return age === null || snapshot.at.epochMs - age * 1000 < firstStartMs;
  });
}
