/** The privileges of each process of a real service that root starts: read from /proc, compared with the table. */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HiddenPortReport } from '../../src/engine/hidden-ports.ts';
import { capabilitiesOf, PRIVILEGES } from '../../src/privileges/table.ts';
import { findIn, findInMemory, formsOf } from '../support/canary.ts';
import { compiled } from '../support/compile.ts';
import { programWords } from '../support/entry.ts';
import { FakeAssistant } from '../support/fake-assistant.ts';
import { needs, ordinaryUser, portTaken, projectRoot, testsNeeding } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { ask, calm, makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('privileges');
const it = testsNeeding(test, 'root');

type Role = keyof typeof PRIVILEGES;

interface Held {
  readonly uids: readonly number[];
  readonly groups: readonly number[];
  readonly permitted: bigint;
  readonly effective: bigint;
  readonly inheritable: bigint;
  readonly ambient: bigint;
  readonly bounding: bigint;
  readonly noNewPrivileges: boolean;
}

/** Fields of one thread: proc_pid_status(5). */
function heldBy(folder: string): Held {
  const status = readFileSync(`${folder}/status`, 'latin1');
  const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '';
  const numbers = (name: string): number[] => field(name).split(/\s+/).filter(Boolean).map(Number);
  const set = (name: string): bigint => BigInt(`0x${field(name)}`);
  return {
    uids: [...new Set([...numbers('Uid'), ...numbers('Gid')])],
    groups: numbers('Groups'),
    permitted: set('CapPrm'),
    effective: set('CapEff'),
    inheritable: set('CapInh'),
    ambient: set('CapAmb'),
    bounding: set('CapBnd'),
    noNewPrivileges: field('NoNewPrivs') === '1',
  };
}

const threadsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);

/** Reads every thread of a process; one that ends meanwhile is left out. */
function ofThreads<T>(pid: number, read: (folder: string) => T): T[] {
  return threadsOf(pid).flatMap((folder) => {
    try {
      return [read(folder)];
    } catch (error) {
      if (existsSync(folder)) throw error;
      return [];
    }
  });
}

