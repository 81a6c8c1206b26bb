/**
 * Which processes hold which socket. One search through the descriptors of all processes answers every request made before it began,
 * and one runs at a time, so that ten thousand sockets cost as much as one.
 */
import { DeadlineError, withDeadline } from '../../base/promises.ts';
import type { SocketHolders } from '../../engine/native/act-types.ts';
import { isRefusal, type Refusal } from '../../engine/native/types.ts';
import type { TaskPool } from '../../engine/pool.ts';

/** A search takes milliseconds; after this long it hangs in the kernel. */
const SEARCH_DEADLINE_MS = 10_000;
const CLOSE_DEADLINE_MS = 2_000;

type Answer = SocketHolders | Refusal;
type Worker = Pick<TaskPool, 'run' | 'close'>;

export class HolderSearch {
  readonly #root: number;
  readonly #startWorker: () => Worker;
  readonly #deadlineMs: number;
  #worker: Worker | null = null;
  #running: Promise<unknown> = Promise.resolve();
  /** The search that begins when the running one has ended. */
  #next: { readonly inodes: Set<number>; readonly answers: Promise<ReadonlyMap<number, Answer>> } | null =
    null;

  /** `root`: handle of /proc. */
  constructor(root: number, startWorker: () => Worker, deadlineMs = SEARCH_DEADLINE_MS) {
    this.#root = root;
    this.#startWorker = startWorker;
    this.#deadlineMs = deadlineMs;
  }

  /** Holders by a search that begins after this call. Rejects when that search fails or hangs. */
  async of(inode: number): Promise<Answer> {
    this.#next ??= this.#prepare();
    const { inodes, answers } = this.#next;
    inodes.add(inode);
    return (await answers).get(inode) as Answer;
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.close(CLOSE_DEADLINE_MS);
  }

  #prepare() {
    const inodes = new Set<number>();
    const answers = this.#running.then(() => {
      this.#next = null;
      return this.#search(Uint32Array.from(inodes).sort());
    });
    this.#running = answers.catch(() => undefined);
    return { inodes, answers };
  }

  async #search(inodes: Uint32Array): Promise<ReadonlyMap<number, Answer>> {
    this.#worker ??= this.#startWorker();
    const search = this.#worker.run('socketHolders', this.#root, inodes);
    const found = await withDeadline(search, this.#deadlineMs, 'a search for holders').catch((error) => {
      // The worker hangs with it: the next search starts another one.
      if (error instanceof DeadlineError) void this.close();
      throw error;
    });
    return new Map(
      [...inodes].map((inode, at) => [inode, isRefusal(found) ? found : (found[at] as SocketHolders)]),
    );
  }
}
