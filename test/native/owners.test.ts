/** Holders of sockets on fixture machines: cached, verified, searched for, and never claimed too early. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import { OWNER_ROUNDS, type OwnersResult } from '../../src/engine/native/owners-types.ts';
import { FACT } from '../../src/engine/native/types.ts';
import { Look, ProcMachine, socket } from '../support/proc-machine.ts';

const test = suite('owners');
const { addon } = loadNative();

/** Sweeps, collects and walks as the engine does, and records what each step returned. */
class Watch extends Look {
  nowMs = 0;
  listeners: readonly number[] = [];
  /** Null: they were not listed. */
  connections: readonly number[] | null = [];
  desk: Int32Array | null = null;
  /** Processes walked by the last `recheck`, one number per round. */
  walked: number[] = [];

  collect(dirty: readonly number[] = []): OwnersResult {
    const { bytes, capacity, listeners, connections } = this.columns;
    listeners.inode.set(this.listeners);
    connections.inode.set(this.connections ?? []);
    const counts = [this.count, this.listeners.length, this.connections?.length ?? null] as const;
    const { root, nowMs, desk } = this;
    return addon.ownersCollect(root, bytes, capacity, ...counts, nowMs, Int32Array.from(dirty), desk);
  }
  walk(shard = 0, shards = 1, refresh = false, only?: readonly number[]): number {
    const { bytes, capacity } = this.columns;
    const counts = [this.count, this.listeners.length, this.connections?.length ?? null] as const;
    const pids = only && Int32Array.from(only);
    return addon.ownersWalk(this.root, bytes, capacity, ...counts, shard, shards, refresh, pids).walked;
  }
  /** One recheck; with `refresh` as the engine requests every 30 s. */
  recheck(refresh = false, shards = 1): OwnersResult {
    this.sweep();
    this.walked = [];
    let owners = this.collect();
    let fresh = refresh;
    for (let round = 0; round < OWNER_ROUNDS && (fresh || owners.wanted > 0); round++) {
      let walked = 0;
      for (let shard = 0; shard < shards; shard++) walked += this.walk(shard, shards, fresh);
      this.walked.push(walked);
      fresh = false;
      owners = this.collect();
    }
    return owners;
  }
  /** `inode pid fd` of every holder row. */
  holders({ holders: count }: OwnersResult): string[] {
    const { inode, pid, fd } = this.columns.holders;
    return Array.from({ length: count }, (_, at) => `${inode[at]} ${pid[at]} ${fd[at]}`);
  }
  fact(column: 'seen' | 'refused', pid: number): boolean {
    const { pid: pids, [column]: facts } = this.columns.processes;
    const row = pids.subarray(0, this.count).indexOf(pid);
    return ((facts[row] as number) & FACT.descriptors) !== 0;
  }
}

/** A fixture machine with its watch, for one test. */
function withMachine(act: (machine: ProcMachine, watch: Watch) => void): void {
  using machine = new ProcMachine();
  machine.set({ pid: 1, comm: 'init', ppid: 0 });
  using watch = new Watch(addon, machine.path);
  act(machine, watch);
}

test('a cached holder is verified without a walk, and followed when it moves or goes', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    machine.set({ pid: 11, comm: 'b', fd: { '4': socket(900), '5': socket(7) } });
    machine.set({ pid: 12, comm: 'c' });
    watch.listeners = [900];
    assert.equal(watch.holders(watch.recheck()), ['900 10 3', '900 11 4']);
    assert.equal(watch.walked, [4], 'kernel threads have no descriptors');
    assert.equal(watch.holders(watch.recheck()), ['900 10 3', '900 11 4']);
    assert.equal(watch.walked, []);
    assert.ok(
      [1, 10, 11, 12].every((pid) => watch.fact('seen', pid)),
      'the last walk is cached',
    );
    assert.not.ok(watch.fact('seen', 2));

    machine.close(10, 3);
    machine.open(10, 8, 900);
    assert.equal(watch.holders(watch.recheck()), ['900 10 8', '900 11 4']);
    assert.equal(watch.walked, [1], 'only the process that moved it');
    machine.remove(10);
    assert.equal(watch.holders(watch.recheck()), ['900 11 4']);
    assert.equal(watch.walked, []);
    machine.close(11, 4);
    machine.open(12, 9, 900);
    assert.equal(watch.holders(watch.recheck()), ['900 12 9']);
  });
});

