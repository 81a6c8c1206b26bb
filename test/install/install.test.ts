/** `desk install` and `desk uninstall` on a folder in place of / and with a systemctl that only notes how it was called. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installAt } from '../../src/cli/commands/install.ts';
import { uninstallAt } from '../../src/cli/commands/uninstall.ts';
import { Failure } from '../../src/desk/failure.ts';
import { carryOut, type InstallWishes, planInstall } from '../../src/install/install.ts';
import { type Places, placesOf } from '../../src/install/places.ts';
import type { planUninstall } from '../../src/install/uninstall.ts';
import { UNIT_MARKER } from '../../src/install/unit-syntax.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Machine {
  readonly root: string;
  readonly places: Places;
  readonly wishes: InstallWishes;
  /** How systemctl and systemd-sysusers were called. */
  calls(): string[];
  /** Their exit code for a call that begins with these words. */
  fails(words: string): void;
}

const PATH = process.env.PATH ?? '';
const test = suite('install');
test.after(() => {
  process.env.PATH = PATH;
});

function machine(manager: Places['manager'] = 'system'): Machine {
  const root = tempFolder('desk-install-');
  const bin = join(root, 'bin');
  const put = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  for (const name of ['systemctl', 'systemd-sysusers'])
    put(
      join(bin, name),
      `#!/bin/sh\necho "${name} $*" >>'${root}/calls'\nwhile read -r one; do case "${name} $*" in "$one"*) echo "no: $one" >&2; exit 1;; esac; done <'${root}/fails'\n`,
      0o755,
    );
  put(join(root, 'fails'), '');
  process.env.PATH = `${bin}${delimiter}${PATH}`;
  const places = placesOf(manager, { HOME: join(root, 'home') }, root);
  mkdirSync(places.booted, { recursive: true });
  put(places.passwd, 'root:x:0:0::/root:/bin/sh\nwatcher:x:990:990::/:/bin/false\n');
  mkdirSync(dirname(places.unit), { recursive: true });
  const program = join(root, 'opt/node');
  put(program, '', 0o755);
  return {
    root,
    places,
    wishes: {
      command: [program, '/opt/desk/main.js', 'boot'],
      programs: [program],
      starter: join(root, 'opt/desk-start'),
      folders: [join(root, 'opt')],
      account: 'desk',
      officePort: 18780,
      passwordFile: '',
      uid: 0,
    },
    calls: () =>
      existsSync(join(root, 'calls')) ? readFileSync(join(root, 'calls'), 'utf8').trim().split('\n') : [],
    fails: (words) => writeFileSync(join(root, 'fails'), `${words}\n`),
  };
}

/** What the command answers, and its text would be printed from. */
function answers() {
  const records: unknown[] = [];
  const context = {
    answer(record: unknown) {
      records.push(record);
      return 0 as const;
    },
  };
  return { context, records };
}

const without = ({ account: _, passwordFile: __, ...wishes }: InstallWishes): InstallWishes => wishes;

async function refusal(work: () => unknown): Promise<Failure> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Every file below a folder with its content, so that "nothing changed" can be seen. */
const everything = (folder: string): string =>
  spawnSync('find', [folder, '-ls'], { encoding: 'utf8' }).stdout;

test('a second installation keeps account and password file of the unit', async () => {
  const { root, places, wishes } = machine();
  const secret = join(root, 'opt/secret');
  writeFileSync(secret, 'x', { mode: 0o600 });
  const { context } = answers();
  await installAt(context, places, { ...wishes, account: 'watcher', passwordFile: secret }, true);
  const before = readFileSync(places.unit, 'utf8');
  assert.match(before, /^User=watcher$/m);
  assert.match(before, `LoadCredential=mail.password:${secret}`);
  await installAt(context, places, without(wishes), true);
  assert.is(readFileSync(places.unit, 'utf8'), before);
});

test('without --yes it shows files and commands, and changes nothing', async () => {
  const { root, places, wishes, calls } = machine();
  const before = everything(root);
  const { context, records } = answers();
  assert.is(await installAt(context, places, wishes, false), 0);
  const [plan] = records as ReturnType<typeof planInstall>[];
  assert.equal(
    plan?.files.map(({ path, state }) => [path, state]),
    [
      [places.account, 'new'],
      [places.config, 'new'],
      [places.unit, 'new'],
      [places.namespaces?.socket, 'new'],
      [places.namespaces?.service, 'new'],
    ],
  );
  assert.match(plan?.files[3]?.content ?? '', /^SocketUser=desk$/m);
  assert.match(plan?.files[4]?.content ?? '', `\nExecStart=${wishes.starter} namespaces\n`);
  assert.match(plan?.files[1]?.content ?? '', /^port = 18780$/m);
  assert.match(plan?.files[2]?.content ?? '', /^IPAddressAllow=localhost$/m);
  assert.equal(plan?.commands, [
    ['systemd-sysusers', places.account],
    ['systemctl', 'daemon-reload'],
    ['systemctl', 'enable', 'desk.service'],
    ['systemctl', 'start', 'desk.service'],
  ]);
  assert.is(everything(root), before);
  assert.equal(calls(), []);
});

