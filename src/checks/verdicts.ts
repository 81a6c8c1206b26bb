/** Verdicts as they are gathered from checks, put together and explained. Pure. */

import type { Law } from '../law/law.ts';
import {
  type Blindness,
  type Check,
  type Fail,
  type FailParts,
  failOf,
  type Known,
  type Report,
} from './check.ts';
import { explanationOf } from './excuse.ts';
import type { Excused, Note, PairCounts, Subject } from './judgement.ts';

/** pass + fail + blind = all (check, applicable subject) pairs. */
export interface Verdicts extends PairCounts {
  /** One per failed pair, or per key of its check (`once`). */
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
  /** Whether a check could not look at a subject this time. */
  hidden(check: string, subject: Subject): boolean;
}

/** Where verdicts are gathered. `confirmed`: the fails were seen twice already. */
export class Gathering {
  readonly #confirmed: boolean;
  #pass = 0;
  #fail = 0;
  #blind = 0;
  readonly #fails: Fail[] = [];
  readonly #notes = new Map<string, Note>();
  readonly #hiding: { readonly check: string; readonly hides: NonNullable<Blindness['hides']> }[] = [];

  constructor({ confirmed }: { readonly confirmed: boolean }) {
    this.#confirmed = confirmed;
  }

  count(pass: number, fail: number): void {
    this.#pass += pass;
    this.#fail += fail;
  }

  /** `pairs` it stands for must be counted beside. */
  fail(check: Check, parts: FailParts, pairs = 1): void {
    this.#fails.push(failOf(check, parts, { pairs, confirmed: this.#confirmed }));
  }

  blind(check: Check, { reason, cure, subjects = 1, hides }: Blindness): void {
    this.#blind += subjects;
    const { id, avenue } = check;
    addNote(this.#notes, { check: id, avenue, reason, cure, subjects });
    if (hides !== undefined) this.#hiding.push({ check: id, hides });
  }

  /** What a check that judges by itself reports to. */
  report(check: Check): Report {
    return {
      pass: () => this.count(1, 0),
      fail: (parts) => {
        this.count(0, 1);
        this.fail(check, parts);
      },
      blind: (blindness) => this.blind(check, blindness),
    };
  }

  verdicts(): Verdicts {
    const hiding = this.#hiding;
    return {
      pass: this.#pass,
      fail: this.#fail,
      blind: this.#blind,
      fails: this.#fails,
      notes: [...this.#notes.values()],
      hidden: (check, subject) => hiding.some((one) => one.check === check && one.hides(subject)),
    };
  }
}

function addNote(notes: Map<string, Note>, note: Note): void {
  const key = `${note.check} ${note.reason}`;
  const seen = notes.get(key)?.subjects ?? 0;
  notes.set(key, { ...note, subjects: seen + note.subjects });
}

/** Several verdicts as one. */
export function together(all: readonly Verdicts[]): Verdicts {
  const sum = (of: (one: Verdicts) => number): number => all.reduce((total, one) => total + of(one), 0);
  const notes = new Map<string, Note>();
  for (const { notes: some } of all) for (const note of some) addNote(notes, note);
  return {
    pass: sum(({ pass }) => pass),
    fail: sum(({ fail }) => fail),
    blind: sum(({ blind }) => blind),
    fails: all.flatMap(({ fails }) => fails),
    notes: [...notes.values()],
    hidden: (check, subject) => all.some((one) => one.hidden(check, subject)),
  };
}

export interface Explained {
  readonly verdicts: Verdicts;
  readonly excused: readonly Excused[];
}

/** The same verdicts with the fails that law or baseline explain counted as passed. */
export function explained(
  verdicts: Verdicts,
  law: Pick<Law, 'excuses'>,
  known: Known | null,
  nowMs: number,
): Explained {
  const fails: Fail[] = [];
  const excused: Excused[] = [];
  let pairs = 0;
  for (const fail of verdicts.fails) {
    const explanation = explanationOf(fail, law, known, nowMs);
    if (explanation === null) {
      fails.push(fail);
      continue;
    }
    const { check, avenue, severity, subject, summary } = fail;
    pairs += fail.pairs;
    excused.push({ check: check.id, avenue, severity, subject, summary, ...explanation });
  }
  const { pass, fail } = verdicts;
  return { verdicts: { ...verdicts, pass: pass + pairs, fail: fail - pairs, fails }, excused };
}
