/** Commands that scan on their own next to a running service: they agree with it and do not write into its store. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expect } from '../support/expect.ts';
import { makeHome, runDesk, type Service, startService, until } from './running.ts';

const test = suite('beside');

interface FindingsAnswer {
  readonly findings: readonly { readonly subject: { readonly kind: string; readonly port?: number } }[];
}

/** Waits for the first learning, which includes the service's own listeners. */
const learned = (service: Service) =>
  until(async () => (await service.get('/scar')).json.a.generation > 0, 'the first use to be learned');

const history = async ({ home }: Service) => {
  const { stdout } = await runDesk(home, ['history', '--limit', '1000', '--json']);
  return JSON.parse(stdout) as {
    readonly gate_runs: readonly { readonly mode: string }[];
    readonly events: readonly { readonly summary: string }[];
  };
};

test("a local scan next to the service knows the service's listeners and writes nothing into its store", async () => {
  await using service = await startService(await makeHome('[loop]\nperiod_ms = 200\n'));
  const { home } = service;
  await learned(service);
  const ports = Object.values(home.ports);
  const { stdout } = await runDesk(home, ['findings', '--local', '--json']);
  const { findings } = JSON.parse(stdout) as FindingsAnswer;
  const own = findings.filter(
    ({ subject: { kind, port = 0 } }) => kind === 'listener' && ports.includes(port),
  );
  assert.equal(own, []);
  for (const line of ['doctor', 'scar cook check --local'])
    assert.ok([0, 1].includes((await runDesk(home, line.split(' '))).code ?? -1), line);
  const { events, gate_runs: runs } = await history(service);
  const about = events.filter(({ summary }) => ports.some((port) => summary.includes(`:${port} `)));
  assert.equal(about, []);
  // The service itself runs the gate only up to `scar`.
  expect(runs.filter(({ mode }) => mode === 'check')).equals([]);
});

test('commands that change something are sent to the service, even with --local', async () => {
  await using service = await startService(await makeHome());
  for (const line of ['scar cook cook', 'field clear soft']) {
    const { code, stdout } = await runDesk(service.home, [...line.split(' '), '--local', '--json']);
    assert.ok(code === 0 || code === 1, line);
    const { steps } = JSON.parse(stdout) as { readonly steps: readonly { readonly step: string }[] };
    assert.is(steps[0]?.step, 'cook');
  }
  // The service recorded the gate run.
  assert.ok((await history(service)).gate_runs.some(({ mode }) => mode === 'cook'));
  const { code } = await runDesk(service.home, ['quarantine', 'list', '--local']);
  assert.is(code, 0);
});

test.run();