test('with --yes it installs; again it changes nothing; with other words it upgrades', async () => {
  const { places, wishes, calls } = machine();
  const { context } = answers();
  await installAt(context, places, wishes, true);
  assert.equal(calls(), [
    `systemd-sysusers ${places.account}`,
    'systemctl daemon-reload',
    'systemctl enable desk.service',
    'systemctl start desk.service',
  ]);
  const unit = readFileSync(places.unit, 'utf8');
  assert.ok(unit.startsWith(UNIT_MARKER));
  for (const path of [places.unit, ...Object.values(places.namespaces ?? {})])
    assert.is(lstatSync(path).mode & 0o777, 0o644);
  writeFileSync(places.passwd, `${readFileSync(places.passwd, 'utf8')}desk:x:991:991::/:/bin/false\n`);
  const before = calls().length;
  await installAt(context, places, wishes, true);
  assert.equal(calls().slice(before), ['systemctl --quiet is-active desk.service']);
  assert.is(readFileSync(places.unit, 'utf8'), unit);
  await installAt(context, places, { ...wishes, command: [...wishes.command, '--no-loop'] }, true);
  assert.equal(calls().slice(before + 1), [
    'systemctl daemon-reload',
    'systemctl enable desk.service',
    'systemctl restart desk.service',
  ]);
  assert.match(readFileSync(places.unit, 'utf8'), /boot --no-loop$/m);
});

test('a configuration that exists is kept, and decides what the unit lets through', () => {
  const { places, wishes } = machine();
  const unitWith = (config: string): string => {
    mkdirSync(dirname(places.config), { recursive: true });
    writeFileSync(places.config, config);
    const { files } = planInstall(places, wishes);
    assert.not(files.some(({ path }) => path === places.config));
    return files.find(({ path }) => path === places.unit)?.content ?? '';
  };
  assert.match(unitWith('[listen.office]\nport = 8080\n'), /^IPAddressDeny=any$/m);
  assert.not.match(unitWith('[egress]\nallow = ["example.com:443"]\n'), /^IPAddress/m);
  assert.not.match(unitWith('[listen.public]\nhost = "0.0.0.0"\n'), /^IPAddress/m);
});

test('each refusal says what to do, and changes nothing', async () => {
  const cases: readonly (readonly [string, (one: Machine) => unknown, RegExp])[] = [
    [
      'no systemd',
      ({ places }) => rmSync(places.booted, { recursive: true }),
      /DESK_STATE=\/var\/lib\/desk .*boot/,
    ],
    ['not root', () => ({ uid: 1000 }), /sudo desk install.*--user/],
    ['percent sign', () => ({ command: ['/opt/100%/node'] }), /without these/],
    ['quote', () => ({ command: ['/opt/"/node'] }), /without these/],
    ['line break', () => ({ command: ['/opt/a\nb/node'] }), /without these/],
    [
      'program writable by all',
      ({ wishes }) => chmodSync(wishes.programs[0] ?? '', 0o777),
      /chmod .*sudo npm install/,
    ],
    [
      'folder of the program writable by all',
      ({ wishes }) => chmodSync(dirname(wishes.programs[0] ?? ''), 0o777),
      /chmod go-w/,
    ],
    [
      'file that the program loads, of another user',
      ({ root }) => {
        writeFileSync(join(root, 'opt/app.js'), '');
        chmodSync(join(root, 'opt/app.js'), 0o666);
      },
      /chown -R root:root .*chmod -R go-w/,
    ],
    [
      'account of a person',
      ({ places }) => writeFileSync(places.passwd, 'desk:x:1000:1000::/home/desk:/bin/sh\n'),
      /useradd --system/,
    ],
    ['unknown account', () => ({ account: 'somebody' }), /useradd/],
    ['account that is no name', () => ({ account: 'root:x' }), /passwd/],
    ['unit of another', ({ places }) => writeFileSync(places.unit, '[Unit]\n'), /mv /],
    [
      'unit of another for the namespaces',
      ({ places }) => writeFileSync(places.namespaces?.socket ?? '', '[Unit]\n'),
      /mv .*desk-namespaces\.socket/,
    ],
    [
      'masked unit for the namespaces',
      ({ places }) => symlinkSync('/dev/null', places.namespaces?.service ?? ''),
      /unmask desk-namespaces\.service/,
    ],
    ['masked', ({ places }) => symlinkSync('/dev/null', places.unit), /unmask/],
    ['dangling link', ({ places }) => symlinkSync('/nowhere', places.unit), /ls -l/],
    ['folder', ({ places }) => mkdirSync(places.unit), /ls -l/],
    ['FIFO', ({ places }) => void spawnSync('mkfifo', [places.unit]), /ls -l/],
    [
      'unit of a package',
      ({ places }) => {
        mkdirSync(dirname(places.packaged[0] ?? ''), { recursive: true });
        writeFileSync(places.packaged[0] ?? '', '[Unit]\n');
      },
      /package manager/,
    ],
    [
      'configuration with a mistake',
      ({ places }) => {
        mkdirSync(dirname(places.config), { recursive: true });
        writeFileSync(places.config, 'nothing = 1\n');
      },
      /Correct it/,
    ],
    [
      'configuration open to others',
      ({ places }) => {
        mkdirSync(dirname(places.config), { recursive: true });
        writeFileSync(places.config, '');
        chmodSync(places.config, 0o666);
      },
      /Correct it/,
    ],
    ['no password file', () => ({ passwordFile: '/nowhere/secret' }), /Correct it/],
  ];
  for (const [name, prepare, remedy] of cases) {
    const one = machine();
    const wishes = { ...one.wishes, ...(prepare(one) as Partial<InstallWishes> | undefined) };
    const before = everything(one.root);
    const { context } = answers();
    const failure = await refusal(() => installAt(context, one.places, wishes, true));
    assert.match(failure.remedy, remedy, name);
    assert.ok([2, 4].includes(failure.exitCode), name);
    assert.is(everything(one.root), before, name);
    assert.equal(one.calls(), [], name);
  }
});

