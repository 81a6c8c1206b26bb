/** Six scenes with a real service: all places that show a verdict agree, and the verdict is right. */
import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DeskStatus } from '../../src/records/desk-status.ts';
import type { Detection } from '../../src/records/detection.ts';
import type { Live } from '../../src/records/live.ts';
import type { Scar } from '../../src/records/scar.ts';
import { compiled } from '../support/compile.ts';
import { NAMESPACE_NEEDS, type Namespace, startNamespace } from '../support/namespace.ts';
import { deskIn, type NamespacedDesk } from '../support/namespaced-desk.ts';
import { needs, ordinaryUser } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from './running.ts';

const test = suite('verdicts');

async function json<T>(desk: NamespacedDesk, ...words: string[]): Promise<readonly [T, number | null]> {
  const { stdout, stderr, code } = await desk.run([...words, '--json']);
  assert.is(stderr, '', words.join(' '));
  return [JSON.parse(stdout) as T, code];
}

const firstLine = async (desk: NamespacedDesk) => {
  const { stdout, code } = await desk.run(['status']);
  return [stdout.split('\n')[0] ?? '', code] as const;
};

/**
 * The verdicts of all places, read one after the other; each command sees the processes of the others. Where other programs of
 * the machine count, they are read again until the headline is the same before and after.
 */
async function verdictsOf(desk: NamespacedDesk) {
  for (;;) {
    const [before] = await firstLine(desk);
    const seen = await verdictsOnce(desk);
    if (seen.headline === before) return seen;
  }
}

async function verdictsOnce(desk: NamespacedDesk) {
  const [status, statusExit] = await json<DeskStatus>(desk, 'status');
  const [detection, findingsExit] = await json<Detection>(desk, 'findings');
  const [scar, scarExit] = await json<Scar>(desk, 'scar', 'check');
  const [live] = await json<Live>(desk, 'watch', '--times', '1');
  const [headline, textExit] = await firstLine(desk);
  const { score, grade: letter } = status.hostess_charge.war_machine;
  return {
    status,
    statusExit,
    textExit,
    headline,
    verdict: detection.verdict,
    findings: detection.findings,
    findingsExit,
    gate: scar.gate,
    scarExit,
    live,
    score,
    letter,
  };
}

type Verdicts = Awaited<ReturnType<typeof verdictsOnce>>;

/** Asserts that they agree, whatever the verdict. */
function assertOne(seen: Verdicts): void {
  const { status, verdict, live } = seen;
  assert.equal(
    [verdict.ok, live.ok, seen.statusExit === 0, seen.textExit === 0, status.issues.length === 0],
    Array(5).fill(status.ok),
  );
  assert.equal([verdict.grade, live.grade], Array(2).fill(status.grade));
  assert.equal([seen.headline, live.headline], Array(2).fill(verdict.headline));
  assert.is(seen.gate, status.scar_count === 0 ? 'pass' : 'fail');
  assert.is(seen.scarExit === 0, status.scar_count === 0);
  assert.is(seen.findingsExit === 0, seen.findings.length === 0 && verdict.covered);
  if (status.ok) assert.equal([status.grade, verdict.headline], ['gold', 'The desk is well']);
  if (status.scar_count > 0) assert.not(status.ok);
}

async function inScene(
  uid: number,
  work: (desk: NamespacedDesk, namespace: Namespace, folder: string) => Promise<void>,
): Promise<void> {
  const folder = tempFolder('desk-verdicts-');
  chownSync(folder, uid, uid);
  chmodSync(folder, 0o755);
  await using namespace = await startNamespace({ alone: uid === 0 });
  const desk = deskIn(namespace, folder, '', {}, 'never', uid);
  const service = await desk.boot();
  try {
    await work(desk, namespace, folder);
  } finally {
    await service.stop();
  }
}

/** Waits until the desk has learned the running programs. */
const learned = (desk: NamespacedDesk) =>
  until(async () => (await json<Scar>(desk, 'scar', 'check'))[0].a.generation > 0, 'the first generation');

