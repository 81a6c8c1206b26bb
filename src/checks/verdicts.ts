/** Verdicts as they are gathered from checks. Pure. */
import {
  type AvenueId,
  type Blindness,
  type Check,
  type Fail,
  failOf,
  type Report,
  type ScanCheck,
} from './check.ts';
import { CheckRuns } from './check-runs.ts';
import type { Subject } from './subjects.ts';
import { ALL_MISSED, type Missed } from './unread.ts';

/** All blinds of one check and one reason. Opens its avenue, never counts as a scar. */
export interface Note {
  readonly check: string;
  readonly avenue: AvenueId;
  readonly reason: string;
  /** What would cure it. */
  readonly cure: string;
  readonly subjects: number;
  /** As of its `Blindness`. */
  readonly missed?: readonly Missed[];
  readonly refused?: readonly Missed[];
}

/** (check, subject) pairs. */
export interface PairCounts {
  readonly pass: number;
  readonly fail: number;
  readonly blind: number;
}

/** pass + fail + blind = all (check, applicable subject) pairs. */
export interface Verdicts extends PairCounts {
  /** One per failed pair. */
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
  /** Whether a check could not judge a subject this time. */
  hidden(check: string, subject: Subject): boolean;
}

/** Where verdicts are gathered. `confirmed`: the fails were seen twice already. */
export class Gathering {
  readonly #confirmed: boolean;
  readonly #runs: CheckRuns;
  #pass = 0;
  #fail = 0;
  #blind = 0;
  readonly #fails: Fail[] = [];
  readonly #notes = new Map<string, Note>();
  readonly #hiding: { readonly check: Check; readonly hides: NonNullable<Blindness['hides']> }[] = [];

  constructor({ confirmed, runs = new CheckRuns() }: { confirmed: boolean; runs?: CheckRuns | undefined }) {
    this.#confirmed = confirmed;
    this.#runs = runs;
  }

  count(pass: number, fail: number): void {
    this.#pass += pass;
    this.#fail += fail;
  }

  /** Fails whose pairs are counted separately. */
  add(fails: readonly Fail[]): void {
    for (const fail of fails) this.#fails.push(fail);
  }

  blind(check: Check, { reason, cure, subjects = 1, hides, missed, refused }: Blindness): void {
    this.#blind += subjects;
    const { id, avenue } = check;
    addNote(this.#notes, {
      ...{ check: id, avenue, reason, cure, subjects },
      ...(missed && { missed }),
      ...(refused && { refused }),
    });
    if (hides !== undefined) this.#hiding.push({ check, hides });
  }

  /** Lets a check report. When it throws, what it has reported counts, and of `hides` (default: everything) the rest is blind. */
  run(check: Check, work: (report: Report) => void, hides: Blindness['hides'] = () => true): void {
    const failed = this.#runs.run(check, () => work(this.report(check)));
    if (failed !== null) this.blind(check, { ...failed, hides });
  }

  /** The same of a check of tier 3. */
  async wait(
    check: Check & Pick<ScanCheck, 'startup'>,
    work: (report: Report) => Promise<void>,
  ): Promise<void> {
    const failed = await this.#runs.wait(check, () => work(this.report(check)));
    if (failed === null) return;
    this.blind(check, { ...failed, hides: () => true, ...(check.startup && { missed: [ALL_MISSED] }) });
  }

  /** What a check that judges by itself reports to. */
  report(check: Check): Report {
    return {
      pass: () => this.count(1, 0),
      fail: (parts) => {
        this.count(0, 1);
        this.#fails.push(failOf(check, parts, { confirmed: this.#confirmed }));
      },
      blind: (blindness) => this.blind(check, blindness),
    };
  }

  verdicts(): Verdicts {
    const hiding = this.#hiding;
    const runs = this.#runs;
    const hides = ({ check, hides: ask }: (typeof hiding)[number], subject: Subject): boolean => {
      try {
        return ask(subject);
      } catch (error) {
        runs.failed(check, error);
        return true;
      }
    };
    return {
      pass: this.#pass,
      fail: this.#fail,
      blind: this.#blind,
      fails: this.#fails,
      notes: [...this.#notes.values()],
      hidden: (check, subject) => hiding.some((one) => one.check.id === check && hides(one, subject)),
    };
  }
}

function addNote(notes: Map<string, Note>, note: Note): void {
  const key = `${note.check} ${note.reason}`;
  const seen = notes.get(key)?.subjects ?? 0;
  notes.set(key, { ...note, subjects: seen + note.subjects });
}

function notesOf(all: readonly Verdicts[]): readonly Note[] {
  const notes = new Map<string, Note>();
  for (const { notes: some } of all) for (const note of some) addNote(notes, note);
  return [...notes.values()];
}

/** Several verdicts as one. `known`: their fails and notes together, where these are known. */
export function together(
  all: readonly Verdicts[],
  known: Pick<Verdicts, 'fails' | 'notes'> | null = null,
): Verdicts {
  const sum = (of: (one: Verdicts) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    pass: sum(({ pass }) => pass),
    fail: sum(({ fail }) => fail),
    blind: sum(({ blind }) => blind),
    fails: known?.fails ?? all.flatMap(({ fails }) => fails),
    notes: known?.notes ?? notesOf(all),
    hidden: (check, subject) => all.some((one) => one.hidden(check, subject)),
  };
}
