/** Refused starts: a clear error with its remedy, and nothing lost. Refused requests: test/http/input.test.ts and guard.test.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs, ordinaryUser, projectRoot } from '../support/require.ts';
import { makeHome, runDesk, startService } from './running.ts';

const test = suite('refusals');

/** Common to every refused start: the exit code, the error and its remedy, and no stack trace. */
function refusedClearly(
  { code, stdout, stderr }: { code: number | null; stdout: string; stderr: string },
  expected: number,
  ...says: readonly RegExp[]
) {
  const said = stderr + stdout;
  assert.is(code, expected, said);
  for (const pattern of says) assert.match(said, pattern);
  assert.not.match(said, /\n\s+at .*:\d+:\d+/, 'no stack trace');
}

test('an unknown configuration key is reported with the file and the nearest known key', async () => {
  using home = await makeHome('[loop]\nrecheckms = 5\nmode = "sometimes"\n');
  refusedClearly(await runDesk(home, ['boot']), 2, /desk\.toml/, /recheckms/, /recheck_ms/, /sometimes/);
});

test('a state folder below a file, or on a file system that refuses it, is refused', async () => {
  using home = await makeHome();
  writeFileSync(join(home.folder, 'file'), '');
  for (const path of [join(home.folder, 'file/state'), '/sys/desk-state', '/proc/desk-state']) {
    refusedClearly(
      await runDesk(home, ['boot'], { env: { DESK_STATE: path } }),
      4,
      /state folder/,
      new RegExp(path),
      /DESK_STATE/,
    );
  }
});

needs('root')(test, "a state folder of another user, or open to others' writing, is refused", async () => {
  using home = await makeHome();
  mkdirSync(home.state, { mode: 0o700 });
  chownSync(home.state, ordinaryUser.uid, ordinaryUser.gid);
  refusedClearly(await runDesk(home, ['boot']), 4, /uid 65534/, /DESK_STATE/);
  chownSync(home.state, 0, 0);
  chmodSync(home.state, 0o777);
  refusedClearly(await runDesk(home, ['boot']), 4, /writable for others/, /chmod 700/);
});

needs('root', 'tree readable by others')(
  test,
  'a state folder that its owner cannot write is refused by a local command',
  async () => {
    using home = await makeHome('', { uid: ordinaryUser.uid });
    chmodSync(home.state, 0o500);
    const status = await runDesk(home, ['status', '--local'], { user: ordinaryUser });
    refusedClearly(status, 4, /not writable.*mode 0500/, /chmod u\+w/);
  },
);

test('a missing native build is reported with the file and the command to build it', async () => {
  using home = await makeHome();
  const copy = join(home.folder, 'tree');
  cpSync(join(projectRoot, 'src'), join(copy, 'src'), { recursive: true });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(projectRoot, name), join(copy, name));
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  // What makes it a checkout.
  cpSync(join(projectRoot, 'native/build.mjs'), join(copy, 'native/build.mjs'));
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', 'boot'], {
    cwd: copy,
    env: {
      PATH: process.env.PATH,
      HOME: home.folder,
      TMPDIR: home.folder,
      DESK_CONFIG: home.config,
      DESK_STATE: home.state,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(child, 'close')) as [number | null];
  refusedClearly({ code, stdout: '', stderr: said }, 4, /desk_\w+\.node/, /native\/build\.mjs/);
});

test('a CPU build that cannot run is refused, never replaced', async () => {
  using home = await makeHome();
  refusedClearly(await runDesk(home, ['boot'], { env: { DESK_MARK: 'z80' } }), 4, /z80/, /x86_64|aarch64/);
});

test('a second service on the same state folder is refused and does not disturb the first', async () => {
  await using service = await startService(await makeHome());
  using other = await makeHome();
  const second = await runDesk(other, ['boot'], { env: { DESK_STATE: service.home.state } });
  refusedClearly(second, 4, new RegExp(`\\b${service.child.pid}\\b`), /DESK_STATE|stop/i);
  assert.ok(await service.alive());
  assert.is((await service.get('/av')).json.live.atoms.SOUL, 1);
  assert.is(
    (await service.post('/cook', { mode: 'cook' }, service.bearer)).status,
    200,
    'its token is still valid',
  );
});

test.run();
