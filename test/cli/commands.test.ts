import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unknownLinks } from '../../src/checks/startup.ts';
import { Client, controlAddress } from '../../src/cli/client.ts';
import { allCommands, commandsFor } from '../../src/cli/commands/index.ts';
import { defaultConfig } from '../../src/config/load.ts';
import { Failure } from '../../src/desk/failure.ts';
import { acceptanceFor } from '../../src/features/law/accept.ts';
import { answerOf as packagesOf } from '../../src/features/packages/operations.ts';
import { accountsAnswer } from '../../src/features/startup/accounts-answer.ts';
import { answerOf } from '../../src/features/startup/answer.ts';
import { vitalsAnswer } from '../../src/features/vitals/operations.ts';
import { status } from '../../src/operations/status.ts';
import { alerts, alertTest, quietTime } from '../../src/records/alerts.ts';
import { baselineDiff } from '../../src/records/baseline-diff.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { detection } from '../../src/records/detection.ts';
import { diff } from '../../src/records/diff.ts';
import { titled } from '../../src/records/finding.ts';
import { findingDetail, startOf } from '../../src/records/finding-detail.ts';
import { liveView } from '../../src/records/live.ts';
import { exported, forgotten, mailCheck, mailState, mailTest } from '../../src/records/mail.ts';
import { page } from '../../src/records/page.ts';
import { people, who } from '../../src/records/people.ts';
import { processDetail } from '../../src/records/process-detail.ts';
import { livingRow, processFacts } from '../../src/records/process-facts.ts';
import { quarantine } from '../../src/records/quarantine.ts';
import { queryAnswer } from '../../src/records/query.ts';
import { remoteToken, remoteTokens, widget } from '../../src/records/remote.ts';
import { cook, scarCheck } from '../../src/records/scar.ts';
import { readyz, version } from '../../src/records/service.ts';
import { site } from '../../src/records/site.ts';
import type { SiteProbe } from '../../src/records/site-probe.ts';
import { sites } from '../../src/records/sites.ts';
import { consult, think } from '../../src/records/talk.ts';
import { slow } from '../../src/records/vitals.ts';
import { type Asked, cli, FakeService } from '../support/cli.ts';
import { eventfulDay } from '../support/diff.ts';
import { personFrom } from '../support/fake-desk.ts';
import { alteredFile, packageScan } from '../support/packages.ts';
import { siteLine, siteProbe, watchedSite } from '../support/site.ts';
import { accountFacts, accountScan, startupEntry, startupScan } from '../support/startup.ts';
import { findingFrom, stateFrom } from '../support/state.ts';
import { diskFacts, vitalsRead } from '../support/vitals.ts';

const commands = await allCommands();

const test = suite('commands');
const service = new FakeService();
test.before(() => service.start());
test.after(() => service.stop());

const evil = findingFrom({
  id: 'feedfacefeedface',
  summary: 'Process \u001b]0;owned\u0007 is \u202etraced',
  subject: {
    kind: 'process',
    pid: 5,
    start: '1',
    comm: 'e\nvil',
    executable: '/tmp/\u001b[31mx',
    identity: 'x',
    uid: 0,
  },
  evidence: { '\u009bname': '\u200bvalue' },
});
const evilPerson = personFrom({
  name: 'A\u202eda \u001b[2J',
  names: ['A\u202eda \u001b[2J', 'Ada\u200b'],
  automated: true,
  warnings: [{ kind: 'lookalike-domain', about: 'example.com\u0007' }],
});
const hostileProbe = siteProbe({
  redirect: 'https://evil.example/\u202e\u001b[2J',
  certificate: { ...siteProbe().certificate, issuer: 'Evil\u001b]0;owned\u0007' } as SiteProbe['certificate'],
  names: [{ name: 'example.org', resolves: false, addresses: 0, reason: 'no\u009bbody' }],
});
const clean = stateFrom();
const dirty = stateFrom({ findings: [evil] });

