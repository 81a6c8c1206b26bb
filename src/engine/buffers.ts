/** The two shared buffers that sweeps write in turn, and how they grow. */
import { allocate, type Columns, columnsOver } from './native/columns.ts';
import type { Capacity, NativeAddon } from './native/types.ts';

type Growth = Partial<Capacity>;

/** Room for an ordinary machine, so that the first sweep seldom has to grow. */
export const FIRST_CAPACITY: Capacity = { processes: 1024, sockets: 1024, holders: 4096, text: 256 * 1024 };

const LEAST: Capacity = { processes: 64, sockets: 64, holders: 256, text: 16 * 1024 };

/** A capacity that holds `wanted` with a quarter to spare, never less than before. */
function grown(capacity: Capacity, wanted: Growth): Capacity {
  const at = (key: keyof Capacity): number => {
    const want = wanted[key] ?? 0;
    return want <= capacity[key] ? capacity[key] : Math.max(LEAST[key], Math.ceil(want * 1.25));
  };
  return { processes: at('processes'), sockets: at('sockets'), holders: at('holders'), text: at('text') };
}

/** A pair of column buffers: `spare` is written by the next sweep while the other one is read. `swap` makes it current. */
export class Buffers {
  readonly #native: Pick<NativeAddon, 'layout'>;
  readonly #columns: [Columns | null, Columns | null] = [null, null];
  #capacity: Capacity;
  #current: 0 | 1 = 1;

  constructor(native: Pick<NativeAddon, 'layout'>, capacity: Capacity) {
    this.#native = native;
    this.#capacity = capacity;
  }

  /** Index of the buffer that the published generation lies in. */
  get current(): 0 | 1 {
    return this.#current;
  }

  /** The columns that may be written now, allocated for the present capacity. */
  spare(): Columns {
    const at = this.#current === 0 ? 1 : 0;
    if (this.#columns[at]?.capacity !== this.#capacity) {
      const layout = this.#native.layout(this.#capacity);
      this.#columns[at] = columnsOver(allocate(layout), layout, this.#capacity);
    }
    return this.#columns[at] as Columns;
  }

  /** Of both, bytes. */
  get bytes(): number {
    return this.#columns.reduce((sum, columns) => sum + (columns?.bytes.byteLength ?? 0), 0);
  }

  grow(wanted: Growth): void {
    this.#capacity = grown(this.#capacity, wanted);
  }

  swap(): void {
    this.#current = this.#current === 0 ? 1 : 0;
  }

  /** Forgets the spare buffer: a worker that never came back may still write into it. */
  abandonSpare(): void {
    this.#columns[this.#current === 0 ? 1 : 0] = null;
  }
}
