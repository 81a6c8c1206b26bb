/**
 * The checks about the machine itself, each failing for real in a separate mount namespace. The kernel's taint and modules cannot
 * be changed without a module: they are read from fixture folders by the same code.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startActors } from '../support/actor.ts';
import { compiled } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import { recheckOnce } from '../support/recheck.ts';
import { needs, testsNeeding } from '../support/require.ts';
import { elsewhere, inFolder, pidOf } from './scene.ts';

const test = suite('found on the host');
const it = testsNeeding(test, 'compiler', 'root', 'namespaces');

it(
  'hidden-process: a mount over a process, or over a part of it, is found at the next recheck',
  inFolder(async (folder) => {
    await using actors = await startActors(['plain', 'plain', 'plain']);
    const [whole, part] = [actors.pid(0), actors.pid(1)];
    const proc = join(folder, 'proc');
    mkdirSync(proc);
    mkdirSync(join(folder, 'cover'));
    const mount = `mount -t proc proc ${proc}`;
    const cover = (pid: string) => `mount --bind ${folder}/cover ${proc}/${pid}`;
    const scene = { checks: ['hidden-process'], engine: { root: proc } };
    const seen = await elsewhere(scene, { shell: `${mount}; ${cover(`${whole}`)}; ${cover(`${part}/fd`)}` });
    assert.equal(seen.findings.map(pidOf).sort(), [whole, part].sort());
    for (const found of seen.findings) {
      assert.is(found.severity, 'critical');
      assert.match(String(found.evidence.executable), /actor/);
    }
    const quiet = await elsewhere(scene, { shell: mount });
    assert.equal([quiet.findings, quiet.notes], [[], []]);
  }),
);

/** Runs in a mount namespace whose /etc is a copy with this preload file. */
const withPreload = (folder: string, text: string): string => {
  writeFileSync(join(folder, 'preload'), text);
  const etc = `${folder}/etc`;
  return `mkdir -p ${etc}; mount -t tmpfs tmpfs ${etc}; cp -a /etc/. ${etc}; cp ${folder}/preload ${etc}/ld.so.preload; mount --bind ${etc} /etc`;
};

it(
  'preload-file: a library in /etc/ld.so.preload is found even if it hides that file from every reader',
  inFolder(async (folder) => {
    const library = compiled('preload_hider.cc', '-shared', '-fPIC', '-ldl');
    const seen = await elsewhere(
      { checks: ['preload-file'] },
      { shell: withPreload(folder, `${library}\n`) },
    );
    assert.is(seen.seenByReaders, false, 'the library deceives readers');
    const [found] = seen.findings;
    assert.equal([seen.findings.length, found?.severity], [1, 'critical']);
    assert.is(found?.evidence.libraries, library);
  }),
);

needs('root', 'namespaces')(
  test,
  'preload-file: a file of comments is not a finding, and snoopy is explained',
  inFolder(async (folder) => {
    const shell = withPreload(folder, '# nothing is loaded\n');
    const seen = await elsewhere({ checks: ['preload-file'] }, { shell });
    assert.equal([seen.seenByReaders, seen.findings, seen.suppressed, seen.notes], [true, [], [], []]);
    const snoopy = `${shell}; echo /lib/libsnoopy.so > /etc/ld.so.preload`;
    const logged = await elsewhere({ checks: ['preload-file'] }, { shell: snoopy });
    assert.equal([logged.findings, logged.suppressed.map(({ name }) => name)], [[], ['snoopy']]);
  }),
);

/** A /dev with only the devices that programs need. */
const DEVICES =
  'mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/urandom c 1 9; mkdir /dev/shm';

needs('root', 'namespaces')(
  test,
  'device-node: a regular file and an unknown device in /dev are found, standard devices are not',
  async () => {
    const strange = 'mkdir /dev/.x; echo payload > /dev/.x/config; mknod /dev/ptyq c 4000 1';
    const scene = { checks: ['device-node'], slow: {} };
    const seen = await elsewhere(scene, { shell: `${DEVICES}; ${strange}` });
    expect(
      seen.findings
        .map(({ subject, severity }) => [subject.kind === 'file' && subject.path, severity])
        .sort(),
    ).equals([
      ['/dev/.x/config', 'medium'],
      ['/dev/ptyq', 'medium'],
    ]);
    assert.equal((await elsewhere(scene, { shell: DEVICES })).findings, []);
  },
);

test(
  'kernel-taint: a taint bit in a fixture file is found, except that of an out-of-tree driver',
  inFolder(async (proc) => {
    mkdirSync(join(proc, 'sys/kernel'), { recursive: true });
    const seenWith = (bits: number) => {
      writeFileSync(join(proc, 'sys/kernel/tainted'), `${bits}\n`);
      return recheckOnce({ checks: ['kernel-taint'], slow: { proc } });
    };
    const [forced, outOfTree] = [1 << 1, 1 << 12];
    const seen = await seenWith(forced | outOfTree);
    expect(seen.findings.map(({ severity, evidenceClass }) => [severity, evidenceClass])).equals([
      ['medium', 'forced-load'],
    ]);
    expect(seen.suppressed.map(({ name }) => name)).equals(['out-of-tree-module']);
    assert.equal((await seenWith(0)).findings, []);
  }),
);

test(
  'module-views: a module that only one of two fixture folders shows is found, one in both is not',
  inFolder(async (folder) => {
    const [proc, sys] = [join(folder, 'proc'), join(folder, 'sys')];
    const listed = (...names: string[]) =>
      names.map((name) => `${name} 16384 0 - Live 0x0000000000000000\n`).join('');
    mkdirSync(proc);
    mkdirSync(join(sys, 'module/honest'), { recursive: true });
    writeFileSync(join(sys, 'module/honest/initstate'), 'live\n');
    const scan = () => recheckOnce({ checks: ['module-views'], slow: { proc, sys } });
    writeFileSync(join(proc, 'modules'), listed('honest', 'rootkit'));
    expect((await scan()).findings.map(({ severity, evidence }) => [severity, evidence.module])).equals([
      ['high', 'rootkit'],
    ]);
    writeFileSync(join(proc, 'modules'), listed('honest'));
    const quiet = await scan();
    assert.equal([quiet.findings, quiet.notes], [[], []]);
  }),
);

test('on this machine no process is hidden, and the real scheduled scans give answers', async () => {
  const checks = ['hidden-process', 'kernel-taint', 'module-views', 'device-node'];
  const seen = await recheckOnce({ checks, slow: {} });
  expect(seen.findings.filter(({ check }) => check === 'hidden-process')).equals([]);
  // One finding for each bit that is set, including bits that the law explains.
  const tainted = BigInt(readFileSync('/proc/sys/kernel/tainted', 'utf8').trim());
  const bits = tainted.toString(2).replaceAll('0', '').length;
  const taintFindings = [...seen.findings, ...seen.suppressed].filter(
    ({ check }) => check === 'kernel-taint',
  );
  assert.is(taintFindings.length, bits);
});

test.run();
