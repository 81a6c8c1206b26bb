/** The law of a running service: read at the start, on SIGHUP and when its file changes; findings accepted permanently and for a time. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startActors } from '../support/actor.ts';
import { expect } from '../support/expect.ts';
import { type Home, makeHome, runDesk, type Service, shownOf, startService, until } from './running.ts';

const test = suite('law');

/** Rechecks on a timer, because age alone sends no event. Nothing is learned automatically: what is learned is not a finding. */
const polling = '[loop]\nmode = "poll"\nperiod_ms = 100\n';
const lawOf = (home: Home): string => join(home.folder, 'law.toml');
/** A zombie counts at once, or practically never. */
const ZOMBIE_SOON = '[thresholds]\nzombie_sec = 1\n';
const ZOMBIE_LATE = '[thresholds]\nzombie_sec = 86400\n';

interface LawFinding {
  readonly id: string;
  readonly check: string;
  readonly subject: { readonly pid?: number };
}

let zombies = 0;
/**
 * Zombies of one name and user are one finding, so each has its own name: the one of the test before is still there until the init
 * process collects it, which can take seconds.
 */
const startZombie = () => startActors([`name=${Buffer.from(`law ${++zombies}`).toString('hex')},zombie`]);

const detection = async (
  service: Service,
): Promise<{ findings: LawFinding[]; excused: (LawFinding & { source: string; why: string })[] }> =>
  (await service.get('/detection')).json;

const friedOf = async (service: Service, pid: number): Promise<LawFinding | undefined> =>
  (await detection(service)).findings.find(
    ({ check, subject }) => check === 'fried-process' && subject.pid === pid,
  );

const opened = (service: Service, pid: number) =>
  until(() => friedOf(service, pid), `a finding of zombie ${pid}`);
const closed = (service: Service, pid: number) =>
  until(async () => (await friedOf(service, pid)) === undefined, `no finding of zombie ${pid}`);

test('a changed law takes effect when its file changes and on SIGHUP', async () => {
  await using actors = await startZombie();
  const pid = actors.pid(0);
  const home = await makeHome(polling, { used: true });
  writeFileSync(lawOf(home), ZOMBIE_LATE);
  await using service = await startService(home);
  const version = async () => (await service.get('/version')).json.law as string;
  const late = await version();
  assert.match(late, /^law [0-9a-f]{12}$/);
  assert.is(await friedOf(service, pid), undefined);

  writeFileSync(lawOf(home), ZOMBIE_SOON);
  await opened(service, pid);
  assert.is.not(await version(), late);

  writeFileSync(lawOf(home), ZOMBIE_LATE);
  service.child.kill('SIGHUP');
  await closed(service, pid);
  await until(async () => (await version()) === late, 'the law before');

  const lawPack = async () => (await service.get('/status')).json.hostess_charge.in_charge.law_pack;
  assert.is(await lawPack(), true);
  rmSync(lawOf(home));
  await until(async () => (await lawPack()) === false, 'the removed law reported');
  assert.is(await version(), late);
  service.child.kill('SIGHUP');
  await until(async () => (await version()) === 'built-in 1', 'the default law');
  await until(lawPack, 'the duty runs');
});

test('an invalid law changes nothing and is reported until it is fixed', async () => {
  await using actors = await startZombie();
  const pid = actors.pid(0);
  const home = await makeHome(polling, { used: true });
  writeFileSync(lawOf(home), ZOMBIE_SOON);
  await using service = await startService(home);
  const { id } = await opened(service, pid);
  const law = async () => (await service.get('/readyz')).json.parts.law as { ok: boolean; reason: string };
  assert.is((await law()).ok, true);

  writeFileSync(lawOf(home), '[thresholds]\nzombi_sec = 1\n');
  service.child.kill('SIGHUP');
  const { reason } = await until(async () => {
    const part = await law();
    return !part.ok && part;
  }, 'a refused law in /readyz');
  assert.match(reason, /line 2.*zombi_sec.*zombie_sec/);
  const { issues } = await until(async () => {
    const { json } = await service.get('/status');
    return json.issues.some((issue: string) => /law_pack/.test(issue)) && json;
  }, 'an issue about the law');
  assert.match(issues.join('\n'), /law_pack does not run.*law\.toml is refused.*desk law check/);
  assert.not.match(issues.join('\n') + reason, home.folder);
  assert.is((await friedOf(service, pid))?.id, id, 'the old law stays active');
  assert.match(service.output.stderr, 'zombi_sec');

  writeFileSync(lawOf(home), ZOMBIE_SOON);
  await until(async () => (await law()).ok, 'a fixed law in /readyz');
  await until(async () => (await service.get('/status')).json.hostess_charge.in_charge.law_pack, 'the duty');
});

