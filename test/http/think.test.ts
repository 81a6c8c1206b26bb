/** The hostess over HTTP: who gets answers about people, the length of a question, and the rate limit. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { think } from '../../src/records/talk.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { MAIL_TOKEN, type Service, startService, TOKEN } from './service.ts';

/** Records who asks. */
class AskedDesk extends FakeDesk {
  readonly askers: unknown[] = [];
  override async think(message: string, asker?: unknown) {
    this.askers.push(asker);
    return super.think(message);
  }
}

const desk = new AskedDesk();
let service: Service;
test.before(async () => {
  service = await startService(desk);
});
test.after(() => service.stop());

test('answers about people need one of the two tokens', async () => {
  for (const path of ['/h7/think', '/hostess7/think', '/h7/consult'])
    for (const [token, mayKnowPeople] of [
      [undefined, false],
      [TOKEN, true],
      [MAIL_TOKEN, true],
      ['none-of-ours', false],
    ] as const) {
      desk.askers.length = 0;
      const { status } = await service.post(
        path,
        { message: 'who is ada?' },
        token === undefined ? {} : { token },
      );
      assert.is(status, 200, path);
      assert.equal(desk.askers, [{ mayKnowPeople, previous: null }], `${path} ${token}`);
    }
});

test('a question may have 4,096 characters in any script, and is passed on unchanged', async () => {
  for (const message of ['é'.repeat(4096), 'x'.repeat(4096), 'Ist der Desk gesund? 机器还好吗？ 🤷']) {
    const answer = await service.post('/h7/think', { message });
    assert.is(answer.status, 200);
    assert.is(think.schema.parse(answer.json()).message, message);
  }
  for (const message of ['x'.repeat(4097), '', '   '])
    assert.is((await service.post('/h7/think', { message })).status, 422);
});

test('a caller who asks too often is rate-limited', async () => {
  const strict = await startService(new FakeDesk(), { postLimit: { burst: 2, perSecond: 0.1 } });
  try {
    const statuses: number[] = [];
    for (let time = 0; time < 3; time++)
      statuses.push((await strict.post('/h7/think', { message: 'well?' })).status);
    assert.equal(statuses, [200, 200, 429]);
  } finally {
    await strict.stop();
  }
});

test.run();
