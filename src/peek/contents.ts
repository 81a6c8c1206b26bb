/**
 * What runs against what was learned, program by program: by the file's numbers that every look brings, and by a digest where
 * these are others than the learned ones. Digests are read one at a time by a helper of their own, which ends when it is idle.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Check, isContent, type Known } from '../checks/check.ts';
import { type Content, compare, type Image, imageKey, programKey } from '../checks/content.ts';
import type { ProcessSubject, Subject } from '../checks/judgement.ts';
import type { PeekFacts } from '../checks/peek-facts.ts';
import type { Standing } from '../checks/standing.ts';
import { Gathering } from '../checks/verdicts.ts';
import { isRefusal } from '../native/types.ts';
import type { Note } from '../privileges/child.ts';
import { Helper } from './helper.ts';
import { Rounds } from './rounds.ts';
import { Tally } from './tally.ts';

/** A large file on a slow disk takes this long; what takes longer counts as unread. */
const DIGEST_DEADLINE_MS = 10_000;
/** What could not be read is tried again at the first look after so long. */
const UNREAD_AGAIN_MS = 60_000;
/** Digests that are kept; the oldest go. */
const MOST_DIGESTS = 4_096;
/** Key under which the verdicts stand. */
const STANDING = 'contents';

interface Running {
  readonly subject: ProcessSubject;
  /** Null when it could not be read. */
  readonly image: Image | null;
}

/** Of a file: "" when it could not be read. */
interface Digest {
  readonly sha256: string;
  /** Monotonic. */
  readonly atMs: number;
}

interface ContentsOptions {
  readonly checks: readonly Check[];
  /** The held generation; the same object while it is the same. */
  readonly known: () => Known | null;
  /** Everything that runs is about to be learned: digests of it are needed too. */
  readonly learns: () => boolean;
  readonly standing: Standing;
  /** A fail or note has come or gone: the next recheck will tell. */
  readonly changed: () => void;
  readonly log: Logger;
  readonly note?: Note;
  /** Makes a helper; default: one that runs the program built with the addon. */
  readonly helper?: () => Pick<Helper, 'digest' | 'close'>;
}

const keyOf = ({ pid, start }: Pick<ProcessSubject, 'pid' | 'start'>): string => `${pid} ${start}`;