test('what holds is not lost with the last connection', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'desk', fd: { '3': socket(900) } });
    watch.desk = Int32Array.of(10);
    const holds = () => addon.ownersHold(watch.root, watch.nowMs);
    watch.connections = [900, 77];
    watch.recheck();
    assert.ok(holds());
    watch.nowMs += 5000;
    assert.not.ok(holds(), 'the holder of 77 is to be searched again');
    machine.close(10, 3);
    assert.not.ok(holds());
    watch.connections = [];
    watch.recheck();
    assert.ok(holds(), 'none is left');
  });
});

test('likely holders are searched first, the others shortly after', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    machine.set({ pid: 11, comm: 'b', fd: { '5': socket(900) } });
    machine.set({ pid: 12, comm: 'c' });
    watch.listeners = [900];
    watch.sweep();
    assert.ok(watch.collect().wanted > 0);
    assert.is(watch.walk(0, 1, false, [11, -10, 77]), 1);
    const soon = watch.collect();
    assert.equal(watch.holders(soon), ['900 11 5']);
    assert.equal([soon.unknown, soon.wanted], [0, 0]);
    watch.nowMs += 5;
    assert.equal(watch.holders(watch.recheck()), ['900 10 3', '900 11 5']);
    assert.equal(watch.walked, [3], 'all that have not been searched');
    watch.nowMs += 5;
    watch.recheck();
    assert.equal(watch.walked, []);
  });
});

test('likely holders that hold nothing leave the search unchanged', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    machine.set({ pid: 11, comm: 'b' });
    watch.listeners = [900];
    watch.sweep();
    watch.collect();
    watch.walk(0, 1, false, [11]);
    const owners = watch.collect();
    assert.equal([owners.unknown, owners.due, owners.covered], [1, 2, false]);
    assert.equal(watch.holders(watch.recheck()), ['900 10 3']);
  });
});

test('a process with a reused pid does not inherit the cached holder', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', start: 1n, fd: { '3': socket(900) } });
    machine.set({ pid: 11, comm: 'b', fd: { '3': socket(900) } });
    watch.listeners = [900];
    watch.recheck();
    machine.set({ pid: 10, comm: 'a', start: 2n, fd: { '4': socket(900) } });
    watch.sweep();
    assert.equal(watch.holders(watch.collect()), ['900 11 3']);
    assert.equal(watch.holders(watch.recheck()), ['900 10 4', '900 11 3']);
  });
});

test('a socket without a holder is searched for once a second, and in new processes at once', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a' });
    machine.set({ pid: 11, comm: 'b' });
    watch.listeners = [900];
    watch.nowMs = 5000;
    watch.sweep();
    const first = watch.collect();
    assert.equal([first.unknown, first.wanted, first.covered], [1, 1, false]);
    const after = watch.recheck();
    assert.equal([after.unknown, after.wanted, after.covered], [1, 0, true]);
    assert.equal(watch.walked, [3]);
    watch.nowMs = 5999;
    assert.ok(watch.recheck().covered);
    assert.equal(watch.walked, []);

    machine.set({ pid: 12, comm: 'c' });
    watch.sweep();
    const born = watch.collect();
    assert.equal([born.wanted, born.covered], [1, false], 'the new process has not been searched');
    assert.ok(watch.recheck().covered);
    assert.equal(watch.walked, [1], 'the others have been searched');

    watch.nowMs = 6000;
    machine.open(11, 3, 900);
    assert.equal(watch.holders(watch.recheck()), ['900 11 3']);
    assert.equal(watch.walked, [4]);
  });
});

