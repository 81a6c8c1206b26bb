/** Malformed process files: never a crash, never a wrong "wrapped" or "free". */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import { FACT, WRAP, WRAP_STATE } from '../../src/engine/native/types.ts';
import { ALL_CAPS, type FakeProcess, NEW_KERNEL, statLine, statusText, writeProcess } from './fake-proc.ts';
import { type Row, renderRow, sweep } from './render.ts';

const test = suite('hostile');
const { addon } = loadNative();
const folder = mkdtempSync(join(tmpdir(), 'desk-hostile-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A fresh root with init, kthreadd and `subject`. */
let roots = 0;
function makeRoot(...processes: readonly FakeProcess[]): string {
  const root = join(folder, String(roots++));
  mkdirSync(root);
  writeProcess(root, { pid: 2, comm: 'kthreadd', ppid: 0, flags: 0x20_0000 }, NEW_KERNEL);
  for (const process of processes) writeProcess(root, process, NEW_KERNEL);
  return root;
}

/** Runs `act` with an open root handle. */
function withRoot<T>(path: string, act: (root: number) => T): T {
  const root = addon.openRoot(path);
  if (typeof root !== 'number') throw new Error(root.code);
  try {
    return act(root);
  } finally {
    addon.closeRoot(root);
  }
}

function rowOf(root: number, pid: number, sockets: readonly number[] = []): Row {
  const swept = sweep(addon, root, sockets);
  const row = Array.from(swept.columns.processes.pid.subarray(0, swept.count)).indexOf(pid);
  return renderRow(addon, swept, row);
}

const subject: FakeProcess = { pid: 100, comm: 'subject', exe: '/bin/subject' };
const inSubject = makeRoot(subject);
const files = { stat: join(inSubject, '100/stat'), status: join(inSubject, '100/status') };
function readSubject(stat: Uint8Array, status: Uint8Array): Row {
  writeFileSync(files.stat, stat);
  writeFileSync(files.status, status);
  return withRoot(inSubject, (root) => rowOf(root, 100));
}

const anyComm = fc
  .uint8Array({ maxLength: 15 })
  .filter((bytes) => !bytes.includes(0))
  .map((bytes) => Buffer.from(bytes));
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const uint64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });

test('every name and number is read as it was written', () => {
  const fields = fc.record({
    comm: anyComm,
    state: fc.constantFrom('R', 'S', 'D', 'T', 't', 'I'),
    ppid: int32.filter((ppid) => ppid >= 0),
    tty: int32,
    flags: uint32.map((flags) => (flags & ~0x0020_0000) >>> 0),
    start: uint64,
    uid: uint32,
    euid: uint32,
    tracer: int32.filter((tracer) => tracer >= 0),
    capEff: uint64,
    capBnd: uint64,
    seccomp: fc.constantFrom(0, 1, 2, 3),
    noNewPrivs: fc.constantFrom(0, 1),
  });
  fc.assert(
    fc.property(fields, (written) => {
      const process = { ...subject, ...written };
      const row = readSubject(statLine(process), statusText(process, written, 100));
      assert.equal(
        {
          ...row,
          comm: undefined,
        },
        {
          ...row,
          ...written,
          comm: undefined,
          flags: `0x${written.flags.toString(16)}`,
          start: String(written.start),
          capEff: written.capEff.toString(16),
          capBnd: written.capBnd.toString(16),
        },
      );
      assert.is(row.comm, written.comm.toString('latin1'));
    }),
    { numRuns: 300 },
  );
});

test('arbitrary bytes in stat and status are malformed, and neither a crash nor a verdict', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  fc.assert(
    fc.property(bytes, bytes, (stat, status) => {
      assert.is(readSubject(stat, status).state, '?');
      const row = readSubject(statLine(subject), status);
      assert.is(row.wrapState, WRAP_STATE.blind);
      assert.is(row.wrap, 0);
    }),
    { numRuns: 300 },
  );
});

