/** Changes over HTTP: the time that is asked for, and what is refused. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diff } from '../../src/records/diff.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { type Service, startService } from './service.ts';

const test = suite<{ desk: FakeDesk; service: Service }>('diff over HTTP');
test.before.each(async (context) => {
  context.desk = new FakeDesk(loopbackConfig());
  context.service = await startService(context.desk);
});
test.after.each(({ service }) => service.stop());

const asked = ({ calls }: FakeDesk) => calls.filter((call) => call.startsWith('diff'));

test('by default the last 24 hours, on control and office', async ({ desk, service }) => {
  for (const role of ['control', 'office'] as const) {
    const answer = await service.ask('/diff', { role });
    assert.is(answer.status, 200);
    assert.is(diff.schema.parse(answer.json()).groups.length, 8);
  }
  for (const query of ['since=3d', 'since=90m&until=now', 'since=3d&until=1d'])
    assert.is((await service.ask(`/diff?${query}`)).status, 200, query);
  assert.equal(asked(desk), [
    'diff 1440 min',
    'diff 1440 min',
    'diff 4320 min',
    'diff 90 min',
    'diff 2880 min',
  ]);
  assert.is((await service.ask('/diff?since=boot')).status, 200);
  assert.is((await service.ask('/diff?since=yesterday&until=2026-01-01')).status, 422);
});

test('what is no time, in the future or in the wrong order is refused with what to do', async ({
  desk,
  service,
}) => {
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['since=soon', /since \\?"soon\\?" is not a time\./],
    ['since=2999-01-01', /is in the future/],
    ['since=1d&until=2d', /is not before/],
    ['since=24h&until=', /until/],
    ['since=24h&from=1', /from/],
  ];
  for (const [query, says] of refusals) {
    const answer = await service.ask(`/diff?${query}`);
    assert.is(answer.status, 422, query);
    assert.match(answer.text, says);
  }
  assert.equal(asked(desk), []);
});

test.run();
