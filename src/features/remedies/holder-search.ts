/**
 * Who holds which socket, asked for by many at once. One look through the descriptors of all processes answers everybody who
 * asked before it began, and one runs at a time: ten thousand sockets on a banned port cost no more looks than one.
 */
import { withDeadline } from '../../engine/promises.ts';
import type { SocketHolders } from '../../native/act-types.ts';
import { isRefusal, type Refusal } from '../../native/types.ts';

/** A look takes milliseconds; one that takes this long hangs in the kernel. */
const LOOK_DEADLINE_MS = 10_000;

interface SearchParts {
  /** One look for ascending inodes; answers in their order. */
  readonly look: (inodes: Uint32Array) => Promise<readonly SocketHolders[] | Refusal>;
  /** The last look hangs: the next one needs another worker. */
  readonly hung: () => void;
  readonly deadlineMs?: number;
}

export class HolderSearch {
  readonly #parts: SearchParts;
  #running: Promise<unknown> | null = null;
  #next: { readonly inodes: Set<number>; readonly answer: Promise<ReadonlyMap<number, Answer>> } | null =
    null;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Holders by a look that begins after this call. Rejects when that look fails or hangs. */
  async of(inode: number): Promise<Answer> {
    this.#next ??= this.#prepare();
    const { inodes, answer } = this.#next;
    inodes.add(inode);
    return (await answer).get(inode) as Answer;
  }

  #prepare() {
    const inodes = new Set<number>();
    const before = this.#running ?? Promise.resolve();
    const answer = before.then(() => {
      this.#next = null;
      return this.#look(Uint32Array.from(inodes).sort());
    });
    this.#running = answer.catch(() => undefined);
    return { inodes, answer };
  }

  async #look(inodes: Uint32Array): Promise<ReadonlyMap<number, Answer>> {
    const { look, hung, deadlineMs = LOOK_DEADLINE_MS } = this.#parts;
    let late = true;
    const done = look(inodes).finally(() => {
      late = false;
    });
    const found = await withDeadline(done, deadlineMs, 'a search for holders').catch((error) => {
      if (late) hung();
      throw error;
    });
    return new Map(
      [...inodes].map((inode, at) => [inode, isRefusal(found) ? found : (found[at] as SocketHolders)]),
    );
  }
}

type Answer = SocketHolders | Refusal;
