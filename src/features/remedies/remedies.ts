/**
 * The only two remedies of the desk: it shuts a banned listener down, and moves a stale file of its own into quarantine. Everything
 * else is a suggestion to you. Every attempt is in the finding's history and in the log.
 */
import type { Logger } from 'pino';
import { withDeadline } from '../../base/promises.ts';
import type { Config } from '../../config/schema.ts';
import { now } from '../../engine/now.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Finding } from '../../findings/finding.ts';
import { type Judgement, type ProcessAbout, REMEDIED, STALE_FILE } from '../../findings/finding.ts';
import { type CookOff, onlyThese, type Remedied, suggestion } from '../../findings/pipeline.ts';
import { BANNED_LISTENER } from '../../policy/banned.ts';
import type { Law } from '../../policy/law.ts';
import type { Shutdown } from '../../records/shutdowns.ts';
import type { DeskState, RemedyFacts } from '../../records/state.ts';
import type { StateDir } from '../../state-folder/state-folder.ts';
import type { Quarantine } from '../quarantine/index.ts';
import { AttemptLog, type Maker } from './attempt-log.ts';
import { AutoShutdown } from './auto-shutdown.ts';
import type { Machine } from './machine.ts';
import { planFor, type ShutdownOutcome, shutDown } from './shutdown.ts';
import type { Shutdowns } from './shutdowns.ts';

/** More are probably not residue: the rest waits for the next command. */
export const MOST_FILES_A_RUN = 100;
/** How long a shutdown waits for the description of the holder; without it, what the sweep knows is kept. */
const DESCRIBE_MS = 300;
/** Shut down listeners that are kept: as many as the records show. */
const MOST_SHOWN = 50;

/** `cook`: all scars. `soft`: stale files of our own. `resolute`: these, and banned listeners. */
type CookOffKind = 'cook' | 'soft' | 'resolute';
type By = Shutdown['by'];

export interface RemediesParts {
  readonly config: Pick<Config, 'banned'>;
  /** Only a service acts by itself. */
  readonly role: 'service' | 'local';
  readonly state: Pick<StateDir, 'firstStart'>;
  readonly machine: Machine;
  readonly quarantine: Pick<Quarantine, 'folder' | 'setAside'>;
  readonly shutdowns: Pick<Shutdowns, 'list' | 'record'>;
  readonly law: () => Pick<Law, 'bannedPorts' | 'suppressions'>;
  readonly sweep: () => Promise<DeskState>;
  readonly recordEvent: (finding: string, at: string, event: string) => void;
  /** Who holds the listener of a finding; null when unknown. */
  readonly describe: (finding: Finding) => Promise<ProcessAbout | null>;
  readonly residueChanged: () => void;
  readonly log: Pick<Logger, 'warn'>;
}

export class Remedies {
  readonly id = 'remedies';
  readonly #parts: RemediesParts;
  readonly #attempts: AttemptLog;
  readonly #auto: AutoShutdown;
  readonly #running = new Map<string, Promise<ShutdownOutcome>>();
  /** By finding, the outcome that left its listener up. */
  readonly #refused = new Map<string, ShutdownOutcome>();
  #shutDown: readonly Shutdown[];

