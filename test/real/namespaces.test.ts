/** A complete `desk` with listeners in another network namespace: reported, labelled, left alone. All processes belong to the test. */
import { readFileSync, readlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/findings/finding.ts';
import type { Actors } from '../support/actor.ts';
import { compiled } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import { freePorts } from '../support/free-ports.ts';
import { ordinaryUser, testsNeeding } from '../support/require.ts';
import { makeHome, startService } from './running.ts';
import { startActorsAlone } from './scene.ts';

const test = suite('namespaces');
const it = testsNeeding(test, 'compiler', 'root', 'namespaces', 'ip');

type ShownFinding = Pick<Finding, 'id' | 'check' | 'severity' | 'subject' | 'evidence'> & {
  readonly name: string;
};

const namespaceOf = (actors: Actors): number =>
  Number(/\d+/.exec(readlinkSync(`/proc/${actors.pid(0)}/ns/net`))?.[0]);

const stateOf = (pid: number): string =>
  /\) (?<state>[A-Za-z]) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.groups?.state ?? '';

it('a banned port there is a critical finding that is not shut down, a public one is suppressed, and neither counts as our port', async () => {
  const [banned = 0, open = 0] = await freePorts(2);
  const home = await makeHome(
    `[banned]\nalso = [${banned}]\nshut_down = "auto"\n[slow]\nevery_sec = 3600\n`,
    {
      used: true,
    },
  );
  await using service = await startService(home);
  await using made = await startActorsAlone([`listen=0.0.0.0:${banned}`, `listen=0.0.0.0:${open}`]);
  const namespace = namespaceOf(made);
  const there = ({ subject }: ShownFinding): boolean =>
    subject.kind === 'listener' && subject.namespace === namespace;
  const { json: closed } = await service.post('/av/close', {}, service.bearer);
  const detection = (await service.get('/detection')).json;
  const [finding, ...more] = (detection.findings as ShownFinding[]).filter(there);
  assert.equal([finding?.check, finding?.severity, more], ['banned-listener', 'critical', []]);
  assert.equal(
    [finding?.evidence.namespace, finding?.evidence.holders, finding?.evidence.executable],
    [namespace, `${made.pid(0)}`, compiled('actor.cc')],
  );
  const excused = (detection.excused as ShownFinding[]).filter(there);
  expect(
    excused.map(({ check, name, subject }) => [check, name, subject.kind === 'listener' && subject.port]),
  ).equals([['public-listener', 'other-namespace', open]]);
  const ours = [...detection.findings, ...detection.excused].filter(
    ({ subject }: ShownFinding) =>
      subject.kind === 'listener' && subject.namespace === undefined && [banned, open].includes(subject.port),
  );
  assert.equal(ours, []);
  const { json: cooked } = await service.post('/cook', { mode: 'cook' }, service.bearer);
  for (const { remedies } of [closed, cooked]) {
    const remedy = remedies.find((one: { readonly finding: string }) => one.finding === finding?.id);
    assert.match(remedy?.result ?? '', /^refused: .* is in another network namespace \(\d+\)/);
  }
  for (const at of [0, 1]) assert.match(stateOf(made.pid(at)), /[SR]/);
  assert.not.match(service.output.stderr, 'signal to the holder');
  const { history } = (await service.get(`/findings/${finding?.id}`)).json;
  assert.match(JSON.stringify(history), 'another network namespace');
  // A closed listener disappears with the next scan.
  await made.stop();
  await service.post('/av/close', {}, service.bearer);
  const after = (await service.get('/detection')).json;
  assert.equal([...after.findings, ...after.excused].filter(there), []);
});

it('for an ordinary user these listeners are reported as unreadable, with the cure', async () => {
  const home = await makeHome('', { uid: ordinaryUser.uid });
  await using service = await startService(home, { user: ordinaryUser });
  await using made = await startActorsAlone(['listen=0.0.0.0:8766']);
  await service.post('/av/close', {}, service.bearer);
  const { findings, notes } = (await service.get('/detection')).json;
  const namespace = namespaceOf(made);
  expect(
    findings.filter(
      ({ subject }: ShownFinding) => subject.kind === 'listener' && subject.namespace === namespace,
    ),
  ).equals([]);
  for (const id of ['public-listener', 'banned-listener']) {
    const blind = notes.filter(
      ({ check, reason }: Record<string, string>) => check === id && reason?.includes('network namespace'),
    );
    assert.is(blind.length, 1, id);
    assert.match(blind[0].cure, 'root');
  }
});

test.run();