const childrenOf = (pid: number): number[] =>
  ofThreads(pid, (folder) =>
    readFileSync(`${folder}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  ).flat();

/** The role of a process of the desk; undefined for children of a loader, and for an ended process. */
function roleOf(pid: number): Role | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
    if (words[0]?.endsWith('/desk-peek')) return 'peek';
    if (words[0]?.endsWith('/desk-start')) return 'starter';
    return words.some((word) => /\/mail\/process\.[jt]s$/.test(word)) ? 'mail' : undefined;
  } catch {
    return undefined;
  }
}

/** Pids of the other processes of a service, by role. */
function familyOf(pid: number): Record<Exclude<Role, 'service'>, number[]> {
  const family = { starter: [] as number[], peek: [] as number[], mail: [] as number[] };
  for (const child of childrenOf(pid)) {
    const role = roleOf(child);
    if (role !== undefined && role !== 'service') family[role].push(child);
  }
  return family;
}

/** Two of desk-peek always run; those that describe findings and read digests end when they are idle. */
const complete = (pid: number) =>
  until(async () => {
    const family = familyOf(pid);
    return family.starter.length === 1 && family.peek.length >= 2 && family.mail.length === 1 && family;
  }, 'desk-start, two of desk-peek and the mail process');

/** Whether it has not ended; its new parent may not have reaped it yet. */
function runs(pid: number): boolean {
  try {
    return !/^.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const bits = (numbers: readonly number[]): bigint =>
  numbers.reduce((set, number) => set | (1n << BigInt(number)), 0n);

/** Checks every thread of a process against the table. */
function judge(role: Role, pid: number): void {
  const { uid } = PRIVILEGES[role];
  const all = bits(capabilitiesOf(PRIVILEGES[role]));
  const threads = ofThreads(pid, (thread) => ({ thread, held: heldBy(thread) }));
  assert.ok(threads.length > 0, role);
  for (const { thread, held } of threads) {
    const message = `${role} ${thread} ${JSON.stringify(held, (_, value) => (typeof value === 'bigint' ? value.toString(16) : value))}`;
    assert.is(held.effective, held.permitted, message);
    assert.is(held.permitted, all, message);
    assert.is(held.bounding & ~all, 0n, message);
    assert.ok(held.noNewPrivileges, message);
    if (uid === 'root') assert.equal(held.uids, [0], message);
    else assert.ok(held.uids.length === 1 && held.uids[0] !== 0 && held.uids[0] !== 65534, message);
    assert.equal(held.groups, role === 'service' ? heldBy('/proc/self').groups : [], message);
    if (role !== 'mail') assert.equal([held.inheritable, held.ambient], [0n, 0n], message);
  }
  assert.match(readFileSync(`/proc/${pid}/limits`, 'latin1'), /^Max core file size +0 +0 /m, role);
  assert.is(Number.parseInt(readFileSync(`/proc/${pid}/coredump_filter`, 'latin1'), 16), 0, role);
}

/** Checks those that have not ended; returns how many. */
function judgePeeks(pids: readonly number[]): number {
  const running = pids.filter(runs);
  for (const pid of running) judge('peek', pid);
  return running.length;
}

/** Open files and mappings of a process whose path contains this name. */
function filesOf(pid: number, name: string): string[] {
  const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return [];
    }
  });
  return [...open, ...readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')].filter((one) =>
    one.includes(name),
  );
}

const ownUid = (pid: number): number | undefined => heldBy(`/proc/${pid}`).uids[0];

const mail = '[mail]\nsources = ["imap"]\n';
const serve = async (sections = '', env: Record<string, string> = {}): Promise<Service> =>
  startService(await makeHome(`${calm}${mail}${sections}`), { env });

it('each process has exactly the privileges of the table, in every thread, also after a restart of the process', async () => {
  await using service = await serve();
  const pid = service.child.pid as number;
  assert.ok(threadsOf(pid).length > 4, 'workers and the threads of node');
  judge('service', pid);
  assert.ok(Object.keys(PRIVILEGES.service.capabilities).length <= 7);
  const first = await complete(pid);
  for (const role of ['starter', 'mail'] as const) for (const one of first[role]) judge(role, one);
  assert.ok(judgePeeks(first.peek) >= 2);
  const uids = [first.starter, first.peek, first.mail].map(([one = 0]) => ownUid(one));
  assert.is(new Set(uids).size, 3, 'each has a uid that none of the others has');
  for (const one of [...first.peek, ...first.mail].filter(runs)) process.kill(one, 'SIGKILL');
  await service.get('/detection');
  const second = await until(async () => {
    await service.post('/scar/check', {});
    const family = familyOf(pid);
    const [again] = family.mail;
    return again !== undefined && again !== first.mail[0] && family;
  }, 'another mail process');
  for (const one of second.mail) judge('mail', one);
  // One that was started just now has the privileges of its starter until it gives them up.
  await until(async () => {
    try {
      return judgePeeks(second.peek) >= 0;
    } catch {
      return false;
    }
  }, 'desk-peek with its own privileges alone');
  assert.is(ownUid(second.mail[0] ?? 0), uids[2]);
  assert.ok(await service.alive());
});

it('the ledger belongs to the mail process, the rest of the state folder to the service only', async () => {
  const home = await makeHome(`${calm}${mail}`);
  // As an earlier version left it.
  mkdirSync(home.state, { mode: 0o700 });
  writeFileSync(join(home.state, 'desk.lock'), '', { mode: 0o600 });
  writeFileSync(join(home.state, 'people.json'), '[]\n', { mode: 0o600 });
  await using service = await startService(home);
  const { mail: mails } = await complete(service.child.pid as number);
  const owner = ownUid(mails[0] ?? 0);
  const stat = (path: string) => spawnSync('stat', ['-c', '%a %u', path], { encoding: 'utf8' }).stdout.trim();
  assert.is(stat(home.state), '700 0');
  assert.is(stat(join(home.state, 'people')), `700 ${owner}`);
  assert.is(stat(join(home.state, 'people/people.json')), `600 ${owner}`);
  for (const name of readdirSync(home.state).filter((one) => one !== 'people'))
    assert.match(stat(join(home.state, name)), /^600 0$/, name);
  await until(async () => readdirSync(join(home.state, 'people')).includes('people.db'), 'the ledger');
  assert.is(stat(join(home.state, 'people/people.db')), `600 ${owner}`);
  const people = () => service.get('/email/api/people', { headers: service.bearer });
  const listed = await people();
  assert.is(listed.status, 200, listed.text);
  assert.equal(filesOf(service.child.pid as number, 'people.db'), [], 'the service opens no file of it');
  assert.ok(filesOf(mails[0] ?? 0, 'people.db').length > 0);
  // Its owner may do this at any time: a process that has mapped the index gets SIGBUS.
  truncateSync(join(home.state, 'people/people.db-shm'), 0);
  const answers = [await people(), await people()].map(({ status }) => status);
  assert.ok(
    answers.every((status) => [200, 503].includes(status)),
    `${answers}`,
  );
  assert.ok(await service.alive());
});

/** Core files in the folder after a process was killed there; none where a program takes the dumps. */
const coresIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('core'))
    .map((name) => join(folder, name));

it('a core dump of the service contains no key from its memory', async () => {
  const key = 'canary-4f61c1d2e7b84d0a9b';
  const forms = formsOf(key);
  const assistant = await new FakeAssistant().start();
  // The key remains in use while there is no answer.
  assistant.manner = () => undefined;
  const { port } = assistant;
  const home = await makeHome(
    `${calm}[egress]\nallow = ["localhost:${port}"]\nprivate = ["localhost:${port}"]\n` +
      `[assistant]\nbase_url = "http://localhost:${port}/v1"\nmodel = "fake"\napi_key_file = "/nonexistent"\n`,
  );
  const keyFile = join(home.folder, 'key');
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  writeFileSync(home.config, readFileSync(home.config, 'utf8').replace('/nonexistent', keyFile));
  await using service = await startService(home);
  const before = new Set(coresIn(projectRoot));
  const pid = service.child.pid as number;
  try {
    const asked = service.post('/h7/consult', { message: 'ports?' }, service.bearer).catch(() => undefined);
    await until(async () => assistant.asked[0]?.headers.authorization === `Bearer ${key}`, 'the question');
    assert.ok(findInMemory(pid, forms).length > 0, 'it is in the memory of the service');
    // With CAP_SYS_RESOURCE the size limit can be removed, so only the dump filter protects the key.
    spawnSync('prlimit', ['--core=unlimited', '--pid', String(pid)]);
    process.kill(pid, 'SIGABRT');
    await Promise.all([asked, once(service.child, 'close')]);
    const cores = coresIn(projectRoot).filter((path) => !before.has(path));
    const found = cores.flatMap((path) => findIn(readFileSync(path), forms));
    for (const path of cores) rmSync(path);
    assert.equal(found, []);
    // A process without the filter leaves the key in its core, where the kernel writes a file.
    const careless = `import os,sys; s=sys.stdin.read(); os.abort()`;
    spawnSync('sh', ['-c', `ulimit -c unlimited; exec python3 -c '${careless}'`], {
      cwd: home.folder,
      input: key,
    });
    const left = coresIn(home.folder).flatMap((path) => findIn(readFileSync(path), forms));
    if (coresIn(home.folder).length > 0) assert.ok(left.length > 0, 'the search finds it in a core');
  } finally {
    await assistant.stop();
  }
});

needs('root', 'port 80 free', 'privileged ports')(
  test,
  'a listener on port 80 is bound for a service that may not bind it',
  async () => {
    const home = await makeHome(calm, { without: ['office'] });
    writeFileSync(home.config, `[listen.office]\nport = 80\n${readFileSync(home.config, 'utf8')}`);
    await using service = await startService(home);
    judge('service', service.child.pid as number);
    assert.is((await ask(80, '/')).status, 200);
  },
);

/** The highest free privileged TCP port, except those that other tests use. */
const lowPort = (): number => {
  for (let port = 1022; port > 600; port -= 1) if (!portTaken(port)) return port;
  throw new Error('no port below 1023 is free');
};

needs('root', 'privileged ports')(
  test,
  'the control port may be below 1024, also after a reload moves it, and commands still find it',
  async () => {
    const port = lowPort();
    const home = await makeHome(calm, { without: ['control'] });
    writeFileSync(home.config, `[listen.control]\nport = ${port}\n${readFileSync(home.config, 'utf8')}`);
    await using service = await startService({ ...home, ports: { ...home.ports, control: port } });
    judge('service', service.child.pid as number);
    for (const words of [['status'], ['scar', 'check']]) {
      const { code, stdout, stderr } = await runDesk(home, words);
      assert.is(stderr, '', words.join(' '));
      assert.ok(code === 0 || code === 1, stdout);
    }
    // A second service does not start half-way next to the first.
    using second = await makeHome(calm, { without: ['control'] });
    writeFileSync(second.config, `[listen.control]\nport = ${port}\n${readFileSync(second.config, 'utf8')}`);
    const refused = await runDesk(second, ['boot']);
    assert.is(refused.code, 4, refused.stderr);
    assert.match(refused.stderr, new RegExp(`cannot bind 127.0.0.1:${port}: .* holds it`));
    // A reload moves it to another privileged port.
    const other = lowPort();
    assert.is.not(other, port);
    writeFileSync(
      home.config,
      readFileSync(home.config, 'utf8').replace(`port = ${port}`, `port = ${other}`),
    );
    process.kill(service.child.pid as number, 'SIGHUP');
    await until(async () => portTaken(other) && !portTaken(port), 'the other port');
    const { code, stderr } = await runDesk(home, ['stats']);
    assert.equal([code, stderr], [0, '']);
  },
);

needs('root', 'setpriv')(
  test,
  'without CAP_CHOWN the mail process has the uid of the service and keeps its ledger, and the log reports it',
  async () => {
    await using service = await startService(await makeHome(`${calm}${mail}`), {
      before: ['setpriv', '--bounding-set=-chown'],
    });
    const { state } = service.home;
    const family = await complete(service.child.pid as number);
    assert.is(ownUid(family.mail[0] ?? 0), 0);
    const { permitted, bounding, noNewPrivileges } = heldBy(`/proc/${family.mail[0]}`);
    assert.equal([permitted, bounding, noNewPrivileges], [bits(capabilitiesOf(PRIVILEGES.mail)), 0n, true]);
    await until(async () => existsSync(join(state, 'people/people.db')), 'the ledger');
    assert.is((await service.get('/email/api/people', { headers: service.bearer })).status, 200);
    assert.match(service.output.stderr, /the mail process has the uid of the service: CAP_CHOWN is missing/);
  },
);

needs('root', 'compiler', 'privileged ports')(
  test,
  'hidden ports below 1024 are found by a service that may not bind them',
  async () => {
    const port = lowPort();
    const held = createServer().listen(port, '127.0.0.1');
    await once(held, 'listening');
    using home = await makeHome();
    mkdirSync(home.state, { mode: 0o700 });
    const words = programWords('../support/limited-port-sweep.ts', import.meta.url);
    const sweep = async (env: Record<string, string>) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...words, home.state], {
        cwd: projectRoot,
        env: { PATH: process.env.PATH, HOME: home.folder, ...env },
        timeout: patientMs(60_000),
      });
      return JSON.parse(stdout) as { limited: unknown; permitted: string; report: HiddenPortReport };
    };
    try {
      const honest = await sweep({});
      assert.equal(honest.limited, { trouble: '', shared: '' });
      assert.is(BigInt(honest.permitted), bits(capabilitiesOf(PRIVILEGES.service)));
      const { judged, found, blind, counts } = honest.report;
      assert.equal([judged, found, blind, counts.refused], [true, [], [], 0]);
      const rootkit = compiled('rootkit.cc', '-shared', '-fPIC', '-ldl');
      const { report } = await sweep({ HIDE_PORT: String(port), LD_PRELOAD: rootkit });
      assert.equal(report.found, [{ protocol: 'tcp', port, addresses: ['127.0.0.1'], scope: 'loopback' }]);
    } finally {
      held.close();
    }
  },
);

it('without desk-start the service continues and reports the consequences; all processes end with the service', async () => {
  await using service = await serve();
  const pid = service.child.pid as number;
  const first = await complete(pid);
  process.kill(first.starter[0] ?? 0, 'SIGKILL');
  await until(async () => !existsSync(`/proc/${first.starter[0]}`), 'its end, reaped');
  // Reported at once, before any process has to be started.
  const message = /desk-start has ended \(SIGKILL\), restart the service/;
  const { parts } = (await service.get('/readyz')).json as { parts: Record<string, { reason: string }> };
  assert.match(parts.start?.reason ?? '', message);
  await until(async () => message.test(service.output.stderr), 'the line of the log');
  await until(async () => message.test((await service.get('/status')).text), 'the issue', 5_000);
  assert.equal(familyOf(pid).mail, first.mail, 'the running mail process continues');
  process.kill(first.mail[0] ?? 0, 'SIGKILL');
  const ready = await until(async () => {
    await service.post('/scar/check', {});
    const { json } = await service.get('/readyz');
    return JSON.stringify(json).includes('desk-start has ended:') && json;
  }, 'the trouble of the mail process');
  assert.match(JSON.stringify(ready), /the mail process ended \(desk-start has ended: restart the service\)/);
  assert.ok(await service.alive());
  assert.is(await service.stop(), 0);

  await using killed = await serve();
  const family = await complete(killed.child.pid as number);
  process.kill(killed.child.pid as number, 'SIGKILL');
  for (const one of Object.values(family).flat()) await until(async () => !runs(one), `the end of ${one}`);
});

it('after desk-start did not answer for a while, it starts the mail process again', async () => {
  await using service = await serve();
  const pid = service.child.pid as number;
  const { starter, mail: mails } = await complete(pid);
  process.kill(starter[0] ?? 0, 'SIGSTOP');
  process.kill(mails[0] ?? 0, 'SIGKILL');
  let slowestMs = 0;
  await until(
    async () => {
      const askedMs = performance.now();
      await service.get('/healthz');
      slowestMs = Math.max(slowestMs, performance.now() - askedMs);
      return (await service.get('/readyz')).text.includes('desk-start did not answer');
    },
    'the trouble of the mail process',
    20_000,
  );
  // The wait for it is five seconds.
  assert.ok(slowestMs < 2_000, `the slowest answer took ${slowestMs} ms`);
  process.kill(starter[0] ?? 0, 'SIGCONT');
  const family = await until(
    async () => {
      await service.post('/scar/check', {});
      const found = familyOf(pid);
      return found.mail.length === 1 && found.mail[0] !== mails[0] && found;
    },
    'another mail process',
    30_000,
  );
  assert.equal(family.starter, starter);
  judge('mail', family.mail[0] ?? 0);
  // Processes that were started too late are reaped.
  await until(
    async () =>
      childrenOf(pid).every((child) => !/^.*\) Z/.test(readFileSync(`/proc/${child}/stat`, 'latin1'))),
    'no zombie',
  );
  await until(async () => {
    await service.post('/scar/check', {});
    return !(await service.get('/readyz')).text.includes('desk-start');
  }, 'no trouble any more');
});

it('for an ordinary user all processes have the uid of that user and no capabilities', async () => {
  const home = await makeHome(`${calm}${mail}`, { uid: ordinaryUser.uid });
  await using service = await startService(home, { user: ordinaryUser });
  const family = await until(async () => {
    const found = familyOf(service.child.pid as number);
    return found.mail.length === 1 && found.peek.length >= 2 && found;
  }, 'the mail process and desk-peek');
  assert.equal(family.starter, []);
  for (const pid of [service.child.pid as number, ...family.peek, ...family.mail]) {
    const { uids, permitted } = heldBy(`/proc/${pid}`);
    assert.equal([uids, permitted], [[ordinaryUser.uid], 0n]);
    assert.match(readFileSync(`/proc/${pid}/limits`, 'latin1'), /^Max core file size +0 +0 /m);
    assert.is(Number.parseInt(readFileSync(`/proc/${pid}/coredump_filter`, 'latin1'), 16), 0);
  }
  for (const pid of [...family.peek, ...family.mail])
    assert.ok(heldBy(`/proc/${pid}`).noNewPrivileges, readlinkSync(`/proc/${pid}/exe`));
});

test.run();