const AT = '2026-07-01T10:00:00.000Z';
const QUIET = { since: AT, until: AT, why: 'e\u001b[2Jvil' };
const ALERTS = {
  targets: [
    {
      ...{ name: 'phone', kind: 'ntfy' as const, least: 'high' as const, sent: null, waiting: '', tries: 2 },
      ...{ reason: 'it answers 500 ("\u001b[2J")', reported: 1, pending: 0 },
    },
  ],
  deliveries: [
    {
      ...{ at: AT, target: 'phone', kind: 'opened' as const, severity: 'high' as const },
      ...{ title: 'box: high: e\u001b[2J\u202evil', failed: 0, message: '0011223344556677' },
    },
  ],
};

const answersOf = (deskState: typeof clean) => (asked: Asked) => {
  const [path = ''] = asked.path.split('?');
  const thought = {
    ...({ understood: 'full', query: null, choices: [] } as const),
    state: deskState,
    message: 'm',
    answer: 'a\u001b[2J',
    grounds: [{ path: 'status.ok', value: true }],
    suggestions: ['desk status'],
  };
  const run = {
    state: deskState,
    steps: [{ step: 'cook' as const, ok: true, ms: 1, detail: 'x' }],
    remedies: [
      { finding: evil.id, remedy: 'r', result: 's', left: false, done: true, summary: evil.summary },
    ],
  };
  const entry = {
    id: evil.id,
    name: 'control.token.7.\u001b[2Jtmp',
    at: '2026-01-02T03:04:05.000+00:00',
    why: 'its run \u202eis gone',
    finding: evil.id,
    bytes: 44,
    state: 'whole' as const,
  };
  const aside = (action: 'list' | 'restore' | 'purge') => () =>
    quarantine.assemble({ ts: entry.at, action, folder: '/state/quarantine', files: [entry] });
  const remote = {
    ...{ id: '0011aabb', name: 'lap\u001b[2Jtop', made: '2026-01-02T03:04:05.000Z' },
    ...{ expires: '2026-04-02T03:04:05.000Z', used: null, expired: false },
  };
  const remoteListener = {
    ...{ state: 'failed' as const, url: 'https://desk.example:18773/', reason: 'why\u001b[2J; what to do' },
    ...{ fingerprint: 'AB:CD', certificateEnds: '2028-01-02T03:04:05.000Z' },
  };
  const tokens = () => remoteTokens.assemble({ ts: entry.at, tokens: [remote], listener: remoteListener });
  const bodies: Record<string, () => unknown> = {
    '/tokens': tokens,
    '/tokens/make': () =>
      remoteToken.assemble({ ts: entry.at, token: 'desk_x', entry: remote, listener: remoteListener }),
    '/tokens/revoke': tokens,
    '/status': () => deskStatus.assemble(deskState),
    '/h7/page': () => page.assemble(deskState),
    '/h7/charge': () => chargeReport.assemble(deskState),
    '/av': () => deskHygiene.assemble(deskState),
    '/h7/live': () => liveView.assemble({ state: deskState, ageMs: 1, before: null }),
    '/detection': () => detection.assemble({ state: deskState }),
    [`/findings/${evil.id}`]: () =>
      findingDetail.assemble({
        state: deskState,
        finding: evil,
        history: [{ at: 'now', event: 'opened' }],
        acceptance: acceptanceFor(evil),
        links: unknownLinks('not read'),
      }),
    '/h7/processes/5': () =>
      processDetail.assemble({
        ts: entry.at,
        ...processFacts(deskState, [], Math.max(0, livingRow(deskState.snapshot.processes, 1))).shown,
        ...{ about: null, command: 'unread', package: 'e\u001b[2Jvil 1', packageReason: '', uses: null },
        findings: deskState.judgement.findings.map(titled),
        explained: [],
        ...{ returns: 'yes', returnsReason: '', starts: [startOf(startupEntry('crontab'))] },
      }),
    '/site': () =>
      site.assemble({
        state: deskState,
        probe: hostileProbe,
        history: [siteLine({ changed: 'x\u001b[2J' })],
      }),
    '/sites': () =>
      sites.assemble({
        ts: '2026-01-02T03:04:05+00:00',
        sites: [
          watchedSite({ name: 'e\u001b[2Jvil', reason: 'x\u001b[2J', advice: ['y\u0007'] }),
          watchedSite({ name: 'wiki', state: 'down', since: null, probed: null }),
        ],
      }),
    '/accounts': () =>
      accountsAnswer(
        accountScan({
          accounts: [accountFacts({ name: 'e\u001b[2Jvil', rights: ['sudo: \u202e'] }), accountFacts()],
          unread: [{ path: '/x\u001b[2J', reason: 'E\u202e' }],
        }),
        [],
        'active',
      ),
    '/packages': () =>
      packagesOf(
        packageScan({
          altered: [alteredFile({ path: '/usr/\u001b[2J\u202e', package: 'e\nvil' }), alteredFile()],
          unread: [{ path: '/x\u001b[2J', reason: 'E\u202e' }],
        }),
        [],
        'x\u001b[2J',
      ),
    '/diff': () => diff.assemble({ ts: deskState.desk.configDate, ...eventfulDay('\u001b[2J\u202e') }),
    '/vitals': () =>
      vitalsAnswer(
        vitalsRead({
          disks: [diskFacts({ path: '/m\u001b[2J', availablePercent: 1, availableBytes: 5 })],
          failedUnits: [{ name: 'e\u202evil.service', description: 'x\u001b[2J' }],
          missing: [{ what: 'clock', reason: 'E\u202e', kind: 'unread' }],
          notAsked: [{ path: '/far\u001b[2J', type: 'nfs4' }],
        }),
        [{ user: 'e\u001b[2Jvil', line: 'pts/0', host: '\u202e', seconds: 1 }],
      ),
    '/slow': () =>
      slow.assemble({
        ...{ ts: deskState.desk.configDate, by: 'io', intervalMs: 500, all: 9, passing: 1, ioUnread: 1 },
        processes: [
          {
            ...{
              pid: 7,
              name: 'e\u001b[2Jvil',
              executable: '/x\u202e',
              program: 'x \u202e',
              uid: 0,
              state: 'R',
            },
            ...{ cpuPercent: 50, residentBytes: 4096, readPerSec: null, writtenPerSec: 12 },
          },
        ],
      }),
    '/startup': () =>
      answerOf(
        startupScan({
          entries: [
            startupEntry('crontab', {
              path: '/etc/\u001b[2J\u202e',
              runs: 'x\u001b]0;owned\u0007',
              user: 'e\nvil',
            }),
            ...startupScan().entries,
          ],
          unread: [{ place: startupEntry('crontab').place, path: '/x\u001b[2J', reason: 'E\u202e' }],
        }),
        { show: 'unvouched' },
        [],
      ),
    '/scar/check': () => scarCheck.assemble(run),
    '/cook': () => cook.assemble(run),
    '/av/close': () => cook.assemble(run),
    '/field/clear': () => cook.assemble(run),
    '/quarantine': aside('list'),
    '/quarantine/restore': aside('restore'),
    '/quarantine/purge': aside('purge'),
    '/learn': () => ({ generation: 2, added: 1, window_until: null }),
    '/baseline/diff': () =>
      baselineDiff.assemble({
        state: deskState,
        generation: 1,
        added: [{ kind: 'identity', text: '/e\u001b[31m' }],
        gone: [],
        changed: [],
        learns: [],
        refusal: '',
      }),
    '/baseline/restore': () => ({ generation: 3, added: 0, window_until: null }),
    '/baseline/review': () => ({ generation: 1, rows: 4 }),
    '/accept': () => ({ finding: evil.id, effect: 'explained', id: '0011223344aa', covers: [] }),
    '/h7/query': () =>
      queryAnswer.assemble({
        ts: entry.at,
        query: 'processes',
        table: 'processes',
        columns: [
          { name: 'comm', type: 'text', unit: '', meaning: 'name' },
          { name: 'rss', type: 'number', unit: 'by\u001b[2Jtes', meaning: 'm' },
        ],
        rows: [{ comm: 'e\u001b[2J\u202evil\nx', rss: null }, { comm: 'x' }],
        paths: ['processes[pid=1]', 'processes[pid=2]'],
        ...{ total: 2, matched: 2, sentence: '2 processes: e\u001b[2Jvil and x.', truncated: false },
        undecided: { rows: 0, columns: [] },
        unknown: [],
        reach: { from: null, gaps: [], notes: [] },
      }),
    '/h7/think': () => think.assemble(thought),
    '/h7/consult': () => consult.assemble({ ...thought, assistant: null, note: 'none is configured' }),
    '/email/api/people': () =>
      people.assemble({ state: deskState, total: 2, people: [evilPerson], next: 'n' }),
    '/email/api/who': () => who.assemble({ state: deskState, email: evilPerson.address, person: evilPerson }),
    '/alerts': () => alerts.assemble({ ts: AT, ...ALERTS, heartbeats: [], quiet: null }),
    '/alerts/test': () =>
      alertTest.assemble({
        ts: entry.at,
        results: [{ target: 'phone', ok: false, detail: 'it answers 500 ("\u001b[2J")', ms: 1.5 }],
      }),
    '/quiet': () => quietTime.assemble({ ts: entry.at, action: 'begin', quiet: QUIET }),
    '/quiet/begin': () => quietTime.assemble({ ts: AT, action: 'begin', quiet: QUIET }),
    '/quiet/end': () => quietTime.assemble({ ts: entry.at, action: 'end', quiet: null }),
    '/mail': () => mailState.assemble(deskState),
    '/mail/check': () => mailCheck.assemble({ ts: entry.at, atMs: 0, servers: [] }),
    '/mail/test': () =>
      mailTest.assemble({
        ts: entry.at,
        ok: true,
        to: 'a@example.org',
        ms: 1,
        detail: '250 \u001b[2J',
        messageId: '',
      }),
    '/mail/forget': () => forgotten.assemble({ ts: entry.at, email: 'ada@example.org', forgotten: true }),
    '/mail/export': () => exported.assemble({ ts: entry.at, path: '/state/people.vcf', people: 2 }),
    '/widget.json': () => widget.assemble({ state: deskState, ageMs: 0 }),
    '/version': () => version.assemble({ ...deskState.desk, state: deskState }),
    '/readyz': () => readyz.assemble({ ready: true, parts: { engine: { ok: true, reason: '' } } }),
    '/session/code': () => ({ word: 'SESSION', code: 'c0de', expires_sec: 60 }),
  };
  const make = bodies[path];
  return make
    ? { body: make() }
    : { status: 404, body: { title: 'There is nothing here', detail: 'Nothing.', status: 404 } };
};

