/** The sum of the verdicts about many subjects, updated for one subject at a time. */
import { failKey } from '../../checks/cached-verdicts.ts';
import type { Fail } from '../../checks/check.ts';
import type { Subject } from '../../checks/subjects.ts';
import type { Note, Verdicts } from '../../checks/verdicts.ts';

const noteKey = ({ check, reason }: Note): string => `${check}\0${reason}`;

/** A process by pid and start, the content of a program by its path. */
function keyOf(subject: Subject): string {
  if (subject.kind === 'process') return `${subject.pid} ${subject.start}`;
  return subject.kind === 'file' ? subject.path : '';
}

export class SubjectVerdicts {
  readonly #of = new Map<string, Verdicts>();
  readonly #failed = new Map<string, readonly Fail[]>();
  readonly #notes = new Map<string, Note>();
  #pass = 0;
  #fail = 0;
  #blind = 0;

  /** Replaces the verdicts of a key. True when a fail or note was added or removed. */
  set(key: string, verdicts: Verdicts): boolean {
    const before = this.#of.get(key);
    const notes = [...this.#notes.keys()];
    if (before !== undefined) this.#count(before, -1);
    this.#of.set(key, verdicts);
    this.#count(verdicts, 1);
    if (verdicts.fails.length > 0) this.#failed.set(key, verdicts.fails);
    else this.#failed.delete(key);
    const failsOf = (one: Verdicts | undefined): string => (one?.fails ?? []).map(failKey).join('\n');
    return (
      failsOf(before) !== failsOf(verdicts) ||
      notes.length !== this.#notes.size ||
      notes.some((note) => !this.#notes.has(note))
    );
  }

  drop(key: string): boolean {
    const before = this.#of.get(key);
    if (before === undefined) return false;
    const notes = this.#notes.size;
    this.#count(before, -1);
    this.#of.delete(key);
    return this.#failed.delete(key) || notes !== this.#notes.size;
  }

  has(key: string): boolean {
    return this.#of.has(key);
  }

  /** `hidden`: what cannot be judged now. */
  verdicts(hidden: (check: string, subject: Subject) => boolean): Verdicts {
    return {
      pass: this.#pass,
      fail: this.#fail,
      blind: this.#blind,
      fails: [...this.#failed.values()].flat(),
      notes: [...this.#notes.values()],
      hidden: (check, subject) =>
        hidden(check, subject) || this.#of.get(keyOf(subject))?.hidden(check, subject) === true,
    };
  }

  #count(verdicts: Verdicts, sign: 1 | -1): void {
    this.#pass += sign * verdicts.pass;
    this.#fail += sign * verdicts.fail;
    this.#blind += sign * verdicts.blind;
    for (const note of verdicts.notes) {
      const key = noteKey(note);
      const subjects = (this.#notes.get(key)?.subjects ?? 0) + sign * note.subjects;
      if (subjects > 0) this.#notes.set(key, { ...note, subjects });
      else this.#notes.delete(key);
    }
  }
}
