/**
 * Secure learning: B into A after a clean gate only. Once per state folder automatically (first use), on demand, at the end of a
 * learning window, and, where the law allows it, what the system installed. A critical finding is never learned.
 */

import { DeskError } from '../../base/desk-error.ts';
import { scarsText } from '../../findings/finding.ts';
import type { Difference } from '../../records/baseline-diff.ts';
import type { LearnedGeneration } from '../../records/learned.ts';
import type { DeskState } from '../../records/state.ts';
import { storeFails } from '../../store/guarded.ts';
import { broughtBy, passesOnDemand, rejected } from './contents.ts';
import { changedBetween } from './identity-detail.ts';
import type { Rows, RunningContents } from './observation.ts';
import { withoutUnconfirmed } from './residue.ts';
import { type Generation, rowId } from './rows.ts';
import type { BaselineTables } from './tables.ts';
import { AutomaticLearning } from './unasked.ts';

const MINUTE_MS = 60_000;

export class Learning extends AutomaticLearning {
  /** B into A after a clean gate; with `windowMin` opens a learning window of so many minutes. */
  learn(windowMin?: number): Promise<LearnedGeneration> {
    return windowMin === undefined ? this.learnOnce() : this.openWindow(windowMin);
  }

  /** B into A, with what an open window has gathered; the window is closed by it. */
  async learnOnce(): Promise<LearnedGeneration> {
    const { baseline: tables } = this.options;
    if (this.#isTooEarly()) throw tooEarly();
    await this.readContents();
    const held = this.heldBaseline.rows;
    const brings = (state: DeskState) => ({
      rows: this.withWindow(state),
      closesWindow: tables.state().window === null ? null : 'learned on demand',
      ...(held.size === 0 && { unrecorded: state.judgement.missed }),
    });
    const { run, rows } = await this.teach(
      'learned',
      brings,
      null,
      (state) => passesOnDemand(state, held),
      (scars) => rejected(scars, held),
    );
    if (rows === null) throw refusalOf(run.state);
    const generation = run.generation ?? tables.state().baseline.generation;
    const added = broughtBy(rows, held).length;
    this.options.log.info({ generation, added }, 'learned');
    await this.options.sweep();
    return { generation, added, windowUntilMs: null };
  }

  /** Opens a learning window of so many minutes, or moves the end of the open one. */
  async openWindow(minutes: number): Promise<LearnedGeneration> {
    const { baseline: tables, log } = this.options;
    const { generation } = tables.state().baseline;
    if (this.heldBaseline.rows.size === 0) throw nothingLearned();
    const windowUntilMs = this.nowMs() + minutes * MINUTE_MS;
    if (!tables.openWindow(this.nowMs(), windowUntilMs)) throw storeFails(tables.access);
    log.info({ until: new Date(windowUntilMs).toISOString() }, 'learning window opened');
    await this.options.sweep();
    return { generation, added: 0, windowUntilMs };
  }

  generations(): readonly Generation[] {
    return this.options.baseline.generations();
  }

  contents(): RunningContents {
    return this.running();
  }

  async difference(): Promise<Difference> {
    return this.differenceAt(await this.options.sweep());
  }

  /** The differences of A and B in both directions, and what `learnOnce` would do over this state. */
  differenceAt(state: DeskState): Difference {
    const { baseline: tables } = this.options;
    const passes = passesOnDemand(state, this.heldBaseline.rows) && this.heldBaseline.sound;
    let refusal = passes ? null : refusalOf(state);
    if (tables.access.failure !== '') refusal = storeFails(tables.access);
    if (this.#isTooEarly()) refusal = tooEarly();
    const brought = () => withoutUnconfirmed(this.withWindow(state), state, false);
    return differenceOf(state, this.heldBaseline.rows, this.observe(state), refusal ?? brought());
  }

  #isTooEarly = (): boolean => this.options.complete !== null && this.options.baseline.state().firstUse;

  async restore(number: number): Promise<LearnedGeneration> {
    const { baseline: tables, log } = this.options;
    const from = restorable(tables, number);
    const held = this.heldBaseline.rows;
    const rows = tables.rows(number);
    const generation = tables.addGeneration({
      how: 'restored',
      privilege: from.privilege,
      learnedAt: this.now(),
      parent: number,
      rows,
    });
    if (generation === null) throw storeFails(tables.access);
    log.info({ generation, from: number }, 'restored');
    await this.options.sweep();
    return { generation, added: rows.filter((row) => !held.has(rowId(row))).length, windowUntilMs: null };
  }

  /** A person has reviewed what was to be reviewed; how many rows that were. */
  async reviewed(): Promise<{ readonly generation: number; readonly rows: number }> {
    const { baseline: tables } = this.options;
    const { generation, toReview } = tables.state().baseline;
    if (!tables.markReviewed()) throw storeFails(tables.access);
    await this.options.sweep();
    return { generation, rows: toReview };
  }
}

const beyond = (rows: Rows, held: Rows): Difference['added'] =>
  [...rows].filter(([id]) => !held.has(id)).map(([, row]) => row);

/** `brought`: the rows that learning would take, or why it would be refused. Classes of findings are listed only when they are new. */
const differenceOf = (
  state: DeskState,
  held: Rows,
  observed: Rows,
  brought: Rows | DeskError,
): Difference => ({
  state,
  generation: state.desk.baseline.generation,
  added: beyond(observed, held),
  gone: [...held].filter(([id, { kind }]) => kind !== 'class' && !observed.has(id)).map(([, row]) => row),
  changed: changedBetween(held, observed.values()),
  learns:
    brought instanceof Error ? [] : [...beyond(brought, held), ...changedBetween(held, brought.values())],
  refusal: brought instanceof Error ? `${brought.message} ${brought.remedy}` : '',
});

const LIST = 'List them with "desk baseline list".';

/** @throws DeskError for an unknown generation, when its digest does not verify, or when it is the held one. */
function restorable(tables: BaselineTables, number: number): Generation {
  const from = tables.generations().find((generation) => generation.number === number);
  if (from === undefined) throw new DeskError('not-found', `Generation ${number} does not exist.`, LIST);
  const sound = tables.verify(number);
  if (sound === null) throw storeFails(tables.access);
  if (sound.state !== 'sound')
    throw new DeskError(
      'refused',
      `Generation ${number} cannot be restored: ${sound.detail}.`,
      'Take one that "desk baseline list" shows as sound; generation 0 is empty.',
    );
  if (number === tables.state().baseline.generation)
    throw new DeskError('refused', `Generation ${number} is the held one.`, LIST);
  return from;
}

const NAMED = 5;

const tooEarly = (): DeskError =>
  new DeskError(
    'refused',
    'This is the first use: the desk learns automatically once every check has scanned everything.',
    'Wait until "desk baseline list" shows generation 1.',
  );

const nothingLearned = (): DeskError =>
  new DeskError(
    'refused',
    'Nothing is learned yet, so there is nothing for a learning window to add to.',
    'Learn what runs with "desk secure learn once" first.',
  );

function refusalOf({ judgement, desk }: DeskState): DeskError {
  const { scars } = judgement;
  if (scars.length === 0 && desk.gate.god === 1)
    return new DeskError(
      'refused',
      'Another process has written to the baseline while the gate ran, so nothing is learned.',
      'Check it with "desk baseline list", then learn again.',
    );
  if (scars.length === 0)
    return new DeskError(
      'refused',
      `The gate does not pass: the store has ${desk.gate.god} authoritative generations instead of one.`,
      'Check them with "desk baseline list".',
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