/** Command line, its requests to the service, exit codes on a clean and on a dirty desk. */
const asking: readonly [line: string, asked: string, clean: number, dirty: number][] = [
  ['alert', 'GET /alerts', 0, 0],
  ['alert test', 'POST /alerts/test', 1, 1],
  ['quiet', 'GET /quiet', 0, 0],
  ['quiet 30m --why update', 'POST /quiet/begin', 0, 0],
  ['quiet end', 'POST /quiet/end', 0, 0],
  ['status', 'GET /h7/page', 0, 0],
  ['stats', 'GET /h7/live', 0, 0],
  ['findings', 'GET /detection', 0, 1],
  ['findings --avenue scar --severity high', 'GET /detection?avenue=scar&severity=high', 0, 1],
  [`findings ${evil.id}`, `GET /findings/${evil.id}`, 0, 1],
  ['process 5', 'GET /h7/processes/5', 0, 1],
  ['check', 'GET /widget.json', 0, 1],
  ['av close once', 'POST /av/close', 0, 1],
  ['field clear soft', 'POST /field/clear', 0, 1],
  ['field clear resolute', 'POST /field/clear', 0, 1],
  ['scar check', 'POST /scar/check', 0, 1],
  ['scar cook check', 'POST /cook', 0, 1],
  ['scar cook cook', 'POST /cook', 0, 1],
  ['quarantine list', 'GET /quarantine', 0, 0],
  [`quarantine restore ${evil.id}`, 'POST /quarantine/restore', 0, 0],
  ['quarantine purge --older-than 30d', 'POST /quarantine/purge', 0, 0],
  ['secure learn once', 'POST /learn', 0, 0],
  ['secure learn once --window 30', 'POST /learn', 0, 0],
  ['baseline diff', 'GET /baseline/diff', 1, 1],
  ['baseline restore 1', 'POST /baseline/restore', 0, 0],
  ['baseline review --done', 'POST /baseline/review', 0, 0],
  [`accept ${evil.id} --why ours`, `GET /findings/${evil.id}`, 0, 0],
  ['web check', 'GET /h7/page', 0, 0],
  ['public', 'GET /site', 0, 0],
  ['sites', 'GET /sites', 1, 1],
  ['accounts', 'GET /accounts?show=active', 0, 0],
  ['accounts --all', 'GET /accounts?show=all', 0, 0],
  ['packages', 'GET /packages?fresh=true', 1, 1],
  ['packages --last', 'GET /packages?fresh=false', 1, 1],
  ['vitals', 'GET /vitals', 1, 1],
  ['diff', 'GET /diff', 0, 0],
  ['diff yesterday today', 'GET /diff?since=yesterday&until=today', 0, 0],
  ['slow --by io --limit 3', 'GET /slow?by=io&limit=3', 0, 0],
  ['startup', 'GET /startup?show=unvouched', 0, 0],
  ['startup --all --user root --place crontab', 'GET /startup?show=all&user=root&place=crontab', 0, 0],
  ['mail', 'GET /status', 0, 0],
  ['mail show', 'GET /status', 0, 0],
  ['mail test', 'POST /mail/test', 0, 0],
  ['people --query a&b', 'GET /email/api/people?q=a%26b', 0, 0],
  ['people --sort last_seen --limit 5', 'GET /email/api/people?sort=last_seen&limit=5', 0, 0],
  ['people forget ada@example.org', 'POST /mail/forget', 0, 0],
  ['people export vcard', 'POST /mail/export', 0, 0],
  ['who ada@example.org', 'GET /email/api/who?email=ada%40example.org', 0, 0],
  ['think why not', 'POST /h7/think', 0, 0],
  ['ask why not', 'POST /h7/think', 0, 0],
  ['consult why not', 'POST /h7/consult', 0, 0],
  ['query processes where threads', 'POST /h7/query', 0, 0],
  ['query --tables', 'POST /h7/query', 0, 0],
  ['query --columns ports', 'POST /h7/query', 0, 0],
  ['open', 'POST /session/code', 0, 0],
  ['open --port 9999', 'POST /session/code', 0, 0],
  ['token make laptop --for 30d', 'POST /tokens/make', 0, 0],
  ['token list', 'GET /tokens', 0, 0],
  ['token revoke laptop', 'POST /tokens/revoke', 0, 0],
  ['watch --times 2 --every 50', 'GET /h7/live', 0, 0],
];

