/** ParseProcMount on lines of every kernel and on invalid bytes, with ASan and UBSan. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitized } from '../support/compile.ts';
import { needs } from '../support/require.ts';

const [ENOENT, EBADMSG, EMEDIUMTYPE] = [2, 74, 124];
const test = suite('proc mount');
let program = '';

test.before(() => {
  program = sanitized('proc_mount_cases.cc', ['core/read', 'probe/proc_mount']);
});

/** [errno, hiding, only pids] of mount 22 in each text. */
function parse(...texts: readonly (string | Uint8Array)[]): number[][] {
  const input = texts.map((text) => `22 ${Buffer.from(text).toString('hex')}\n`).join('');
  const ran = spawnSync(program, [], { input, encoding: 'utf8', maxBuffer: 64 << 20 });
  assert.is(ran.status, 0, ran.stderr);
  const answers = ran.stdout.trim().split('\n');
  assert.is(answers.length, texts.length);
  return answers.map((line) => line.split(' ').map(Number));
}

const root = '21 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw,discard\n';
const proc = (options: string) =>
  `${root}22 21 0:21 / /proc rw,nosuid shared:12 master:3 - proc proc ${options}\n`;
const when = needs('compiler');

when(test, 'hidepid is parsed as a word or a number, with or without subset and gid', () => {
  const cases: [string, number, number][] = [
    ['rw', 0, 0],
    ['rw,hidepid=off', 0, 0],
    ['rw,hidepid=0', 0, 0],
    ['rw,hidepid=noaccess', 1, 0],
    ['rw,hidepid=1', 1, 0],
    ['rw,gid=30,hidepid=invisible', 2, 0],
    ['rw,hidepid=2,gid=30', 2, 0],
    ['ro,hidepid=ptraceable,subset=pid', 4, 1],
    ['rw,hidepid=4', 4, 0],
    ['rw,subset=pid', 0, 1],
  ];
  assert.equal(
    parse(...cases.map(([options]) => proc(options))),
    cases.map(([, hiding, only]) => [0, hiding, only]),
  );
});

when(test, 'only the given mount is parsed, whatever its mount point and optional fields', () => {
  const before = '220 21 0:9 / /other rw - proc proc rw,hidepid=2\n';
  const plain = '22 21 0:21 / /mnt/a\\040-\\040proc rw - proc none rw,hidepid=1\n';
  assert.equal(parse(before + plain, plain + before, before), [
    [0, 1, 0],
    [0, 1, 0],
    [ENOENT, 0, 0],
  ]);
});

when(
  test,
  'another file system, an unknown option value or a truncated line is refused, never "hides nothing"',
  () => {
    const refused = [
      ['22 21 0:21 / /proc rw - tmpfs proc rw\n', EMEDIUMTYPE],
      [proc('rw,hidepid=5'), EBADMSG],
      [proc('rw,hidepid='), EBADMSG],
      [proc('rw,hidepid'), EBADMSG],
      [proc('rw,subset=task'), EBADMSG],
      ['22 21 0:21 / /proc rw shared:1', EBADMSG],
      ['22 21 0:21 / /proc rw -', EBADMSG],
      ['22 21 0:21 / /proc rw - proc', EBADMSG],
      ['22 21 0:21 / /proc rw - proc proc', EBADMSG],
      ['22', EBADMSG],
      ['', ENOENT],
    ] as const;
    assert.equal(
      parse(...refused.map(([text]) => text)).map(([error]) => error),
      refused.map(([, error]) => error),
    );
  },
);

when(test, 'arbitrary and mutated bytes are read within their bounds and give only known values', () => {
  const whole = Buffer.from(proc('rw,hidepid=invisible,subset=pid'));
  const mutated = fc
    .tuple(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }), fc.nat(whole.length))
    .map(([changes, length]) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes.subarray(0, length);
    });
  const cases = fc.sample(fc.oneof(fc.uint8Array({ maxLength: 200 }), mutated), 2000);
  for (const [error, hiding] of parse(...cases)) {
    assert.ok([0, ENOENT, EBADMSG, EMEDIUMTYPE].includes(error as number));
    assert.ok([0, 1, 2, 4].includes(hiding as number));
  }
});

test.run();
