/** A connector that reports no process events: the bounds of src/engine/bounds.ts still hold. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textOf } from '../../src/engine/bytes.ts';
import { type Changes, Events } from '../../src/engine/events.ts';
import { isRefusal, type NativeAddon } from '../../src/engine/native/types.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { needs } from '../support/require.ts';

const test = suite('silent connector');

/** The addon with a watch that reports no process: only its pass over everything arrives, every 50 ms. */
function silent(addon: NativeAddon): NativeAddon {
  return Object.create(addon, {
    watchStart: {
      value: (options: Parameters<NativeAddon['watchStart']>[0], wake: () => void) =>
        addon.watchStart({ ...options, allMs: 50 }, wake),
    },
    watchTake: {
      value: (...words: Parameters<NativeAddon['watchTake']>) => {
        const delta = addon.watchTake(...words);
        const nothing = {
          count: 0,
          processes: delta.all,
          resync: false,
          listeners: false,
          connections: false,
        };
        return { ...delta, ...nothing };
      },
    },
  });
}

async function watched(backend: 'bpf' | 'procfs') {
  process.env.DESK_BACKEND = backend;
  const engine = new Engine({ workers: 2 });
  delete process.env.DESK_BACKEND;
  const events = Events.start(silent(engine.native), { listenPollMs: 1000, look: null }, () => {});
  if (isRefusal(events)) throw new Error(events.code);
  await engine.sweep();
  return {
    /** The sweep of the next full pass. */
    async pass() {
      let changes: Changes | null = null;
      while (changes?.all !== true) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        changes = events.take();
      }
      assert.is(changes.dirty.length, 0);
      return engine.sweep(changes);
    },
    async [Symbol.asyncDispose]() {
      events.stop();
      await engine.close();
    },
  };
}

for (const backend of ['procfs', 'bpf'] as const)
  needs(...(backend === 'bpf' ? (['bpf'] as const) : []))(
    test,
    `${backend}: a birth, exec or exit without an event is seen by the next pass that the bounds require`,
    async () => {
      await using machine = await watched(backend);
      await machine.pass();
      const child = spawn('sh', ['-c', 'read line; exec sleep 1000'], {
        stdio: ['pipe', 'ignore', 'inherit'],
      });
      const { pid = 0 } = child;
      const exe = async () => {
        const { processes } = await machine.pass();
        const row = processes.rowOf(pid);
        return row < 0 || processes.columns.state[row] === 0 ? null : textOf(processes.exe(row));
      };
      const realNow = performance.now;
      try {
        assert.match((await exe()) ?? 'not seen', /sh$/);
        child.stdin?.end('go\n');
        // The kernel shows the new program some time after the write.
        for (;;) {
          if (readlinkSync(`/proc/${pid}/exe`).endsWith('sleep')) break;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        // The age bound for texts, without waiting for it.
        performance.now = () => realNow.call(performance) + 60_000;
        assert.match((await exe()) ?? 'not seen', /sleep$/);
        child.kill('SIGKILL');
        await once(child, 'exit');
        assert.is(await exe(), null);
      } finally {
        performance.now = realNow;
        child.kill('SIGKILL');
      }
    },
  );

test.run();
