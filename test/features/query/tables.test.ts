/** The tables of the desk: what they declare, what their rows are, who may ask. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXAMPLES } from '../../../docs/query.ts';
import { SITE } from '../../../src/desk/site-seen.ts';
import { VITALS } from '../../../src/desk/vitals.ts';
import { FACT } from '../../../src/engine/native/column-types.ts';
import { answer } from '../../../src/features/query/api.ts';
import { QUERY_TABLES } from '../../../src/features/table.ts';
import { parse } from '../../../src/query/parse.ts';
import type { Cell, Column } from '../../../src/query/types.ts';
import { type QueryAnswer, queryAnswer } from '../../../src/records/query.ts';
import { MAIL_TOKEN, type Service, startService, TOKEN } from '../../http/service.ts';
import { FakeDesk, loopbackConfig, personFrom } from '../../support/fake-desk.ts';
import { sampleFrom } from '../../support/sample.ts';
import { siteLine, siteProbe } from '../../support/site.ts';
import { findingFrom, noteFrom } from '../../support/state.ts';
import { vitalsRead } from '../../support/vitals.ts';

const NOW_SEC = Math.floor(Date.now() / 1000);

/** A desk that has rows in every table. */
function fullDesk(): FakeDesk {
  const desk = new FakeDesk(loopbackConfig({ site: { public_url: 'https://example.org' } }));
  const file = { kind: 'file', path: '/etc/x' } as const;
  const fails = [
    findingFrom({ severity: 'critical' }),
    findingFrom({
      id: '1122334455667788',
      check: 'packaged-file',
      severity: 'low',
      avenue: 'scar',
      subject: file,
      about: null,
    }),
  ];
  const listener = {
    protocol: 'tcp',
    address: '0.0.0.0',
    port: 22,
    scope: 'public',
    executable: '/usr/sbin/sshd',
  } as const;
  desk.parts = {
    findings: fails,
    notes: [noteFrom()],
    suppressed: [{ ...findingFrom(), source: 'law', name: '', why: 'known' }],
    snapshot: {
      listeners: [{ ...listener, inode: 5, holders: [{ pid: 500, fd: 3, start: '500' }], owner: 'held' }],
    },
  };
  desk.ledger.set('ada@example.org', personFrom());
  desk.findingEvents = [
    { at: '2026-01-03T00:00:00.000Z', event: 'closed', finding: fails[0]?.id ?? '', summary: 's' },
    { at: '2026-01-02T00:00:00.000Z', event: 'opened', finding: fails[0]?.id ?? '', summary: 's' },
  ];
  desk.sampled = {
    '24h': [{ ...sampleFrom({}), at: NOW_SEC - 120 }],
    '15m': [{ ...sampleFrom({}), at: NOW_SEC - 5 }],
  };
  desk.runs = [
    { at: '2026-01-02T03:04:05.000+00:00', mode: 'scar', state: 'pass', scarCount: 0, god: 1, steps: [] },
  ];
  desk.setAside.set('00112233aabbccdd', {
    ...{
      id: '00112233aabbccdd',
      name: 'x',
      at: '2026-01-02T03:04:05.000Z',
      why: 'old',
      finding: '1122',
      bytes: 4,
      state: 'whole',
    },
  });
  desk.provide(VITALS, {
    ...desk.use(VITALS),
    slow: async (_by, intervalMs) => ({
      ...{ intervalMs, all: 1, passing: 0, ioUnread: 1 },
      processes: [
        {
          ...{ pid: 700, start: '1', name: 'worker', executable: '/usr/bin/worker', uid: 0, state: 'R' },
          ...{ cpuPercent: 12.5, residentBytes: 4096, readPerSec: null, writtenPerSec: null },
        },
      ],
    }),
  });
  desk.vitals = vitalsRead({ failedUnits: [{ name: 'x.service', description: 'X' }] });
  const seen = { probe: siteProbe(), history: [siteLine()] };
  desk.provide(SITE, { seen: async () => seen, known: () => seen });
  desk.baseline.generations = () => [
    {
      number: 1,
      authoritative: true,
      privilege: 'root',
      learnedAt: '2026-01-02T03:04:05.000Z',
      how: 'learned',
      parent: 0,
      digest: 'x',
      kept: true,
    },
  ];
  return desk;
}

const test = suite('tables of queries');
let service: Service;
test.before(async () => {
  service = await startService(fullDesk());
});
test.after(() => service.stop());

const ask = async (query: string | object, token: string | null = TOKEN) =>
  service.post('/h7/query', typeof query === 'string' ? { query } : query, token === null ? {} : { token });
const answered = async (query: string | object): Promise<QueryAnswer> => {
  const { status, text, json } = await ask(query);
  assert.is(status, 200, text);
  // As it is documented.
  return queryAnswer.schema.parse(json());
};

