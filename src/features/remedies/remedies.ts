/**
 * What cook-off may do, and nothing else: shut a banned listener down, set a stale file of the desk aside. Everything else is
 * a suggestion to a person. Every attempt is told to the finding's history and to the log.
 */

import type { Finding, ProcessAbout } from '../../checks/judgement.ts';
import { REMEDIED, STALE_FILE } from '../../checks/remedied.ts';
import type { Config } from '../../config-schema.ts';
import { withDeadline } from '../../engine/promises.ts';
import { type CookOff, type Remedied, suggestion } from '../../gate/pipeline.ts';
import { BANNED_LISTENER } from '../../law/banned.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { Quarantine } from '../quarantine/quarantine.ts';
import type { AttemptLog, Log, Maker } from './attempt-log.ts';
import type { Target } from './plan.ts';
import { planFor, type ShutdownOutcome, type ShutdownParts, shutDown } from './shutdown.ts';

/** More than this in one run is not residue but something else's doing: the rest waits for a person's next call. */
export const MOST_FILES_A_RUN = 100;

/** So long a shutdown waits for the description of who holds the listener, milliseconds; without it, what the sweep knows is kept. */
const DESCRIBE_MS = 300;

/** `cook`: all scars. `soft`: stale files of our own. `resolute`: these, and banned listeners. */
export type CookOffKind = 'cook' | 'soft' | 'resolute';

export interface RemedyParts {
  readonly shutdown: ShutdownParts;
  readonly quarantine: Quarantine;
  readonly policy: () => Config['banned']['shut_down'];
  /** A line of the finding's history. */
  readonly record: (finding: string, event: string) => void;
  /** Who holds the listener of a finding, asked while that runs; null when it cannot be told. */
  readonly describe: (finding: Finding) => Promise<ProcessAbout | null>;
  /** A banned listener is down. */
  readonly shutDown: (shutdown: Omit<Shutdown, 'at'>) => void;
  readonly log: Log;
  /** What is tried against listeners, bounded for each user. */
  readonly attempts: AttemptLog;
  /** The residue has changed: look at it again. */
  readonly residueChanged: () => void;
}

/** `signalled`: a signal went out, whatever came of it. */
type Attempted = ShutdownOutcome & { readonly signalled: boolean };

/** How a listener ended, and who held it: null when nobody was signalled. */
interface Killed {
  ended: Shutdown['ended'];
  target: Target | null;
}

export class Remedies {
  readonly #parts: RemedyParts;
  readonly #running = new Map<string, Promise<Attempted>>();
  /** Outcomes that left a listener up, by finding. */
  readonly #refused = new Map<string, ShutdownOutcome>();

  constructor(parts: RemedyParts) {
    this.#parts = parts;
  }

  cookOff(kind: CookOffKind): CookOff {
    const about = {
      cook: ({ scar }: Finding) => scar,
      soft: ({ check }: Finding) => check === STALE_FILE,
      resolute: ({ check }: Finding) => REMEDIED.has(check),
    }[kind];
    return {
      subjects: ({ judgement }) => limited(judgement.findings.filter(about)),
      apply: (finding, mode) => this.#apply(finding, mode),
    };
  }

  /** For a run that comes by itself: it acts on nothing, and looks for no holders. */
  standingBy(): CookOff {
    const ordered = ({ check }: Finding): boolean =>
      check === BANNED_LISTENER && this.#parts.policy() === 'auto';
    return {
      subjects: ({ judgement }) => judgement.scars,
      apply: async (finding) => ({
        ...suggestion(finding, 'check'),
        ...(ordered(finding) && { result: 'left to the standing order, [banned] shut_down is "auto"' }),
      }),
    };
  }

  /** Why the last attempt at a finding left its listener up; undefined when there was none. */
  refusal(finding: string): ShutdownOutcome | undefined {
    return this.#refused.get(finding);
  }

  /** Forgets refusals of findings that are closed. */
  keepOnly(open: ReadonlySet<string>): void {
    this.#parts.attempts.flush();
    for (const id of this.#refused.keys()) if (!open.has(id)) this.#refused.delete(id);
  }

  /** One attempt at a time for a finding; who asks meanwhile gets the outcome of the one that runs. */
  shutDown(finding: Finding, by: 'policy' | 'command', uid: Maker = null): Promise<ShutdownOutcome> {
    return this.#attempt(finding, by, uid);
  }

  #attempt(finding: Finding, by: 'policy' | 'command', uid: Maker): Promise<Attempted> {
    const running = this.#running.get(finding.id);
    if (running !== undefined) return running;
    const attempt = this.#shutDown(finding, by, uid).finally(() => this.#running.delete(finding.id));
    this.#running.set(finding.id, attempt);
    return attempt;
  }

