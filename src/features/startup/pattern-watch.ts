/** desk-peek as a watcher: reports patterns whose files may have changed. Restarted when it ends. */
import { JsonLines } from '../../base/json-lines.ts';
import { startPeek } from '../../privileges/child.ts';
import type { FilePattern } from './reader.ts';

/** After its end, before it is started again. */
const AGAIN_MS = 10_000;
const MOST_ANSWER = 1 << 20;
/** A watcher with more patterns that are not wanted any more is replaced. */
const MOST_UNWANTED = 1_000;

interface WatchOptions<Pattern> {
  readonly program?: string;
  /** Patterns whose files may have changed; null: those of any. `isNew`: they are watched from now on. */
  readonly changed: (patterns: readonly Pattern[] | null, isNew: boolean) => void;
  readonly againMs?: number;
}

interface Message {
  readonly changed?: readonly number[];
  readonly watching?: number;
  readonly refused?: string;
}

/** One process, which can be given more patterns. */
interface Watcher<Pattern> {
  readonly child: ReturnType<typeof startPeek>;
  /** By their numbers there. */
  readonly patterns: Pattern[];
  readonly keys: Set<string>;
  /** What the answers that are still to come are about: null for the first, about all. */
  readonly asked: (readonly Pattern[] | null)[];
}

const keyOf = (pattern: FilePattern): string => JSON.stringify(pattern);

/** Not all folders of a file system, which are too many, and nothing that hangs. */
const isWatched = ({ depth, hangs = false }: FilePattern): boolean => depth !== 'privileged' && !hangs;

export class PatternWatch<Pattern extends FilePattern> {
  readonly #options: WatchOptions<Pattern>;
  #wanted: ReadonlyMap<string, Pattern> = new Map();
  #watcher: Watcher<Pattern> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Why changes are not reported, or not all of them; "" when they are. */
  trouble = 'it was not started';

  constructor(options: WatchOptions<Pattern>) {
    this.#options = options;
  }

  /** Watches these from now on. Those that are new may have changed before; all of them, if the process has to be replaced. */
  watch(patterns: readonly Pattern[]): void {
    this.#wanted = new Map(patterns.map((one) => [keyOf(one), one]));
    if (this.#closed) return;
    if (this.#watcher === null || this.#isOutdated(this.#watcher)) {
      this.#end();
      this.#start();
    } else this.#add(this.#watcher);
  }

  close(): void {
    this.#closed = true;
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#watcher?.child.kill();
    this.#watcher = null;
  }

  #start(): void {
    const child = startPeek(this.#options.program);
    const watcher: Watcher<Pattern> = { child, patterns: [], keys: new Set(), asked: [] };
    this.#watcher = watcher;
    this.trouble = 'the watcher has not answered yet';
    const { channel } = child;
    const failed = (reason: string): void => {
      if (this.#watcher !== watcher) return;
      this.trouble = reason;
      this.#end();
      if (this.#closed) return;
      this.#timer = setTimeout(() => {
        this.#start();
        // What happened meanwhile was not reported.
        this.#options.changed(null, true);
      }, this.#options.againMs ?? AGAIN_MS);
      this.#timer.unref();
    };
    const lines = new JsonLines(MOST_ANSWER, {
      onMessage: (message) => {
        if (this.#watcher === watcher) this.#take(watcher, message as Message);
      },
      onDamage: () => failed('the watcher sent a damaged message'),
    });
    channel?.setEncoding('utf8').on('data', (text: string) => lines.take(text));
    channel?.unref();
    void child.ended.then((how) => failed(`the watcher has ended (${how})`));
    this.#add(watcher, true);
  }

  /** It watches too much that is not wanted any more, or something that hangs now: it would hang there itself. */
  #isOutdated({ patterns }: Watcher<Pattern>): boolean {
    const unwanted = patterns.filter((one) => !this.#wanted.has(keyOf(one)));
    return (
      unwanted.length > MOST_UNWANTED ||
      unwanted.some((one) => this.#wanted.has(keyOf({ ...one, hangs: true })))
    );
  }

  #add({ child, patterns, keys, asked }: Watcher<Pattern>, isFirst = false): void {
    const added = [...this.#wanted].filter(([key, one]) => !keys.has(key) && isWatched(one));
    if (added.length === 0 && !isFirst) return;
    const lines = added.map(([key, one]) => {
      const id = patterns.push(one) - 1;
      keys.add(key);
      return `watch ${id} ${one.viewer} ${Buffer.from(one.pattern).toString('hex')}\n`;
    });
    asked.push(isFirst ? null : added.map(([, one]) => one));
    child.channel?.write(`${lines.join('')}watch\n`);
  }

  #take({ patterns, asked }: Watcher<Pattern>, { changed, refused }: Message): void {
    if (typeof refused === 'string') {
      this.trouble = refused === '' ? '' : `some folders cannot be watched (${refused})`;
      // What happened before was not seen.
      this.#options.changed(asked.shift() ?? null, true);
    }
    if (!Array.isArray(changed)) return;
    const known = changed.flatMap((id) => patterns[id] ?? []).filter((one) => this.#wanted.has(keyOf(one)));
    if (known.length > 0) this.#options.changed(known, false);
  }
}
