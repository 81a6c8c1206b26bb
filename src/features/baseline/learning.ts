/**
 * Secure learning: B into A after a clean gate only. Once per state folder by itself (first use), on demand, at the end of a
 * learning window, and, where the law allows it, what the system installed. A critical finding is never learned.
 */
import { DeskError } from '../../base/desk-error.ts';
import type { BaselineState, Known } from '../../checks/check.ts';
import type { Learned } from '../../desk.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Difference } from '../../records/baseline-diff.ts';
import { scarsText } from '../../records/derive.ts';
import type { Moment } from '../../records/moment.ts';
import { storeFails } from '../../store/guarded.ts';
import type { ScarGate } from '../gate/index.ts';
import { broughtBy, passesButForChanges } from './contents.ts';
import { changedBetween } from './identity-detail.ts';
import { type LearningOptions, Lessons } from './lessons.ts';
import type { Rows } from './observation.ts';
import { withoutUnconfirmed } from './residue.ts';
import { type Generation, rowId } from './rows.ts';
import type { BaselineTables } from './tables.ts';
import { UnaskedLearning } from './unasked.ts';

const MINUTE_MS = 60_000;

export class Learning {
  readonly gate: ScarGate;
  readonly #options: LearningOptions;
  readonly #lessons: Lessons;
  readonly #unasked: UnaskedLearning;

  constructor(options: LearningOptions) {
    this.#options = options;
    this.#lessons = new Lessons(options);
    this.#unasked = new UnaskedLearning(options, this.#lessons);
    this.gate = this.#lessons.gate;
  }

  get known(): Known | null {
    return this.#lessons.held.known;
  }

  /** What runs is being learned, or its contents recorded. */
  get gathers(): boolean {
    return this.#unasked.gathers;
  }

  /** A as the checks get it. */
  held(snapshot: Snapshot): { readonly known: Known | null; readonly baseline: BaselineState } {
    return this.#lessons.held.toldTo(snapshot);
  }

  /** After every recheck, while its columns hold: gathers what the first pass, or an open window, shows. */
  observed(moment: Moment): void {
    this.#unasked.observed(moment);
  }

  /** Learns by itself what is due, and resolves when that is done. What fails is logged, and reported by the store. */
  whenDue(latest: Moment): Promise<void> {
    return this.#unasked.whenDue(latest);
  }

  /** B into A after a clean gate; with `windowMin` opens a learning window of so many minutes. */
  learn(windowMin?: number): Promise<Learned> {
    return windowMin === undefined ? this.learnOnce() : this.openWindow(windowMin);
  }

