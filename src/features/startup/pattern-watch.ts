/** desk-peek as a watcher: reports patterns whose files may have changed. Restarted when it ends. */
import { JsonLines } from '../../base/json-lines.ts';
import { startPeek } from '../../privileges/child.ts';
import type { FilePattern } from './reader.ts';

/** After its end, before it is started again. */
const AGAIN_MS = 10_000;
const MOST_ANSWER = 1 << 20;

interface WatchOptions {
  readonly program?: string;
  /** Places in `patterns` whose files may have changed; null: any may have. */
  readonly changed: (ids: readonly number[] | null) => void;
  readonly againMs?: number;
}

interface Message {
  readonly changed?: readonly number[];
  readonly watching?: number;
  readonly refused?: string;
}

export class PatternWatch {
  readonly #options: WatchOptions;
  #patterns: readonly FilePattern[] = [];
  #child: ReturnType<typeof startPeek> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Why changes are not reported, or not all of them; "" when they are. */
  trouble = 'it was not started';

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Watches these from now on. */
  watch(patterns: readonly FilePattern[]): void {
    this.#patterns = patterns;
    this.#end();
    if (!this.#closed) this.#start();
  }

  close(): void {
    this.#closed = true;
    this.#end();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#child?.kill();
    this.#child = null;
  }

  #start(): void {
    const child = startPeek(this.#options.program);
    this.#child = child;
    this.trouble = 'the watcher has not answered yet';
    const { channel } = child;
    const failed = (reason: string): void => {
      if (this.#child !== child) return;
      this.trouble = reason;
      this.#end();
      if (this.#closed) return;
      this.#timer = setTimeout(() => {
        this.#start();
        // What happened meanwhile was not reported.
        this.#options.changed(null);
      }, this.#options.againMs ?? AGAIN_MS);
      this.#timer.unref();
    };
    const lines = new JsonLines(MOST_ANSWER, {
      onMessage: (message) => {
        if (this.#child === child) this.#take(message as Message);
      },
      onDamage: () => failed('the watcher sent a damaged message'),
    });
    channel?.setEncoding('utf8').on('data', (text: string) => lines.take(text));
    channel?.unref();
    void child.ended.then((how) => failed(`the watcher has ended (${how})`));
    // All folders of a file system are too many.
    const asked = this.#patterns.map(({ depth, viewer, pattern, hangs }, id) =>
      depth === 'privileged' || hangs === true
        ? ''
        : `watch ${id} ${viewer} ${Buffer.from(pattern).toString('hex')}\n`,
    );
    channel?.write(`${asked.join('')}watch\n`);
  }

  #take({ changed, refused }: Message): void {
    if (typeof refused === 'string') {
      this.trouble = refused === '' ? '' : `some folders cannot be watched (${refused})`;
      // What happened before was not seen.
      this.#options.changed(null);
    }
    if (Array.isArray(changed)) this.#options.changed(changed);
  }
}
