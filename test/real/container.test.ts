/** What a container hides from the desk: with each wall of a real one, and without. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerView } from '../../src/privileges/container.ts';
import { needs, projectRoot } from '../support/require.ts';

const MODULE = join(projectRoot, 'src/privileges/container.ts');
const SCRIPT = `import(process.argv[1]).then((module) => console.log(JSON.stringify(module.containerView({ env: { container: process.env.container } }))))`;

/** What a process sees that these words start. */
function seenBy(words: readonly string[], container = 'test'): ContainerView | null {
  const [program = '', ...rest] = [
    ...words,
    ...[process.execPath, '--import', import.meta.resolve('tsx'), '-e', SCRIPT, MODULE],
  ];
  const { status, stdout, stderr } = spawnSync(program, rest, {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, container },
  });
  assert.is(status, 0, stderr);
  return JSON.parse(stdout) as ContainerView | null;
}

/** Sights that the words lose, against those of this process. */
function lostBy(words: readonly string[]): readonly string[] {
  const lost = (view: ContainerView | null) =>
    (view?.sights ?? []).filter(({ works }) => works !== true).map(({ id, flag }) => `${id} ${flag}`.trim());
  const here = lost(seenBy(['env'], ''));
  return lost(seenBy(words)).filter((one) => !here.includes(one));
}

needs('root')(test, 'a pid namespace hides processes', () => {
  assert.ok(lostBy(['unshare', '--pid', '--fork', '--mount-proc']).includes('processes --pid=host'));
});

needs('root')(test, 'a network namespace hides listeners, and only these', () => {
  assert.equal(lostBy(['unshare', '--net']), ['network --network=host']);
});

needs('root')(test, 'a user namespace takes the rights over processes of others', () => {
  assert.ok(
    lostBy(['unshare', '--user', '--map-root-user']).includes('users --userns=host, started by root'),
  );
});

needs('root')(test, 'each dropped capability is named', () => {
  for (const name of ['SYS_PTRACE', 'BPF', 'NET_ADMIN'] as const) {
    const drop = `-${name.toLowerCase()}`;
    // Another mount namespace: else nothing would show a container.
    const words = ['unshare', '--mount', '--net', 'setpriv', '--bounding-set', drop, '--inh-caps', drop];
    const lost = lostBy(words).filter((one) => one.startsWith('capability'));
    assert.equal(lost, [`capability --cap-add=${name}`]);
  }
});

needs('root', 'bwrap')(test, 'a root of its own is reported: its files are not those of the machine', () => {
  const root = ['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--proc', '/proc', '--dev', '/dev'];
  const links = ['lib', 'lib64', 'bin', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]);
  const words = ['bwrap', ...root, ...links, '--ro-bind', projectRoot, projectRoot, '--cap-add', 'ALL'];
  const files = seenBy(words)?.sights.find(({ id }) => id === 'files');
  assert.is.not(files?.works, true);
  assert.match(files?.reason ?? '', /files of this container/);
});

needs('root')(test, 'desk doctor reports them, each with its option', () => {
  const main = [
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    join(projectRoot, 'src/cli/main.ts'),
  ];
  const state = mkdtempSync(join(tmpdir(), 'desk-container-'));
  const words = ['--pid', '--net', '--fork', '--mount-proc', ...main, 'doctor', '--local'];
  const { stdout } = spawnSync('unshare', words, {
    cwd: projectRoot,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      DESK_STATE: state,
      NO_COLOR: '1',
    },
  });
  rmSync(state, { recursive: true, force: true });
  assert.match(stdout, /^Container {2}/m);
  assert.match(stdout, /^ {2}blind {2}processes .*--pid=host/m);
  assert.match(stdout, /^ {2}blind {2}network .*--network=host/m);
});

needs('root')(test, 'desk accounts says that they are those of the container', () => {
  const state = mkdtempSync(join(tmpdir(), 'desk-container-'));
  const main = join(projectRoot, 'src/cli/main.ts');
  const words = [
    process.execPath,
    '--import',
    import.meta.resolve('tsx'),
    main,
    'accounts',
    '--local',
    '--json',
  ];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', DESK_STATE: state, container: 'test' };
  const { stdout, stderr } = spawnSync('unshare', ['--pid', '--net', '--fork', '--mount-proc', ...words], {
    cwd: projectRoot,
    encoding: 'utf8',
    env,
  });
  rmSync(state, { recursive: true, force: true });
  assert.match(stdout, '"container"', stderr);
  assert.match(
    (JSON.parse(stdout) as { container: string }).container,
    'judged by the files of this container',
  );
});

test.run();
