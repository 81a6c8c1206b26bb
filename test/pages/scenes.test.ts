/** The scenes of pages are possible states of a desk: their records match the schemas, and show what the scene is for. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { liveView } from '../../src/records/live.ts';
import { mailState } from '../../src/records/mail.ts';
import { SCENES, type SceneName, sceneOf } from '../support/scenes.ts';
import { serveScene } from '../support/served-scene.ts';
import { stateFrom } from '../support/state.ts';

const stateOfDesk = (name: SceneName) => stateFrom(sceneOf(name).parts);

for (const name of SCENES)
  test(`${name}: the records match their schemas, and the scene is reproducible`, () => {
    const state = stateOfDesk(name);
    deskStatus.schema.parse(deskStatus.assemble(state));
    chargeReport.schema.parse(chargeReport.assemble(state));
    deskHygiene.schema.parse(deskHygiene.assemble(state));
    mailState.schema.parse(mailState.assemble(state));
    liveView.schema.parse(liveView.assemble({ state, ageMs: 0, before: null }));
    assert.equal(sceneOf(name), sceneOf(name));
    const ids = state.judgement.findings.map(({ id }) => id);
    assert.is(new Set(ids).size, ids.length, 'no finding twice');
  });

test('each scene has the state that its name says', () => {
  const status = (name: SceneName) => deskStatus.assemble(stateOfDesk(name));
  const charge = (name: SceneName) => chargeReport.assemble(stateOfDesk(name));
  assert.equal([status('healthy').ok, status('healthy').grade, status('healthy').issues], [true, 'gold', []]);
  assert.equal([charge('healthy').improvements, charge('healthy').ok], ['', true]);
  assert.equal([status('empty').ok, charge('empty').learn.vocab_total], [true, null]);
  assert.is(status('degraded').ok, false);
  assert.match(status('degraded').issues.join(' '), 'Required port 80');
  assert.is(status('hostile').grade, 'lead');
  const { snapshot, judgement } = stateOfDesk('crowd');
  assert.equal(
    [snapshot.processes.count, snapshot.listeners.length, judgement.findings.length],
    [5_000, 300, 200],
  );
});

test('a served scene can change by section, go silent, be cut off and come back', async () => {
  await using served = await serveScene('healthy');
  const { desk, service } = served;
  assert.is((await service.ask('/status')).status, 200);
  served.sweep({ recheckUs: 4_321 });
  assert.is(desk.latest()?.recheckUs, 4_321);
  assert.is(desk.latest()?.desk.recheck.p50Us, 880);
  served.silence();
  let answered = false;
  const asked = service.ask('/status').then(() => {
    answered = true;
  });
  // Long enough for the response to arrive.
  while (served.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.is(answered, false);
  served.restore();
  await asked;
  served.cut();
  const refused = await service.ask('/status').catch((error: Error) => error);
  assert.instance(refused, Error);
  served.restore();
  assert.is((await service.ask('/status')).status, 200);
});

test.run();