  /** B into A, with what an open window has gathered; the window is closed by it. */
  async learnOnce(): Promise<Learned> {
    const { baseline: tables } = this.#options;
    if (this.#isTooEarly()) throw tooEarly();
    await this.#lessons.readContents();
    const held = this.#lessons.held.rows;
    const brings = (moment: Moment) => ({
      rows: this.#lessons.withWindow(moment),
      closesWindow: tables.standing().window === null ? null : 'learned on demand',
    });
    const { run, rows } = await this.#lessons.learn('learned', brings, null, passesButForChanges);
    if (rows === null) throw refusalOf(run.moment);
    const generation = run.generation ?? tables.standing().baseline.generation;
    const added = broughtBy(rows, held).length;
    this.#options.log.info({ generation, added }, 'learned');
    await this.#options.look();
    return { generation, added, windowUntilMs: null };
  }

  /** Opens a learning window of so many minutes, or moves the end of the open one. */
  async openWindow(minutes: number): Promise<Learned> {
    const { baseline: tables, log } = this.#options;
    const { generation } = tables.standing().baseline;
    if (this.#lessons.held.rows.size === 0) throw nothingLearned();
    const windowUntilMs = this.#lessons.nowMs() + minutes * MINUTE_MS;
    if (!tables.openWindow(this.#lessons.nowMs(), windowUntilMs)) throw storeFails(tables.access);
    log.info({ until: new Date(windowUntilMs).toISOString() }, 'learning window opened');
    await this.#options.look();
    return { generation, added: 0, windowUntilMs };
  }

  /** What B has and A has not, the other way round, and what `learnOnce` would do over this moment. */
  async difference(): Promise<Difference> {
    return this.differenceAt(await this.#options.look());
  }

  /** The same of a moment that is at hand. */
  differenceAt(moment: Moment): Difference {
    const { baseline: tables } = this.#options;
    const passes = passesButForChanges(moment) && this.#lessons.held.sound;
    let refusal = passes ? null : refusalOf(moment);
    if (tables.access.failure !== '') refusal = storeFails(tables.access);
    if (this.#isTooEarly()) refusal = tooEarly();
    const brought = () => withoutUnconfirmed(this.#lessons.withWindow(moment), moment, false);
    return differenceOf(moment, this.#lessons.held.rows, this.#lessons.observe(moment), refusal ?? brought());
  }

  /** Learning by itself is still to come. */
  #isTooEarly = (): boolean => this.#options.complete !== null && this.#options.baseline.standing().firstUse;

  /** A new generation with the rows of an old one, whose digest must verify. */
  async restore(number: number): Promise<Learned> {
    const { baseline: tables, log } = this.#options;
    const from = restorable(tables, number);
    const held = this.#lessons.held.rows;
    const rows = tables.rows(number);
    const generation = tables.addGeneration({
      how: 'restored',
      privilege: from.privilege,
      learnedAt: this.#lessons.now(),
      parent: number,
      rows,
    });
    if (generation === null) throw storeFails(tables.access);
    log.info({ generation, from: number }, 'restored');
    await this.#options.look();
    return { generation, added: rows.filter((row) => !held.has(rowId(row))).length, windowUntilMs: null };
  }

  /** A person has looked through what is to be reviewed; how many rows that were. */
  async reviewed(): Promise<{ readonly generation: number; readonly rows: number }> {
    const { baseline: tables } = this.#options;
    const { generation, toReview } = tables.standing().baseline;
    if (!tables.markReviewed()) throw storeFails(tables.access);
    await this.#options.look();
    return { generation, rows: toReview };
  }

  /** Waits for what is being learned by itself. */
  async close(): Promise<void> {
    await this.#unasked.close();
    await this.gate.close();
  }
}

const beyond = (rows: Rows, held: Rows): Difference['added'] =>
  [...rows].filter(([id]) => !held.has(id)).map(([, row]) => row);

/** `brought`: the rows that learning would take, or why it would be refused. Classes of findings are told only when they are new. */
const differenceOf = (moment: Moment, held: Rows, observed: Rows, brought: Rows | DeskError): Difference => ({
  moment,
  generation: moment.desk.baseline.generation,
  added: beyond(observed, held),
  gone: [...held].filter(([id, { kind }]) => kind !== 'class' && !observed.has(id)).map(([, row]) => row),
  changed: changedBetween(held, observed.values()),
  learns:
    brought instanceof Error ? [] : [...beyond(brought, held), ...changedBetween(held, brought.values())],
  refusal: brought instanceof Error ? `${brought.message} ${brought.remedy}` : '',
});

const LIST = 'List them with "desk baseline list".';

/** @throws DeskError when there is no such generation, when its digest does not verify, or when it is the held one. */
function restorable(tables: BaselineTables, number: number): Generation {
  const from = tables.generations().find((generation) => generation.number === number);
  if (from === undefined) throw new DeskError('not-found', `There is no generation ${number}.`, LIST);
  const sound = tables.verify(number);
  if (sound === null) throw storeFails(tables.access);
  if (sound.state !== 'sound')
    throw new DeskError(
      'refused',
      `Generation ${number} cannot be restored: ${sound.detail}.`,
      'Take one that "desk baseline list" shows as sound; generation 0 is empty.',
    );
  if (number === tables.standing().baseline.generation)
    throw new DeskError('refused', `Generation ${number} is the held one.`, LIST);
  return from;
}

/** Scars that a refusal names. */
const NAMED = 5;

const tooEarly = (): DeskError =>
  new DeskError(
    'refused',
    'This is the first use: the desk learns by itself once every check has looked at everything.',
    'Wait until "desk baseline list" shows generation 1.',
  );

const nothingLearned = (): DeskError =>
  new DeskError(
    'refused',
    'Nothing is learned yet, so there is nothing for a learning window to add to.',
    'Learn what runs with "desk secure learn once" first.',
  );

/** Why a gate that did not pass teaches nothing. */
function refusalOf({ judgement, desk }: Moment): DeskError {
  const { scars } = judgement;
  if (scars.length === 0 && desk.gate.god === 1)
    return new DeskError(
      'refused',
      'Another process has written to the baseline while the gate ran, so nothing is learned.',
      'Look at it with "desk baseline list", then learn again.',
    );
  if (scars.length === 0)
    return new DeskError(
      'refused',
      `The gate does not pass: the store has ${desk.gate.god} authoritative generations instead of one.`,
      'Look at them with "desk baseline list".',
    );
  const named = scars.slice(0, NAMED).map(({ id, summary, severity }) => `${id} (${severity}): ${summary}`);
  const more = scars.length > NAMED ? [`and ${scars.length - NAMED} more`] : [];
  return new DeskError(
    'refused',
    `The gate does not pass, so nothing is learned: ${scarsText(scars.length)}. ${[...named, ...more].join('; ')}.`,
    scars.some(({ check }) => check === 'baseline-tampered')
      ? 'Go back to a generation that verifies with "desk baseline restore N", or start from nothing with "desk baseline restore 0".'
      : 'End what each of them names, or accept it with "desk accept ID --why REASON", then learn again.',
  );
}