/** What a status file proves, computed by a simple slow parser. `null` = not a complete status file. */
function plainReading(text: string): { wrapped: boolean } | null {
  const value = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const key = colon < 0 ? line : line.slice(0, colon);
    const rest = colon < 0 ? '' : line.slice(colon + 1);
    if (!value.has(key)) value.set(key, rest.replace(/^[ \t]+|[ \t]+$/g, ''));
  }
  const fits = (digits: string | undefined, low: bigint, high: bigint) =>
    digits !== undefined &&
    (low < 0n ? /^-?\d+$/ : /^\d+$/).test(digits) &&
    BigInt(digits) >= low &&
    BigInt(digits) <= high;
  const hex = (key: string) => /^[0-9a-fA-F]{16}$/.test(value.get(key) ?? '');
  const uids = (value.get('Uid') ?? '').split('\t');
  const whole =
    [0, 1, 2].every((one) => fits(uids[one], 0n, 0xffff_ffffn)) &&
    fits(value.get('TracerPid'), -0x8000_0000n, 0x7fff_ffffn) &&
    fits(value.get('Threads'), 1n, 0xffff_ffffn) &&
    hex('CapEff') &&
    hex('CapBnd') &&
    fits(value.get('NoNewPrivs'), 0n, 1n) &&
    fits(value.get('Seccomp'), 0n, 255n);
  const levels = value.get('NSpid')?.replace(/\t$/, '').split('\t');
  const levelsFit = levels === undefined || levels.every((one) => fits(one, -0x8000_0000n, 0x7fff_ffffn));
  if (!whole || !levelsFit) return null;
  const capBnd = BigInt(`0x${value.get('CapBnd')}`);
  const smaller = capBnd !== ALL_CAPS && (capBnd & ~ALL_CAPS) === 0n;
  const allPowerful = (BigInt(`0x${value.get('CapEff')}`) & ALL_CAPS) === ALL_CAPS;
  return {
    wrapped:
      (BigInt(value.get('Seccomp') as string) !== 0n && !allPowerful) ||
      (levels?.length ?? 0) > 1 ||
      (BigInt(value.get('NoNewPrivs') as string) === 1n && smaller),
  };
}

test('a mangled status file is judged as by a simple parser', () => {
  const linesWith = (capEff: bigint) =>
    statusText({ ...subject, capEff }, { seccomp: 0, noNewPrivs: 1, levels: [100, 4] }, 100)
      .toString()
      .trimEnd()
      .split('\n');
  const lines = linesWith(0n);
  const line = fc.oneof(
    { weight: 20, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...lines) },
    { weight: 1, arbitrary: fc.stringMatching(/^(Seccomp|NoNewPrivs|Threads|NSpid):\t[0-9 -]{0,12}$/) },
    { weight: 1, arbitrary: fc.constantFrom('Seccomp:\t2', 'NSpid:\t5', 'CapBnd:\t00000000000000ff') },
    { weight: 1, arbitrary: fc.stringMatching(/^Cap(Bnd|Eff):\t[0-9a-f]{14,17}$/) },
  );
  const mangled = fc
    .tuple(
      fc.constantFrom(lines, linesWith(ALL_CAPS)),
      fc.array(line, { minLength: lines.length, maxLength: lines.length }),
      fc.option(fc.nat({ max: 700 }), { freq: 5, nil: 10_000 }),
    )
    .map(([whole, changes, cut]) =>
      whole
        .map((one, i) => changes[i] ?? one)
        .join('\n')
        .slice(0, cut),
    );
  const verdicts = new Set<number>();
  fc.assert(
    fc.property(mangled, (text) => {
      const plain = plainReading(text);
      const row = readSubject(statLine(subject), Buffer.from(text));
      // Only the leader is tested here: a file that claims threads has none in its folder.
      if (row.threads !== 1) return;
      const expected = plain === null ? 'blind' : plain.wrapped ? 'wrapped' : 'free';
      assert.is(row.wrapState, WRAP_STATE[expected], text);
      verdicts.add(row.wrapState as number);
    }),
    { numRuns: 1000 },
  );
  assert.equal([...verdicts].sort(), [WRAP_STATE.free, WRAP_STATE.wrapped, WRAP_STATE.blind]);
});