test('every table declares what it needs', () => {
  const names = QUERY_TABLES.map(({ table }) => table.name);
  assert.equal(names, [...new Set(names)].sort());
  for (const { table } of QUERY_TABLES) {
    const columns = table.columns.map(({ name }) => name);
    assert.is(new Set(columns).size, columns.length, table.name);
    for (const name of [
      ...table.key,
      ...(table.shown ?? []),
      table.label ?? table.key[0],
      table.time ?? table.key[0],
    ])
      assert.ok(columns.includes(name as string), `${table.name} has ${name}`);
    for (const { name, meaning, type, unit, values, ranked } of table.columns) {
      assert.match(name, /^[a-z][a-z0-9_]*$/);
      assert.ok(meaning.length > 3, `${table.name}.${name} has a meaning`);
      assert.ok(unit === '' || type === 'number', `${table.name}.${name}: ${unit}`);
      assert.ok(ranked !== true || values !== undefined, `${table.name}.${name} is ranked`);
      assert.not.ok(values?.includes(''), `${table.name}.${name}`);
    }
    const time = table.columns.find(({ name }) => name === table.time);
    assert.ok(time === undefined || time.type === 'time', table.name);
  }
});

const fits = ({ type, values }: Column, cell: Cell): boolean => {
  if (cell === null || cell === undefined) return true;
  if (type === 'list') return Array.isArray(cell);
  if (type === 'number' || type === 'time') return typeof cell === 'number' && Number.isFinite(cell);
  if (type === 'boolean') return typeof cell === 'boolean';
  return typeof cell === 'string' && cell !== '' && (values === undefined || values.includes(cell));
};

for (const { table } of QUERY_TABLES)
  test(`${table.name}: cells are of the types that its columns declare, and some are known`, async () => {
    const { source, result } = await answer(
      service.desk,
      parse(`${table.name} select * limit 1000`),
      'control',
    );
    assert.ok(result.total > 0, `${table.name} has rows`);
    for (const column of table.columns) {
      const read = source.read(column.name);
      const cells = Array.from({ length: source.length }, (_, row) => read(row));
      for (const cell of cells)
        assert.ok(fits(column, cell), `${table.name}.${column.name}: ${JSON.stringify(cell)}`);
    }
    const keys = result.rows.map(({ key }) => JSON.stringify(key));
    assert.is(new Set(keys).size, keys.length, 'keys identify rows');
    assert.ok(result.rows.every(({ key }) => key.every((cell) => cell !== null)));
    const { rows, columns, sentence, paths } = await answered(`${table.name} select * limit 1000`);
    assert.is(rows.length, result.rows.length);
    assert.is(paths.length, rows.length);
    assert.equal(
      columns.map(({ name }) => name),
      table.columns.map(({ name }) => name),
    );
    assert.ok(sentence.startsWith(`${result.total} `), sentence);
  });

for (const { table } of QUERY_TABLES)
  test(`${table.name}: every column can be filtered, and all but lists grouped, ordered and compared`, async () => {
    for (const { name, type, values } of table.columns) {
      const all = `${table.name} select count()`;
      const parts = [`${name} is unknown`, `${name} is none`, `not (${name} is unknown or ${name} is none)`];
      let rows = 0;
      for (const part of parts) rows += (await answered(`${all} where ${part}`)).matched;
      assert.is(rows, (await answered(all)).matched, `${table.name}.${name} is unknown, none or known`);
      if (type === 'list') {
        await answered(`${all} where ${name} contains x`);
        continue;
      }
      const value = values?.[0] ?? { text: 'x', number: '1', boolean: 'true', time: '2026-01-01' }[type];
      const { matched, undecided } = await answered(`${all} where ${name} = "${value}"`.replace(/"1"/, '1'));
      const not = await answered(`${all} where ${name} != "${value}"`.replace(/"1"/, '1'));
      assert.is(matched + not.matched + undecided.rows, rows, `${table.name}.${name}`);
      const groups = await answered(`${table.name} group by ${name} order by -${name} limit 1000`);
      const counts = groups.rows.map((row) => Number(row['count()']));
      // The documentation has more names than an answer has rows.
      if (!groups.truncated)
        assert.is(
          counts.reduce((sum, count) => sum + count, 0),
          rows,
        );
      // The path of a group is the query for its rows.
      for (const [at, path] of groups.paths.slice(0, 2).entries())
        assert.is((await answered(path)).matched, counts[at], path);
    }
  });

for (const [query] of EXAMPLES)
  test(`the example "${query}" of the documentation is answered`, async () => {
    const { sentence } = await answered(query);
    assert.ok(sentence.length > 5);
  });

test('the parts of a query are the same query as its text', async () => {
  const parts: readonly (readonly [object, string])[] = [
    [
      { from: 'processes', where: 'threads > 0', order: ['-threads', 'pid'], limit: 3 },
      'processes where threads > 0 order by -threads, pid limit 3',
    ],
    [
      { from: 'processes', select: ['count()', 'wrap'], group: ['wrap'] },
      'processes select count(), wrap group by wrap',
    ],
    [
      {
        from: 'processes',
        where: [
          { column: 'comm', operator: '=', value: 'a" or "b' },
          { column: 'uid', operator: 'in', value: [0, 1] },
          { column: 'ppid', operator: 'is not unknown' },
        ],
      },
      'processes where comm = "a\\" or \\"b" and uid in (0, 1) and ppid is not unknown',
    ],
    [{ from: 'findings', ever: true, since: '2 hours ago' }, 'findings since "2 hours ago" ever'],
  ];
  for (const [input, text] of parts) assert.is((await answered(input)).query, text);
});