const words = (line: string): string[] => line.split(' ');

for (const [line, first, cleanCode, dirtyCode] of asking)
  test(`desk ${line}`, async () => {
    for (const [deskState, code] of [
      [clean, cleanCode],
      [dirty, dirtyCode],
    ] as const) {
      service.answer = answersOf(deskState);
      service.asked.length = 0;
      const people = await cli(words(line), service.env);
      assert.is(people.err, '');
      assert.is(`${service.asked[0]?.method} ${service.asked[0]?.path}`, first);
      // What makes the status record not ok is tested elsewhere.
      if (!/^(status|web|public)/.test(line)) assert.is(people.code, code, people.out);
      assert.ok(people.out.length > 0);
      assert.not.match(people.out.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
      // That of a monitoring plugin is one line.
      if (line !== 'check') for (const row of people.out.split('\n')) assert.ok(row.length <= 130, row);
      const record = await cli([...words(line), '--json'], service.env);
      assert.is(record.code, people.code);
      assert.is(record.err, '');
      for (const row of record.out.trimEnd().split('\n')) assert.type(JSON.parse(row), 'object');
    }
  });

test('findings --ocsf prints one event per line, and nothing where there is no finding', async () => {
  service.answer = answersOf(dirty);
  const { code, out } = await cli(['findings', '--ocsf'], service.env);
  assert.is(code, 1);
  assert.equal(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { finding_info: { uid: string } }).finding_info.uid),
    [evil.id],
  );
  service.answer = answersOf(clean);
  assert.equal(await cli(['findings', '--ocsf'], service.env), { code: 0, out: '', err: '' });
  assert.is((await cli(['findings', evil.id, '--ocsf'], service.env)).code, 2);
});