test('an invalid law at the start ends the service: exit 2, file, line, key', async () => {
  using home = await makeHome();
  writeFileSync(lawOf(home), '[thresholds]\nzombi_sec = 1\n[benign]\nno-such-cause = false\n');
  const { code, stderr } = await runDesk(home, ['boot']);
  assert.is(code, 2, stderr);
  assert.match(stderr, /law\.toml:2: thresholds\.zombi_sec .*zombie_sec/);
  assert.match(stderr, /law\.toml:4: benign\.no-such-cause/);
  assert.match(stderr, 'desk law check');
  assert.not.match(stderr, /\n\s+at /);
});

test('an accepted finding is closed and listed as explained, also after a restart', async () => {
  await using actors = await startZombie();
  const pid = actors.pid(0);
  const home = await makeHome(polling, { used: true });
  writeFileSync(lawOf(home), ZOMBIE_SOON);
  const explained = async (service: Service) =>
    (await detection(service)).excused.find(({ subject }) => subject.pid === pid);
  let token = '';
  {
    const service = await startService(home);
    try {
      token = service.token;
      const { id } = await opened(service, pid);
      const accepts = await shownOf(service, id);
      const withoutToken = await service.post('/accept', { finding: id, accepts, why: 'ours' });
      assert.is(withoutToken.status, 401);
      const refused = await service.post('/accept', { finding: id, accepts, why: ' ' }, service.bearer);
      assert.is(refused.status, 422);
      const unknown = await service.post(
        '/accept',
        { finding: '0123456789abcdef', accepts, why: 'x' },
        service.bearer,
      );
      assert.is(unknown.status, 404);
      const past = { finding: id, accepts, why: 'x', expires: '2001-01-01T00:00:00Z' };
      assert.is((await service.post('/accept', past, service.bearer)).status, 422);
      assert.ok(await friedOf(service, pid), 'a refused one changes nothing');

      const { code, stdout, stderr } = await runDesk(home, ['accept', id, '--why', 'a leak we know']);
      assert.is(code, 0, stderr);
      assert.match(stdout, `Accepted ${id}`);
      assert.is(await friedOf(service, pid), undefined, 'it has closed when the command returns');
      const one = await explained(service);
      assert.equal([one?.check, one?.source, one?.why], ['fried-process', 'accepted', 'a leak we know']);
      const { history } = (await service.get(`/findings/${id}`)).json as { history: { event: string }[] };
      expect(history.map(({ event }) => event)).equals(['opened', 'accepted', 'closed']);
      const again = { finding: id, accepts, why: 'again' };
      assert.is((await service.post('/accept', again, service.bearer)).status, 409);
      assert.match(
        (await runDesk(home, ['findings'])).stdout,
        /Explained[\s\S]*fried-process.*accepted.*a leak we know/,
      );
      assert.match((await runDesk(home, ['law', 'diff'])).stdout, 'a leak we know');
      const written = readFileSync(join(home.state, 'law.d/accepted.toml'), 'utf8');
      assert.match(written, 'why = "a leak we know"');
      assert.is(readFileSync(lawOf(home), 'utf8'), ZOMBIE_SOON);
    } finally {
      await service.stop();
    }
  }
  await using again = await startService(home);
  assert.is.not(again.token, token);
  await until(() => explained(again), 'the same explanation after a restart');
  assert.is(await friedOf(again, pid), undefined);
});

test('a finding accepted for a time counts again afterwards, and the end of the exception is reported', async () => {
  await using actors = await startZombie();
  const pid = actors.pid(0);
  const home = await makeHome(polling, { used: true });
  writeFileSync(lawOf(home), ZOMBIE_SOON);
  await using service = await startService(home);
  const { id } = await opened(service, pid);
  const expires = new Date(Date.now() + 3000).toISOString();
  const asked = { finding: id, accepts: await shownOf(service, id), why: 'for a moment', expires };
  const answer = await service.post('/accept', asked, service.bearer);
  assert.equal([answer.status, answer.json.effect], [200, 'explained']);
  await closed(service, pid);
  assert.is((await opened(service, pid)).id, id);
  assert.ok(Date.now() >= Date.parse(expires));
  const { improvements } = (await service.get('/h7/charge')).json as { improvements: string };
  assert.match(
    improvements,
    /renew the exception for fried-process \(for a moment\).*law\.d\/accepted\.toml/,
  );
  assert.match((await runDesk(home, ['law', 'show'])).stdout, /fried-process.*ended/);
});

test('an exception ends without any event', async () => {
  await using actors = await startZombie();
  const pid = actors.pid(0);
  const home = await makeHome('[loop]\nmode = "event"\nperiod_ms = 3600000\n', { used: true });
  const expires = new Date(Date.now() + 6000).toISOString();
  writeFileSync(
    lawOf(home),
    `${ZOMBIE_SOON}[[except]]\ncheck = "fried-process"\nwhy = "until then"\nexpires = ${expires}\n`,
  );
  await using service = await startService(home);
  await opened(service, pid);
  assert.ok(Date.now() >= Date.parse(expires));
});

test.run();
