/**
 * Builds the flat operations of a batch program: equal expressions become one operation, constants are folded, what no
 * output reads is left out, and a register is used again once it has been read for the last time. Pure.
 */
import {
  BATCH_BITMAP,
  BATCH_CODE,
  BATCH_PARAMETER,
  BATCH_WORDS,
  type BatchProgram,
} from '../engine/native/batch-types.ts';
import type { Expression, Parameter } from './rule.ts';

/** An expression as the builder knows it: the same for equal ones. */
export type NodeId = number;

interface Node {
  readonly code: number;
  readonly reads: readonly NodeId[];
  readonly words: readonly number[];
}

/** Gives each distinct thing its place in a list. */
class Places<T> {
  readonly list: T[] = [];
  readonly #known = new Map<string, number>();

  place(key: string, make: () => T): number {
    let at = this.#known.get(key);
    if (at === undefined) {
      at = this.list.push(make()) - 1;
      this.#known.set(key, at);
    }
    return at;
  }
}

export class ProgramBuilder {
  readonly #table: BatchProgram['table'];
  readonly #nodes = new Places<Node>();
  readonly #columns = new Places<string>();
  readonly #values = new Places<bigint>();
  readonly #parameters = new Places<Parameter>();
  readonly #sets = new Places<BigUint64Array>();
  readonly #bitmaps = new Places<Uint8Array>();
  #read = new Set<Parameter>();

  constructor(table: BatchProgram['table']) {
    this.#table = table;
  }

  /** Whose values a run of the program takes, in this order. */
  get parameters(): readonly Parameter[] {
    return this.#parameters.list;
  }

  /** Those that the expressions since the last call read. */
  takeRead(): ReadonlySet<Parameter> {
    const read = this.#read;
    this.#read = new Set();
    return read;
  }

  node(one: Expression): NodeId {
    switch (one.kind) {
      case 'constant':
        return this.#add(one.value ? BATCH_CODE.all : BATCH_CODE.none);
      case 'flag':
        return this.#add(BATCH_CODE.flag, [], this.#value(one.parameter));
      case 'masked':
        return this.#test(BATCH_CODE.masked, one.column, this.#value(one.mask), this.#value(one.value));
      case 'range':
        return this.#test(BATCH_CODE.range, one.column, this.#value(one.low), this.#value(one.high));
      case 'member':
        if (one.values.length === 0) return this.#add(BATCH_CODE.none);
        return this.#test(BATCH_CODE.inSet, one.column, this.#set(one.values));
      case 'port':
        return this.#test(BATCH_CODE.inBitmap, one.column, this.#bitmap(one.ports));
      case 'not':
        return this.not(this.node(one.of));
      case 'all':
        return this.and(...one.of.map((part) => this.node(part)));
      case 'any':
        return this.or(...one.of.map((part) => this.node(part)));
    }
  }

  not(a: NodeId): NodeId {
    const node = this.#nodes.list[a] as Node;
    if (node.code === BATCH_CODE.none) return this.#add(BATCH_CODE.all);
    if (node.code === BATCH_CODE.all) return this.#add(BATCH_CODE.none);
    if (node.code === BATCH_CODE.not) return node.reads[0] as NodeId;
    return this.#add(BATCH_CODE.not, [a]);
  }