test('status exits 1 exactly when the record is not ok', async () => {
  for (const deskState of [clean, dirty]) {
    service.answer = answersOf(deskState);
    const { code, out } = await cli(['status', '--json'], service.env);
    assert.is(code, (JSON.parse(out) as { ok: boolean }).ok ? 0 : 1);
  }
});

test('the token of the state folder is sent, if it is well-formed', async () => {
  service.answer = answersOf(clean);
  service.asked.length = 0;
  await cli(['status', '--json'], service.env);
  mkdirSync(join(service.folder, 'state'), { recursive: true, mode: 0o700 });
  writeFileSync(join(service.folder, 'state/control.token'), `${service.token}\n`);
  await cli(['status', '--json'], service.env);
  writeFileSync(join(service.folder, 'state/control.token'), 'bad\r\nx: y\n');
  await cli(['status', '--json'], service.env);
  assert.equal(
    service.asked.map(({ authorization }) => authorization),
    [undefined, `Bearer ${service.token}`, undefined],
  );
});

test('request bodies contain the arguments', async () => {
  service.answer = answersOf(clean);
  const bodyOf = async (line: string): Promise<unknown> => {
    service.asked.length = 0;
    await cli(words(line), service.env);
    return JSON.parse(service.asked.at(-1)?.body ?? '');
  };
  assert.equal(await bodyOf('scar cook cook'), { mode: 'cook' });
  assert.equal(await bodyOf('secure learn once'), {});
  assert.equal(await bodyOf('secure learn once --window 30'), { window_min: 30 });
  assert.equal(await bodyOf('baseline restore 0'), { generation: 0 });
  assert.equal(await bodyOf('field clear resolute'), { mode: 'resolute' });
  assert.equal(await bodyOf('think is it well'), { message: 'is it well' });
  assert.equal(await bodyOf('consult x --with-assistant'), { message: 'x', with_assistant: true });
  assert.equal(await bodyOf(`accept ${evil.id} --why because --expires 2030-01-01T00:00:00Z`), {
    finding: evil.id,
    accepts: acceptanceFor(evil).id,
    why: 'because',
    expires: '2030-01-01T00:00:00Z',
  });
  assert.equal(await bodyOf(`accept ${evil.id} --why because --accepts 0011223344aa`), {
    finding: evil.id,
    accepts: '0011223344aa',
    why: 'because',
  });
});

