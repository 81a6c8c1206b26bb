/**
 * `[banned] shut_down = "auto"`: shuts each confirmed banned listener down, once. What is refused is tried again with growing
 * pauses. A UDP socket is shut down once it has stayed for 10 s. A listener that already ran when the state folder was first used
 * has 30 s of grace, reported with the command that excuses it. Listeners excused by the law are left alone. A few attempts run at a
 * time, and the users who created the listeners take turns: a user who opens thousands delays only their own.
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
import type { Moment, RemedyFacts } from '../../records/moment.ts';
import type { AttemptLog, Maker } from './attempt-log.ts';
import { foreignSubject } from './plan.ts';
import type { Remedies } from './remedies.ts';

export const GRACE_MS = 30_000;
/** A UDP client has a port of its own while it waits for the answer: only a socket that stays longer is shut down. */
export const UDP_STAY_MS = 10_000;
/** Attempts at a time, in all and for the listeners of one user: each may wait seconds for a process to end. */
export const MOST_RUNNING = 32;
export const MOST_OF_USER = 8;
/** The last of them are for users who have none running. */
const RESERVED = 8;
/** Pause between two updates of the records while attempts follow one another. */
const UPDATE_EVERY_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 600_000;

interface AutoShutdownParts {
  readonly policy: Config['banned']['shut_down'];
  readonly remedies: Pick<Remedies, 'shutDown' | 'refusal' | 'keepOnly'>;
  readonly law: () => Pick<Law, 'suppressions'>;
  /** When a service first used this state folder, milliseconds since the epoch; null = unknown, and no grace. */
  readonly firstStartMs: number | null;
  /** Milliseconds of a monotonic clock. */
  readonly clockMs: () => number;
  readonly log: Pick<AttemptLog, 'line'>;
  /** An attempt has ended: the records need an update. */
  readonly tried: () => void;
}

/** A listener to shut down. `rank` 0: a process of the user who created it holds it, so that it is likely to succeed. */
interface Due {
  readonly finding: Finding;
  readonly tries: number;
  readonly rank: 0 | 1;
}

interface Tried {
  readonly running: boolean;
  /** Failed attempts in a row; 1 after any other. */
  readonly tries: number;
  /** Of the monotonic clock. */
  readonly nextMs: number;
}

