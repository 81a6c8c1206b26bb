/** `desk boot` with a state folder that is full, out of inodes or read-only: it serves, reports the problem, and recovers when there is space. */
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { needs, ordinaryUser, testsNeeding } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { together } from '../support/together.ts';
import {
  type Answer,
  ask,
  type Home,
  makeHome,
  type RunOptions,
  runDesk,
  startDesk,
  until,
} from './running.ts';

const test = suite('full disk');
const it = testsNeeding(test, 'root', 'namespaces');

const loop = '[loop]\nmode = "poll"\nperiod_ms = 500\n';

interface Running extends AsyncDisposable {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, token: string): Promise<Answer>;
  /** A path of the state folder as the desk sees it. */
  inside(name: string): string;
  shell(script: string): Promise<void>;
  readonly errors: () => string;
}

/** A desk in a separate mount namespace, in which a script has mounted a file system on the state folder. */
function bootOn(home: Home, script: string): Promise<Running> {
  mkdirSync(home.state, { recursive: true, mode: 0o700 });
  const before = [
    'unshare',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-ec',
    `${script}\nexec "$@"`,
    'sh',
  ];
  return booted(home, { before });
}

async function booted(home: Home, options: RunOptions): Promise<Running> {
  const { child, output } = startDesk(home, ['boot'], options);
  const get = (path: string): Promise<Answer> => ask(home.ports.control, path);
  const stop = async (): Promise<void> => {
    const closed = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patientMs(15_000));
      await closed;
      clearTimeout(timer);
    }
    home[Symbol.dispose]();
  };
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`the service ended: ${output.stderr}`);
      return (
        output.stdout !== '' &&
        (await get('/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ))
      );
    }, 'the service');
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get,
    post: (path, body, token) =>
      ask(home.ports.control, path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { Authorization: `Bearer ${token}` },
      }),
    inside: (name) => `/proc/${child.pid}/root${home.state}/${name}`,
    shell: async (text) => {
      const { spawn } = await import('node:child_process');
      const one = spawn('nsenter', ['-t', String(child.pid), '-m', 'sh', '-ec', text], { stdio: 'inherit' });
      const [code] = await once(one, 'exit');
      assert.is(code, 0, text);
    },
    errors: () => output.stderr,
    [Symbol.asyncDispose]: stop,
  };
}

const partsOf = async (desk: Running): Promise<Record<string, { ok: boolean; reason: string }>> =>
  ((await desk.get('/readyz')).json as { parts: Record<string, { ok: boolean; reason: string }> }).parts;

const tmpfs = (options: string) => `mount -t tmpfs -o mode=700,${options} tmpfs "$DESK_STATE"`;
/** Files that fill a tmpfs, to the last byte; removing `no-space` makes room. */
const fill = 'dd if=/dev/zero of="$DESK_STATE/no-space" bs=1k 2>/dev/null || true';

const scenes = {
  'no space': { script: `${tmpfs('size=1M')}\n${fill}`, cure: 'rm "$DESK_STATE/no-space"' },
  'no inodes': {
    script: `${tmpfs('size=8M,nr_inodes=4')}\ntouch "$DESK_STATE/1" "$DESK_STATE/2" "$DESK_STATE/3"`,
    cure: 'mount -o remount,nr_inodes=1000 "$DESK_STATE"',
  },
  'one inode left': {
    script: `${tmpfs('size=8M,nr_inodes=4')}\ntouch "$DESK_STATE/1" "$DESK_STATE/2"`,
    cure: 'mount -o remount,nr_inodes=1000 "$DESK_STATE"',
  },
  'read-only': {
    script: `${tmpfs('size=8M')}\nmount -o remount,ro "$DESK_STATE"`,
    cure: 'mount -o remount,rw "$DESK_STATE"',
  },
  'no space, a store of before': {
    script: '',
    cure: 'rm "$DESK_STATE/no-space"',
  },
} as const;

const beside = together<object>(3);

