/** Tries the packed files on this machine, with its Node and npm or with every one that is supported; as root also as an ordinary user. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILD, fetched, PROJECT, Tally } from './tools.ts';

const NODES = ['20', '22', '24', '26'];
const NPMS = ['10', '11', '12'];
/** The user and group `nobody`. */
const ORDINARY = { uid: 65534, gid: 65534 };

interface Tool {
  readonly name: string;
  readonly file: string;
}

const ownNpm = (): Tool => {
  const file = process.env.npm_execpath;
  if (file === undefined) throw new Error('start this by npm: npm run packages -- try');
  return { name: 'its npm', file };
};

/** Whether an npm says that it works with this Node. */
function fits(npm: string, version: string): boolean {
  const folder = join(npm, '../..');
  const { engines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };
  const words = [
    '-e',
    'process.exit(require(process.argv[1]).satisfies(process.argv[2], process.argv[3]) ? 0 : 1)',
  ];
  return (
    spawnSync(process.execPath, [...words, join(folder, 'node_modules/semver'), version, engines.node])
      .status === 0
  );
}

function pairs(all: boolean): readonly (readonly [node: Tool, npm: Tool])[] {
  if (!all) return [[{ name: `node ${process.versions.node}`, file: process.execPath }, ownNpm()]];
  const nodes = NODES.map((major) => join(fetched(`node-linux-${process.arch}`, major), 'bin/node'));
  const npms = NPMS.map((major) => ({
    name: `npm ${major}`,
    file: join(fetched('npm', major), 'bin/npm-cli.js'),
  }));
  return nodes.flatMap((node) => {
    const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
    return npms
      .filter(({ file }) => fits(file, version))
      .map((npm) => [{ name: `node ${version}`, file: node }, npm] as const);
  });
}

/** By the Node and npm that run this, or (`all`) by those of the npm registry. */
export function tryHere(all: boolean): Tally {
  const tally = new Tally();
  const folder = mkdtempSync(join(tmpdir(), 'desk-packages-'));
  try {
    // Where an ordinary user can read them.
    chmodSync(folder, 0o755);
    cpSync(join(BUILD, `linux-${process.arch}-glibc`), join(folder, 'files'), { recursive: true });
    for (const name of ['inside.mjs', 'examples'])
      cpSync(join(PROJECT, 'packaging', name), join(folder, name), { recursive: true });
    const isRoot = process.geteuid?.() === 0;
    const users = isRoot
      ? [{ name: 'root' }, { name: 'ordinary user', ...ORDINARY }]
      : [{ name: 'this user' }];
    for (const [node, npm] of pairs(all))
      for (const { name, ...ids } of users) {
        const words = [join(folder, 'inside.mjs'), realpathSync(npm.file), join(folder, 'files')];
        const env = { PATH: '/usr/bin:/bin' };
        const done = spawnSync(node.file, words, { cwd: folder, encoding: 'utf8', env, ...ids });
        tally.add(`${node.name}, ${npm.name}, ${name}`, done);
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tally;
}
