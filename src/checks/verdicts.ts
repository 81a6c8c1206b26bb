/** Verdicts as they are gathered from checks, put together and explained. Pure. */

import type { Law } from '../policy/law.ts';
import { type Blindness, type Check, type Fail, failOf, type Known, type Report } from './check.ts';
import { CheckRuns } from './check-runs.ts';
import { explanationOf } from './excuse.ts';
import type { Excused, Explanation, Note, PairCounts, Subject } from './judgement.ts';

/** pass + fail + blind = all (check, applicable subject) pairs. */
export interface Verdicts extends PairCounts {
  /** One per failed pair. */
  readonly fails: readonly Fail[];
  /** One per check and reason. */
  readonly notes: readonly Note[];
  /** Whether a check could not look at a subject this time. */
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

  constructor({
    confirmed,
    runs = new CheckRuns(),
  }: { readonly confirmed: boolean; readonly runs?: CheckRuns | undefined }) {
    this.#confirmed = confirmed;
    this.#runs = runs;
  }

  count(pass: number, fail: number): void {
    this.#pass += pass;
    this.#fail += fail;
  }

  /** Fails whose pairs are counted beside. */
  add(fails: readonly Fail[]): void {
    for (const fail of fails) this.#fails.push(fail);
  }

  blind(check: Check, { reason, cure, subjects = 1, hides }: Blindness): void {
    this.#blind += subjects;
    const { id, avenue } = check;
    addNote(this.#notes, { check: id, avenue, reason, cure, subjects });
    if (hides !== undefined) this.#hiding.push({ check, hides });
  }

  /** Lets a check report. When it throws, what it has reported counts, and of `hides` (default: everything) the rest is blind. */
  run(check: Check, work: (report: Report) => void, hides: Blindness['hides'] = () => true): void {
    const failed = this.#runs.run(check, () => work(this.report(check)));
    if (failed !== null) this.blind(check, { ...failed, hides });
  }

  /** The same of one that looks by itself. */
  async wait(check: Check, work: (report: Report) => Promise<void>): Promise<void> {
    const failed = await this.#runs.wait(check, () => work(this.report(check)));
    if (failed !== null) this.blind(check, { ...failed, hides: () => true });
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

/**
 * Explains verdicts. What explains a fail is kept with it while law and generation are the same and no exception ends: a fail that
 * stands costs no second look at the law.
 */
export class Explainer {
  #of = new WeakMap<Fail, Excused | 'nothing'>();
  #whole = new WeakMap<Verdicts, Explained>();
  #law: Pick<Law, 'excuses'> | null = null;
  #known: Known | null = null;
  /** Milliseconds since the epoch between which that holds. */
  #fromMs = 0;
  #untilMs = 0;

  /** The same verdicts with the fails that law or baseline explain counted as passed; the same object for the same verdicts while that holds. */
  explained(verdicts: Verdicts, law: Pick<Law, 'excuses'>, known: Known | null, nowMs: number): Explained {
    if (law !== this.#law || known !== this.#known || nowMs < this.#fromMs || nowMs >= this.#untilMs)
      this.#forget(law, known, nowMs);
    let whole = this.#whole.get(verdicts);
    if (whole === undefined) {
      whole = this.#explain(verdicts, law, known, nowMs);
      this.#whole.set(verdicts, whole);
    }
    return whole;
  }

  #forget(law: Pick<Law, 'excuses'>, known: Known | null, nowMs: number): void {
    const ends = law.excuses.map(({ expiresMs }) => expiresMs ?? Number.POSITIVE_INFINITY);
    this.#of = new WeakMap();
    this.#whole = new WeakMap();
    this.#law = law;
    this.#known = known;
    this.#fromMs = nowMs;
    this.#untilMs = Math.min(Number.POSITIVE_INFINITY, ...ends.filter((endMs) => endMs > nowMs));
  }

  #explain(verdicts: Verdicts, law: Pick<Law, 'excuses'>, known: Known | null, nowMs: number): Explained {
    const fails: Fail[] = [];
    const excused: Excused[] = [];
    for (const fail of verdicts.fails) {
      let one = this.#of.get(fail);
      if (one === undefined) {
        one = excusedBy(fail, explanationOf(fail, law, known, nowMs));
        this.#of.set(fail, one);
      }
      if (one === 'nothing') fails.push(fail);
      else excused.push(one);
    }
    const { pass, fail } = verdicts;
    const { length } = excused;
    return { verdicts: { ...verdicts, pass: pass + length, fail: fail - length, fails }, excused };
  }
}

function excusedBy(fail: Fail, explanation: Explanation | null): Excused | 'nothing' {
  if (explanation === null) return 'nothing';
  const { check, avenue, severity, subject, summary } = fail;
  return { check: check.id, avenue, severity, subject, summary, ...explanation };
}