test('a service of your own: folders of XDG, no account, no root', async () => {
  const one = machine('user');
  const { context } = answers();
  await installAt(context, one.places, { ...one.wishes, uid: 1000 }, true);
  assert.is(one.places.unit, join(one.root, 'home/.config/systemd/user/desk.service'));
  assert.equal(one.calls(), [
    'systemctl --user daemon-reload',
    'systemctl --user enable desk.service',
    'systemctl --user start desk.service',
  ]);
  assert.is(
    placesOf('user', { HOME: '/h', XDG_CONFIG_HOME: 'relative' }).unit,
    '/h/.config/systemd/user/desk.service',
  );
  assert.is(placesOf('user', { HOME: '/h', XDG_CONFIG_HOME: '/x' }).config, '/x/desk/desk.toml');
});

test('root has no units for the namespaces, which it sees itself; a user manager cannot have any', () => {
  for (const [one, account] of [
    [machine(), 'root'],
    [machine('user'), 'desk'],
  ] as const) {
    const { files } = planInstall(one.places, { ...one.wishes, account });
    assert.not(files.some(({ path }) => path.includes('namespaces')));
    assert.not.match(files.find(({ path }) => path === one.places.unit)?.content ?? '', 'desk-namespaces');
  }
});

test('a change to root removes the units of the namespaces that an account had', () => {
  const { places, wishes } = machine();
  carryOut(planInstall(places, wishes));
  const units = Object.values(places.namespaces ?? {});
  assert.ok(units.length === 2 && units.every((path) => existsSync(path)));
  const { commands } = planInstall(places, { ...wishes, account: 'root' });
  const at = commands.findIndex(([program]) => program === 'rm');
  assert.equal(commands.slice(at - 1, at + 1), [
    ['systemctl', 'stop', 'desk-namespaces.socket', 'desk-namespaces.service'],
    ['rm', ...units],
  ]);
  assert.not(planInstall(places, wishes).commands.some(([program]) => program === 'rm'));
});

test('a start that fails is reported with its reason', async () => {
  const one = machine();
  one.fails('systemctl start');
  const { context, records } = answers();
  const failure = await refusal(() => installAt(context, one.places, one.wishes, true));
  assert.match(failure.why, /no: systemctl start/);
  assert.match(failure.remedy, /journalctl/);
  assert.equal(records, []);
});

test('uninstall removes only what is ours, and the state only with --purge', async () => {
  const one = machine();
  const { context, records } = answers();
  const wishes = { purge: false, uid: 0, root: one.root };
  const state = join(one.root, 'var/lib/desk');
  assert.match(
    (await refusal(() => uninstallAt(context, one.places, wishes, true))).message,
    /There is no unit/,
  );
  for (const purge of [false, true]) {
    await installAt(context, one.places, one.wishes, true);
    mkdirSync(join(state, 'people'), { recursive: true });
    const before = everything(one.root);
    await uninstallAt(context, one.places, { ...wishes, purge }, false);
    assert.is(everything(one.root), before);
    await uninstallAt(context, one.places, { ...wishes, purge }, true);
    for (const path of [one.places.unit, one.places.account, ...Object.values(one.places.namespaces ?? {})])
      assert.not(existsSync(path), path);
    assert.ok(existsSync(one.places.config));
    assert.is(existsSync(state), !purge);
    assert.equal(one.calls().slice(-2), ['systemctl disable --now desk.service', 'systemctl daemon-reload']);
    const { kept } = records.at(-1) as ReturnType<typeof planUninstall>;
    assert.is(
      kept.some((what) => what.startsWith(state)),
      !purge,
    );
  }
  writeFileSync(one.places.unit, '[Unit]\n');
  assert.match((await refusal(() => uninstallAt(context, one.places, wishes, true))).remedy, /mv /);
  assert.ok(existsSync(one.places.unit));
});

test('a service that cannot be stopped keeps its files', async () => {
  const one = machine();
  const { context } = answers();
  await installAt(context, one.places, one.wishes, true);
  one.fails('systemctl disable');
  await refusal(() => uninstallAt(context, one.places, { purge: true, uid: 0, root: one.root }, true));
  assert.ok(existsSync(one.places.unit));
});

test.run();
