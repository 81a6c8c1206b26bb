/** The native stages of the sweeps for hidden processes and ports: their arguments, and their results for this process. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVIDENCE } from '../../src/engine/native/hidden-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { Refusal } from '../../src/engine/native/types.ts';
import { loader, moduleUrl } from '../support/entry.ts';

const test = suite('hidden stages');
const { addon } = loadNative();
const root = addon.openRoot('/proc') as number;
test.after(() => addon.closeRoot(root));

const pids = (...numbers: number[]) => Int32Array.from(numbers);
const bits = () => new Uint8Array(8192);
const none = pids();

test('invalid arguments throw an error that names what was expected', () => {
  const wrong: readonly [() => unknown, RegExp][] = [
    [() => addon.hiddenPidSight(9999), /root 9999 does not exist/],
    [() => addon.listPids(root, new Uint8Array(4) as never), /Int32Array/],
    [() => addon.probePids(pids(3, 2), 1, 10), /ascending/],
    [() => addon.probePids(pids(0, 2), 1, 10), /from 1 on/],
    [() => addon.probePids(none, 0, 10), /from 1 to/],
    [() => addon.probePids(none, 10, 9), /from 10 to/],
    [() => addon.probePids(none, 1, 4_194_305), /to 4194304/],
    [() => addon.coveredPids(root, pids(2, 1)), /ascending/],
    [
      () =>
        addon.confirmPids(
          root,
          Int32Array.from({ length: 129 }, (_, at) => at + 1),
          none,
        ),
      /at most 128/,
    ],
    [() => addon.confirmPids(root, none, pids(-1)), /from 1 on/],
    [() => addon.describePid(root, 0), /from 1 to/],
    [() => addon.portTable(7 as never, 4, bits()), /6 \(TCP\) or 17/],
    [() => addon.portTable(6, 5 as never, bits()), /4 or 6/],
    [() => addon.portTable(6, 4, new Uint8Array(8191)), /8192 bytes/],
    [() => addon.probePorts(6, 0, 10, bits()), /from 1 to/],
    [() => addon.probePorts(6, 1, 65_537, bits()), /to 65536/],
    [() => addon.confirmPort(6, 65_536), /to 65535/],
  ];
  for (const [call, message] of wrong) {
    try {
      call();
    } catch (error) {
      assert.match((error as Error).message, message);
      continue;
    }
    assert.unreachable(String(call));
  }
});

test('this process is not a suspect when it is listed, and is one when it is removed from the list', () => {
  const into = new Int32Array(65_536);
  const count = addon.listPids(root, into) as number;
  const listed = into.slice(0, count);
  assert.ok(listed.includes(process.pid));
  assert.equal(addon.coveredPids(root, pids(process.pid)), none);
  assert.equal(addon.probePids(pids(process.pid), process.pid, process.pid + 1), {
    suspects: none,
    tried: 0,
    sessions: 0,
    leaders: 0,
  });
  assert.equal(addon.probePids(none, process.pid, process.pid + 1), {
    suspects: pids(process.pid),
    tried: 1,
    sessions: 1,
    leaders: 1,
  });
  assert.equal([...(addon.confirmPids(root, pids(process.pid), none) as Uint8Array)], [0]);
});

test('a list that is too short returns the length it needs', () => {
  const short = new Int32Array(1);
  assert.ok((addon.listPids(root, short) as number) > 1);
  assert.is(short[0], 1);
});

test('our threads are neither suspects nor processes', () => {
  const threads = readdirSync('/proc/self/task')
    .map(Number)
    .filter((tid) => tid !== process.pid);
  assert.ok(threads.length > 0);
  for (const tid of threads) {
    const { suspects, sessions, leaders } = addon.probePids(none, tid, tid + 1);
    // The thread may have ended in the meantime.
    assert.equal([suspects.length, leaders, sessions <= 1], [0, 0, true]);
  }
  const evidence = addon.confirmPids(root, Int32Array.from(threads.slice(0, 64)).sort(), none) as Uint8Array;
  assert.ok(evidence.every((bit) => bit === 0));
});

test('with a root without processes, confirmation reports the process as unlisted', () => {
  const empty = addon.openRoot(tmpdir()) as number;
  try {
    assert.is((addon.hiddenPidSight(empty).root as Refusal).code, 'EMEDIUMTYPE');
    const [evidence = 0] = addon.confirmPids(empty, pids(process.pid), pids(process.pid)) as Uint8Array;
    const { session, pidfd, iterator, unlisted, noFolder, ours } = EVIDENCE;
    assert.is(evidence, session | pidfd | iterator | unlisted | noFolder | ours);
  } finally {
    addon.closeRoot(empty);
  }
});

test('a process is described by its executable; an unused pid is reported as gone', () => {
  const description = addon.describePid(root, process.pid);
  assert.ok('exe' in description);
  assert.is(Buffer.from(description.exe).toString(), process.execPath);
  assert.is(description.freshProc, false);
  const gone = addon.describePid(root, 4_194_303);
  assert.ok('code' in gone && gone.code === 'ESRCH');
});

test('without free descriptors confirmation refuses instead of clearing suspects', () => {
  const script = `
    import { openSync } from 'node:fs';
    const { loadNative } = await import(process.argv[1]);
    const { addon } = loadNative();
    const root = addon.openRoot('/proc');
    addon.probePids(new Int32Array(), 1, 2);
    try { for (;;) openSync('/dev/null', 'r'); } catch {}
    const one = Int32Array.of(process.pid);
    const { suspects } = addon.probePids(new Int32Array(), process.pid, process.pid + 1);
    const refused = addon.confirmPids(root, one, new Int32Array());
    process.stdout.write(JSON.stringify([suspects.length, refused.code, addon.coveredPids(root, one).length]));
    process.exit(0);`;
  const words = [
    '-c',
    'ulimit -n 64; exec "$@"',
    'sh',
    process.execPath,
    ...loader,
    '--input-type=module',
    '-e',
    script,
    moduleUrl('../../src/engine/native/load.ts', import.meta.url),
  ];
  const output = execFileSync('sh', words, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    encoding: 'utf8',
  });
  assert.equal(JSON.parse(output), [1, 'EMFILE', 0]);
});

test('a port that we listen on is taken and listed, and free after it is closed', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const has = (set: Uint8Array) => ((set[port >> 3] as number) & (1 << (port & 7))) !== 0;
  const [taken, table] = [bits(), bits()];
  const probe = addon.probePorts(6, port, port + 1, taken);
  assert.equal([probe.tried, probe.taken, probe.refused, probe.refusal], [1, 1, 0, null]);
  assert.is(addon.portTable(6, 4, table), null);
  assert.ok(has(taken) && has(table));
  assert.equal(addon.confirmPort(6, port), { kind: 'listed', v4: 'nothing', v6: 'nothing' });
  await new Promise((resolve) => server.close(resolve));
  assert.equal(addon.confirmPort(6, port), { kind: 'free', v4: 'nothing', v6: 'nothing' });
});

test.run();
