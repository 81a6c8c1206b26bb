/** Commands that search for themselves beside a running service: they agree with it, and leave its store alone. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('beside');

interface Told {
  readonly findings: readonly { readonly subject: { readonly kind: string; readonly port?: number } }[];
}

/** Until the service's own listeners would be news to anybody but itself. */
const learned = (service: Service) =>
  until(async () => (await service.get('/scar')).json.a.generation > 0, 'the first use to be learned');

const history = async ({ home }: Service) => {
  const { stdout } = await runDesk(home, ['history', '--limit', '1000', '--json']);
  return JSON.parse(stdout) as {
    readonly gate_runs: readonly { readonly mode: string }[];
    readonly events: readonly { readonly summary: string }[];
  };
};

test("a scan beside the service knows the service's listeners, and writes nothing into its store", async () => {
  await using service = await startService(await makeHome('[loop]\nperiod_ms = 200\n'));
  const { home } = service;
  await learned(service);
  const ports = Object.values(home.ports);
  const { stdout } = await runDesk(home, ['findings', '--local', '--json']);
  const { findings } = JSON.parse(stdout) as Told;
  const own = findings.filter(
    ({ subject: { kind, port = 0 } }) => kind === 'listener' && ports.includes(port),
  );
  assert.equal(own, []);
  for (const line of ['doctor', 'scar cook check --local'])
    assert.ok([0, 1].includes((await runDesk(home, line.split(' '))).code ?? -1), line);
  const { events, gate_runs: runs } = await history(service);
  const about = events.filter(({ summary }) => ports.some((port) => summary.includes(`:${port} `)));
  assert.equal(about, []);
  // The service runs the gate by itself only as far as `scar`.
  expect(runs.filter(({ mode }) => mode === 'check')).equals([]);
});

test('what changes something is asked of the service', async () => {
  await using service = await startService(await makeHome());
  for (const line of ['scar cook cook', 'field clear soft']) {
    const { code, stdout } = await runDesk(service.home, [...line.split(' '), '--local', '--json']);
    assert.ok(code === 0 || code === 1, line);
    const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly step: string }[] };
    assert.is(steps[0]?.step, 'cook');
  }
  // Recorded by the service.
  assert.ok((await history(service)).gate_runs.some(({ mode }) => mode === 'cook'));
  const { code } = await runDesk(service.home, ['quarantine', 'list', '--local']);
  assert.is(code, 0);
});

test.run();
