/** Responses of one snapshot have ETags, and are not sent again while nothing changed. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeDesk } from '../support/fake-desk.ts';
import { type Service, startService } from './service.ts';

const RECORDS = ['/status', '/av', '/h7/charge', '/scar', '/detection', '/detection?severity=high'];

let service: Service;
test.before(async () => {
  const desk = new FakeDesk();
  desk.keepsState = true;
  service = await startService(desk);
});
test.after(() => service.stop());

test('the ETag of a record contains the generation and the desk of its snapshot', async () => {
  const tags = async () =>
    Promise.all(
      RECORDS.map(async (path) => ((await service.ask(path)).headers.etag ?? '').replace(/-[\w-]{16}"$/, '')),
    );
  const { generation } = service.desk.sweep().snapshot;
  const first = await tags();
  assert.is(new Set(first).size, 1);
  assert.match(first[0] ?? '', new RegExp(`^W/"${generation}-`));
  service.desk.sweep();
  const second = await tags();
  assert.is(new Set(second).size, 1);
  assert.is.not(second[0], first[0]);
});

test('a request with the current ETag is 304 without a body, else the full response', async () => {
  for (const path of RECORDS) {
    const { headers, text } = await service.ask(path);
    const tag = headers.etag ?? '';
    const ask = (match: string) => service.ask(path, { headers: { 'if-none-match': match } });
    for (const match of [tag, tag.replace('W/', ''), `"x", ${tag}`, '*']) {
      const again = await ask(match);
      assert.equal([again.status, again.text, again.headers.etag], [304, '', tag], `${path} ${match}`);
      assert.is(again.headers['x-content-type-options'], 'nosniff');
    }
    for (const match of ['"x"', '', ',,', `${tag.slice(0, -2)}!"`]) {
      const other = await ask(match);
      assert.equal([other.status, other.headers.etag], [200, tag], `${path} ${match}`);
      assert.is(other.text.length, text.length);
    }
  }
});

/** Without the fields that a client may miss by a 304. */
const timeless = (text: string) => text.replace(/"ts":"[^"]*"/g, '');

test('a later snapshot of the same generation is 304 while only ts differs, else the full response', async () => {
  const { desk } = service;
  const { generation } = desk.sweep().snapshot;
  for (const path of RECORDS) {
    const before = await service.ask(path);
    desk.confirm({});
    const after = await service.ask(path);
    assert.is.not(after.text, before.text);
    assert.is(timeless(after.text), timeless(before.text));
    const headers = { 'if-none-match': before.headers.etag ?? '' };
    assert.is((await service.ask(path, { headers })).status, 304, path);
  }
  for (const changed of [
    { recheckUs: 90_000 },
    { recheck: { p50Us: 90_000_000 } },
    { loop: { fresh: false, staleSec: 7 } },
    { loop: { fresh: false, staleSec: 8 } },
  ]) {
    const before = await service.ask('/status');
    assert.is(desk.confirm(changed).snapshot.generation, generation);
    const headers = { 'if-none-match': before.headers.etag ?? '' };
    const after = await service.ask('/status', { headers });
    assert.is(after.status, 200, JSON.stringify(changed));
    assert.is.not(timeless(after.text), timeless(before.text));
  }
});

test('the ETag of another desk does not match, even with the same generation', async () => {
  const other = await startService(new FakeDesk());
  try {
    const tag = (await other.ask('/status')).headers.etag ?? '';
    assert.is((await service.ask('/status', { headers: { 'if-none-match': tag } })).status, 200);
  } finally {
    await other.stop();
  }
});

test('an unknown query parameter is refused by every endpoint except pages', async () => {
  for (const path of ['/status?x=1', '/av?x=1', '/detection?x=1', '/h7/live?x=1', '/healthz?x=1'])
    assert.is((await service.ask(path)).status, 422, path);
  for (const path of ['/?from=mail', '/hostess7.html?x=1', '/status?'])
    assert.is((await service.ask(path)).status, 200, path);
});

test.run();