test('links with any text are read as bytes or refused', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z:[\]0-9/ ]{1,60}$/), (target) => {
      const root = makeRoot({ ...subject, exe: target, fd: { '3': target, '4': 'socket:[77]' } });
      const row = withRoot(root, (handle) => rowOf(handle, 100, [77]));
      assert.is(row.exe, target);
      rmSync(root, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

/** Runs `act` as an ordinary user, so that file modes apply. */
function unprivileged<T>(act: () => T): T {
  if (process.geteuid?.() !== 0) return act();
  process.seteuid?.(65534);
  try {
    return act();
  } finally {
    process.seteuid?.(0);
  }
}

test('files that the kernel refuses to open make a process blind and are counted, never free', () => {
  const root = makeRoot(
    { ...subject, pid: 101, capEff: 0n, seccomp: 2 },
    { ...subject, pid: 102 },
    { ...subject, pid: 103 },
    { ...subject, pid: 104, capEff: 0n, seccomp: 2, threads: 2, tasks: { '105': {} } },
    { ...subject, pid: 106, levels: [106, 1] },
  );
  chmodSync(folder, 0o755);
  const closed = ['101/ns', '102/ns', '106/ns', '101/fd', '102/fd', '103/stat', '104/task/105/status'];
  for (const path of closed) chmodSync(join(root, path), 0);
  const found = unprivileged(() =>
    withRoot(root, (handle) => {
      const swept = sweep(addon, handle, [1]);
      const rows = Array.from({ length: swept.count }, (_, row) => renderRow(addon, swept, row));
      return new Map(rows.map((row) => [row.pid, row]));
    }),
  );
  // Opened again, so that an ordinary user can remove them.
  for (const path of closed) chmodSync(join(root, path), 0o700);
  const state = (pid: number) => found.get(pid)?.wrapState;
  const refused = (pid: number) => Number.parseInt(String(found.get(pid)?.refused), 2);
  const links = FACT.nsUser | FACT.nsPid | FACT.nsMnt | FACT.nsNet;
  assert.is(state(101), WRAP_STATE.wrapped);
  assert.is(found.get(101)?.wrap, WRAP.seccomp);
  assert.is(state(102), WRAP_STATE.blind);
  assert.is(refused(102), links | FACT.descriptors);
  assert.is(state(103), WRAP_STATE.blind);
  assert.is(refused(103), FACT.stat | FACT.descriptors);
  assert.is(state(104), WRAP_STATE.blind);
  assert.is(refused(104), FACT.threads);
  assert.is(state(106), WRAP_STATE.wrapped);
  assert.is(found.get(106)?.wrap, WRAP.nsPid);
});

test('an exited leader with unreadable threads is blind, not dead', () => {
  const root = makeRoot(
    { ...subject, pid: 101, state: 'Z', threads: 2, tasks: { '102': {} } },
    { ...subject, pid: 103, state: 'Z', threads: 2, tasks: { '104': {} } },
  );
  chmodSync(folder, 0o755);
  chmodSync(join(root, '101/task/102/stat'), 0);
  const rows = unprivileged(() =>
    withRoot(root, (handle) => [101, 103].map((pid) => rowOf(handle, pid, [1]))),
  );
  assert.equal(
    rows.map(({ state, wrapState }) => [state, wrapState]),
    [
      ['?', WRAP_STATE.blind],
      ['S', WRAP_STATE.free],
    ],
  );
  assert.ok((Number.parseInt(String(rows[0]?.refused), 2) & FACT.descriptors) !== 0);
});

test('without free descriptors every process is refused and none is free', () => {
  const root = makeRoot({ ...subject, pid: 101 }, { ...subject, pid: 102 });
  // In a separate process with a low limit of open files.
  const script = `
    const { openSync, closeSync } = require('node:fs');
    const addon = require(process.argv[1]);
    const capacity = { processes: 16, sockets: 1, holders: 16, text: 4096 };
    const layout = addon.layout(capacity);
    const bytes = new Uint8Array(new SharedArrayBuffer(layout.bytes));
    const column = (table, name, type) => {
      const { offset, length } = layout[table].find((one) => one.name === name);
      return new type(bytes.buffer, offset, length);
    };
    const root = addon.openRoot(process.argv[2]);
    const count = addon.listProcesses(root, bytes, capacity);
    column('listeners', 'inode', Uint32Array)[0] = 1;
    const taken = [];
    try {
      for (;;) taken.push(openSync('/dev/null'));
    } catch {}
    const sweep = () => {
      addon.sweepShard(root, bytes, capacity, count, 0, 1);
      addon.ownersCollect(root, bytes, capacity, count, 1, 0, 0);
      addon.ownersWalk(root, bytes, capacity, count, 1, 0, 0, 1);
    };
    sweep();
    const spare = taken.pop();
    closeSync(spare);
    const first = [...column('processes', 'refused', Uint16Array).subarray(0, count)];
    sweep();
    const second = [...column('processes', 'refused', Uint16Array).subarray(0, count)];
    for (const fd of taken) closeSync(fd);
    console.log(JSON.stringify({ first, second }));
  `;
  const file = fileURLToPath(new URL(`../../build/Release/desk_${addon.mark}.node`, import.meta.url));
  const command = 'ulimit -n 64 && exec "$0" -e "$1" "$2" "$3"';
  const output = execFileSync('sh', ['-c', command, process.execPath, script, file, root], {
    encoding: 'utf8',
  });
  const { first, second } = JSON.parse(output) as { first: number[]; second: number[] };
  assert.equal(first, Array(3).fill(FACT.stat | FACT.descriptors));
  assert.equal(second, [0, 0, 0], 'one free descriptor is enough');
});

test('AppArmor confines in the enforce and kill modes only', () => {
  const modes = ['enforce', 'kill', 'complain', 'unconfined', 'prompt', 'mixed', ''];
  const proc = join(folder, 'apparmor');
  mkdirSync(proc);
  writeProcess(proc, { pid: 1, comm: 'init', label: 'unconfined\n' }, NEW_KERNEL);
  for (const [at, mode] of modes.entries()) {
    const label = mode === '' ? 'unconfined\n' : `/usr/bin/x (${mode})\n`;
    writeProcess(proc, { ...subject, pid: 10 + at, label }, NEW_KERNEL);
  }
  const labels = withRoot(proc, (root) => modes.map((_, at) => rowOf(root, 10 + at).wrap === WRAP.label));
  assert.equal(labels, [true, true, false, false, false, false, false]);
});

test('SELinux confines only when the policy is enforced and the type is a confined one', () => {
  const label = (type: string) => `system_u:system_r:${type}:s0\0`;
  const types = ['httpd_t', 'unconfined_service_t', 'kernel_t', 'initrc_t'];
  const host = join(folder, 'selinux');
  mkdirSync(join(host, 'sys/fs/selinux'), { recursive: true });
  mkdirSync(join(host, 'proc'));
  writeProcess(join(host, 'proc'), { pid: 1, comm: 'init', label: label('init_t') }, NEW_KERNEL);
  for (const [i, type] of types.entries()) {
    writeProcess(join(host, 'proc'), { ...subject, pid: 10 + i, label: label(type) }, NEW_KERNEL);
  }
  const wraps = () => withRoot(join(host, 'proc'), (root) => types.map((_, i) => rowOf(root, 10 + i).wrap));
  writeFileSync(join(host, 'sys/fs/selinux/enforce'), '1');
  assert.equal(wraps(), [WRAP.label, 0, 0, 0]);
  writeFileSync(join(host, 'sys/fs/selinux/enforce'), '0');
  assert.equal(wraps(), [0, 0, 0, 0]);
});

test('a process whose label is missing or empty is blind if others have labels', () => {
  const root = makeRoot(
    { pid: 1, comm: 'init', label: 'unconfined\n' },
    { ...subject, pid: 10, label: '' },
    { ...subject, pid: 11 },
    { ...subject, pid: 12, label: 'unconfined\n' },
  );
  const states = withRoot(root, (handle) => [10, 11, 12].map((pid) => rowOf(handle, pid).wrapState));
  assert.equal(states, [WRAP_STATE.blind, WRAP_STATE.blind, WRAP_STATE.free]);
});

test('the row of this process has its real pid, uid and executable', () => {
  const row = withRoot('/proc', (root) => {
    const swept = sweep(addon, root, [], 1, { processes: 65_536, sockets: 0, holders: 0, text: 1 << 22 });
    const pids = Array.from(swept.columns.processes.pid.subarray(0, swept.count));
    assert.equal(
      pids,
      [...pids].sort((a, b) => a - b),
    );
    return renderRow(addon, swept, pids.indexOf(process.pid));
  });
  assert.is(row.ppid, process.ppid);
  assert.is(row.uid, process.getuid?.());
  assert.is(row.exe, process.execPath);
  assert.is.not(row.wrapState, WRAP_STATE.notApplicable);
});

test.run();
