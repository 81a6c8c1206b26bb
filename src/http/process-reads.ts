/** Processes that are read on request: one running answer for each, and only so many at once. Each costs a helper. */
import type { Caller } from '../desk/context.ts';
import type { ProcessDetail, Relative } from '../records/process-detail.ts';
import { Problem } from './errors.ts';

const MOST_AT_ONCE = 8;
const RETRY_SEC = 1;

interface Running {
  readonly answer: Promise<ProcessDetail>;
  readonly stop: AbortController;
  /** Callers that have not left. */
  callers: number;
}

export class ProcessReads {
  /** Those that further callers share. One whose callers have all left is not among them. */
  readonly #shared = new Map<string, Running>();
  /** All that have not ended. */
  #count = 0;

  /** As `Service.readProcess`. @throws Problem 429 while too many other processes are read */
  async read(
    { pid, start }: Pick<Relative, 'pid' | 'start'>,
    caller: Caller,
    work: (signal: AbortSignal) => Promise<ProcessDetail>,
  ): Promise<ProcessDetail> {
    const left = caller.left();
    if (left.aborted) throw new Problem('unavailable', 'The connection of this request is closed.');
    const key = `${pid} ${start}`;
    const running = this.#shared.get(key) ?? this.#begin(key, work);
    running.callers += 1;
    left.addEventListener(
      'abort',
      () => {
        running.callers -= 1;
        if (running.callers > 0) return;
        // Its parts are skipped from now on, so its answer is not for a new caller.
        this.#forget(key, running);
        running.stop.abort();
      },
      { once: true },
    );
    return running.answer;
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<ProcessDetail>): Running {
    if (this.#count >= MOST_AT_ONCE)
      throw new Problem(
        'too-many',
        `${MOST_AT_ONCE} other processes are being read. Ask again in ${RETRY_SEC} s.`,
        { headers: { 'Retry-After': String(RETRY_SEC) } },
      );
    this.#count += 1;
    const stop = new AbortController();
    const answer = work(stop.signal).finally(() => {
      this.#count -= 1;
      this.#forget(key, running);
    });
    const running: Running = { answer, stop, callers: 0 };
    this.#shared.set(key, running);
    return running;
  }

  #forget(key: string, running: Running): void {
    if (this.#shared.get(key) === running) this.#shared.delete(key);
  }
}
