/** Contents of programs as learning takes them: what changes it may take, and what an earlier version did not record. */
import type { Known } from '../../checks/check.ts';
import { compare, programKey } from '../../checks/content.ts';
import type { Judgement } from '../../findings/finding.ts';
import type { DeskState } from '../../records/state.ts';
import { detailOf, detailText, newContentOf } from './identity-detail.ts';
import { CHANGED_PROGRAM, type Rows, type RunningContents, rowsBy } from './observation.ts';
import { type BaselineRow, rowId } from './rows.ts';
import { beyondStartup } from './startup-rows.ts';

/** A large machine's programs are read within seconds; what takes longer is learned by its path. */
export const READ_MS = 30_000;

/** Contents of what runs, and reading those that only a digest can tell. */
export interface ContentSource {
  running(): RunningContents;
  read(withinMs: number): Promise<void>;
}

/** The scars that learning on demand does not take: it takes other contents of learned programs, which is how those end. */
export const beyondChanges = ({ scars }: Pick<Judgement, 'scars'>): Judgement['scars'] =>
  scars.filter(({ check }) => check !== CHANGED_PROGRAM);

/** The scars whose rows learning on demand does not take: while nothing is held, what starts by itself is as little news as what runs. */
export const rejected = (scars: Judgement['scars'], held: Rows): Judgement['scars'] =>
  held.size === 0 ? beyondStartup(scars) : scars;

/** The gate would pass for learning on demand if it were not for what that takes. */
export const passesOnDemand = ({ judgement, desk }: DeskState, held: Rows): boolean =>
  rejected(beyondChanges(judgement), held).length === 0 && desk.gate.god === 1;

/** Rows that learning adds, or adds a content to. */
export const broughtBy = (rows: Rows, held: Rows): readonly BaselineRow[] =>
  [...rows.values()].filter((row) => {
    const before = held.get(rowId(row));
    return before === undefined || newContentOf(before, row) !== undefined;
  });

/** Learned by an earlier version, which kept paths alone. */
export const lacksContents = (known: Known | null): boolean =>
  known?.contents !== undefined &&
  known.contents.size > 0 &&
  [...known.contents.values()].every((contents) => contents.length === 0);

/** Of the held rows those that run, with their contents. Nothing says what was learned, so each is to be reviewed. */
export const recordedRows = (held: Rows, observed: Rows): Rows =>
  rowsBy(
    [...observed].flatMap(([id, row]) =>
      held.has(id) && detailOf(row).contents.length > 0 ? [{ ...row, review: true }] : [],
    ),
  );

/**
 * The same rows, of learned programs with known contents alone: what is learned automatically or at the end of a window adds no content
 * to them, whether it was found to be another one or its digest is still to be read. A person takes it on demand.
 */
export const withKnownContents = (rows: Rows, known: Known | null): Rows =>
  rowsBy(
    [...rows.values()].map((row) => {
      const detail = detailOf(row);
      const program = programKey({ executable: detail.executable, identity: row.text });
      const learned = known?.contents?.get(program) ?? [];
      if (learned.length === 0) return row;
      const contents = detail.contents.filter(
        (one) => compare(one, one.sha256 || undefined, learned) === 'same',
      );
      return { ...row, detail: detailText({ ...detail, contents }) };
    }),
  );