export class AutoShutdown {
  readonly #parts: AutoShutdownParts;
  readonly #tried = new Map<string, Tried>();
  /**
   * By endpoint, until when no other attempt is made: where one socket follows another, each is a finding of its own, and every
   * attempt searches all descriptors of the machine. The pause is constant, so that nothing gains a longer stay by it.
   */
  readonly #pauseUntilMs = new Map<string, number>();
  readonly #announced = new Set<string>();
  /** Since when a finding about UDP has been open without a gap, by the monotonic clock. */
  readonly #udpSinceMs = new Map<string, number>();
  /** By the user who created the listener, what to try now, the next one last. */
  #due = new Map<Maker, Due[]>();
  readonly #running = new Map<Maker, number>();
  /** A counter of when each user was served last: the one who has waited longest is next. */
  readonly #served = new Map<Maker, number>();
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
  observe({ snapshot, judgement }: Moment): void {
    const { policy, remedies, clockMs, log } = this.#parts;
    const banned = this.#dueOf(judgement, snapshot);
    const open = new Set(banned.map(({ id }) => id));
    for (const [id, { running }] of this.#tried) if (!running && !open.has(id)) this.#tried.delete(id);
    for (const [endpoint, untilMs] of this.#pauseUntilMs)
      if (untilMs <= clockMs()) this.#pauseUntilMs.delete(endpoint);
    remedies.keepOnly(open);
    this.#keepUdp(banned);
    this.#due = new Map();
    if (this.#stopped || policy !== 'auto') return;
    const due = new Map<Maker, Due[]>();
    for (const finding of banned) {
      const listener = listenerOf(finding.subject, snapshot);
      const uid = listener?.creatorUid ?? null;
      if (this.#graceEndsMs(finding, snapshot) !== null) {
        if (!this.#announced.has(finding.id)) {
          const fields = { finding: finding.id, grace_ms: GRACE_MS };
          log.line(uid, 'attempt', fields, `${finding.summary}, ${keepCommand(finding)}`);
        }
        this.#announced.add(finding.id);
        continue;
      }
      if (this.#udpStayMs(finding) > 0) continue;
      const tried = this.#tried.get(finding.id);
      if (tried?.running || (tried !== undefined && tried.nextMs > clockMs())) continue;
      if ((this.#pauseUntilMs.get(endpointOf(finding)) ?? 0) > clockMs()) continue;
      const one = { finding, tries: tried?.tries ?? 0, rank: rankOf(listener, snapshot) };
      const others = due.get(uid);
      if (others === undefined) due.set(uid, [one]);
      else others.push(one);
    }
    for (const queue of due.values())
      queue
        .reverse()
        .sort((one, other) => pauseMs(other.tries) - pauseMs(one.tries) || other.rank - one.rank);
    this.#due = due;
    for (const uid of this.#served.keys())
      if (!due.has(uid) && !this.#running.has(uid)) this.#served.delete(uid);
    this.#start();
  }

  #start(): void {
    let free = MOST_RUNNING - [...this.#running.values()].reduce((sum, count) => sum + count, 0);
    for (; free > 0 && !this.#stopped; free--) {
      const uid = this.#whoseTurn(free);
      if (uid === undefined) return;
      const queue = this.#due.get(uid) as Due[];
      const { finding, tries } = queue.pop() as Due;
      if (queue.length === 0) this.#due.delete(uid);
      this.#served.set(uid, ++this.#turn);
      this.#running.set(uid, (this.#running.get(uid) ?? 0) + 1);
      void this.#try(finding, uid, tries).finally(() => {
        const left = (this.#running.get(uid) ?? 1) - 1;
        if (left > 0) this.#running.set(uid, left);
        else this.#running.delete(uid);
        this.#start();
        this.#update();
      });
    }
  }

  /** The user who has waited longest among those with something to try and attempts left. */
  #whoseTurn(free: number): Maker | undefined {
    const most = free > RESERVED ? MOST_OF_USER : 1;
    let next: Maker | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const uid of this.#due.keys()) {
      const served = this.#served.get(uid) ?? 0;
      if (served >= earliest || (this.#running.get(uid) ?? 0) >= most) continue;
      next = uid;
      earliest = served;
    }
    return next;
  }

  /** While attempts run, the records are updated only every UPDATE_EVERY_MS: each update is a sweep. */
  #update(): void {
    const { clockMs, tried } = this.#parts;
    if (this.#stopped || (this.#running.size > 0 && clockMs() < this.#updatedMs + UPDATE_EVERY_MS)) return;
    this.#updatedMs = clockMs();
    tried();
  }

  /** What is about to happen, and what was refused. */
  facts(judgement: Judgement, snapshot: Snapshot): Omit<RemedyFacts, 'shutDown'> {
    const { policy, remedies } = this.#parts;
    const banned = this.#dueOf(judgement, snapshot);
    const { epochMs, offsetMin } = snapshot.at;
    const pending =
      policy !== 'auto'
        ? []
        : banned.flatMap((finding) => {
            const stay = this.#udpStayMs(finding);
            const grace = this.#graceEndsMs(finding, snapshot);
            if (grace === null && stay <= 0) return [];
            const at = offsetTime({ epochMs: Math.max(grace ?? 0, epochMs + stay), offsetMin });
            const unless = stay > 0 ? ' unless it is closed before' : '';
            const advice = `it is shut down at ${at}${unless}, ${keepCommand(finding)}`;
            return [{ finding: finding.id, at, advice }];
          });
    const refused = banned.flatMap((finding) => {
      const outcome = remedies.refusal(finding.id);
      return outcome === undefined
        ? []
        : [{ finding: finding.id, reason: outcome.text, advice: outcome.advice }];
    });
    return { pending, refused };
  }

  /** Banned listeners that the law does not excuse. */
  #dueOf({ findings }: Judgement, snapshot: Snapshot): readonly Finding[] {
    const law = this.#parts.law();
    return findings.filter((finding) => {
      if (finding.check !== BANNED_LISTENER) return false;
      const listener = foreignSubject(finding) ?? listenerOf(finding.subject, snapshot);
      return listener === undefined || bannedSuppression(law, listener, snapshot.at.epochMs) === null;
    });
  }

  /** Notes new UDP sockets and forgets those that are gone: the next one on the port starts from zero. */
  #keepUdp(banned: readonly Finding[]): void {
    const udp = new Set(banned.filter(isUdp).map(({ id }) => id));
    for (const id of this.#udpSinceMs.keys()) if (!udp.has(id)) this.#udpSinceMs.delete(id);
    for (const id of udp) if (!this.#udpSinceMs.has(id)) this.#udpSinceMs.set(id, this.#parts.clockMs());
  }

  /** Milliseconds until a finding about UDP has lasted long enough; 0 or less when it has, for TCP, and in another namespace. */
  #udpStayMs(finding: Finding): number {
    if (!isUdp(finding) || foreignSubject(finding) !== undefined) return 0;
    const { clockMs } = this.#parts;
    return (this.#udpSinceMs.get(finding.id) ?? clockMs()) + UDP_STAY_MS - clockMs();
  }

  async #try(finding: Finding, uid: Maker, earlierTries: number): Promise<void> {
    const { remedies, clockMs, log } = this.#parts;
    this.#tried.set(finding.id, { running: true, tries: earlierTries, nextMs: 0 });
    const result = await remedies.shutDown(finding, 'policy', uid).then(
      (outcome) => outcome.result,
      (error) => {
        // `stop` ends running attempts.
        if (!this.#stopped)
          log.line(uid, 'attempt', { finding: finding.id, reason: String(error) }, 'shutdown failed');
        return 'failed' as const;
      },
    );
    const left = result === 'refused' || result === 'failed';
    if (result === 'closed') this.#pauseUntilMs.delete(endpointOf(finding));
    else this.#pauseUntilMs.set(endpointOf(finding), clockMs() + FIRST_PAUSE_MS);
    const tries = left ? earlierTries + 1 : 1;
    const nextMs = clockMs() + pauseMs(tries);
    this.#tried.set(finding.id, { running: false, tries, nextMs });
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
