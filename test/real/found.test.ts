/**
 * Every check of tiers 1 and 3 that can be made to fail for real, failing for real, with the pid of what was made; and a benign
 * neighbour that stays silent. What would endanger the machine is made in namespaces of the test's own. Not made for real:
 * kernel-taint and module-views (they would take a module of the kernel), hidden-port (likewise; see hidden.test.ts for what a
 * library can hide), and a bridge among the interfaces: these are tested on fixtures (test/native/host.test.ts).
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/checks/judgement.ts';
import { compiled, startActors } from '../support/actor.ts';
import { recheckOnce, type Seen } from '../support/recheck.ts';
import { needs, projectRoot } from '../support/require.ts';
import { startSleeper } from '../support/sleeper.ts';

const test = suite('found');
const run = promisify(execFile);
const script = fileURLToPath(new URL('./found-report.ts', import.meta.url));

const pidOf = ({ subject }: Pick<Finding, 'subject'>): number =>
  subject.kind === 'process' ? subject.pid : -1;
const about = (seen: Seen, check: string, pid: number) =>
  seen.findings.filter((finding) => finding.check === check && pidOf(finding) === pid);

function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'desk-found-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

type Report = Seen & { readonly pid: number; readonly seenByReaders: boolean };

/** Runs a scenario of `found-report.ts` in namespaces of its own, after shell commands in them. */
async function elsewhere(
  namespaces: readonly string[],
  shell: string,
  words: readonly string[],
): Promise<Report> {
  const inside = ['--propagation', 'private', 'sh', '-c', `set -e; ${shell}; exec "$@"`, 'sh'];
  const node = [process.execPath, '--import', 'tsx', script, ...words];
  const { stdout } = await run('unshare', ['--mount', ...namespaces, ...inside, ...node], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: '/tmp' },
    maxBuffer: 1 << 26,
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Report;
}

needs('compiler')(
  test,
  'deleted-executable: a program whose file was unlinked, not one whose file is there',
  async () => {
    await using actors = await startActors(['deleted', 'plain']);
    const seen = await recheckOnce({ checks: ['deleted-executable'] });
    const [found] = about(seen, 'deleted-executable', actors.pid(0));
    assert.equal([found?.severity, found?.evidence.fate], ['medium', 'unlinked']);
    assert.match(String(found?.evidence.executable), /\/desk-actor-\w+$/);
    assert.equal(about(seen, 'deleted-executable', actors.pid(1)), []);
  },
);

test(
  'deleted-executable: a name that ends in " (deleted)" is explained',
  inFolder(async (folder) => {
    const program = join(folder, 'sleeper (deleted)');
    copyFileSync('/bin/sleep', program);
    await using sleeper = await startSleeper(program);
    const seen = await recheckOnce({ checks: ['deleted-executable'] });
    assert.equal(about(seen, 'deleted-executable', sleeper.pid), []);
    const explained = seen.excused.filter(({ subject }) => pidOf({ subject }) === sleeper.pid);
    assert.equal(
      explained.map(({ name }) => name),
      ['own-name'],
    );
  }),
);

needs('root', 'namespaces')(test, 'deleted-executable: an upgraded program asks for a restart', async () => {
  const shell = 'mount -t tmpfs tmpfs /opt';
  const { pid, ...seen } = await elsewhere([], shell, ['replaced', 'deleted-executable', '/opt']);
  const [found] = about(seen, 'deleted-executable', pid);
  assert.equal([found?.severity, found?.evidence.executable], ['low', '/opt/sleeper']);
  assert.match(found?.remedy ?? '', /^restart sleeper /);
});

needs('compiler')(test, 'memfd-executable: a program that runs from memory, not its parent', async () => {
  await using actors = await startActors(['memfd']);
  const seen = await recheckOnce({ checks: ['memfd-executable', 'deleted-executable'] });
  const [found] = about(seen, 'memfd-executable', actors.pid(0));
  assert.equal([found?.severity, found?.evidence.executable], ['high', '/memfd:desk-actor']);
  assert.equal(about(seen, 'memfd-executable', actors.parent), []);
  // It never was a file that could have been deleted.
  assert.equal(about(seen, 'deleted-executable', actors.pid(0)), []);
});

test(
  'odd-executable-path: a program in a folder for temporary files, and in a hidden one',
  inFolder(async (folder) => {
    const program = join(folder, 'sleeper');
    copyFileSync('/bin/sleep', program);
    await using odd = await startSleeper(program);
    await using usual = await startSleeper('/bin/sleep');
    const seen = await recheckOnce({ checks: ['odd-executable-path'] });
    const [found] = about(seen, 'odd-executable-path', odd.pid);
    assert.equal([found?.severity, found?.evidence.executable], ['medium', program]);
    assert.equal(about(seen, 'odd-executable-path', usual.pid), []);
  }),
);

needs('compiler')(
  test,
  'name-mismatch: a process under a borrowed name, not one under its own nor a script',
  async () => {
    const name = Buffer.from('sshd').toString('hex');
    await using actors = await startActors([`name=${name}`, 'plain']);
    const seen = await recheckOnce({ checks: ['name-mismatch'] });
    const [found] = about(seen, 'name-mismatch', actors.pid(0));
    assert.equal([found?.severity, found?.evidence.comm], ['low', 'sshd']);
    assert.equal(about(seen, 'name-mismatch', actors.pid(1)), []);
    assert.equal(about(seen, 'name-mismatch', process.pid), []);
  },
);