test('an unfinished walk does not count as covered', () => {
  withMachine((machine, watch) => {
    for (let pid = 10; pid < 20; pid++) machine.set({ pid, comm: 'x' });
    watch.listeners = [900];
    watch.sweep();
    watch.collect();
    assert.is(watch.walk(0, 2), 5);
    const half = watch.collect();
    assert.equal([half.wanted, half.covered], [1, false]);
    watch.walk(1, 2);
    assert.ok(watch.collect().covered);
  });
});

test('a new process is searched for inherited sockets, also when the ancestor that held them has ended', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    watch.listeners = [900];
    watch.recheck();
    machine.set({ pid: 20, comm: 'a', ppid: 10, fd: { '3': socket(900) } });
    machine.set({ pid: 21, comm: 'a', ppid: 20, fd: { '3': socket(900) } });
    machine.set({ pid: 22, comm: 'b', ppid: 10, fd: { '9': socket(900) } });
    machine.set({ pid: 23, comm: 'c', ppid: 1, fd: { '3': socket(900) } });
    machine.close(10, 3);
    assert.equal(watch.holders(watch.recheck()), ['900 20 3', '900 21 3', '900 22 9', '900 23 3']);
    assert.equal(watch.walked, [6], 'all of them while no holder is known');
    watch.recheck();
    assert.equal(watch.walked, []);
  });
});

test('a dirty child of a holder is searched again, others are not', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    machine.set({ pid: 20, comm: 'a', ppid: 10 });
    machine.set({ pid: 21, comm: 'a', ppid: 20 });
    watch.listeners = [900];
    watch.recheck();
    machine.open(20, 4, 900);
    watch.sweep();
    assert.is(watch.collect([21, 999, -20, -21]).wanted, 0);
    assert.is(watch.collect([20]).wanted, 1);
    watch.walk();
    assert.equal(watch.holders(watch.collect()), ['900 10 3', '900 20 4']);
    assert.equal(watch.holders(watch.recheck(true)), ['900 10 3', '900 20 4'], 'a refresh finds no other');
  });
});

test('a thread with its own descriptor table is searched when no process holds the socket', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', threads: 2, tasks: { '11': {} } });
    machine.open(10, 6, 900, 11);
    watch.listeners = [900];
    const found = watch.recheck();
    assert.equal(watch.holders(found), ['900 10 6']);
    assert.equal(watch.walked, [2, 1], 'tables of processes first, then those of threads');
    assert.equal(watch.holders(watch.recheck()), ['900 10 6']);
    assert.equal(watch.walked, []);
    assert.equal(watch.holders(watch.recheck(true)), ['900 10 6'], 'a walk of the process keeps it');
  });
});

test('a living thread is read in place of its exited leader', () => {
  withMachine((machine, watch) => {
    const leader = { pid: 10, comm: 'a', state: 'Z', threads: 2, fd: { '5': socket(900) } };
    machine.set({ ...leader, tasks: { '11': { state: 'S' } } });
    watch.listeners = [900];
    assert.equal(watch.holders(watch.recheck()), ['900 10 5']);
    assert.equal(watch.holders(watch.recheck()), ['900 10 5']);
    assert.equal(watch.walked, []);
  });
});

test("holders of connections are searched among the desk's processes only", () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(71), '4': socket(900) } });
    machine.set({ pid: 11, comm: 'b', fd: { '3': socket(72) } });
    watch.desk = Int32Array.of(11, 10_000);
    watch.connections = [71, 72];
    assert.equal(watch.holders(watch.recheck()), ['72 11 3']);
    assert.equal(watch.walked, [1]);
    watch.listeners = [900];
    const both = watch.recheck();
    assert.equal(watch.holders(both), ['900 10 4', '72 11 3']);
    assert.equal([both.unknown, both.covered], [1, true], 'an unheld connection leaves nothing uncovered');
    watch.desk = null;
    watch.nowMs += 1000;
    assert.equal(watch.holders(watch.recheck()), ['900 10 4', '71 10 3', '72 11 3']);
    // Holders of connections stay cached between two dumps.
    watch.connections = null;
    watch.recheck();
    watch.connections = [71, 72];
    watch.recheck();
    assert.equal(watch.walked, []);
  });
});