export class Contents {
  readonly #options: ContentsOptions;
  readonly #ids: ReadonlySet<string>;
  /** By pid and start. */
  readonly #processes = new Map<string, Running>();
  /** Keys of processes by program. */
  readonly #programs = new Map<string, Set<string>>();
  /** By image. */
  readonly #digests = new Map<string, Digest>();
  /** Digests that are wanted, by image, and a process that runs it. */
  readonly #wanted = new Map<string, Running>();
  readonly #rounds = new Rounds<string>();
  readonly #tally = new Tally();
  /** Programs without a verdict that is up to date. */
  readonly #undecided = new Set<string>();
  #known: Known | null = null;
  #learns = false;
  #complete = false;
  #working: Promise<void> | null = null;
  #closed = false;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#ids = new Set(options.checks.filter(isContent).map(({ id }) => id));
    this.#stand();
  }

  /** Takes what was read of a process; null when it is gone. */
  saw(subject: ProcessSubject, facts: PeekFacts | null): void {
    if (this.#closed) return;
    const key = keyOf(subject);
    const before = this.#processes.get(key);
    if (facts === null) {
      if (before === undefined) return;
      this.#processes.delete(key);
      this.#leave(before, key);
      return;
    }
    // It runs another program by now: the next snapshot says which, and it is looked at again.
    if (facts.executable !== '' && facts.executable !== subject.executable) return;
    const image = isRefusal(facts.image) ? null : facts.image;
    const now = { subject, image };
    this.#processes.set(key, now);
    const program = programKey(subject);
    if (before !== undefined && programKey(before.subject) !== program) this.#leave(before, key);
    const keys = this.#programs.get(program) ?? new Set();
    this.#programs.set(program, keys.add(key));
    if (image !== null) {
      const digest = this.#digests.get(imageKey(image));
      if (digest?.sha256 === '' && performance.now() - digest.atMs > UNREAD_AGAIN_MS)
        this.#digests.delete(imageKey(image));
      if (this.#learns) this.#want(now);
    }
    this.#judge(program);
  }

  /** To be called at every moment: judges all of them by another generation, when there is one. */
  compareAgain(): void {
    const known = this.#options.known();
    this.#learns = this.#options.learns();
    if (known === this.#known || this.#closed) return;
    this.#known = known;
    for (const program of this.#programs.keys()) this.#judge(program);
  }

  /** What runs, by identity: every content once. */
  running(): ReadonlyMap<string, readonly Content[]> {
    const found = new Map<string, Map<string, Content>>();
    for (const { subject, image } of this.#processes.values()) {
      if (image === null || programKey(subject) === '') continue;
      const { identity } = subject;
      const contents = found.get(identity) ?? new Map<string, Content>();
      const sha256 = this.#digests.get(imageKey(image))?.sha256 ?? '';
      found.set(identity, contents.set(imageKey(image), { ...image, sha256 }));
    }
    return new Map([...found].map(([identity, contents]) => [identity, [...contents.values()]]));
  }

  /** Reads the digests of all that runs and is not known by its numbers; resolves when that is done, at the latest after `withinMs`. */
  read(withinMs: number): Promise<void> {
    if (this.#closed) return Promise.resolve();
    for (const one of this.#processes.values()) this.#want(one);
    return this.settled(withinMs);
  }

  /** Resolves when every digest that is wanted now was read, or cannot be, at the latest after `withinMs`. */
  async settled(withinMs: number): Promise<void> {
    const given = new AbortController();
    const late = delay(withinMs, undefined, { signal: given.signal }).catch(() => undefined);
    await Promise.race([this.#rounds.begin(this.#wanted.keys()), late]);
    given.abort();
  }

  /** Every process was looked at, and what digests that took was read. */
  get complete(): boolean {
    return this.#complete;
  }

  /** Every process of the first moment was looked at, or cannot be. */
  allSeen(): void {
    if (this.#complete || this.#wanted.size > 0) return;
    this.#complete = true;
    this.#stand();
    this.#options.changed();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#wanted.clear();
    this.#rounds.end();
    await this.#working;
  }

  #leave({ subject }: Running, key: string): void {
    const program = programKey(subject);
    const keys = this.#programs.get(program);
    if (keys?.delete(key) !== true) return;
    if (keys.size > 0) {
      this.#judge(program);
      return;
    }
    this.#programs.delete(program);
    this.#undecided.delete(program);
    const told = this.#tally.drop(program);
    this.#stand();
    if (told) this.#options.changed();
  }

  #judge(program: string): void {
    const learned = program === '' && this.#known !== null ? [] : this.#known?.contents?.get(program);
    this.#undecided.delete(program);
    const running = [...(this.#programs.get(program) ?? [])].flatMap((key) => this.#processes.get(key) ?? []);
    let told = false;
    if (learned === undefined) told = this.#tally.drop(program);
    else {
      const compared = running.map((one) => ({ ...one, sha256: this.#digestOf(one) }));
      const pending = compared.filter(
        ({ image, sha256 }) =>
          image !== null && learned.length > 0 && compare(image, sha256, learned) === 'pending',
      );
      for (const one of pending) this.#want(one);
      if (pending.length > 0) this.#undecided.add(program);
      else {
        const gathering = new Gathering({ confirmed: true });
        for (const check of this.#options.checks.filter(isContent))
          check.content({ program, learned, running: compared }, gathering.report(check));
        told = this.#tally.set(program, gathering.verdicts());
      }
    }
    this.#stand();
    if (told) this.#options.changed();
  }

  #digestOf({ image }: Running): string | undefined {
    return image === null ? undefined : this.#digests.get(imageKey(image))?.sha256;
  }

  /** A digest is read, unless it is known, or was learned together with these numbers. */
  #want(running: Running): void {
    const { subject, image } = running;
    if (image === null) return;
    const key = imageKey(image);
    const learned = this.#known?.contents?.get(programKey(subject)) ?? [];
    if (this.#digests.has(key) || learned.some((one) => one.sha256 !== '' && imageKey(one) === key)) return;
    this.#wanted.set(key, running);
    this.#run();
  }

  #run(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
      // Wanted while the helper was being ended.
      if (this.#wanted.size > 0) this.#run();
    });
  }

  async #work(): Promise<void> {
    const { log, note } = this.#options;
    const helper =
      this.#options.helper?.() ?? new Helper({ deadlineMs: DIGEST_DEADLINE_MS, ...(note && { note }) });
    try {
      for (;;) {
        const [next] = this.#wanted;
        if (next === undefined || this.#closed) break;
        const [key, { subject }] = next;
        const answer = await helper.digest(subject.pid, subject.start);
        if (answer.kind === 'gone') this.saw(subject, null);
        else {
          // Another file than was looked at says nothing of that one.
          const read = answer.kind === 'digest' && imageKey(answer.content) === key;
          if (!read)
            log.debug({ executable: subject.executable, answer }, 'the content of a program was not read');
          this.#keep(key, read ? answer.content.sha256 : '');
        }
        this.#wanted.delete(key);
        for (const program of [...this.#undecided]) this.#judge(program);
        this.#rounds.leave(key);
      }
    } catch (error) {
      log.error({ err: error }, 'reading the content of programs failed');
      this.#wanted.clear();
      this.#rounds.end();
    } finally {
      await helper.close();
    }
  }

  #keep(image: string, sha256: string): void {
    this.#digests.set(image, { sha256, atMs: performance.now() });
    const [oldest] = this.#digests.keys();
    if (this.#digests.size > MOST_DIGESTS && oldest !== undefined) this.#digests.delete(oldest);
  }

  /** Until every process was looked at once, and while a digest is awaited, what was found before stays as it is. */
  #stand(): void {
    const waits = (check: string, subject: Subject): boolean =>
      this.#ids.has(check) &&
      subject.kind === 'file' &&
      (!this.#complete || this.#undecided.has(subject.path));
    this.#options.standing.set(STANDING, this.#tally.verdicts(waits));
  }
}
