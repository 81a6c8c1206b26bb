/** The pure parts of native/bpf, compiled with ASan and UBSan: the BTF parser on hostile bytes, the assembler, the records. */
import { spawnSync } from 'node:child_process';
import { endianness } from 'node:os';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';

const ENOENT = 2;
const ERANGE = 34;
const ELOOP = 40;
const EEXIST = 17;
const EBADMSG = 74;
const EOPNOTSUPP = 95;

let program = '';

function answers(lines: readonly string[]): unknown[] {
  const ran = spawnSync(program, [], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  assert.is(ran.status, 0, ran.stderr);
  const found = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  assert.is(found.length, lines.length);
  return found;
}

interface Resolved {
  readonly at: string;
  readonly error: number;
  readonly type?: number;
  /** Each entry is [offset, bytes, bit shift, bit count]. */
  readonly loads: readonly (readonly number[])[];
}

const resolveAll = (...cases: readonly (readonly [Uint8Array, string, string])[]) =>
  answers(
    cases.map(([bytes, ...rest]) => ['resolve', Buffer.from(bytes).toString('hex'), ...rest].join(' ')),
  ) as Resolved[];
const resolve = (bytes: Uint8Array, name: string, path: string) =>
  resolveAll([bytes, name, path])[0] as Resolved;

// BTF kinds, Documentation/bpf/btf.rst.
const INT = 1;
const PTR = 2;
const ARRAY = 3;
const STRUCT = 4;
const UNION = 5;
const TYPEDEF = 8;
const CONST = 10;
const FUNC = 12;
const FUNC_PROTO = 13;
const TYPE_TAG = 18;

/** Writes a BTF: types get the ids 1, 2, 3 … in the order they are added. */
class Blob {
  readonly #types: Buffer[] = [];
  #strings = Buffer.from([0]);
  #count = 0;

  name(text: string): number {
    if (text === '') return 0;
    const at = this.#strings.length;
    this.#strings = Buffer.concat([this.#strings, Buffer.from(text), Buffer.from([0])]);
    return at;
  }
  type(
    kind: number,
    name: string,
    value: number,
    tail: readonly number[] = [],
    count = 0,
    flag = false,
  ): number {
    const info = ((flag ? 0x8000_0000 : 0) + kind * 0x100_0000 + count) >>> 0;
    this.#types.push(words(this.name(name), info, value, ...tail));
    return ++this.#count;
  }
  /** Members are [name, type, bit offset, width of a bit field]. */
  struct(
    name: string,
    size: number,
    members: readonly (readonly [string, number, number, number?])[],
    kind = STRUCT,
  ): number {
    const flag = members.some(([, , , width]) => width !== undefined);
    const tail = members.flatMap(([member, type, bits, width = 0]) => [
      this.name(member),
      type,
      flag ? width * 0x100_0000 + bits : bits,
    ]);
    return this.type(kind, name, size, tail, members.length, flag);
  }
  bytes({ magic = 0xeb9f, header = 24 } = {}): Buffer {
    const types = Buffer.concat(this.#types);
    const head = Buffer.alloc(header);
    head.writeUInt16LE(magic, 0);
    head.writeUInt8(1, 2);
    head.writeUInt32LE(header, 4);
    head.writeUInt32LE(0, 8);
    head.writeUInt32LE(types.length, 12);
    head.writeUInt32LE(types.length, 16);
    head.writeUInt32LE(this.#strings.length, 20);
    return Buffer.concat([head, types, this.#strings]);
  }
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value >>> 0, 4 * at);
  });
  return bytes;
}

/** A small example: a task with a pointer to credentials, anonymous members, arrays and bit fields. */
function task(): Blob {
  const blob = new Blob();
  const u32 = blob.type(INT, 'unsigned int', 4, [32]); // 1
  const char = blob.type(INT, 'char', 1, [8]); // 2
  const comm = blob.type(ARRAY, '', 0, [char, u32, 16]); // 3
  const cred = blob.struct('cred', 16, [
    ['uid', u32, 32],
    ['euid', u32, 64],
  ]); // 4
  const constant = blob.type(CONST, '', cred); // 5
  const tagged = blob.type(TYPE_TAG, 'rcu', constant); // 6
  const pointer = blob.type(PTR, '', tagged); // 7
  const state = blob.struct(
    '',
    4,
    [
      ['__state', u32, 0],
      ['saved', u32, 0],
    ],
    UNION,
  ); // 8
  const named = blob.type(TYPEDEF, 'number', u32); // 9
  const upid = blob.struct('upid', 16, [
    ['nr', named, 0],
    ['ns', pointer, 64],
  ]); // 10
  const numbers = blob.type(ARRAY, '', 0, [upid, u32, 0]); // 11
  const flags = blob.struct('', 8, [
    ['low', u32, 0, 3],
    ['high', u32, 29, 3],
    ['next', u32, 32, 1],
  ]); // 12
  const empty = blob.struct('seccomp', 0, []); // 13
  blob.struct('task_struct', 200, [
    ['', state, 64],
    ['real_cred', pointer, 128],
    ['comm', comm, 192],
    ['', flags, 320],
    ['seccomp', empty, 384],
    ['numbers', numbers, 448],
  ]); // 14
  const prototype = blob.type(FUNC_PROTO, '', u32, [0, u32], 1); // 15
  blob.type(FUNC, 'bpf_iter_task', prototype); // 16
  return blob;
}

const test = suite('bpf');

test.before(() => {
  program = sanitized('bpf_cases.cc', [
    'bpf/assembler',
    'bpf/btf',
    'bpf/cgroup_root',
    'bpf/task_facts',
    'bpf/task_table',
    'core/read',
  ]);
});

const when = endianness() === 'LE' ? needs('compiler') : () => {};

when(test, 'members are found through pointers, modifiers, anonymous members, arrays and bit fields', () => {
  const bytes = task().bytes();
  const expected: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['__state', [[8, 4, 0, 0]], 1],
    ['saved', [[8, 4, 0, 0]], 1],
    ['real_cred', [[16, 8, 0, 0]], 4],
    [
      'real_cred.euid',
      [
        [16, 8, 0, 0],
        [8, 4, 0, 0],
      ],
      1,
    ],
    ['comm', [[24, 16, 0, 0]], 3],
    ['comm[3]', [[27, 1, 0, 0]], 2],
    ['low', [[40, 4, 0, 3]], 1],
    ['high', [[40, 4, 29, 3]], 1],
    ['next', [[44, 4, 0, 1]], 1],
    ['numbers[2].nr', [[88, 4, 0, 0]], 1],
    [
      'numbers[1].ns.uid',
      [
        [80, 8, 0, 0],
        [4, 4, 0, 0],
      ],
      1,
    ],
  ];
  const found = resolveAll(...expected.map(([path]) => [bytes, 'task_struct', path] as const));
  expected.forEach(([path, loads, type], at) => {
    assert.equal(found[at], { at: '', error: 0, type, loads }, path);
  });
});

when(test, 'missing names and paths are refused', () => {
  const bytes = task().bytes();
  const missing = [
    ['nobody', 'pid', 'find', ENOENT],
    ['bpf_iter_task', 'pid', 'find', ENOENT],
    ['task_struct', 'pid', 'resolve', ENOENT],
    ['task_struct', 'real_cred.pid', 'resolve', ENOENT],
    ['task_struct', 'seccomp.mode', 'resolve', ENOENT],
    ['task_struct', 'comm.x', 'resolve', EBADMSG],
    ['task_struct', 'comm[16]', 'resolve', EBADMSG],
    ['task_struct', 'comm[x]', 'resolve', EBADMSG],
    ['task_struct', '__state[0]', 'resolve', EBADMSG],
  ] as const;
  const found = resolveAll(...missing.map(([name, path]) => [bytes, name, path] as const));
  missing.forEach(([name, path, at, error], index) => {
    assert.equal(found[index], { at, error, loads: [] }, `${name} ${path}`);
  });
});

when(test, 'an unknown kind of type is skipped if one length fits every occurrence, else refused', () => {
  const known = resolve(task().bytes(), 'task_struct', 'comm');
  assert.is(known.error, 0);
  const words = [0, 1, 2, 3, 5];
  const cases = words.flatMap((fixed) =>
    words.map((each): [Uint8Array, string, string] => {
      const blob = new Blob();
      const char = blob.type(INT, 'char', 1, [8]);
      // Between other types of several lengths, with and without members.
      for (const count of [0, 1, 2, 3, 6]) {
        blob.type(25, 'future', 7, Array(fixed + count * each).fill(0xffff_ffff), count);
        if (count % 2 === 1) blob.type(INT, 'short', 2, [16]);
        blob.type(PTR, '', char);
        if (count % 2 === 0) blob.type(INT, 'long', 8, [64]);
      }
      // Unknown types count in the numbering of ids.
      const last = blob.type(INT, 'unsigned char', 1, [8]);
      assert.is(last, 17);
      blob.struct('task_struct', 32, [['comm', last, 64]]);
      return [blob.bytes(), 'task_struct', 'comm'];
    }),
  );
  for (const found of resolveAll(...cases))
    assert.equal(found, { at: '', error: 0, type: 17, loads: [[8, 1, 0, 0]] });
  const two = task();
  two.type(25, 'future', 4, [0xffff_ffff]);
  two.type(26, 'later', 4, Array(9).fill(0xffff_ffff));
  assert.is(resolve(two.bytes(), 'task_struct', 'comm').error, EOPNOTSUPP);
});

when(test, 'a longer header is accepted, an unknown version is refused', () => {
  assert.is(resolve(task().bytes({ header: 32 }), 'task_struct', 'comm').error, 0);
  assert.is(resolve(task().bytes({ magic: 0x9feb }), 'task_struct', 'comm').error, EBADMSG);
  assert.is(resolve(task().bytes().subarray(0, -1), 'task_struct', 'comm').error, EBADMSG);
  assert.is(resolve(new Uint8Array(24), 'task_struct', 'comm').error, EBADMSG);
});

when(test, 'cyclic and exploding types are refused', () => {
  const circle = new Blob();
  circle.type(TYPEDEF, 'a', 2);
  circle.type(TYPEDEF, 'b', 1);
  circle.struct('s', 4, [['x', 1, 0]]);
  assert.is(resolve(circle.bytes(), 's', 'x').error, ELOOP);

  // Each struct contains the next one anonymously a thousand times: a thousand to the tenth power members.
  const bomb = new Blob();
  bomb.struct(
    's',
    4,
    Array.from({ length: 1000 }, () => ['', 2, 0] as const),
  );
  for (let next = 3; next <= 11; next++)
    bomb.struct(
      '',
      4,
      Array.from({ length: 1000 }, () => ['', next, 0] as const),
    );
  bomb.struct('', 4, []);
  assert.is(resolve(bomb.bytes(), 's', 'x').error, ELOOP);

  const inside = new Blob();
  inside.struct('s', 4, [['', 1, 0]]);
  assert.is(resolve(inside.bytes(), 's', 'x').error, ELOOP);

  const huge = new Blob();
  huge.type(INT, 'u64', 8, [64]);
  huge.type(ARRAY, '', 0, [1, 1, 0xffff_ffff]);
  huge.type(ARRAY, '', 0, [2, 1, 0xffff_ffff]);
  huge.struct('s', 4, [['x', 3, 0]]);
  assert.is(resolve(huge.bytes(), 's', 'x').error, EBADMSG);

  const wild = new Blob();
  wild.struct('s', 4, [['x', 4711, 0]]);
  assert.is(resolve(wild.bytes(), 's', 'x').error, EBADMSG);
});

when(test, 'arbitrary and mutated bytes are never read beyond their end', () => {
  const whole = task().bytes();
  const mutated = fc
    .tuple(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(whole.length))
    .map(([changes, length]) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, length < 8 ? length : whole.length);
    });
  const path = fc.constantFrom(
    '__state',
    'real_cred.euid',
    'comm[3]',
    'high',
    'numbers[2].ns.uid',
    'nothing',
  );
  const cases = fc.sample(
    fc.tuple(fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 200 }), mutated), path),
    4000,
  );
  const found = resolveAll(
    ...cases.map(
      ([bytes, way]) => [bytes.length === 0 ? new Uint8Array(1) : bytes, 'task_struct', way] as const,
    ),
  );
  for (const { error, loads } of found) {
    if (error !== 0) continue;
    assert.ok(loads.length > 0);
    for (const [offset = -1] of loads) assert.ok(offset >= 0 && offset <= 0x7fff);
  }
});

