/** DecodeDiag on invalid bytes: compiled with ASan and UBSan, with one case per line of input. */
import { spawnSync } from 'node:child_process';
import { endianness } from 'node:os';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';

const EBADMSG = 74;
const NLMSG_ERROR = 2;
const NLMSG_DONE = 3;
const SOCK_DIAG_BY_FAMILY = 20;
const NLM_F_MULTI = 2;
const NLM_F_DUMP_INTR = 16;
const INET_DIAG_SKV6ONLY = 11;

interface Decoded {
  readonly done: boolean;
  readonly interrupted: boolean;
  readonly error: number;
  readonly sockets: readonly Record<string, unknown>[];
}

let program = '';

/** Decodes all cases in one run of the program. */
function decode(...cases: readonly { sequence?: number; bytes: Uint8Array }[]): Decoded[] {
  const input = cases.map(({ sequence = 7, bytes }) => `${sequence} ${Buffer.from(bytes).toString('hex')}\n`);
  const ran = spawnSync(program, [], { input: input.join(''), encoding: 'utf8', maxBuffer: 64 << 20 });
  assert.is(ran.status, 0, ran.stderr);
  const answers = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Decoded);
  assert.is(answers.length, cases.length);
  return answers;
}

const one = (...parts: readonly Uint8Array[]): Decoded =>
  decode({ bytes: Buffer.concat(parts) })[0] as Decoded;

/** A netlink message with a padded payload (netlink(7)). */
function message(
  type: number,
  payload: Uint8Array,
  { flags = NLM_F_MULTI, sequence = 7, length = 0 } = {},
): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(length || 16 + payload.length, 0);
  header.writeUInt16LE(type, 4);
  header.writeUInt16LE(flags, 6);
  header.writeUInt32LE(sequence, 8);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

/** A struct inet_diag_msg: a TCP listener on ::1 port 8080, uid 33, inode 4711. */
function socketBytes({
  family = 10,
  attributes = new Uint8Array(),
}: {
  family?: number;
  attributes?: Uint8Array;
} = {}): Buffer {
  const body = Buffer.alloc(72);
  body.writeUInt8(family, 0);
  body.writeUInt8(10, 1);
  body.writeUInt16BE(8080, 4);
  body.writeUInt8(1, 8 + 15);
  body.writeUInt32LE(33, 64);
  body.writeUInt32LE(4711, 68);
  return Buffer.concat([body, attributes]);
}

function attribute(type: number, payload: Uint8Array, length = 4 + payload.length): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt16LE(length, 0);
  header.writeUInt16LE(type, 2);
  return Buffer.concat([header, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

const code = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
};
const done = message(NLMSG_DONE, code(0));

const decoding = suite('decode');

decoding.before(() => {
  program = sanitized('sock_diag_cases.cc', ['probe/sock_diag']);
});

const expected = {
  family: 6,
  state: 10,
  source: '00000000000000000000000000000001',
  sourcePort: 8080,
  uid: 33,
  inode: 4711,
  v6only: false,
};

const when = endianness() === 'LE' ? needs('compiler') : () => {};

when(decoding, 'a dump of several messages is decoded', () => {
  const v6only = attribute(INET_DIAG_SKV6ONLY, Uint8Array.of(1));
  const other = attribute(3, Buffer.alloc(8));
  const answer = one(
    message(SOCK_DIAG_BY_FAMILY, socketBytes()),
    message(SOCK_DIAG_BY_FAMILY, socketBytes({ attributes: Buffer.concat([other, v6only]) })),
    message(SOCK_DIAG_BY_FAMILY, socketBytes(), { sequence: 8 }),
    done,
  );
  assert.equal(answer, {
    done: true,
    interrupted: false,
    error: 0,
    sockets: [expected, { ...expected, v6only: true }],
  });
});

when(decoding, 'one message of a dump is not its end, but an exact answer is', () => {
  assert.is(one(message(SOCK_DIAG_BY_FAMILY, socketBytes())).done, false);
  assert.is(one(message(SOCK_DIAG_BY_FAMILY, socketBytes(), { flags: 0 })).done, true);
  assert.is(one(Buffer.alloc(0)).done, false);
});

when(decoding, 'an IPv4 address is four bytes, and the rest is ignored', () => {
  const body = socketBytes({ family: 2 });
  body.fill(0xee, 8, 24);
  assert.is(one(message(SOCK_DIAG_BY_FAMILY, body), done).sockets[0]?.source, `eeeeeeee${'00'.repeat(12)}`);
});

when(
  decoding,
  'a refusal is reported with its errno, from an error message and from the end of a dump',
  () => {
    assert.is(one(message(NLMSG_ERROR, code(-2))).error, 2);
    assert.is(one(message(NLMSG_DONE, code(-1))).error, 1);
    assert.is(one(message(NLMSG_DONE, Buffer.alloc(0))).error, 0);
    assert.is(one(message(NLMSG_ERROR, Buffer.alloc(0))).error, EBADMSG);
    assert.is(one(message(NLMSG_ERROR, code(5))).error, EBADMSG);
    assert.is(one(message(NLMSG_ERROR, code(-0x8000_0000))).error, EBADMSG);
  },
);

when(decoding, 'an interrupted dump is reported, whichever message says so', () => {
  const interrupted = NLM_F_MULTI | NLM_F_DUMP_INTR;
  assert.ok(one(message(SOCK_DIAG_BY_FAMILY, socketBytes(), { flags: interrupted }), done).interrupted);
  assert.ok(one(message(NLMSG_DONE, code(0), { flags: interrupted })).interrupted);
});

when(decoding, 'damaged lengths, families and attributes are refusals', () => {
  const damaged = [
    message(SOCK_DIAG_BY_FAMILY, socketBytes(), { length: 15 }),
    message(SOCK_DIAG_BY_FAMILY, socketBytes(), { length: 4000 }),
    message(SOCK_DIAG_BY_FAMILY, socketBytes(), { length: 0xffff_ffff }),
    message(SOCK_DIAG_BY_FAMILY, socketBytes().subarray(0, 71)),
    message(SOCK_DIAG_BY_FAMILY, socketBytes({ family: 1 })),
    message(
      SOCK_DIAG_BY_FAMILY,
      socketBytes({ attributes: attribute(INET_DIAG_SKV6ONLY, Uint8Array.of(1), 3) }),
    ),
    message(
      SOCK_DIAG_BY_FAMILY,
      socketBytes({ attributes: attribute(INET_DIAG_SKV6ONLY, Uint8Array.of(1), 400) }),
    ),
    done.subarray(0, 10),
  ];
  for (const answer of decode(...damaged.map((bytes) => ({ bytes })))) {
    assert.ok(answer.done);
    assert.is(answer.error, EBADMSG);
  }
});

when(decoding, 'arbitrary and mutated bytes are never read beyond their end', () => {
  const whole = Buffer.concat([message(SOCK_DIAG_BY_FAMILY, socketBytes()), done]);
  const mutated = fc
    .tuple(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(whole.length))
    .map(([changes, length]) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, length);
    });
  const cases = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated), 3000);
  for (const answer of decode(...cases.map((bytes) => ({ bytes })))) {
    for (const socket of answer.sockets) assert.ok(socket.family === 4 || socket.family === 6);
    if (answer.error !== 0) assert.ok(answer.done);
  }
});

decoding.run();