  constructor(parts: RemediesParts) {
    const { config, role, state, machine, shutdowns, law, sweep, log } = parts;
    this.#parts = parts;
    this.#shutDown = shutdowns.list(MOST_SHOWN);
    this.#attempts = new AttemptLog((fields, message) => log.warn(fields, message), machine.clockMs);
    this.#auto = new AutoShutdown({
      policy: config.banned.shut_down,
      law,
      remedies: this,
      firstStartMs: role === 'service' ? state.firstStart() : null,
      clockMs: machine.clockMs,
      log: this.#attempts,
      tried: () => void sweep().catch(() => undefined),
    });
  }

  /** Called with every state: shuts down what the law bans, after other subscribers have been notified. */
  observe(deskState: DeskState): void {
    if (this.#parts.role === 'service') setImmediate(() => this.#auto.observe(deskState));
  }

  facts(judgement: Judgement, snapshot: Snapshot): RemedyFacts {
    return { ...this.#auto.facts(judgement, snapshot), shutDown: this.#shutDown };
  }

  /** Waits for running attempts; one that waits for a process gives up. */
  async stop(): Promise<void> {
    this.#auto.stop();
    this.#parts.machine.interrupt();
    await Promise.allSettled(this.#running.values());
    this.#attempts.flush(true);
    await this.#parts.machine.close();
  }

  /** `only`: ids of the findings that it works on; default: all of the kind. */
  cookOff(kind: CookOffKind, only?: readonly string[]): CookOff {
    const isMeant = {
      cook: ({ scar }: Finding) => scar,
      soft: ({ check }: Finding) => check === STALE_FILE,
      resolute: ({ check }: Finding) => REMEDIED.has(check),
    }[kind];
    const all: CookOff = {
      subjects: ({ judgement }) => limited(judgement.findings.filter(isMeant)),
      apply: (finding, mode) => this.#apply(finding, mode),
    };
    return only === undefined ? all : onlyThese(all, new Set(only));
  }

  /** For a scheduled run of the gate: does nothing, and searches for no holders. */
  standingBy(): CookOff {
    const isAutomatic = ({ check }: Finding): boolean =>
      check === BANNED_LISTENER && this.#parts.config.banned.shut_down === 'auto';
    return {
      subjects: ({ judgement }) => judgement.scars,
      apply: async (finding) => ({
        ...suggestion(finding, 'check'),
        ...(isAutomatic(finding) && { result: 'left to automatic shutdown, [banned] shut_down is "auto"' }),
      }),
    };
  }

  /** Why the last attempt at a finding left its listener up; undefined without one. */
  refusal(finding: string): ShutdownOutcome | undefined {
    return this.#refused.get(finding);
  }

  /** Forgets refusals of findings that are closed. */
  keepOnly(open: ReadonlySet<string>): void {
    this.#attempts.flush();
    for (const id of this.#refused.keys()) if (!open.has(id)) this.#refused.delete(id);
  }

  /** One attempt at a time for a finding: a call meanwhile gets the outcome of the running one. */
  shutDown(finding: Finding, by: By, uid: Maker = null): Promise<ShutdownOutcome> {
    const running = this.#running.get(finding.id);
    if (running !== undefined) return running;
    const attempt = this.#attempt(finding, by, uid).finally(() => this.#running.delete(finding.id));
    this.#running.set(finding.id, attempt);
    return attempt;
  }

  async #attempt(finding: Finding, by: By, uid: Maker): Promise<ShutdownOutcome> {
    const { recordEvent, describe } = this.#parts;
    const { id } = finding;
    // Before the first signal: afterwards the process is gone. A description that is late or fails does not prevent the signal.
    const about =
      finding.about ??
      (await withDeadline(describe(finding), DESCRIBE_MS, 'its description').catch(() => null));
    const outcome = await shutDown(finding, this.#parts, ({ signal, target: { pid, executable } }) => {
      const fields = { finding: id, pid, executable, signal };
      this.#attempts.line(uid, 'signal', fields, 'signal to the holder of a banned listener');
    });
    const { result, text, advice } = outcome;
    const isUp = result === 'refused' || result === 'failed';
    // Automatic shutdown that is refused again for the same reason is recorded once.
    const before = this.#refused.get(id);
    const isRepeated =
      by === 'policy' && isUp && before !== undefined && sentenceOf(before) === sentenceOf(outcome);
    if (isUp) this.#refused.set(id, outcome);
    else {
      this.#refused.delete(id);
      this.#keep(finding, by, outcome, about);
    }
    if (!isRepeated) recordEvent(id, now(), `shutdown by ${by}: ${sentenceOf(outcome)}`);
    this.#attempts.line(uid, 'attempt', { finding: id, by, result, advice }, `shutdown: ${text}`);
    return outcome;
  }

  /** Keeps what was shut down; in memory alone when the store does not take it. */
  #keep(finding: Finding, by: By, { signals }: ShutdownOutcome, known: ProcessAbout | null): void {
    const { shutdowns } = this.#parts;
    const { subject, evidence, id } = finding;
    if (subject.kind !== 'listener') return;
    const { protocol, address, port } = subject;
    // Children are signalled first: the last one is their ancestor.
    const target = signals.at(-1)?.target;
    // Another process than the described one may have held it by the time of the signal.
    const about = target === undefined || known?.pid === target.pid ? known : null;
    const shutdown: Shutdown = {
      finding: id,
      at: now(),
      protocol,
      address,
      port,
      executable: target?.executable ?? about?.executable ?? String(evidence.executable ?? ''),
      uid: target?.uid ?? about?.uid ?? null,
      ended: signals.find(({ signal }) => signal === 'SIGKILL')?.signal ?? signals[0]?.signal ?? 'itself',
      by,
      times: 1,
      about,
    };
    const stored = shutdowns.record(shutdown) ? shutdowns.list(MOST_SHOWN) : [];
    const isStored = stored.some((one) => one.finding === id && one.at === shutdown.at);
    this.#shutDown = isStored ? stored : [shutdown, ...this.#shutDown].slice(0, MOST_SHOWN);
  }

  async #apply(finding: Finding, mode: 'check' | 'cook'): Promise<Remedied> {
    if (!REMEDIED.has(finding.check)) return suggestion(finding, mode);
    const [remedy, tried] =
      finding.check === STALE_FILE
        ? [`set ${pathOf(finding)} aside`, this.#setAside(finding, mode)]
        : ['shut the banned listener down', this.#shutDownBy(finding, mode)];
    return { finding: finding.id, remedy, ...(await tried) };
  }

  async #shutDownBy(finding: Finding, mode: 'check' | 'cook'): Promise<Tried> {
    if (this.#parts.config.banned.shut_down === 'never')
      return { result: 'left to you: [banned] shut_down is "never"', left: true, done: false };
    if (mode === 'cook') {
      const outcome = await this.shutDown(finding, 'command');
      const done = outcome.result === 'closed' || outcome.result === 'gone';
      return { result: sentenceOf(outcome), left: outcome.signals.length === 0, done };
    }
    const planned = await planFor(finding, this.#parts);
    if (planned === null) return { result: 'it is down already', left: true, done: true };
    const { plan } = planned;
    if (plan.kind === 'refuse')
      return { result: `would be refused: ${plan.text}, ${plan.advice}`, left: true, done: false };
    const who = plan.targets.map(({ pid, executable }) => `pid ${pid} (${executable})`).join(', then ');
    const result = `would send SIGTERM to ${who}, and SIGKILL if the port stays open`;
    return { result, left: false, done: true };
  }

  async #setAside(finding: Finding, mode: 'check' | 'cook'): Promise<Tried> {
    const { quarantine, recordEvent, log, residueChanged } = this.#parts;
    if (mode === 'check')
      return { result: `would be moved into ${quarantine.folder}`, left: false, done: true };
    const { id, summary } = finding;
    const path = pathOf(finding);
    const entry = await quarantine.setAside(path.slice(path.lastIndexOf('/') + 1), summary, id);
    const left = 'left' in entry;
    const result = left ? `left where it is: ${entry.left}` : `set aside as ${entry.id}`;
    recordEvent(id, now(), result);
    log.warn({ finding: id, path }, `quarantine: ${result}`);
    if (!left) residueChanged();
    return { result, left, done: !left };
  }
}

type Tried = Pick<Remedied, 'result' | 'left' | 'done'>;

const pathOf = ({ subject }: Finding): string => (subject.kind === 'file' ? subject.path : '');

/** The same findings, with at most MOST_FILES_A_RUN stale files. */
function limited(findings: readonly Finding[]): readonly Finding[] {
  let files = 0;
  return findings.filter(({ check }) => check !== STALE_FILE || ++files <= MOST_FILES_A_RUN);
}

function sentenceOf({ result, text, advice }: ShutdownOutcome): string {
  const what = result === 'refused' ? `refused: ${text}` : text;
  return advice === '' ? what : `${what}, ${advice}`;
}
