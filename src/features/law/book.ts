/** The active law: read at the start and on changes, extended by `accept`. A broken file replaces nothing; `trouble` says why. */
import { mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { DeskError } from '../../base/desk-error.ts';
import { codeText } from '../../base/error-code.ts';
import { describeProblems, firstProblem, type RefusedFile } from '../../config/document.ts';
import type { Config } from '../../config/schema.ts';
import type { Accepted, Accepting, Finding } from '../../findings/finding.ts';
import { hasEnded, type Law } from '../../policy/law.ts';
import { replaceFile } from '../../state-folder/state-folder.ts';
import { acceptanceOf, acceptedId, acceptedOf, acceptedText, exceptionFor, withException } from './accept.ts';
import { contextOf, loadAccepted, loadLaw, readAccepted, signatureOf } from './files.ts';
import { type LawFiles, lawOf, NO_FILES } from './law.ts';
import { type Exception, MOST_ACCEPTED } from './schema.ts';

/** Files that change all the time (something touches them each second) are read anyway after so many polls. */
const MOST_RESTLESS = 10;

interface LawBookOptions {
  readonly config: Config;
  /** Where `law.toml` may be (`lawPlaces`); empty where none is read. */
  readonly places: readonly string[];
  /** Path of `law.d/accepted.toml`. */
  readonly accepted: string;
  readonly log: Logger;
}

type Taken = 'taken' | 'same' | 'refused';

export class LawBook {
  readonly #options: LawBookOptions;
  /** In force: each part is the last valid one. */
  #files: LawFiles = NO_FILES;
  #law: Law;
  /** Where the `law.toml` in force was read; null when there was none. */
  #userPath: string | null = null;
  /** That file is gone: its last version stays active until it is back, or the desk is reloaded. */
  #removed = false;
  /** By file, what is wrong with it. */
  #refused: readonly RefusedFile[] = [];
  /** Signature of the files when they were last read, and when they were last polled. */
  #read = '';
  #seen = '';
  /** Polls in a row that found the files changed since the one before. */
  #restless = 0;
  #polledMs = 0;
  /** Null until `watch`. */
  #changed: (() => void) | null = null;

  /** @throws DeskError `usage` when `law.toml` is refused: a desk must not start with another law than the one written down. */
  static open(options: LawBookOptions): LawBook {
    const user = loadLaw(options.places, options.config);
    if (user.ok) return new LawBook(options);
    const { length } = user.problems;
    throw new DeskError(
      'usage',
      `The law ${user.path} has ${length === 1 ? 'a problem' : `${length} problems`}.`,
      'Correct the file, then try "desk law check".',
      describeProblems(user).join('\n'),
    );
  }

  private constructor(options: LawBookOptions) {
    this.#options = options;
    this.#law = lawOf(options.config);
    this.take();
  }

  /** The same object while it is the same. */
  get law(): Law {
    return this.#law;
  }

  /** What is wrong with the files and what is active instead, "" when nothing is. One phrase without paths. */
  get trouble(): string {
    const [refused] = this.#refused;
    if (refused === undefined)
      return this.#removed
        ? 'law.toml was removed while the desk runs, the previous version stays active: put it back, or reload the desk (SIGHUP) to go on without it'
        : '';
    const file = refused.path === this.#options.accepted ? 'law.d/accepted.toml' : 'law.toml';
    return `${file} is refused (${firstProblem(this.#refused)}), the previous version stays active, see desk law check`;
  }

  /** Reads the files now. A part that is refused, or gone, stays as it was; `removed`: a `law.toml` that is gone is meant to be. */
  take({ removed = false } = {}): Taken {
    const { config, places, accepted: path, log } = this.#options;
    this.#read = this.#signature();
    const user = loadLaw(places, config);
    const accepted = loadAccepted(path, config);
    this.#refused = [user, accepted].filter((one) => !one.ok);
    for (const refused of this.#refused)
      log.error(
        { problems: describeProblems(refused) },
        'a law file is refused: the previous version stays active',
      );
    this.#removed = user.ok && user.path === null && this.#userPath !== null && !removed;
    if (this.#removed)
      log.error({ path: this.#userPath }, 'law.toml is gone: the previous version stays active');
    const taken = user.ok && !this.#removed;
    if (taken) this.#userPath = user.path;
    const same = this.#hold({
      user: taken ? user.document : this.#files.user,
      accepted: accepted.ok ? accepted.document : this.#files.accepted,
    });
    if (this.#refused.length > 0 || this.#removed) return 'refused';
    return same ? 'same' : 'taken';
  }

  /** `changed` is called when a `poll` finds that the law or what is wrong with it has changed, or that an entry has ended. */
  watch(changed: () => void): void {
    this.#polledMs = Date.now();
    this.#seen = this.#signature();
    this.#changed = changed;
  }

  /** Checks the files, if `watch` was called. True: a file has just changed, poll again soon. */
  poll(): boolean {
    if (this.#changed === null) return false;
    const nowMs = Date.now();
    const news = this.#poll() || this.#ended(this.#polledMs, nowMs);
    this.#polledMs = nowMs;
    if (news) this.#changed();
    return this.#restless > 0;
  }

  /** What was accepted, in the order it was. */
  accepted(): readonly Accepted[] {
    return this.#files.accepted.except.map(acceptedOf);
  }

  /**
   * Writes an exception for the class of a finding; it is in force when this returns. `accepts` is the id of what was shown.
   * @throws DeskError `refused` for what cannot be accepted, where something else would be covered than what was shown, and while the
   * file is broken or cannot be written.
   */
  accept(finding: Finding, accepts: string, why: string, expiresMs: number | null): Accepting {
    const effect = acceptanceOf(finding);
    if (effect === 'never')
      throw new DeskError(
        'refused',
        `Findings of ${finding.check} cannot be accepted`,
        finding.remedy ? `What to do: ${finding.remedy}.` : 'Check its evidence with "desk findings ID".',
      );
    const added = exceptionFor(finding, { why, expiresMs, acceptedMs: Date.now() });
    if (acceptedId(added) !== accepts)
      throw new DeskError(
        'refused',
        `Finding ${finding.id} is not what was shown any more: accepting it now would cover something else`,
        `See what with "desk findings ${finding.id}", then accept that.`,
      );
    const except = withException(this.#acceptedNow(), added);
    if (except.length > MOST_ACCEPTED)
      throw new DeskError(
        'refused',
        `There are ${MOST_ACCEPTED} accepted findings already`,
        'Take some back with "desk accept --undo ID", or write one exception for many into law.toml.',
      );
    this.#write(except);
    const { id, covers } = acceptedOf(added);
    return { effect, id, covers };
  }

  /**
   * Takes an entry of what was accepted back; that is in force when this returns. Only `law.d/accepted.toml` is written.
   * @throws DeskError `not-found` without such an entry, `refused` while the file is broken or cannot be written.
   */
  undo(id: string): Accepted {
    const entries = this.#acceptedNow();
    const entry = entries.find((one) => acceptedId(one) === id);
    if (entry === undefined)
      throw new DeskError(
        'not-found',
        'Nothing that was accepted has this id',
        'See the ids with "desk accept --list".',
      );
    this.#write(entries.filter((one) => one !== entry));
    return acceptedOf(entry);
  }

  /** As the file is now: it may have changed since it was last read. */
  #acceptedNow(): readonly Exception[] {
    const { config, accepted: path } = this.#options;
    const held = loadAccepted(path, config);
    if (!held.ok)
      throw new DeskError(
        'refused',
        'The file law.d/accepted.toml of the state folder is broken, and writing it now would lose what it holds',
        'See what is wrong with "desk law check" and correct it.',
      );
    return held.document.except;
  }

  #write(except: readonly Exception[]): void {
    const { config, accepted: path } = this.#options;
    const text = acceptedText(except);
    // What is written must be what is read again.
    const context = contextOf(config, () => undefined);
    const read = readAccepted(Buffer.from(text), context);
    if (!read.ok) throw new TypeError(`accepted.toml would be refused: ${JSON.stringify(read.problems)}`);
    writeAccepted(path, text);
    this.take();
  }

  #signature(): string {
    const { places, accepted } = this.#options;
    return signatureOf([...places, accepted]);
  }

  /** A file that changed is read when it has been the same in two polls: an editor may be in the middle of it. */
  #poll(): boolean {
    const now = this.#signature();
    const rests = now === this.#seen;
    this.#seen = now;
    this.#restless = rests ? 0 : this.#restless + 1;
    if ((!rests && this.#restless < MOST_RESTLESS) || now === this.#read) return false;
    this.#restless = 0;
    const before = { law: this.#law, trouble: this.trouble };
    this.take();
    return this.#law !== before.law || this.trouble !== before.trouble;
  }

  #ended(fromMs: number, toMs: number): boolean {
    const { suppressions, allowedListeners } = this.#law;
    return [...suppressions, ...allowedListeners].some(
      (one) => hasEnded(one, toMs) && !hasEnded(one, fromMs),
    );
  }

  /** True when the law is the same as before. */
  #hold(files: LawFiles): boolean {
    const { config, log } = this.#options;
    const law = lawOf(config, files);
    this.#files = files;
    if (law.version === this.#law.version) return true;
    this.#law = law;
    log.info({ law: law.version }, 'the law is taken');
    return false;
  }
}

/** Atomic. The temporary file is in the state folder itself, which is searched for the residue of dead runs. */
function writeAccepted(path: string, text: string): void {
  const folder = dirname(path);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const code = codeText(error);
    if (code !== 'EEXIST')
      throw new DeskError(
        'refused',
        `The folder law.d of the state folder cannot be made (${code})`,
        'Make the state folder writable and give it space.',
      );
  }
  replaceFile(path, text, join(dirname(folder), `${basename(path)}.${process.pid}.tmp`));
}