test('the next page of people is printed as a valid shell command', async () => {
  service.answer = answersOf(clean);
  const { out } = await cli(['people', '--query', "a b'c", '--sort', 'name'], service.env);
  assert.match(out, `next: desk people --query 'a b'\\''c' --sort name --cursor n\n`);
});

test('forgetting an address that is not in the ledger is reported', async () => {
  const answer = answersOf(clean);
  service.answer = (asked) =>
    asked.path === '/mail/forget'
      ? {
          body: forgotten.assemble({
            ts: '2026-01-01T00:00:00.000+00:00',
            email: 'a@example.org',
            forgotten: false,
          }),
        }
      : answer(asked);
  const { out, code } = await cli(['people', 'forget', 'a@example.org'], service.env);
  assert.is(code, 1);
  assert.is(out, 'a@example.org is not in the ledger.\n');
});

const problems: readonly [number, number][] = [
  [400, 2],
  [401, 4],
  [403, 4],
  [404, 2],
  [409, 4],
  [422, 2],
  [429, 4],
  [500, 4],
  [503, 4],
];

test('a problem is printed with its reason and remedy, and sets the exit code', async () => {
  for (const [status, code] of problems) {
    service.answer = () => ({ status, body: { title: 'Title \u001b[1m', detail: 'Do this.', status } });
    const { code: got, out, err } = await cli(['secure', 'learn', 'once'], service.env);
    assert.is(got, code, String(status));
    assert.is(out, '');
    assert.not.match(err, String(status));
    assert.match(err, 'Do this.');
    assert.not.ok(err.includes('\u001b'));
  }
});