type Instruction = readonly [code: number, into: number, from: number, offset: number, value: number];
const assemble = (name: string, reading: 'direct' | 'helper' = 'direct') =>
  answers([`assemble ${name} ${reading}`])[0] as { error: number; code: readonly Instruction[] };
const EXIT: Instruction = [0x95, 0, 0, 0, 0];

when(test, 'instructions are encoded as the instruction set defines', () => {
  assert.equal(assemble('plain').code, [
    [0xbf, 6, 1, 0, 0],
    [0xb7, 2, 0, 0, -1],
    [0x18, 3, 0, 0, 0x55667788],
    [0, 0, 0, 0, 0x11223344],
    [0x79, 4, 6, 8, 0],
    [0x63, 10, 4, -16, 0],
    [0x72, 10, 0, -8, 7],
    [0x57, 4, 0, 0, 0x1f],
    [0x6f, 4, 2, 0, 0],
    [0x18, 5, 1, 0, 9],
    [0, 0, 0, 0, 0],
    [0x85, 0, 0, 0, 127],
    [0x85, 0, 2, 0, 4711],
    EXIT,
  ]);
  assert.equal(assemble('jumps').code, [[0x15, 1, 0, 1, 0], [0x5d, 1, 2, -2, 0], EXIT]);
});

when(test, 'typed loads check every pointer on the way and extract bit fields', () => {
  assert.equal(assemble('follow').code, [[0x79, 0, 6, 16, 0], [0x15, 0, 0, 1, 0], [0x61, 0, 0, 4, 0], EXIT]);
  assert.equal(assemble('bits').code, [[0x61, 0, 6, 4, 0], [0x67, 0, 0, 0, 59], [0x77, 0, 0, 0, 62], EXIT]);
  const slow = assemble('follow', 'helper').code;
  assert.equal(
    slow.filter(([code]) => code === 0x85).map(([, , , , helper]) => helper),
    [113, 113],
  );
  assert.ok(
    slow.every(([code, , from]) => (code & 0x07) !== 0x01 || from === 10),
    'memory is loaded from the frame only',
  );
});