needs('compiler', 'root', 'namespaces')(
  test,
  'packet-socket: who reads raw frames, in a network of its own',
  async () => {
    const { pid, ...seen } = await elsewhere(['--net'], ':', ['packet', 'packet-socket']);
    assert.equal(seen.findings.map(pidOf), [pid]);
    assert.equal([seen.findings[0]?.severity, seen.findings[0]?.evidence.protocols], ['medium', 'all']);
    const quiet = await elsewhere(['--net'], ':', ['quiet', 'packet-socket']);
    assert.equal([quiet.findings, quiet.notes], [[], []]);
  },
);

needs('compiler', 'root', 'namespaces')(
  test,
  'promiscuous-interface: one that a program makes listen to everybody, and who that is',
  inFolder(async (folder) => {
    const sys = join(folder, 'sys');
    mkdirSync(sys);
    const shell = `mount -t sysfs sysfs ${sys}`;
    const { findings } = await elsewhere(['--net'], shell, ['promiscuous', 'promiscuous-interface', sys]);
    const [found] = findings;
    assert.equal([findings.length, found?.severity, found?.evidence.interface], [1, 'medium', 'lo']);
    assert.match(String(found?.evidence.watchers), /actor/);
    const quiet = await elsewhere(['--net'], shell, ['quiet', 'promiscuous-interface', sys]);
    assert.equal([quiet.findings, quiet.notes], [[], []]);
  }),
);

needs('compiler', 'root', 'namespaces')(
  test,
  'hidden-process: something mounted over a process is found at the next recheck, over a part of it too',
  inFolder(async (folder) => {
    await using actors = await startActors(['plain', 'plain', 'plain']);
    const [whole, part] = [actors.pid(0), actors.pid(1)];
    const proc = join(folder, 'proc');
    mkdirSync(proc);
    mkdirSync(join(folder, 'cover'));
    const mount = `mount -t proc proc ${proc}`;
    const cover = (pid: string) => `mount --bind ${folder}/cover ${proc}/${pid}`;
    const seen = await elsewhere([], `${mount}; ${cover(`${whole}`)}; ${cover(`${part}/fd`)}`, [
      'covered',
      'hidden-process',
      proc,
    ]);
    assert.equal(seen.findings.map(pidOf).sort(), [whole, part].sort());
    for (const found of seen.findings) {
      assert.is(found.severity, 'critical');
      assert.match(String(found.evidence.executable), /actor/);
    }
    const quiet = await elsewhere([], mount, ['covered', 'hidden-process', proc]);
    assert.equal([quiet.findings, quiet.notes], [[], []]);
  }),
);

/** In a mount namespace whose /etc is a copy with this preload file. */
const withPreload = (folder: string, text: string): string => {
  writeFileSync(join(folder, 'preload'), text);
  const etc = `${folder}/etc`;
  return `mkdir ${etc}; mount -t tmpfs tmpfs ${etc}; cp -a /etc/. ${etc}; cp ${folder}/preload ${etc}/ld.so.preload; mount --bind ${etc} /etc`;
};

needs('compiler', 'root', 'namespaces')(
  test,
  'preload-file: a library in /etc/ld.so.preload is found though it hides that file from every reader',
  inFolder(async (folder) => {
    const library = compiled('preload_hider.cc', '-shared', '-fPIC', '-ldl');
    const seen = await elsewhere([], withPreload(folder, `${library}\n`), ['preload', 'preload-file']);
    assert.is(seen.seenByReaders, false, 'the library deceives readers');
    const [found] = seen.findings;
    assert.equal([seen.findings.length, found?.severity], [1, 'critical']);
    assert.is(found?.evidence.libraries, library);
  }),
);

needs('root', 'namespaces')(
  test,
  'preload-file: a file of comments is nothing',
  inFolder(async (folder) => {
    const seen = await elsewhere([], withPreload(folder, '# nothing is loaded\n'), [
      'preload',
      'preload-file',
    ]);
    assert.equal([seen.seenByReaders, seen.findings, seen.notes], [true, [], []]);
  }),
);

test('this machine hides no process, and what its slow looks say is no mistake', async () => {
  const seen = await recheckOnce({
    checks: ['hidden-process', 'kernel-taint', 'module-views', 'device-node'],
    slow: {},
  });
  assert.equal(
    seen.findings.filter(({ check }) => check === 'hidden-process'),
    [],
  );
});

test(
  'device-node: a file among devices, on a fixture folder',
  inFolder(async (folder) => {
    writeFileSync(join(folder, 'payload'), 'x');
    const seen = await recheckOnce({ checks: ['device-node'], slow: { dev: folder } });
    assert.equal(
      seen.findings.map(({ subject, severity }) => [subject.kind === 'file' && subject.path, severity]),
      [['/dev/payload', 'medium']],
    );
    unlinkSync(join(folder, 'payload'));
    assert.equal((await recheckOnce({ checks: ['device-node'], slow: { dev: folder } })).findings, []);
  }),
);

test.run();