test('a response that is not from a desk is reported as such', async () => {
  for (const answer of [() => '<html>hello</html>', () => ({ status: 500, body: { error: 'x' } })]) {
    service.answer = answer;
    const { code, err } = await cli(['status'], service.env);
    assert.is(code, 3);
    assert.match(err, 'port');
  }
});

test('without a service the exit code is 3, with how to start it and --local', async () => {
  const gone = new FakeService();
  await gone.start();
  await gone.leave();
  const { code, out, err } = await cli(['status', '--json'], gone.env);
  const accept = await cli(['accept', '0123456789abcdef', '--why', 'mine'], gone.env);
  await gone.stop();
  assert.is(accept.code, 3);
  assert.not.match(accept.err, '--local', 'a command that has no such option');
  assert.is(code, 3);
  assert.is(out, '');
  assert.match(err, 'desk boot');
  assert.match(err, '--local');
});

test('a service that does not respond, or never ends its response, times out', async () => {
  const ask = async (answer: FakeService['answer']): Promise<Failure> => {
    service.answer = answer;
    const client = new Client({ host: '127.0.0.1', port: service.port, token: undefined, timeoutMs: 300 });
    const error = await client.ask(status, {}).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.instance(error, Failure);
    return error as Failure;
  };
  const silent = await ask(() => 'silence');
  assert.is(silent.exitCode, 3);
  assert.match(silent.why, 'Nothing came');
  assert.match((await ask(() => `"${'x'.repeat(17 << 20)}"`)).why, /larger|Nothing came/);
});

test('a control host beyond loopback is never contacted', () => {
  const config = defaultConfig();
  const far = {
    ...config,
    listen: { ...config.listen, control: { ...config.listen.control, host: '192.0.2.1' } },
  };
  assert.throws(() => controlAddress(far), /loopback/);
  assert.equal(controlAddress(config), { host: '127.0.0.1', port: 18772 });
});

test('every problem of a broken configuration is printed on stderr, exit 2', async () => {
  const path = join(service.folder, 'broken.toml');
  writeFileSync(path, '[loop]\nmode = "x"\n[mail]\npassword = "hunter2"\n');
  for (const line of ['status', 'status --local', 'config check', 'boot']) {
    const { code, out, err } = await cli(words(line), { ...service.env, DESK_CONFIG: path });
    assert.is(code, 2, line);
    assert.is(out, '');
    assert.match(err, `${path}:2`);
    assert.match(err, `${path}:4`);
    assert.not.match(err, 'hunter2');
  }
});

test('desk quarantine needs either an entry or an age, and says so', async () => {
  service.answer = answersOf(clean);
  const lines = [
    'quarantine restore',
    'quarantine restore ../etc',
    'quarantine purge',
    `quarantine purge ${evil.id} --older-than 1d`,
    'quarantine purge --older-than soon',
    'quarantine purge --older-than 999999d',
  ];
  for (const line of lines) {
    service.asked.length = 0;
    const { code, out, err } = await cli(words(line), service.env);
    assert.equal([code, out, service.asked.length], [2, '', 0], line);
    assert.match(err, /desk quarantine list|--older-than 30d/);
  }
  await cli(words('quarantine purge --older-than 12h'), service.env);
  assert.equal(JSON.parse(service.asked.at(-1)?.body ?? ''), { older_than_sec: 43_200 });
});

