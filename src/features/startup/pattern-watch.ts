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
  readonly known: Set<string>;
  /** What the answers that are still to come are about: null for the first, about all. */
  readonly asked: (readonly Pattern[] | null)[];
}

export class PatternWatch<Pattern extends FilePattern> {
  readonly #options: WatchOptions<Pattern>;
  #wanted: readonly Pattern[] = [];
  #watcher: Watcher<Pattern> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Why changes are not reported, or not all of them; "" when they are. */
  trouble = 'it was not started';

  constructor(options: WatchOptions<Pattern>) {
    this.#options = options;
  }

  /** Watches these from now on. Those that are new may have changed before; of the others no change is missed. */
  watch(patterns: readonly Pattern[]): void {
    this.#wanted = patterns;
    if (this.#closed) return;
    if (this.#watcher === null || this.#unwanted(this.#watcher) > MOST_UNWANTED) {
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
    const watcher: Watcher<Pattern> = { child, patterns: [], known: new Set(), asked: [] };
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
    this.#add(watcher);
  }

  #unwanted({ known }: Watcher<Pattern>): number {
    const wanted = new Set(this.#wanted.map((one) => JSON.stringify(one)));
    return [...known].filter((one) => !wanted.has(one)).length;
  }

  #add({ child, patterns, known, asked }: Watcher<Pattern>): void {
    const isFirst = known.size === 0;
    const added = this.#wanted.filter((pattern) => !known.has(JSON.stringify(pattern)));
    if (added.length === 0 && !isFirst) return;
    const lines = added.map((one) => {
      const { depth, viewer, pattern, hangs } = one;
      const id = patterns.push(one) - 1;
      known.add(JSON.stringify(one));
      // All folders of a file system are too many.
      return depth === 'privileged' || hangs === true
        ? ''
        : `watch ${id} ${viewer} ${Buffer.from(pattern).toString('hex')}\n`;
    });
    asked.push(isFirst ? null : added);
    child.channel?.write(`${lines.join('')}watch\n`);
  }

  #take({ patterns, asked }: Watcher<Pattern>, { changed, refused }: Message): void {
    if (typeof refused === 'string') {
      this.trouble = refused === '' ? '' : `some folders cannot be watched (${refused})`;
      // What happened before was not seen.
      this.#options.changed(asked.shift() ?? null, true);
    }
    if (Array.isArray(changed))
      this.#options.changed(
        changed.flatMap((id) => patterns[id] ?? []),
        false,
      );
  }
}