test('a refusal is kept with its process, and "covered" does not hide it', () => {
  withMachine((machine, watch) => {
    machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900) } });
    machine.set({ pid: 11, comm: 'b', fd: { '3': socket(901) } });
    chmodSync(machine.path, 0o755);
    chmodSync(join(machine.path, '10/fd'), 0);
    watch.listeners = [900, 901];
    const asUser = (act: () => void) => {
      if (process.geteuid?.() !== 0) return act();
      process.seteuid?.(65534);
      try {
        act();
      } finally {
        process.seteuid?.(0);
      }
    };
    asUser(() => {
      for (let round = 0; round < 2; round++) {
        const found = watch.recheck();
        assert.equal(watch.holders(found), ['901 11 3']);
        assert.equal([found.unknown, found.covered], [1, true]);
        assert.ok(watch.fact('refused', 10) && !watch.fact('seen', 10));
        assert.ok(watch.fact('seen', 11) && !watch.fact('refused', 11));
      }
      assert.equal(watch.walked, []);
    });
    chmodSync(join(machine.path, '10/fd'), 0o700);
    watch.nowMs += 59_999;
    assert.equal(
      watch.holders(watch.recheck()),
      ['901 11 3'],
      'an unreadable process is not tried every second',
    );
    watch.nowMs += 1;
    assert.equal(watch.holders(watch.recheck()), ['900 10 3', '901 11 3']);
    assert.not.ok(watch.fact('refused', 10));
  });
});

test('holders that do not fit set overflow, and inode 0 has no holder', () => {
  using machine = new ProcMachine();
  machine.set({ pid: 10, comm: 'a', fd: { '3': socket(900), '4': socket(900), '5': socket(901) } });
  using watch = new Watch(addon, machine.path, { processes: 8, sockets: 4, holders: 2, text: 1024 });
  watch.listeners = [900, 901, 0];
  const found = watch.recheck();
  assert.equal([found.holders, found.overflow, found.unknown], [2, true, 0]);
});

test('random histories: no false holders, and a refresh finds all of them', () => {
  const pid = fc.integer({ min: 10, max: 15 });
  const fd = fc.integer({ min: 3, max: 5 });
  const inode = fc.integer({ min: 900, max: 903 });
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('open' as const), pid, fd, inode }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), pid, fd, inode }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('exit' as const), pid, fd, inode }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('recheck' as const), pid, fd, inode }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('refresh' as const), pid, fd, inode }) },
  );
  let claims = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), (steps, shards) => {
      withMachine((machine, watch) => {
        let born = 0n;
        const tables = new Map<number, Map<number, number>>();
        const expected = () =>
          [...tables]
            .flatMap(([one, table]) => [...table].map(([at, held]) => `${held} ${one} ${at}`))
            .sort();
        watch.listeners = [900, 901, 902, 903];
        // Each history ends with a refresh, so that every history is checked.
        for (const one of [...steps, { do: 'refresh' as const, pid: 10, fd: 3, inode: 900 }]) {
          const table = tables.get(one.pid);
          if (one.do === 'open') {
            if (table === undefined) machine.set({ pid: one.pid, comm: 'x', start: ++born });
            else if (table.has(one.fd)) machine.close(one.pid, one.fd);
            machine.open(one.pid, one.fd, one.inode);
            tables.set(one.pid, (table ?? new Map<number, number>()).set(one.fd, one.inode));
          } else if (one.do === 'close' && table?.delete(one.fd)) {
            machine.close(one.pid, one.fd);
          } else if (one.do === 'exit') {
            machine.remove(one.pid);
            tables.delete(one.pid);
          } else if (one.do === 'recheck' || one.do === 'refresh') {
            watch.nowMs += 300;
            const found = watch.recheck(one.do === 'refresh', shards);
            const holders = watch.holders(found).sort();
            const held = expected();
            for (const holder of holders) assert.ok(held.includes(holder), `${holder} is claimed`);
            claims += holders.length;
            if (one.do === 'refresh') assert.equal(holders, held);
            assert.is(found.wanted, 0);
          }
        }
      });
    }),
    { numRuns: 150 },
  );
  assert.ok(claims > 150, `${claims} claims were made`);
});

test.run();