test('an invalid number is refused before any request is sent', async () => {
  service.asked.length = 0;
  for (const line of ['secure learn once --window soon', 'baseline restore first', 'baseline restore']) {
    const { code, err } = await cli(words(line), service.env);
    assert.is(code, 2, line);
    assert.match(err, /\S/);
  }
  assert.equal(service.asked, []);
});

test('with --json a refusal is one JSON object on stderr', async () => {
  service.answer = () => ({
    status: 409,
    body: { title: 'The desk refuses', detail: 'Do this.', status: 409 },
  });
  const { code, out, err } = await cli(words('secure learn once --json'), service.env);
  assert.equal([code, out], [4, '']);
  assert.equal(JSON.parse(err), {
    error: { exit_code: 4, message: 'The desk refuses.', why: 'Do this.', remedy: '' },
  });
  for (const line of [
    'status --jsn --json',
    'frob --json',
    'findings --severity grave --json',
    'baseline restore --json',
  ]) {
    const refused = await cli(words(line), service.env);
    assert.equal([refused.code, refused.out], [2, ''], line);
    const { error } = JSON.parse(refused.err) as { error: { exit_code: number; message: string } };
    assert.is(error.exit_code, 2);
    assert.match(error.message, /\S/);
  }
});

test('invalid arguments are refused before any request is sent', async () => {
  service.answer = answersOf(clean);
  service.asked.length = 0;
  for (const line of [
    'baseline review 5',
    'baseline list abc',
    'baseline restore 1 2',
    'baseline list --done',
    'people list extra',
    'people export json --limit 3',
    'quarantine list extra',
    `quarantine restore ${evil.id} --older-than 1d`,
    `findings ${evil.id} --severity high`,
    'findings --severity grave',
    'findings --since tomorrow',
    'findings --since sometime',
    'consult x --with-assistant --without-assistant',
    'history --since frob',
    'help frob',
    'help scar frob',
  ]) {
    const { code, out, err } = await cli(words(line), service.env);
    assert.equal([code, out], [2, ''], line);
    assert.match(err, /\S/, line);
  }
  assert.equal(service.asked, []);
});

test('a missing token and a wrong token are reported differently, each with a remedy', async () => {
  service.answer = () => ({
    status: 401,
    body: { title: 'This request needs a token', detail: 'x', status: 401 },
  });
  const state = join(service.folder, 'other-state');
  const env = { ...service.env, DESK_STATE: state };
  const none = await cli(['status'], env);
  assert.match(none.err, /\[access\] group/);
  assert.match(none.err, /--local/);
  assert.match(none.err.replace(/\s+/g, ' '), state);
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, 'control.token'), `${'w'.repeat(43)}\n`, { mode: 0o600 });
  const wrong = await cli(['status'], env);
  assert.match(wrong.err.replace(/\s+/g, ' '), /another service or another run/);
  assert.is(wrong.code, 4);
});

test('config check lists settings whose group or file does not exist', async () => {
  const path = join(service.folder, 'missing.toml');
  writeFileSync(
    path,
    '[access]\ngroup = "no-such-group"\n[law]\nfile = "gone.toml"\n[mail]\npassword_file = "/no/such/password"\n',
  );
  const { code, out } = await cli(words('config check'), { ...service.env, DESK_CONFIG: path });
  assert.is(code, 1);
  for (const key of ['access.group', 'law.file', 'mail.password_file']) assert.match(out, key);
  assert.not.match(out, /^ok/m);
});

test('every command is tested here or needs more than a fake service', () => {
  const tested = new Set(asking.map(([line]) => line));
  const elsewhere = [
    'boot',
    'install',
    'uninstall',
    'doctor',
    'history',
    'law',
    'config check',
    'bench',
    'spv antivirus',
    'hidden',
    'completion',
    'mcp',
  ];
  for (const { name } of commands)
    assert.ok(
      elsewhere.includes(name) || [...tested].some((line) => `${line} `.startsWith(`${name} `)),
      name,
    );
});

test('every command is among those that its own name loads', async () => {
  for (const { name } of commands)
    assert.ok(
      (await commandsFor(name.split(' '))).some((loaded) => loaded.name === name),
      name,
    );
});

test.run();
