/** The pure parts of the watch, on golden and on hostile input: compiled with ASan and UBSan, with one case per line. */
import { spawnSync } from 'node:child_process';
import { endianness } from 'node:os';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';

const test = suite('watch parts');
const when = endianness() === 'LE' ? needs('compiler') : () => {};

let program = '';

test.before(() => {
  program = sanitized('watch_cases.cc', ['watch/connector_decode', 'watch/schedule']);
});

/** The answers to all cases, from one run of the program. */
function run<T>(cases: readonly string[]): T[] {
  const ran = spawnSync(program, [], {
    input: `${cases.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  assert.is(ran.status, 0, ran.stderr);
  const answers = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
  assert.is(answers.length, cases.length);
  return answers;
}
const one = <T>(line: string): T => run<T>([line])[0] as T;

interface Decoded {
  readonly whole: boolean;
  readonly events: readonly Record<string, unknown>[];
}
const KIND = { acknowledgement: 0, fork: 1, exec: 2, id: 3, ptrace: 4, comm: 5, exit: 6, other: 7 };

/** Datagrams recorded on Linux 6.18. */
const golden = {
  acknowledgement:
    '4c0000000300000064020000000000000100000001000000640200002a00000028000000000000000100000020df92e004020000000000000000000000000000000000000000000000000000',
  fork: '4c000000030000006502000000000000010000000100000065020000000000002800000001000000010000005dc395e004020000127d0000127d00003b7d00003b7d00000000000000000000',
  exec: '4c00000003000000660200000000000001000000010000006602000000000000280000000200000001000000d2ddeae0040200003b7d00003b7d000000000000000000000000000000000000',
  uid: '4c00000003000000670200000000000001000000010000006702000000000000280000000400000001000000b82007e1040200003b7d00003b7d0000feff0000feff00000000000000000000',
  sid: '4c00000003000000690200000000000001000000010000006902000000000000280000008000000001000000bc8017e1040200003b7d00003b7d000000000000000000000000000000000000',
  exit: '4c000000030000006b0200000000000001000000010000006b020000000000002800000000000080010000009f156ae1040200003b7d00003b7d00000000000011000000127d0000127d0000',
  comm: '4c000000030000007802000000000000010000000100000078020000000000002800000000020000000000003ff70bf404020000477d0000467d000062696f6d653a3a776f726b7370616300',
};

when(test, 'recorded datagrams are decoded', () => {
  const event = (kind: number, sequence: number, pid: number, time: string, more = {}) => ({
    ...{ kind, cpu: 1, sequence, acknowledged: 0, error: 0, pid, tgid: pid, time, ...more },
  });
  const answers = run<Decoded>(Object.values(golden).map((hex) => `decode ${hex}`));
  assert.ok(answers.every(({ whole, events }) => whole && events.length === 1));
  const child = 0x7d3b;
  assert.equal(
    answers.map(({ events }) => events[0]),
    [
      event(KIND.acknowledgement, 612, 0, '2219970846496', { acknowledged: 42 }),
      event(KIND.fork, 613, child, '2219971035997'),
      event(KIND.exec, 614, child, '2219976613330'),
      event(KIND.id, 615, child, '2219978465464'),
      event(KIND.id, 617, child, '2219979538620'),
      event(KIND.exit, 619, child, '2219984950687'),
      event(KIND.comm, 632, 0x7d47, '2220297549631', { cpu: 0, tgid: 0x7d46 }),
    ],
  );
});

when(
  test,
  'several messages in one datagram are decoded, other messages are skipped, and truncated ones are reported',
  () => {
    const noop = '10000000010000000000000000000000';
    const connectorOfOthers = golden.fork.replace('0100000001000000', '0300000001000000');
    assert.equal(
      one<Decoded>(`decode ${golden.fork}${noop}${connectorOfOthers}${golden.exit}`).events.map(
        ({ kind }) => kind,
      ),
      [KIND.fork, KIND.exit],
    );
    const cut = one<Decoded>(`decode ${golden.fork}${golden.exit.slice(0, 100)}`);
    assert.equal([cut.whole, cut.events.length], [false, 1]);
  },
);

when(test, 'an unknown kind has no pid, and a pid of 0 or less is malformed', () => {
  const unknown = one<Decoded>(`decode ${golden.exec.replace('2800000002000000', '2800000000000800')}`);
  assert.equal([unknown.whole, unknown.events[0]?.kind, unknown.events[0]?.tgid], [true, KIND.other, 0]);
  for (const pid of ['00000000', 'ffffffff']) {
    const wrong = one<Decoded>(`decode ${golden.exec.replace('3b7d00003b7d0000', `3b7d0000${pid}`)}`);
    assert.equal(wrong, { whole: false, events: [] });
  }
});

when(test, 'arbitrary and damaged bytes are never read beyond their end', () => {
  const real = fc.constantFrom(...Object.values(golden)).map((hex) => Buffer.from(hex, 'hex'));
  const damaged = fc
    .tuple(real, fc.array(fc.tuple(fc.nat(75), fc.nat(255)), { maxLength: 6 }), fc.nat(76))
    .map(([bytes, changes, length]) => {
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, length);
    });
  const any = fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    damaged,
  );
  const inputs = fc.sample(any, 3000).map((bytes) => bytes.toString('hex'));
  const answers = run<Decoded>(inputs.map((hex) => `decode ${hex}`));
  for (const [at, { events }] of answers.entries()) {
    // An event takes at least 36 bytes of headers and 16 bytes of data.
    assert.ok(events.length * 52 <= (inputs[at] ?? '').length / 2);
    assert.ok(
      events.every(
        ({ kind, tgid }) => kind === KIND.other || kind === KIND.acknowledgement || Number(tgid) > 0,
      ),
    );
  }
});

when(test, 'gaps in the sequence numbers of a CPU count as lost events', () => {
  assert.equal(one('count 0:7 1:100 0:8 0:9 1:103 0:10 1:104'), [0, 0, 0, 0, 2, 0, 0]);
  assert.equal(one('count 0:4294967294 0:4294967295 0:0 0:2'), [0, 0, 0, 1], 'the count wraps around');
  assert.equal(one('count 3:50 3:10 3:11'), [0, 1, 0], 'a count that went back is one loss');
  assert.equal(one('count 4294967295:7 4294967295:9 65536:1 65536:5'), [0, 0, 0, 0], 'no CPU');
});

const MS = 1_000_000;
interface Taken {
  readonly due: readonly number[];
  readonly next: number;
}

when(test, 'a subject is due again after each period, in slots of 5 ms', () => {
  const [before, first, second, end] = one<Taken[]>(
    `schedule 10,100 +7@${1 * MS} +8@${2 * MS} +7@${3 * MS} @${14 * MS} @${15 * MS} @${105 * MS} @${500 * MS}`,
  );
  assert.equal(before, { due: [], next: 15 * MS });
  assert.equal(first, { due: [7, 8], next: 105 * MS }, 'once in a slot');
  assert.equal(second, { due: [7, 8], next: -1 });
  assert.equal(end, { due: [], next: -1 });
  assert.equal(one<Taken[]>('schedule 0 @1'), [{ due: [], next: -1 }]);
});

when(test, 'a subject that is forgotten is due no more, until it is added again', () => {
  const [first, second] = one<Taken[]>(
    `schedule 10,100 +7@${1 * MS} +8@${1 * MS} +9@${1 * MS} -7,9 +9@${2 * MS} @${15 * MS} @${105 * MS}`,
  );
  assert.equal(
    [first?.due, second?.due],
    [
      [8, 9],
      [8, 9],
    ],
  );
  const [everything] = one<Taken[]>(`schedule 10 +-1@${1 * MS} +0@${1 * MS} +5@${6 * MS} -5,6 @${50 * MS}`);
  assert.equal(everything, { due: [-1, 0], next: -1 });
});

when(test, 'the pace of draining follows the room of the buffer and the events', () => {
  const paces = (words: string) => one<number[]>(`pace ${words}`).map((ns) => ns / MS);
  assert.equal(paces('32768'), [100], 'no longer than 100 ms');
  assert.equal(paces('800'), [8], '100,000 events a second fill it');
  assert.equal(paces('0'), [1], 'no shorter than 1 ms');
  assert.equal(paces('800 101 101 101 101 800'), [8, 4, 2, 1, 1, 1], 'more than an eighth');
  assert.equal(paces('800 101 101 60 24 24 24'), [8, 4, 2, 2, 4, 8, 8], 'few events');
});

when(test, 'random schedules: no subject is lost or early, and all are due within a slot', () => {
  const births = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(3_000_000)), { maxLength: 80 });
  const periods = [1, 10, 35];
  const storms = fc.sample(births, 200);
  const steps = Array.from({ length: 80 }, (_, step) => step * 5 * MS);
  const times = (storm: (typeof storms)[number]) => {
    let now = 0;
    return storm.map(([pid, pause]) => {
      now += pause;
      return { pid, at: now };
    });
  };
  const answers = run<Taken[]>(
    storms.map((storm) => {
      // Takes are placed between the births in order of time, as in the thread.
      const words = times(storm).map(({ pid, at }) => ({ at, word: `+${pid}@${at}` }));
      const takes = steps.map((at) => ({ at: at + 0.5, word: `@${at}` }));
      const all = [...words, ...takes].sort((a, b) => a.at - b.at);
      return `schedule ${periods.join()} ${all.map(({ word }) => word).join(' ')}`;
    }),
  );
  for (const [index, taken] of answers.entries()) {
    const expected = steps.map((step) => {
      const due = times(storms[index] ?? []).flatMap(({ pid, at }) =>
        periods.filter((ms) => at + ms * MS <= step && at + ms * MS > step - 5 * MS).map(() => pid),
      );
      return [...new Set(due)].sort((a, b) => a - b);
    });
    assert.equal(
      taken.map(({ due }) => [...new Set(due)].sort((a, b) => a - b)),
      expected,
    );
  }
});

when(test, 'with more than 4096 waiting subjects everything is due instead, and memory stays bounded', () => {
  const births = Array.from({ length: 9000 }, (_, at) => `+${at + 1}@${at * 1000}`);
  const [taken] = one<Taken[]>(`schedule 1000 ${births.join(' ')} @${1100 * MS}`);
  assert.equal(taken?.due.length, 4097);
  assert.equal(taken?.due.at(-1), 0);
});

when(test, 'pids: the last event of a pid counts', () => {
  const pids = (words: string) => one<{ refused: number; pids: number[] }>(`pids ${words}`);
  assert.equal(pids('5 -5 5').pids, [-5], 'a thread that lives on does not bring its leader back');
  assert.equal(pids('-5 +5').pids, [5], 'the number was used again, or a thread took it over');
  assert.equal(pids('+5 6 -5 clear 7').pids, [7]);
  const many = Array.from({ length: 5000 }, (_, at) => at + 1);
  assert.equal(pids(`${many.join(' ')} 17 -18`), {
    refused: 904,
    pids: many.slice(0, 4096).map((pid) => (pid === 18 ? -18 : pid)),
  });
});

when(test, 'pids: any sequence of events gives the same result as a map', () => {
  const word = fc.oneof(
    {
      weight: 30,
      arbitrary: fc.tuple(
        fc.constantFrom('', '+', '-'),
        fc.integer({ min: 1, max: 300 }).map((n) => n * 8192),
      ),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  );
  const sequences = fc.sample(fc.array(word, { maxLength: 300 }), 200);
  const answers = run<{ pids: number[] }>(
    sequences.map((words) => `pids ${words.map((one) => (one === null ? 'clear' : one.join(''))).join(' ')}`),
  );
  for (const [index, words] of sequences.entries()) {
    const map = new Map<number, number>();
    for (const one of words) {
      if (one === null) map.clear();
      else if (one[0] !== '' || !map.has(one[1])) map.set(one[1], one[0] === '-' ? -one[1] : one[1]);
    }
    assert.equal(answers[index]?.pids, [...map.values()]);
  }
});

interface Drained {
  readonly sound: boolean;
  readonly consumer: number;
  readonly records: readonly (readonly [number, number])[];
}
const BUSY = 0x8000_0000;
const DISCARDED = 0x4000_0000;

/** A record of a ring buffer: length with flags, page offset, bytes, padded to 8. */
function record(bytes: readonly number[], flags = 0): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32LE((bytes.length | flags) >>> 0, 0);
  return Buffer.concat([header, Buffer.from(bytes), Buffer.alloc((8 - (bytes.length % 8)) % 8)]);
}

when(
  test,
  'the ring buffer returns complete records, skips discarded ones and stops at an unfinished one',
  () => {
    const bytes = Buffer.concat([
      record([1, 2, 3]),
      record([9], DISCARDED),
      record([4, 5], 0),
      record([6], BUSY),
    ]);
    assert.equal(one<Drained>(`ring 64 0 ${bytes.length} ${bytes.toString('hex')}`), {
      sound: true,
      consumer: 48,
      records: [
        [3, 6],
        [2, 9],
      ],
    });
    // Around the end: 16 bytes of the record are at the end, 8 at the beginning.
    const wrapped = Buffer.concat([
      Buffer.from([7, 0, 0, 0, 0, 0, 0, 0]),
      Buffer.alloc(40),
      record([1, 1, 1, 1, 1, 1, 1, 1, 7]).subarray(0, 16),
    ]);
    assert.equal(one<Drained>(`ring 64 ${64 * 5 + 48} ${64 * 6 + 8} ${wrapped.toString('hex')}`), {
      sound: true,
      consumer: 64 * 6 + 8,
      records: [[9, 15]],
    });
  },
);

when(test, 'the ring buffer reads nothing beyond its end, whatever its content', () => {
  const word = fc.oneof(
    fc.nat(0xffff_ffff),
    fc.nat(80),
    fc.nat(80).map((length) => (length | DISCARDED) >>> 0),
  );
  const content = fc.array(word, { minLength: 16, maxLength: 16 }).map((words) => {
    const bytes = Buffer.alloc(64);
    for (const [at, value] of words.entries()) bytes.writeUInt32LE(value, 4 * at);
    return bytes.toString('hex');
  });
  const at = fc.nat(40).map((n) => n * 8);
  const cases = fc.sample(fc.tuple(content, at, fc.oneof(at, fc.nat(1 << 30))), 2000);
  const answers = run<Drained>(cases.map(([hex, from, to]) => `ring 64 ${from} ${to} ${hex}`));
  for (const [index, { sound, consumer, records }] of answers.entries()) {
    const [, from, to] = cases[index] ?? ['', 0, 0];
    if (!sound) assert.is(consumer, to, 'given up: all is skipped');
    assert.ok(records.reduce((sum, [length]) => sum + 8 + length, 0) <= Math.max(0, to - from));
  }
});

test.run();