for (const [name, { script, cure }] of Object.entries(scenes))
  it(
    `${name}: the service starts without a store, reports what to do, and recovers without a restart`,
    beside(async () => {
      const home = await makeHome(loop);
      const sh = (text: string) =>
        text.replaceAll('"$DESK_STATE"', `"${home.state}"`).replaceAll('$DESK_STATE', home.state);
      const used =
        'cp -a "$DESK_STATE" "$DESK_STATE-before"; ' +
        `${tmpfs('size=8M')}; cp -a "$DESK_STATE-before/." "$DESK_STATE/"; ${fill}`;
      if (script === '') {
        await using first = await bootOn({ ...home, [Symbol.dispose]: () => undefined }, '');
        await until(
          async () => ((await first.get('/scar')).json as { a: { generation: number } }).a.generation > 0,
          'first use',
          60_000,
        );
      }
      await using desk = await bootOn(home, script === '' ? used : script);
      const parts = await partsOf(desk);
      assert.is(parts.store?.ok, false);
      assert.match(
        parts.store?.reason ?? '',
        /nothing can be kept in the state folder .*(?:free space|writable)/,
      );
      assert.match(parts.state?.reason ?? '', /nothing can be kept/);
      const status = await desk.get('/status');
      assert.is(status.status, 200);
      assert.match(JSON.stringify((status.json as { issues: unknown }).issues), /nothing can be kept/);
      // No action is accepted: no file has the token, and a guessed one is rejected.
      assert.not(existsSync(desk.inside('control.token')));
      assert.is((await desk.post('/learn', {}, 'x'.repeat(43))).status, 401);
      await desk.shell(sh(cure));
      await until(async () => (await partsOf(desk)).state?.ok, 'recovers', 10_000).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${desk.errors()}`);
      });
      const after = await partsOf(desk);
      assert.not.match(after.store?.reason ?? '', /nothing can be kept/);
      assert.is(statSync(desk.inside('control.token')).mode & 0o777, 0o600);
      assert.ok(statSync(desk.inside('desk.db')).size > 0);
      const token = readFileSync(desk.inside('control.token'), 'utf8').trim();
      assert.not.equal((await desk.post('/learn', {}, token)).status, 401);
      // What was learned before is valid again.
      if (script === '') {
        const { a } = (await desk.get('/scar')).json as { a: { generation: number } };
        assert.ok(a.generation > 0);
      }
    }),
  );

it('with a read-only folder at first, the mail process writes its ledger as soon as it can', async () => {
  const home = await makeHome(`${loop}[mail]\nsources = ["imap"]\n`);
  const { script, cure } = scenes['read-only'];
  await using desk = await bootOn(home, script);
  assert.match(desk.errors(), /the mail process has the uid of the service: .*EROFS/);
  await desk.shell(cure.replaceAll('"$DESK_STATE"', `"${home.state}"`));
  await until(async () => existsSync(desk.inside('people/people.db')), 'the ledger', 40_000);
  assert.is(statSync(desk.inside('people/people.db')).uid, 0);
  await until(
    async () => !/EACCES|EROFS/.test((await partsOf(desk)).mail?.reason ?? ''),
    'the mail process is well',
    40_000,
  );
});

it('when space runs out during operation, only the store is degraded, and it recovers', async () => {
  const home = await makeHome(loop);
  await using desk = await bootOn(home, tmpfs('size=4M'));
  assert.is((await partsOf(desk)).state?.ok, true);
  writeFileSync(desk.inside('keep'), '');
  await desk.shell(fill.replaceAll('$DESK_STATE', home.state));
  await until(async () => {
    // The gate runs on its own and gives the store something to write.
    await ask(home.ports.control, '/scar/check', { method: 'POST' });
    return (await partsOf(desk)).store?.reason.includes('SQLITE_FULL') === true;
  }, 'the store is degraded');
  assert.is((await desk.get('/status')).status, 200);
  rmSync(desk.inside('no-space'));
  await until(async () => {
    await ask(home.ports.control, '/scar/check', { method: 'POST' });
    return (await partsOf(desk)).store?.reason.includes('SQLITE_FULL') === false;
  }, 'recovers');
});

needs('root', 'tree readable by others')(
  test,
  'a state folder closed to its own user: commands name the mode, and the service starts and recovers',
  async () => {
    const home = await makeHome(loop, { uid: ordinaryUser.uid });
    const user = ordinaryUser;
    await runDesk(home, ['status', '--local'], { user });
    assert.ok(existsSync(`${home.state}/desk.db`));
    chmodSync(home.state, 0o500);
    for (const args of [['status', '--local'], ['history'], ['baseline', 'list']]) {
      const { code, stderr } = await runDesk(home, args, { user });
      assert.is(code, 4, args.join(' '));
      assert.match(stderr, 'its mode 0500 forbids writing');
      assert.match(stderr, `chmod u+w ${home.state}`);
      assert.not.match(stderr, /UNKNOWN|Free space/);
    }
    await using desk = await booted(home, { user });
    const parts = await partsOf(desk);
    for (const part of [parts.store, parts.state]) {
      assert.is(part?.ok, false);
      assert.match(part?.reason ?? '', `its mode 0500 forbids writing, make it writable with "chmod u+w`);
    }
    assert.is((await desk.get('/status')).status, 200);
    chmodSync(home.state, 0o700);
    await until(async () => (await partsOf(desk)).state?.ok, 'recovers', 10_000);
    assert.ok(existsSync(`${home.state}/control.token`));
  },
);

test.run();