  and(...nodes: readonly NodeId[]): NodeId {
    return nodes.reduce((a, b) => this.#and(a, b), this.#add(BATCH_CODE.all));
  }

  or(...nodes: readonly NodeId[]): NodeId {
    return nodes.reduce((a, b) => this.#or(a, b), this.#add(BATCH_CODE.none));
  }

  /**
   * The program that counts `outputs` and returns the bitmaps of the first `kept`. The addon refuses more outputs, operations or
   * registers than it takes.
   */
  build(outputs: readonly NodeId[], kept: number): BatchProgram {
    const { order, lastRead } = this.#needed(outputs);
    const registers = new Map<NodeId, number>();
    const idle: number[] = [];
    let most = 0;
    const operations: number[] = [];
    order.forEach((id, at) => {
      const { code, reads, words } = this.#nodes.list[id] as Node;
      const read = reads.map((one) => registers.get(one) as number);
      for (const one of new Set(reads)) if (lastRead.get(one) === at) idle.push(registers.get(one) as number);
      const into = idle.pop() ?? most++;
      registers.set(id, into);
      operations.push(code, into, ...[...read, ...words, 0, 0, 0].slice(0, BATCH_WORDS - 2));
    });
    return {
      table: this.#table,
      columns: this.#columns.list,
      operations: Uint32Array.from(operations),
      values: BigUint64Array.from(this.#values.list),
      parameters: this.#parameters.list.length,
      sets: this.#sets.list,
      bitmaps: this.#bitmaps.list,
      registers: most,
      outputs: Uint32Array.from(outputs, (id) => registers.get(id) as number),
      kept,
    };
  }

  /** What the outputs ask for, each after what it reads, and where each is read last; outputs stay to the end. */
  #needed(outputs: readonly NodeId[]): { order: readonly NodeId[]; lastRead: ReadonlyMap<NodeId, number> } {
    const reached = new Set<NodeId>();
    const reach = (id: NodeId): void => {
      if (reached.has(id)) return;
      // The newer one first: it has more operations, and its result waits in one register for the other.
      for (const one of [...(this.#nodes.list[id] as Node).reads].sort((a, b) => b - a)) reach(one);
      reached.add(id);
    };
    for (const id of outputs) reach(id);
    const order = [...reached];
    const lastRead = new Map<NodeId, number>();
    order.forEach((id, at) => {
      for (const one of (this.#nodes.list[id] as Node).reads) lastRead.set(one, at);
    });
    for (const id of outputs) lastRead.set(id, Number.POSITIVE_INFINITY);
    return { order, lastRead };
  }

  #and(a: NodeId, b: NodeId): NodeId {
    const [first, second] = [this.#nodes.list[a] as Node, this.#nodes.list[b] as Node];
    if (first.code === BATCH_CODE.all || second.code === BATCH_CODE.none || a === b) return b;
    if (second.code === BATCH_CODE.all || first.code === BATCH_CODE.none) return a;
    if (second.code === BATCH_CODE.not) return this.#add(BATCH_CODE.andNot, [a, second.reads[0] as NodeId]);
    if (first.code === BATCH_CODE.not) return this.#add(BATCH_CODE.andNot, [b, first.reads[0] as NodeId]);
    return this.#add(BATCH_CODE.and, [Math.min(a, b), Math.max(a, b)]);
  }

  #or(a: NodeId, b: NodeId): NodeId {
    const [first, second] = [this.#nodes.list[a] as Node, this.#nodes.list[b] as Node];
    if (first.code === BATCH_CODE.none || second.code === BATCH_CODE.all || a === b) return b;
    if (second.code === BATCH_CODE.none || first.code === BATCH_CODE.all) return a;
    return this.#add(BATCH_CODE.or, [Math.min(a, b), Math.max(a, b)]);
  }

  #add(code: number, reads: readonly NodeId[] = [], ...words: readonly number[]): NodeId {
    return this.#nodes.place([code, ...reads, ...words].join(' '), () => ({ code, reads, words }));
  }

  #test(code: number, column: string, ...words: readonly number[]): NodeId {
    return this.#add(
      code,
      [],
      this.#columns.place(column, () => column),
      ...words,
    );
  }

  #value(value: bigint | Parameter): number {
    if (typeof value === 'bigint') return this.#values.place(String(value), () => BigInt.asUintN(64, value));
    const place = this.#parameters.place(value.name, () => value);
    this.#read.add(this.#parameters.list[place] as Parameter);
    return (place | BATCH_PARAMETER) >>> 0;
  }

  #set(values: readonly bigint[]): number {
    const set = BigUint64Array.from(values, (value) => BigInt.asUintN(64, value)).sort();
    return this.#sets.place(set.join(' '), () => set);
  }

  #bitmap(ports: ReadonlySet<number>): number {
    return this.#bitmaps.place([...ports].sort((a, b) => a - b).join(' '), () => {
      const bitmap = new Uint8Array(BATCH_BITMAP);
      for (const port of ports) bitmap[port >> 3] = (bitmap[port >> 3] as number) | (1 << (port & 7));
      return bitmap;
    });
  }
}
