/** A running service whose files disappear: no flag of its records stays good, and each recovers when its file is back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tempFolder } from '../support/temp-folder.ts';
import { makeHome, runDesk, startService, until } from './running.ts';

const test = suite('lost');

const polling = '[loop]\nmode = "poll"\nperiod_ms = 200\n';

test('when the folder, database, token or lock file is missing, SOUL, GOD, duties and readiness report it until it is back', async () => {
  const home = await makeHome(polling, { used: true });
  await using service = await startService(home);
  const seen = async () => {
    const [status, hygiene, scar, ready] = await Promise.all(
      ['/status', '/av', '/scar', '/readyz'].map((path) => service.get(path, { headers: service.bearer })),
    );
    const { in_charge } = status?.json.hostess_charge ?? {};
    return {
      ready: ready?.status,
      charge: status?.json.hostess_charge.ok,
      learns: in_charge.secure_learn,
      clears: in_charge.field_clear,
      closes: in_charge.av_close,
      hygiene: in_charge.field_hygiene,
      timer: hygiene?.json.live.orphan_timer,
      soul: hygiene?.json.live.atoms.SOUL,
      god: scar?.json.god,
      issues: status?.json.issues.join('\n') as string,
    };
  };
  const whole = await seen();
  assert.equal(
    [
      whole.ready,
      whole.learns,
      whole.clears,
      whole.closes,
      whole.hygiene,
      whole.timer,
      whole.soul,
      whole.god,
    ],
    [200, true, true, true, true, 'active', 1, 1],
  );
  for (const name of ['desk.lock', 'control.token', 'mail.token', 'desk.db', '.']) {
    const path = join(home.state, name);
    renameSync(path, `${home.state}-away`);
    // Store and folder are checked by different parts, and the four answers are not from one moment.
    const now = await until(async () => {
      const one = await seen();
      return one.ready === 503 && !one.learns && !one.closes && !one.clears && one;
    }, `${name}: not ready`);
    assert.not(now.charge, name);
    assert.match(now.issues, name === '.' ? /state folder .* is gone/ : `${name} of the state folder`);
    if (name === 'desk.db') assert.is(now.god, 0);
    if (name === '.') assert.equal([now.soul, now.hygiene, now.timer], [0, false, 'failed']);
    renameSync(`${home.state}-away`, path);
    await until(async () => {
      const { ready, clears, soul, god } = await seen();
      return ready === 200 && clears && soul === 1 && god === 1;
    }, `${name}: well again`);
  }
});

test('a second service never shares a folder: deleting the lock file does not release the lock, and a new folder has its own', async () => {
  const home = await makeHome(polling, { used: true });
  await using service = await startService(home);
  using other = await makeHome(polling);
  rmSync(join(home.state, 'desk.lock'));
  const second = await runDesk(other, ['boot'], { env: { DESK_STATE: home.state } });
  assert.is(second.code, 4, second.stderr);
  assert.match(second.stderr, /Another desk service/);
  renameSync(home.state, `${home.state}-away`);
  mkdirSync(home.state, { mode: 0o700 });
  const { headers: _, ...ready } = await until(async () => {
    const answer = await service.get('/readyz');
    return answer.json.parts.state.reason.includes('was replaced') && answer;
  }, 'the other folder reported');
  assert.is(ready.status, 503);
  await until(async () => (await service.get('/av')).json.live.atoms.SOUL === 0, 'no lock on that folder');
  rmSync(home.state, { recursive: true });
  renameSync(`${home.state}-away`, home.state);
});

test('with an unusable quarantine, field clear is not in charge', async () => {
  const home = await makeHome(polling, { used: true });
  await using service = await startService(home);
  writeFileSync(join(home.state, 'quarantine'), '');
  const status = async () => (await service.get('/status')).json;
  // The command checks the folder, as the timer would later.
  await service.post('/field/clear', { mode: 'soft' }, service.bearer);
  await until(async () => !(await status()).hostess_charge.in_charge.field_clear, 'the duty fails');
  assert.match((await status()).issues.join('\n'), /field_clear does not run.*quarantine/);
  rmSync(join(home.state, 'quarantine'));
  await service.post('/field/clear', { mode: 'soft' }, service.bearer);
  await until(async () => (await status()).hostess_charge.in_charge.field_clear, 'the duty runs');
});

test('the mail client is up only while its program runs', async () => {
  const folder = tempFolder('desk-client-');
  const program = join(folder, 'desk-test-claws');
  const home = await makeHome(`${polling}[mail]\nclient = "${program}"\n`, { used: true });
  await using service = await startService(home);
  const up = async () => (await service.get('/h7/charge')).json.mail.claws_up;
  assert.is(await up(), false);
  copyFileSync('/bin/sleep', program);
  chmodSync(program, 0o755);
  const client = spawn(program, ['60'], { stdio: 'ignore' });
  try {
    await until(up, 'the client is up');
    client.kill('SIGKILL');
    await once(client, 'exit');
    await until(async () => !(await up()), 'the client is down');
  } finally {
    client.kill('SIGKILL');
  }
});

test.run();