  /** Attempts that run now. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
    this.#parts.attempts.flush(true);
  }

  async #shutDown(finding: Finding, by: 'policy' | 'command', uid: Maker): Promise<Attempted> {
    const { shutdown, record, attempts, describe } = this.#parts;
    // Before the first signal: nothing can be read of it afterwards. It delays the signal by a moment only, and never prevents it.
    const about =
      finding.about ??
      (await withDeadline(describe(finding), DESCRIBE_MS, 'its description').catch(() => null));
    let signalled = false;
    const killed: Killed = { ended: 'itself', target: null };
    const outcome = await shutDown(finding, {
      ...shutdown,
      tell: (signal, target) => {
        signalled = true;
        // Children come first: the last one is who they descend from.
        killed.target = target;
        if (killed.ended !== 'SIGKILL') killed.ended = signal;
        const { pid, executable } = target;
        const fields = { finding: finding.id, pid, executable, signal };
        attempts.line(uid, 'signal', fields, 'signal to the holder of a banned listener');
      },
    });
    const left = outcome.result === 'refused' || outcome.result === 'failed';
    const text = sentenceOf(outcome);
    // A policy that is refused again and again for one reason says so once.
    const told = by === 'policy' && left && sentenceOf(this.#refused.get(finding.id)) === text;
    if (!left) this.#keep(finding, by, killed, about);
    if (left) this.#refused.set(finding.id, outcome);
    else this.#refused.delete(finding.id);
    if (!told) record(finding.id, `shutdown by ${by}: ${text}`);
    const fields = { finding: finding.id, by, result: outcome.result, advice: outcome.advice };
    attempts.line(uid, 'attempt', fields, `shutdown: ${outcome.text}`);
    return { ...outcome, signalled };
  }

  #keep(
    finding: Finding,
    by: 'policy' | 'command',
    { ended, target }: Killed,
    known: ProcessAbout | null,
  ): void {
    const { subject, evidence, id } = finding;
    if (subject.kind !== 'listener') return;
    // Somebody else may have held it by the time of the signal.
    const about = target === null || known?.pid === target.pid ? known : null;
    const executable = target?.executable ?? about?.executable ?? String(evidence.executable ?? '');
    const uid = target?.uid ?? about?.uid ?? null;
    const { protocol, address, port } = subject;
    this.#parts.shutDown({
      finding: id,
      protocol,
      address,
      port,
      executable,
      uid,
      ended,
      by,
      times: 1,
      about,
    });
  }

  async #apply(finding: Finding, mode: 'check' | 'cook'): Promise<Remedied> {
    const { policy } = this.#parts;
    if (!REMEDIED.has(finding.check)) return suggestion(finding, mode);
    if (finding.check === STALE_FILE) return this.#setAside(finding, mode);
    const remedy = 'shut the banned listener down';
    if (policy() === 'never')
      return {
        finding: finding.id,
        remedy,
        result: 'left to you: [banned] shut_down is "never"',
        left: true,
        done: false,
      };
    if (mode === 'check') return { finding: finding.id, remedy, ...(await this.#foretell(finding)) };
    const outcome = await this.#attempt(finding, 'command', null);
    return {
      finding: finding.id,
      remedy,
      result: sentenceOf(outcome),
      left: !outcome.signalled,
      done: isDown(outcome),
    };
  }

  async #foretell(finding: Finding): Promise<Omit<Remedied, 'finding' | 'remedy'>> {
    const planned = await planFor(finding, this.#parts.shutdown);
    if (planned === null) return { result: 'it is down already', left: true, done: true };
    const { plan } = planned;
    if (plan.kind === 'refuse')
      return { result: `would be refused: ${plan.text}, ${plan.advice}`, left: true, done: false };
    const who = plan.targets.map(({ pid, executable }) => `pid ${pid} (${executable})`).join(', then ');
    const result = `would send SIGTERM to ${who}, and SIGKILL if the port stays open`;
    return { result, left: false, done: true };
  }

  async #setAside(finding: Finding, mode: 'check' | 'cook'): Promise<Remedied> {
    const { quarantine, record, log, residueChanged } = this.#parts;
    const { subject, id } = finding;
    const path = subject.kind === 'file' ? subject.path : '';
    const name = path.slice(path.lastIndexOf('/') + 1);
    const remedy = `set ${path} aside`;
    if (mode === 'check')
      return {
        finding: id,
        remedy,
        result: `would be moved into ${quarantine.folder}`,
        left: false,
        done: true,
      };
    const entry = await quarantine.setAside(name, finding.summary, id);
    const result = 'left' in entry ? `left where it is: ${entry.left}` : `set aside as ${entry.id}`;
    record(id, result);
    log({ finding: id, path }, `quarantine: ${result}`);
    if (!('left' in entry)) residueChanged();
    return { finding: id, remedy, result, left: 'left' in entry, done: !('left' in entry) };
  }
}

const isDown = ({ result }: ShutdownOutcome): boolean => result === 'closed' || result === 'gone';

/** Findings as they are, but at most so many files. */
function limited(findings: readonly Finding[]): readonly Finding[] {
  const files = findings.filter(({ check }) => check === STALE_FILE).slice(MOST_FILES_A_RUN);
  return files.length === 0 ? findings : findings.filter((finding) => !files.includes(finding));
}

const sentenceOf = (outcome: ShutdownOutcome | undefined): string => {
  if (outcome === undefined) return '';
  const { result, text, advice } = outcome;
  const what = result === 'refused' ? `refused: ${text}` : text;
  return advice === '' ? what : `${what}, ${advice}`;
};