when(test, 'invalid instructions are refused', () => {
  assert.is(assemble('nowhere').error, ENOENT);
  assert.is(assemble('twice').error, EEXIST);
  for (const name of ['far', 'wide', 'distant']) assert.is(assemble(name).error, ERANGE, name);
});

when(test, 'state letters match fs/proc/array.c', () => {
  const cases = [
    ['0 0', 'R'],
    ['1 0', 'S'],
    ['2 0', 'D'],
    ['4 0', 'T'],
    ['8 0', 't'],
    ['80 10', 'X'],
    ['80 20', 'Z'],
    ['40 0', 'P'],
    ['402 0', 'I'],
    ['2001 0', 'S'],
    ['2402 0', 'I'],
    ['8000 0', 'D'],
    ['1000 0', 'D'],
    ['102 0', 'D'],
    ['80 0', 'R'],
  ] as const;
  const found = answers(cases.map(([state]) => `state ${state}`));
  cases.forEach(([state, letter], at) => {
    assert.is(found[at], letter, state);
  });
});

when(
  test,
  'records in any order give leaders by pid, the last one of each, threads by process, and processes without a leader',
  () => {
    const found = answers([
      'table 1:1:0 30:30:20 12:30:20 40:30:0 31:30:0 7:7:0 9:8:0 10:8:0 11:3:0 50:50:10',
      'table',
      'table 9:9:0 4:4:0 9:9:20 4:4:20 5:5:0',
    ]);
    assert.equal(found, [
      {
        leaders: [
          [1, 0, 0, 0],
          [7, 0, 0, 0],
          [30, 3, 31, 32],
        ],
        headless: [3, 8],
      },
      { leaders: [], headless: [] },
      {
        leaders: [
          [4, 0, 0, 32],
          [5, 0, 0, 0],
          [9, 0, 0, 32],
        ],
        headless: [],
      },
    ]);
  },
);