test('an error has its place and what may have been meant', async () => {
  const { status, json } = await ask('processes where thraeds > 1');
  const { detail, position, suggestions, type } = json() as Record<string, unknown>;
  assert.equal(
    [status, type, position, suggestions],
    [422, 'urn:hostess-desk:problem:invalid', 17, ['threads']],
  );
  assert.match(
    String(detail),
    /^At character 17: "processes" has no column of this name.*Did you mean "threads"\?$/,
  );
  const part = await ask({ from: 'processes', where: 'threads >' });
  assert.match((part.json() as { detail: string }).detail, /^In "where" at character 10: Expected a value/);
  for (const wrong of [
    {},
    { query: 'ports', limit: 3 },
    { query: 'ports', from: 'ports' },
    { from: 'ports', limit: 0 },
    { from: 'ports', x: 1 },
  ])
    assert.is((await ask(wrong)).status, 422, JSON.stringify(wrong));
  assert.is((await ask({ from: 'ports', where: [{ column: 'port', operator: '=' }] })).status, 422);
  assert.is(
    (await ask({ from: 'ports', where: [{ column: 'port', operator: '=', value: [1, 2] }] })).status,
    422,
  );
});

test('people need a token, the quarantine the control token, and the public listener has no queries', async () => {
  for (const query of ['people', ' PEOPLE where sent > 1', 'people nonsense']) {
    assert.is((await ask(query, null)).status, 401, query);
    assert.is((await ask({ from: 'People' }, null)).status, 401);
  }
  assert.is((await ask('people', MAIL_TOKEN)).status, 200);
  assert.is((await ask('quarantine', null)).status, 409);
  assert.is((await ask('quarantine', MAIL_TOKEN)).status, 409);
  assert.is((await ask('quarantine', TOKEN)).status, 200);
  assert.is((await ask('processes', null)).status, 200);
  for (const role of ['public', 'themed'] as const)
    assert.ok(
      (await service.post('/h7/query', { query: 'processes' }, { role, token: TOKEN })).status >= 404,
      role,
    );
  assert.is((await service.post('/h7/query', { query: 'processes' }, { role: 'office' })).status, 200);
});

test('what could not be read of a process is unknown, and what it does not have is none', async () => {
  const desk = new FakeDesk();
  desk.parts = {
    snapshot: {
      processes: [
        { pid: 1, uid: 0, comm: 'init', exe: '/sbin/init' },
        { pid: 2, uid: 0, comm: 'kthreadd', flags: 0x0020_0000, exe: '' },
        { pid: 3, uid: 0, comm: 'hidden', exe: '', refused: FACT.exe, wrapState: 2 },
      ],
    },
  };
  const rows = async (query: string) => {
    const { result } = await answer(desk, parse(query), null);
    return { pids: result.rows.map(({ key }) => key[0]), undecided: result.undecided };
  };
  assert.equal(await rows('processes where executable is unknown'), { pids: [3], undecided: 0 });
  assert.equal(await rows('processes where executable is none'), { pids: [2], undecided: 1 });
  assert.equal(await rows('processes where executable = /sbin/init'), { pids: [1], undecided: 1 });
  assert.equal(await rows('processes where not executable = /sbin/init'), { pids: [2], undecided: 1 });
  assert.equal(await rows('processes where wrap is unknown'), { pids: [3], undecided: 0 });
});

test('a history that cannot be read is no history without events', async () => {
  const desk = fullDesk();
  desk.findingEvents = [];
  desk.storeReadable = false;
  const { sentence } = await answer(desk, parse('finding_events since 1d'), null);
  assert.match(
    sentence,
    /^No events of findings are known; rows may be missing: the store could not be read\.$/,
  );
});

test('packages that were never compared are not packages that are intact', async () => {
  const desk = fullDesk();
  desk.packageScan = null;
  const { sentence } = await answer(desk, parse('packages'), null);
  assert.match(sentence, /^No files that differ from their packages are known; rows may be missing/);
});

test('no finding of what could not be judged is no clean answer', async () => {
  const desk = new FakeDesk();
  desk.parts = { notes: [noteFrom()] };
  assert.match(
    (await answer(desk, parse('findings'), null)).sentence,
    /^No findings; 1 check could not judge everything: see "blind"\.$/,
  );
  desk.parts = { snapshot: { counts: { processes: 0 } } };
  assert.match(
    (await answer(desk, parse('findings'), null)).sentence,
    /^No findings are known; rows may be missing: /,
  );
  assert.match(
    (await answer(desk, parse('processes where pid = 77'), null)).sentence,
    /^No processes are known to match; rows may be missing: /,
  );
});

test('since of findings says that closed ones need "ever"', async () => {
  const { sentence } = await answer(service.desk, parse('findings since 1h'), null);
  assert.match(sentence, /those that are closed by now are not among them: add "ever"/);
});

test.run();