interface Planted {
  readonly what: string;
  /** Check id of the finding that it causes. */
  readonly check: string;
  readonly grade: DeskStatus['grade'];
  readonly letters: RegExp;
  readonly words: (folder: string) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A shell whose input and output are a connection to its own listener. */
const REVERSE_SHELL = `import os, socket
listener = socket.create_server(("127.0.0.1", 0))
away = socket.create_connection(listener.getsockname())
other = listener.accept()[0]
other.set_inheritable(True)
for number in (0, 1, 2): os.dup2(away.fileno(), number)
os.execv("/bin/sh", ["sh", "-c", "read line"])
`;

/** Ends its children on SIGTERM. */
const MANY = `trap 'kill $pids' TERM; for i in $(seq 300); do "$1" 600 & pids="$pids $!"; done; wait`;

const PLANTED: readonly Planted[] = [
  {
    what: 'a reverse shell',
    check: 'shell-on-socket',
    grade: 'bronze',
    letters: /[DF]/,
    words: (folder) => ['python3', join(folder, 'reverse.py')],
  },
  {
    what: 'a program of root that runs from memory',
    check: 'memfd-executable',
    grade: 'bronze',
    letters: /[DF]/,
    words: () => [compiled('actor.cc'), 'memfd=planted'],
  },
  {
    what: 'a program of root with a preload',
    check: 'preload-environment',
    grade: 'bronze',
    letters: /[DF]/,
    words: () => ['/usr/bin/sleep', '600'],
    env: { LD_PRELOAD: '/opt/planted.so' },
  },
  {
    what: 'a program in /tmp',
    check: 'odd-executable-path',
    grade: 'silver',
    letters: /[BCDF]/,
    words: (folder) => [join(folder, 'sleeper'), '600'],
  },
  {
    what: 'many equal programs in /tmp',
    check: 'odd-executable-path',
    grade: 'silver',
    letters: /[BCDF]/,
    words: (folder) => ['sh', '-c', MANY, 'sh', join(folder, 'sleeper')],
  },
];

needs(...NAMESPACE_NEEDS, 'compiler')(
  test,
  'a desk of root is gold and ok; each planted process changes all verdicts together, until it ends',
  () =>
    inScene(0, async (desk, namespace, folder) => {
      writeFileSync(join(folder, 'reverse.py'), REVERSE_SHELL);
      copyFileSync('/usr/bin/sleep', join(folder, 'sleeper'));
      chmodSync(join(folder, 'sleeper'), 0o755);
      await learned(desk);
      const quiet = await verdictsOf(desk);
      assertOne(quiet);
      assert.equal([quiet.status.ok, quiet.letter === 'A' || quiet.letter === 'B'], [true, true]);
      for (const { what, check, grade, letters, words, env } of PLANTED) {
        const planted = namespace.spawn(words(folder), env === undefined ? {} : { env });
        try {
          await until(async () => {
            const [{ findings }] = await json<Detection>(desk, 'findings');
            return findings.some((finding) => finding.check === check);
          }, what);
          const seen = await verdictsOf(desk);
          assertOne(seen);
          assert.equal([seen.status.ok, seen.status.grade, seen.gate], [false, grade, 'fail'], what);
          assert.match(seen.letter, letters, what);
          assert.ok(seen.score <= quiet.score, what);
        } finally {
          namespace.signal(planted, 'SIGTERM');
        }
        await until(async () => (await json<DeskStatus>(desk, 'status'))[0].ok, `the end of ${what}`).catch(
          async (error: Error) => {
            const [{ issues }] = await json<DeskStatus>(desk, 'status');
            throw new Error(`${error.message}: ${issues.join('; ')}`);
          },
        );
      }
    }),
);

needs(...NAMESPACE_NEEDS, 'setpriv', 'tree readable by others')(
  test,
  'a desk of an ordinary user with little access is silver and not ok, and reports how many processes are hidden',
  () =>
    inScene(ordinaryUser.uid, async (desk) => {
      await learned(desk);
      const seen = await verdictsOf(desk);
      assertOne(seen);
      assert.equal([seen.status.ok, seen.status.grade], [false, 'silver']);
      assert.match(seen.headline, /\d+ of \d+ processes are hidden from this user/);
      assert.not.match(seen.headline, /is well/);
    }),
);

test.run();