const mountsOf = (...texts: readonly string[]): string[][] =>
  (answers(texts.map((text) => `mounts ${Buffer.from(text).toString('hex')}`)) as string[][]).map((points) =>
    points.map((hex) => Buffer.from(hex, 'hex').toString()),
  );

when(test, 'mounts of cgroup v2 are found by their type, alone or beside version 1', () => {
  const hybrid = `31 23 0:28 / /sys/fs/cgroup rw - tmpfs cgroup2 rw,mode=755
32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup2 rw,cpu
41 31 0:38 / /sys/fs/cgroup/unified rw shared:5 master:1 - cgroup2 none rw
`;
  const part = '60 31 0:38 /machine.slice /mnt ro - cgroup2 cgroup2 rw\n';
  assert.equal(
    mountsOf(hybrid, hybrid + part, part.slice(0, -1), '', part.slice(0, 40), '1 2 3 / x rw - cgroup2'),
    [['/sys/fs/cgroup/unified'], ['/sys/fs/cgroup/unified', '/mnt'], ['/mnt'], [], [], []],
  );
});

when(test, 'the path of a mount is read back from its escapes, whatever it contains', () => {
  const escaped = (path: string): string =>
    path.replace(/[ \t\n\\#]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`);
  const name = fc.string({ unit: fc.constantFrom(...' \t\n\\#a0/4é-') });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), (names) => {
      const paths = names.map((one) => `/${one}`);
      const text = paths.map((path) => `41 31 0:38 / ${escaped(path)} rw - cgroup2 none rw\n`).join('');
      assert.equal(mountsOf(text), [paths]);
    }),
    { numRuns: 30 },
  );
});

test.run();
