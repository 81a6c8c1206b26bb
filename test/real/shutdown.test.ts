/** Banned listeners that are shut down, and those that are left alone: all processes belong to the test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Detection } from '../../src/records/detection.ts';
import type { Cook } from '../../src/records/scar.ts';
import { freePorts } from '../support/free-ports.ts';
import { testsNeeding } from '../support/require.ts';
import { stageCopy, stageProgram, startStage } from '../support/stage.ts';
import { patientMs } from '../support/time-limit.ts';
import { together } from '../support/together.ts';
import { type Home, makeHome, runDesk, shownOf, startService, until } from './running.ts';

const test = suite('shutdown');
const it = testsNeeding(test, 'compiler');

/** Runs tests in parallel, each with its own port and home. */
const beside = together<object>(3);

const isGone = (pid: number): boolean => {
  try {
    // A zombie counts as gone: it only waits for its stage to reap it.
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
};

/** A home whose law bans one free port besides 8766, and a stage. */
async function setting(policy = 'auto') {
  const [port = 0] = await freePorts(1);
  const home = await makeHome(`[banned]\nalso = [${port}]\nshut_down = "${policy}"\n`);
  const stage = startStage();
  const end = async () => {
    await stage.stop();
    home[Symbol.dispose]();
  };
  return { home, stage, port, [Symbol.asyncDispose]: end };
}

/** `desk ARGS --local --json`: the whole pipeline in a separate process. */
async function local(home: Home, ...args: readonly string[]): Promise<{ code: number | null; cook: Cook }> {
  const { code, stdout, stderr } = await runDesk(home, [...args, '--local', '--json']);
  assert.ok(code === 0 || code === 1, stderr);
  return { code, cook: JSON.parse(stdout) as Cook };
}

const resultOf = ({ remedies }: Cook): string =>
  remedies.find(({ remedy }) => remedy.includes('banned listener'))?.result ?? 'no remedy was tried';

for (const command of ['av close once', 'scar cook cook', 'field clear resolute'])
  it(
    `desk ${command} shuts a simple listener down, and its client stays alive`,
    beside(async () => {
      await using own = await setting();
      const { home, stage, port } = own;
      const [pid = 0] = await stage.pids(`listen ${port}`);
      const [client = 0] = await stage.pids(`connect ${port}`);
      const { cook } = await local(home, ...command.split(' '));
      assert.match(resultOf(cook), new RegExp(`^it is down after SIGTERM to pid ${pid}$`));
      assert.is(cook.remedies.filter(({ remedy }) => remedy.includes('banned')).length, 1);
      assert.is(await stage.ask('dead'), `${pid}:15`);
      assert.not.ok(isGone(client), 'the client was not touched');
    }),
  );

test('a listener that opens one socket after another is shut down by policy', async () => {
  const [port = 0] = await freePorts(1);
  await using _service = await startService(await makeHome(`[banned]\nalso = [${port}]\n`));
  const flapper = spawn(process.execPath, [
    '-e',
    `const next = () => {
      const server = require('net').createServer().listen(${port}, '127.0.0.1');
      setTimeout(() => server.close(() => setTimeout(next, 1)), 4);
    };
    next();`,
  ]);
  const timer = setTimeout(() => flapper.kill('SIGKILL'), patientMs(60_000));
  assert.equal(await once(flapper, 'exit'), [null, 'SIGTERM']);
  clearTimeout(timer);
});

test('a listener that policy shut down is shown with its program and how to allow it, also after a restart', async () => {
  const [port = 0] = await freePorts(1);
  const home = await makeHome(`[banned]\nalso = [${port}]\n`);
  const script = join(dirname(home.state), 'server.cjs');
  writeFileSync(script, `require('net').createServer().listen(${port}, '127.0.0.1');`);
  const seen = async () => {
    const { stdout } = await runDesk(home, ['findings', '--json']);
    return (JSON.parse(stdout) as Detection).shut_down.find((one) => one.port === port);
  };
  const first = await startService(home);
  const server = spawn(process.execPath, [script, '--password=hunter2'], { cwd: '/usr', stdio: 'ignore' });
  assert.equal(await once(server, 'exit'), [null, 'SIGTERM']);
  await until(seen, 'it is shown');
  const shown = (await runDesk(home, ['status'])).stdout;
  assert.match(shown, /Shut down/);
  assert.match(shown, /server\.cjs --password=\*\*\*/);
  assert.match(shown, /\[\[except\]\]/);
  await first.stop();
  await using _again = await startService(home);
  const kept = await seen();
  assert.equal([kept?.ended, kept?.by, kept?.executable], ['SIGTERM', 'policy', process.execPath]);
  assert.is(kept?.about?.directory, '/usr');
  assert.is(kept?.about?.parent?.pid, process.pid);
  assert.match(kept?.summary ?? '', /^node .*server\.cjs \(pid \d+/);
  const { stdout } = await runDesk(home, ['history']);
  assert.match(stdout, /Banned listeners that are down/);
  assert.not.match(shown + stdout, /hunter2/);
});

it('a listener that the law allows is reported and left alone', async () => {
  await using own = await setting();
  const { home, stage, port } = own;
  const except = `[[except]]\ncheck = "banned-listener"\nport = ${port}\nwhy = "under investigation"\n`;
  appendFileSync(join(home.folder, 'law.toml'), except);
  const [pid = 0] = await stage.pids(`listen ${port}`);
  const { code, cook } = await local(home, 'scar', 'cook', 'cook');
  assert.is(code, 1, 'it is still a finding');
  assert.match(resultOf(cook), /^refused: the law allows it \(under investigation\)/);
  assert.not.ok(isGone(pid));
  assert.is(await stage.ask('dead'), 'none');
});

it(
  'a dry run reports the action without doing it, and policy "never" does nothing',
  beside(async () => {
    await using own = await setting();
    const { home, stage, port } = own;
    await using strict = await setting('never');
    const [pid = 0] = await stage.pids(`listen ${port}`);
    const { cook } = await local(home, 'scar', 'cook', 'check');
    assert.match(resultOf(cook), new RegExp(`^would send SIGTERM to pid ${pid} \\(${stageProgram()}\\)`));
    const [other = 0] = await strict.stage.pids(`listen ${strict.port}`);
    assert.match(resultOf((await local(strict.home, 'av', 'close', 'once')).cook), /never/);
    assert.not.ok(isGone(pid) || isGone(other));
    assert.equal([await stage.ask('dead'), await strict.stage.ask('dead')], ['none', 'none']);
  }),
);

it(
  'a process that ignores SIGTERM is verified again and killed',
  beside(async () => {
    await using own = await setting();
    const { home, stage, port } = own;
    const [pid = 0] = await stage.pids(`listen ${port} stubborn`);
    const { cook } = await local(home, 'av', 'close', 'once');
    assert.is(resultOf(cook), `it is down after SIGTERM to pid ${pid}, SIGKILL to pid ${pid}`);
    assert.is(await stage.ask('dead'), `${pid}:9`);
  }),
);

it(
  'in a forked server every holder is signalled through its own pidfd, children first',
  beside(async () => {
    await using own = await setting();
    const { home, stage, port } = own;
    const [parent = 0, ...kids] = await stage.pids(`listen ${port} kids=3`);
    const [bystander = 0] = await stage.pids('idle');
    const { cook } = await local(home, 'av', 'close', 'once');
    const order = [...kids].sort((a, b) => a - b).concat(parent);
    assert.is(resultOf(cook), `it is down after ${order.map((pid) => `SIGTERM to pid ${pid}`).join(', ')}`);
    assert.ok([parent, ...kids].every(isGone));
    assert.not.ok(isGone(bystander));
  }),
);

it(
  'two unrelated programs that share one socket are refused',
  beside(async () => {
    await using own = await setting();
    const { home, stage, port } = own;
    const [first = 0] = await stage.pids(`listen ${port}`);
    const [second = 0] = await stage.pids(`idle ${stageCopy(join(home.folder, 'other-program'))}`);
    await stage.ask(`share ${first} ${second}`);
    const { cook } = await local(home, 'av', 'close', 'once');
    assert.match(resultOf(cook), /^refused: different programs hold it together: /);
    assert.match(resultOf(cook), /ps -o [a-z,]+ -p \d+,\d+ and end them yourself/);
    assert.is(await stage.ask('dead'), 'none');
    assert.is(cook.gate, 'fail');
  }),
);

it(
  'siblings that share one socket are not a tree and are refused',
  beside(async () => {
    await using own = await setting();
    const { home, stage, port } = own;
    const [first = 0] = await stage.pids(`listen ${port}`);
    const [second = 0] = await stage.pids('idle');
    await stage.ask(`share ${first} ${second}`);
    const { cook } = await local(home, 'av', 'close', 'once');
    assert.match(resultOf(cook), /^refused: its 2 holders are not one tree of processes/);
    assert.is(await stage.ask('dead'), 'none');
  }),
);

it(
  'an ancestor of the desk is refused',
  beside(async () => {
    const [port = 0] = await freePorts(1);
    const home = await makeHome(`[banned]\nalso = [${port}]\n`);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { cook } = await local(home, 'av', 'close', 'once');
      assert.match(
        resultOf(cook),
        new RegExp(`^refused: pid ${process.pid} holds it, and the desk descends from it`),
      );
    } finally {
      await once(server.close(), 'close');
      home[Symbol.dispose]();
    }
  }),
);

it('the service shuts a listener down on its own, once, and reports it in the history', async () => {
  await using own = await setting();
  const { home, stage, port } = own;
  await using service = await startService(home);
  const [pid = 0] = await stage.pids(`listen ${port}`);
  await until(async () => isGone(pid), 'the listener is gone');
  assert.is(await stage.ask('dead'), `${pid}:15`);
  const opened = /"finding":"([0-9a-f]{16})"/;
  const line = await until(
    async () => service.output.stderr.split('\n').find((text) => text.includes('shutdown: it is down')),
    'a line in the log',
  );
  const id = opened.exec(line)?.[1] ?? '';
  const { json } = await until(async () => {
    const answer = await service.get(`/findings/${id}`);
    return answer.json.history?.length === 3 && answer;
  }, 'the finding is closed');
  // Either the loop or the shutdown may see first that it is down.
  const told = json.history.map(({ event }: { event: string }) => event);
  const shutdown = `shutdown by policy: it is down after SIGTERM to pid ${pid}`;
  assert.equal([told[0], ...told.slice(1).sort()], ['opened', 'closed', shutdown]);
  const { findings } = (await service.get('/detection')).json;
  assert.not.ok(findings.some((finding: { id: string }) => finding.id === id));
});

it('at the very first start an existing listener has an announced grace period', async () => {
  await using own = await setting();
  const { home, stage, port } = own;
  const [pid = 0] = await stage.pids(`listen ${port}`);
  await using service = await startService(home);
  const { json } = await service.get('/status');
  const told = /it is shut down at \S+, to keep it: desk accept ([0-9a-f]{16}) --why/;
  assert.match(json.issues.join(' '), told);
  assert.match(json.hostess_charge.improvements, told);
  assert.match(service.output.stdout, /desk accept [0-9a-f]{16} --why/);
  assert.match(service.output.stderr, /desk accept [0-9a-f]{16} --why/);
  assert.match((await service.get('/')).text, /desk accept/);
  assert.not.ok(isGone(pid));
  assert.is(await stage.ask('dead'), 'none');
  // A manual request does not wait for the end of the grace period.
  const { json: cook } = await service.post('/av/close', {}, service.bearer);
  assert.is(resultOf(cook), `it is down after SIGTERM to pid ${pid}`);
});

it('an accepted listener is found and left alone, for every kind of request', async () => {
  await using own = await setting('ask');
  const { home, stage, port } = own;
  const [pid = 0] = await stage.pids(`listen ${port}`);
  await using service = await startService(home);
  const found = async ({ get }: Pick<typeof service, 'get'>) => {
    const { json } = await get('/detection?severity=critical');
    return json.findings.find(({ check }: { check: string }) => check === 'banned-listener')?.id as string;
  };
  const finding = await until(() => found(service), 'it is found');
  const asked = { finding, accepts: await shownOf(service, finding), why: 'ours, looked at' };
  const { json } = await service.post('/accept', asked, service.bearer);
  assert.is(json.effect, 'spared');
  const { json: cook } = await service.post('/av/close', {}, service.bearer);
  assert.match(resultOf(cook), /^refused: the law allows it \(ours, looked at\)/);
  await service.stop();
  // From now on the service acts on its own, and there is no grace period.
  writeFileSync(home.config, readFileSync(home.config, 'utf8').replace('"ask"', '"auto"'));
  writeFileSync(join(home.state, 'first-start'), `${Date.now() - 60_000}\n`, { mode: 0o600 });
  await using again = await startService(home);
  assert.is(await until(() => found(again), 'it is found again'), finding);
  await again.post('/scar/check', {}, again.bearer);
  // Stopping waits for a running shutdown.
  await again.stop();
  assert.not.ok(isGone(pid));
  assert.is(await stage.ask('dead'), 'none');
  assert.not.match(again.output.stderr, 'shutdown');
});

it('later starts have no grace period, and a refused shutdown is reported with what to do', async () => {
  await using own = await setting();
  const { home, stage, port } = own;
  await using second = await setting();
  for (const { state } of [home, second.home]) {
    mkdirSync(state, { mode: 0o700 });
    writeFileSync(join(state, 'first-start'), `${Date.now() - 60_000}\n`, { mode: 0o600 });
  }
  const [pid = 0] = await stage.pids(`listen ${port}`);
  {
    await using _service = await startService(home);
    await until(async () => isGone(pid), 'the listener is gone');
  }
  const [one = 0] = await second.stage.pids(`listen ${second.port}`);
  const [two = 0] = await second.stage.pids('idle');
  await second.stage.ask(`share ${one} ${two}`);
  await using service = await startService(second.home);
  const issues = await until(async () => {
    const { json } = await service.get('/status');
    const text = json.issues.join(' ');
    return text.includes('ps -o') && text;
  }, 'the refusal among the issues');
  assert.match(issues, new RegExp(`-p ${[one, two].sort((a, b) => a - b).join(',')} and end them yourself`));
  assert.is(await second.stage.ask('dead'), 'none');
});

test.run();
