/** History and tables over HTTP: always of the newest state, whose columns are still valid. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type History, withBreaks } from '../../src/records/history.ts';
import type { ListenerTable, ProcessTable } from '../../src/records/tables.ts';
import { FakeDesk, loopbackConfig } from '../support/fake-desk.ts';
import { sampleFrom } from '../support/sample.ts';
import { type Service, startService } from './service.ts';

const test = suite<{ desk: FakeDesk; service: Service }>('tables over HTTP');
test.before.each(async (context) => {
  context.desk = new FakeDesk(loopbackConfig({ theme: { accent: '#abc', dark: { radius: 3 } } }));
  context.service = await startService(context.desk);
});
test.after.each(({ service }) => service.stop());

const PATHS = ['/h7/history', '/h7/processes', '/h7/listeners'];

test('the history covers the requested span, by default a quarter of an hour', async ({ desk, service }) => {
  desk.sampled = {
    '15m': [sampleFrom({ at: 60 })],
    '24h': withBreaks([sampleFrom({ at: 60 }), sampleFrom({ at: 600, temp_c: null })], 60, 90),
  };
  const plain = (await service.ask('/h7/history')).json() as History;
  assert.equal([plain.span, plain.step_sec, plain.at], ['15m', 1, [60]]);
  const day = (await service.ask('/h7/history?span=24h', { role: 'office' })).json() as History;
  assert.equal([day.span, day.step_sec, day.at], ['24h', 60, [60, 120, 600]]);
  assert.equal(
    [day.pids, day.temp_c],
    [
      [30, null, 30],
      [41.5, null, null],
    ],
  );
  assert.equal(((await service.ask('/h7/history?span=7d')).json() as History).at, []);
  for (const span of ['', '1h', '15m&span=24h', '24h&x=1'])
    assert.is((await service.ask(`/h7/history?span=${span}`)).status, 422, span);
});

test('for one snapshot each response is assembled once per span', async ({ desk, service }) => {
  desk.keepsState = true;
  desk.sweep();
  desk.sampled = { '15m': [sampleFrom()] };
  const first = await service.ask('/h7/history');
  desk.sampled = {};
  assert.is((await service.ask('/h7/history')).text, first.text);
  assert.equal(((await service.ask('/h7/history?span=24h')).json() as History).at, []);
  desk.sweep();
  assert.equal(((await service.ask('/h7/history')).json() as History).at, []);
});

test('a snapshot that became outdated while waiting is not read: its columns belong to another sweep', async ({
  desk,
  service,
}) => {
  desk.parts = { snapshot: { processes: [{ pid: 1, comm: 'old' }], listeners: [{ port: 1 }] } };
  const old = desk.sweep();
  desk.parts = { snapshot: { processes: [{ pid: 2, comm: 'new' }], listeners: [{ port: 2 }] } };
  const newest = desk.sweep();
  // As the second sweep from now does with the columns of the old state.
  old.snapshot.processes.columns.pid[0] = 666;
  desk.state = async () => old;
  const processes = (await service.ask('/h7/processes')).json() as ProcessTable;
  assert.equal(
    [processes.generation, processes.pid, processes.comm],
    [newest.snapshot.generation, [2], ['new']],
  );
  assert.equal(((await service.ask('/h7/listeners')).json() as ListenerTable).port, [2]);
});

test('each listener reports its allow source', async ({ desk, service }) => {
  const holders = [{ pid: 500, start: '500', fd: 3 }];
  desk.parts = { snapshot: { listeners: [{ port: 22, holders }, { port: 23, holders }, { port: 24 }] } };
  desk.vouched.set(22, 'law');
  const { allowed } = (await service.ask('/h7/listeners')).json() as ListenerTable;
  assert.equal(allowed, ['law', '', 'desk']);
});

test('tables support HEAD, respond in JSON only, and exist only on the listeners of the desk', async ({
  service,
}) => {
  for (const path of PATHS) {
    const head = await service.ask(path, { method: 'HEAD' });
    assert.equal([head.status, head.text], [200, '']);
    assert.ok(Number(head.headers['content-length']) > 100);
    assert.is((await service.ask(path, { headers: { accept: 'text/html' } })).status, 406);
    for (const role of ['themed', 'public'] as const)
      assert.is((await service.ask(path, { role })).status, 404, `${role} ${path}`);
    assert.is((await service.post(path)).status, 405);
  }
});

test('the theme is a style sheet of the themed listener', async ({ service }) => {
  const sheet = await service.ask('/theme.css', {
    role: 'themed',
    headers: { accept: 'text/css,*/*;q=0.1' },
  });
  assert.is(
    sheet.text,
    ':root{--accent:#abc;--on-accent:#000}\n@media screen and (prefers-color-scheme:dark){:root{--radius:3px}}\n',
  );
  assert.is(sheet.headers['content-type'], 'text/css; charset=utf-8');
  assert.is(
    (await service.ask('/theme.css', { role: 'themed', headers: { accept: 'text/html' } })).status,
    406,
  );
  assert.is((await service.ask('/theme.css', { role: 'office' })).status, 404);
});

test.run();
