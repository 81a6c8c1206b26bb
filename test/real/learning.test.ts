/** Secure learning by a real service: first use, a new program, scars that forbid learning, restoring, tampering. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../src/store/database.ts';
import { startActors } from '../support/actor.ts';
import { freePorts } from '../support/free-ports.ts';
import { needs, ordinaryUser } from '../support/require.ts';
import {
  gradeIfWell,
  type Home,
  isHidden,
  makeHome,
  runDesk,
  type Service,
  startService,
  until,
} from './running.ts';

const test = suite('learning');
const quick = '[loop]\nmode = "poll"\nperiod_ms = 200\n';

/** Waits for input; hardly any other program runs it. */
const newcomer = '/usr/bin/factor';

interface Newcomer extends AsyncDisposable {
  readonly pid: number;
}

function startNewcomer(): Newcomer {
  const child: ChildProcess = spawn(newcomer, [], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'close');
  return {
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

const learned = (service: Service) =>
  until(
    async () => {
      const { json } = await service.get('/status');
      return json.iron.adjoin !== null && json;
    },
    'the first generation',
    30_000,
  );

const findings = async (service: Service) => (await service.get('/detection')).json.findings as Finding[];
interface Finding {
  readonly id: string;
  readonly check: string;
  readonly severity: string;
  readonly summary: string;
  readonly subject: { readonly kind: string; readonly pid?: number; readonly port?: number };
}

/** Learns. Other activity on this machine may be a scar, so it is tried again. */
const learn = (service: Service) =>
  until(
    async () => {
      const answer = await service.post('/learn', {}, service.bearer);
      // 429: too many requests.
      assert.ok([200, 409, 429].includes(answer.status), answer.text);
      return answer.status === 200 && (answer.json as { generation: number; added: number });
    },
    'a clean gate',
    60_000,
  );

const listening = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const baselineOf = async (home: Home) =>
  JSON.parse((await runDesk(home, ['baseline', 'list', '--json'])).stdout).generations as {
    number: number;
    how: string;
    authoritative: boolean;
    integrity: string;
  }[];

test('a new folder is learned automatically and is gold; a new program is reported, learned on request, and unlearned by a restore', async () => {
  await using service = await startService(await makeHome(quick));
  const status = await learned(service);
  const charge = status.hostess_charge;
  assert.is(status.grade, gradeIfWell(status.issues), JSON.stringify(status.issues));
  assert.ok(charge.learn.vocab_total > 0 && charge.learn.learned_rows >= charge.learn.vocab_total);
  assert.ok(charge.in_charge.secure_learn && charge.in_charge.learning_security);
  const updates = async () => (await service.get('/av')).json.live.updates;
  await until(async () => !(await updates()), 'nothing new');
  // Processes that are hidden from the user count as not known.
  assert.ok(charge.war_machine.axes.research > (status.issues.some(isHidden) ? 0 : 50));
  assert.equal(
    (await baselineOf(service.home)).map(({ number, how, authoritative, integrity }) => [
      number,
      how,
      authoritative,
      integrity,
    ]),
    [
      [0, '', false, 'sound'],
      [1, 'first use', true, 'sound'],
    ],
  );

  await using program = startNewcomer();
  const found = await until(
    async () =>
      (await findings(service)).find(
        ({ check, subject }) => check === 'unlearned-process' && subject.pid === program.pid,
      ),
    'the new program as a finding',
  );
  assert.is(found.severity, 'low');
  const difference = (await service.get('/baseline/diff')).json;
  assert.ok(difference.added.some(({ text }: { text: string }) => text === newcomer));
  assert.ok((await service.get('/h7/charge')).json.security_learn.new_comm > 0);
  await until(updates, 'an update');

  const { generation, added } = await learn(service);
  assert.ok(generation === 2 && added >= 1);
  const gone = async () => !(await findings(service)).some(({ id }) => id === found.id);
  await until(gone, 'the finding closed by learning');

  // The limit of learning requests may be reached.
  const restored = await until(async () => {
    const answer = await service.post('/baseline/restore', { generation: 1 }, service.bearer);
    return answer.status !== 429 && answer;
  }, 'an answer');
  assert.equal([restored.status, restored.json.generation], [200, 3]);
  await until(async () => !(await gone()), 'the finding back after going back');
  assert.is((await service.get('/scar')).json.a.generation, 3);
  assert.is((await service.get('/scar')).json.god, 1);
});

test('a critical finding forbids learning and is named', async () => {
  const [port = 0] = await freePorts(1);
  const sections = `${quick}[banned]\nalso = [${port}]\nshut_down = "never"\n`;
  await using service = await startService(await makeHome(sections));
  await learned(service);
  const server = await listening(port);
  try {
    await until(
      async () =>
        (await findings(service)).find(
          ({ check, severity }) => check === 'banned-listener' && severity === 'critical',
        ),
      'the banned listener',
    );
    const refused = await service.post('/learn', {}, service.bearer);
    assert.is(refused.status, 409, refused.text);
    assert.match(refused.json.detail ?? refused.text, /scar/);
    const { code, stderr } = await runDesk(service.home, ['secure', 'learn', 'once']);
    assert.is(code, 4);
    assert.match(stderr, String(port));
    assert.is((await baselineOf(service.home)).length, 2);
  } finally {
    server.close();
  }
  await learn(service);
});

test('baseline-tampered: a row added to the baseline by hand is found at the next scan, and the baseline is not used', async () => {
  await using service = await startService(await makeHome(quick));
  await learned(service);
  const database = openDatabase(join(service.home.state, 'desk.db'));
  database.script(
    "INSERT INTO generation_rows VALUES (1, 'identity', CAST('/tmp/evil' AS BLOB), '/tmp/evil', '', 0, 0, 0)",
  );
  database.close();
  const found = await until(
    async () => (await findings(service)).find(({ check }) => check === 'baseline-tampered'),
    'the tampered baseline',
  );
  assert.equal([found.severity, found.subject.kind], ['critical', 'desk']);
  const status = (await service.get('/status')).json;
  assert.ok(['bronze', 'lead'].includes(status.grade));
  assert.is(status.iron.bgs.know_her, 0);
  assert.is((await service.post('/learn', {}, service.bearer)).status, 409);
  assert.is((await service.post('/baseline/restore', { generation: 1 }, service.bearer)).status, 409);
  assert.is((await service.post('/baseline/restore', { generation: 0 }, service.bearer)).status, 200);
  const { generation } = await learn(service);
  assert.is(generation, 3);
  assert.not.ok((await findings(service)).some(({ check }) => check === 'baseline-tampered'));
});

test('the first learning happens once: a restart keeps the baseline, and without its database nothing is learned automatically', async () => {
  const home = await makeHome(quick);
  const keep = { ...home, [Symbol.dispose]: () => undefined };
  try {
    {
      await using service = await startService(keep);
      await learned(service);
    }
    {
      await using service = await startService(keep);
      const { iron, hostess_charge } = (await service.get('/status')).json;
      assert.is(iron.adjoin, 1);
      assert.ok(hostess_charge.war_machine.axes.research > 0);
    }
    for (const name of readdirSync(home.state).filter((file) => file !== 'desk.lock'))
      rmSync(join(home.state, name), { recursive: true });
    await using service = await startService(keep);
    const { json } = await service.get('/status');
    assert.is(json.iron.adjoin, null);
    assert.ok(
      json.issues.some((issue: string) => /desk secure learn once/.test(issue)),
      JSON.stringify(json.issues),
    );
    await learn(service);
    await until(async () => {
      const { issues } = (await service.get('/status')).json as { issues: string[] };
      return !issues.some((issue) => /secure learn once/.test(issue));
    }, 'the issue gone');
  } finally {
    home[Symbol.dispose]();
  }
});

test('a learning window is opened by the command, reported, and ended on request', async () => {
  await using service = await startService(await makeHome(quick));
  await learned(service);
  const { code, stdout } = await runDesk(service.home, 'secure learn once --window 30 --json'.split(' '));
  assert.is(code, 0);
  assert.ok(Date.parse(JSON.parse(stdout).window_until) > Date.now());
  const charge = async () => (await service.get('/h7/charge')).json;
  await until(async () => (await charge()).in_charge.trickle_train, 'deferred learning in charge');
  assert.is((await charge()).check.full_learned, false);
  {
    await using program = startNewcomer();
    await until(
      async () => (await findings(service)).some(({ subject }) => subject.pid === program.pid),
      'the new program',
    );
  }
  await learn(service);
  assert.not.ok((await charge()).in_charge.trickle_train);
  const review = await runDesk(service.home, ['baseline', 'diff', '1', '2', '--json']);
  assert.equal([review.code, JSON.parse(review.stdout).to], [1, 2]);
});

const asUser = ['compiler', 'root', 'tree readable by others'] as const;

needs(...asUser)(
  test,
  'lost-sight: a learned program that becomes unreadable is found with its pid, a readable one is not',
  async () => {
    const home = await makeHome(quick, { uid: ordinaryUser.uid });
    await using before = await startActors([`uid=${ordinaryUser.uid}`]);
    await using service = await startService(home, { user: ordinaryUser });
    await learned(service);
    const lost = async () => (await findings(service)).filter(({ check }) => check === 'lost-sight');
    assert.equal(await lost(), [], `process ${before.pid(0)} is open`);
    await using closed = await startActors([`uid=${ordinaryUser.uid},undumpable`]);
    const found = await until(async () => (await lost())[0], 'the closed program');
    assert.equal([found.subject.pid, found.severity], [closed.pid(0), 'medium']);
    assert.is((await lost()).length, 1);
  },
);

needs('root')(
  test,
  'learning-open: a baseline learned with other privileges is reported, one with the same privileges is not',
  async () => {
    using home = await makeHome(quick);
    const service = await startService(home);
    try {
      await learned(service);
    } finally {
      await service.stop();
    }
    const about = async (before: readonly string[]) => {
      const { stdout } = await runDesk(home, ['findings', '--local', '--json'], { before });
      return (JSON.parse(stdout).findings as Finding[]).filter(({ check }) => check === 'learning-open');
    };
    const [found] = await about(['setpriv', '--bounding-set', '-sys_ptrace']);
    assert.equal([found?.severity, found?.subject.kind], ['low', 'desk']);
    assert.match(found?.summary ?? '', /other privileges/);
    // A capability that the service does not keep makes no difference.
    for (const before of [[], ['setpriv', '--bounding-set', '-sys_boot']])
      assert.equal(await about(before), []);
  },
);

test('learned rows that need a review are listed until they are reviewed', async () => {
  await using service = await startService(await makeHome(quick));
  await learned(service);
  const review = await runDesk(service.home, ['baseline', 'review', '--json']);
  const { rows } = JSON.parse(review.stdout) as { rows: unknown[] };
  assert.is(review.code, rows.length > 0 ? 1 : 0);
  const hint = /desk baseline review/;
  const improvements = async () => (await service.get('/h7/charge')).json.improvements as string;
  assert.is(hint.test(await improvements()), rows.length > 0);
  assert.is((await runDesk(service.home, ['baseline', 'review', '--done'])).code, 0);
  await until(async () => !hint.test(await improvements()), 'nothing to review');
});

test.run();
