/** The page and the record of one process: everything known of it, and that it has ended. */
import { get } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { INSPECTION, type Inspection } from '../../src/desk/inspection.ts';
import type { ProcessDetail } from '../../src/records/process-detail.ts';
import { INJECTED } from '../support/hostile-words.ts';
import { type ServedScene, serveScene } from '../support/served-scene.ts';
import { findingFrom } from '../support/state.ts';
import { until } from '../support/until.ts';

const test = suite('process page');

const SSHD = { kind: 'process', pid: 500, start: '500', comm: 'sshd', executable: '/usr/sbin/sshd' } as const;
const subject = { ...SSHD, identity: '/usr/sbin/sshd', uid: 0 };

/** More processes than are read at once. */
const CROWD = Array.from({ length: 9 }, (_, at) => 700 + at);

let served: ServedScene;
test.before(async () => {
  served = await serveScene('empty');
  served.sweep({
    snapshot: {
      processes: [
        { pid: 1, uid: 0, comm: 'systemd', exe: '/usr/lib/systemd/systemd', start: 1n },
        {
          pid: 500,
          uid: 0,
          comm: 'sshd',
          exe: '/usr/sbin/sshd',
          nsMnt: 7,
          cgroup: '/system.slice/ssh.service',
        },
        { pid: 501, ppid: 500, uid: 1000, comm: 'bash', exe: '/usr/bin/bash' },
        { pid: 502, ppid: 500, comm: 'gone', state: '' },
        { pid: 600, uid: 1000, comm: 'plain', exe: '/usr/bin/plain' },
        { pid: 601, comm: 'cron', exe: '/usr/sbin/cron (deleted)' },
        { pid: 602, comm: 'odd', exe: '/opt/odd (deleted)' },
        ...CROWD.map((pid) => ({ pid, comm: 'crowd', exe: '/usr/bin/crowd' })),
      ],
      listeners: [
        { port: 22, address: '0.0.0.0', inode: 9, holders: [{ pid: 500, start: '500', fd: 3 }] },
        { port: 80, inode: 8, holders: [{ pid: 500, start: '4', fd: 3 }] },
      ],
      host: { fates: new Map([[602, 'own name']]) },
    },
    findings: [
      findingFrom({ id: '1'.repeat(16), severity: 'low', subject, summary: 'LOW' }),
      findingFrom({ id: '2'.repeat(16), severity: 'high', subject, summary: 'HIGH' }),
      findingFrom({
        id: '3'.repeat(16),
        subject: { ...subject, start: '4' },
        summary: 'OF AN EARLIER PROCESS',
      }),
      findingFrom({
        id: '4'.repeat(16),
        subject: { kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 22, inode: 9 },
        summary: 'OF ITS LISTENER',
      }),
      findingFrom({
        id: '5'.repeat(16),
        subject: { ...subject, pid: 77, start: '77' },
        // It names only its first pids.
        members: { count: 70, pids: [77] },
        summary: 'OF SEVERAL',
      }),
      findingFrom({
        id: '6'.repeat(16),
        subject: { ...subject, pid: 78, start: '78' },
        members: { count: 2, pids: [78, 500, 600] },
        summary: 'OF ENDED ONES THAT HAD THESE PIDS',
      }),
    ],
    members: {
      ['5'.repeat(16)]: [subject],
      ['6'.repeat(16)]: [
        { ...subject, start: '4' },
        { ...subject, pid: 600, start: '4' },
      ],
    },
    suppressed: [
      {
        ...{ check: 'traced', avenue: 'inject_clip', severity: 'high', subject, summary: 'EXPLAINED' },
        ...{ source: 'accepted', name: '', why: 'a debugger' },
      },
    ],
    baseline: { generation: 3 },
  });
});
test.after(async () => served[Symbol.asyncDispose]());

const ask = async (path: string) => served.service.ask(path, { role: 'office' });
const recordOf = async (path: string) => (await ask(path)).json() as ProcessDetail;

test('the record has what the state knows of the process, and of no other', async () => {
  const record = await recordOf('/h7/processes/500?start=500');
  assert.equal(
    record.findings.map(({ title }) => title),
    ['HIGH', 'OF ITS LISTENER', 'OF SEVERAL', 'LOW'],
  );
  assert.equal(
    record.explained.map(({ summary }) => summary),
    ['EXPLAINED'],
  );
  assert.equal(record.parents, [{ pid: 1, start: '1', name: 'systemd' }]);
  assert.equal(record.children, [{ pid: 501, start: '501', name: 'bash' }]);
  assert.is(record.children_total, 1);
  assert.equal(
    record.listeners.map(({ port }) => port),
    [22],
  );
  assert.is(record.unit, 'ssh.service');
  assert.equal(
    record.namespaces.map(({ kind, differs }) => `${kind} ${differs}`),
    ['user false', 'pid false', 'mount true', 'network false'],
  );
  assert.is(record.package, 'openssh-server 1:9.2p1-2');
  assert.is(record.uses?.cpu_percent, 1.5);
  assert.is(record.baseline, 'not-learned');
  assert.is(record.row.comm, 'sshd');
  assert.equal([record.command, record.about?.command], ['shown', 'sshd --verbose']);
});

test('the command line of a process without a finding is read only where the configuration says so', async () => {
  const record = await recordOf('/h7/processes/600');
  assert.equal([record.findings, record.command, record.about?.command], [[], 'only-findings', null]);
  const page = (await ask('/process/600')).text;
  assert.match(page, '[privacy] command_lines');
  assert.match(page, 'No open finding is about it.');
});

test('the package of a file that was deleted is not that of the path', async () => {
  const deleted = await recordOf('/h7/processes/601');
  assert.is(deleted.package, '');
  assert.match(deleted.package_reason, 'its file was deleted or replaced');
  assert.match((await ask('/process/601')).text, 'its file was deleted or replaced');
  const odd = await recordOf('/h7/processes/602');
  assert.equal([odd.package, odd.package_reason], ['openssh-server 1:9.2p1-2', ''], 'its name ends so');
});

test('requests for one process share its reading; too many different ones are refused, and a read ends with its callers', async () => {
  const inspection = served.desk.find(INSPECTION);
  if (inspection === null) throw new Error('nothing reads processes');
  const { about } = inspection;
  const begun: number[] = [];
  const left: number[] = [];
  const ends: (() => void)[] = [];
  const waiting: Inspection['about'] = async (...asked) => {
    const [, pid, , signal] = asked;
    const answer = about(...asked);
    begun.push(pid);
    signal.addEventListener('abort', () => left.push(pid));
    await new Promise<void>((resolve) => ends.push(resolve));
    return answer;
  };
  Object.assign(inspection, { about: waiting });
  try {
    const [shared, ...others] = CROWD.slice(0, 8);
    const both = [ask(`/h7/processes/${shared}`), ask(`/process/${shared}`)];
    const gone = others.map((pid) => {
      const call = get(served.url(`/h7/processes/${pid}`), { agent: false });
      call.on('error', () => undefined);
      return call;
    });
    await until(() => begun.length === 8, 'eight are being read');
    for (const path of [`/h7/processes/${CROWD[8]}`, `/process/${CROWD[8]}`]) {
      const refused = await ask(path);
      assert.equal([refused.status, refused.headers['retry-after']], [429, '1'], path);
    }
    for (const call of gone) call.destroy();
    await until(() => left.length === 7, 'those whose callers have left are given up');
    assert.is((await ask(`/h7/processes/${CROWD[8]}`)).status, 429, 'they have not ended');
    for (const end of ends.splice(0)) end();
    assert.equal(
      (await Promise.all(both)).map(({ status }) => status),
      [200, 200],
    );
    assert.equal(begun.toSorted(), CROWD.slice(0, 8), 'each was read once');
    const later = ask(`/h7/processes/${CROWD[8]}`);
    await until(() => ends.length === 1, 'the next one is read');
    ends[0]?.();
    assert.is((await later).status, 200);
  } finally {
    for (const end of ends) end();
    Object.assign(inspection, { about });
  }
});

test('the page is whole without scripts, and links to parents, children and findings', async () => {
  const answer = await ask('/process/500?start=500');
  assert.is(answer.status, 200);
  const page = answer.text.slice(0, answer.text.indexOf('<script type="application/json"'));
  for (const said of ['HIGH', 'LOW', 'OF ITS LISTENER', '/usr/sbin/sshd', 'openssh-server', 'EXPLAINED'])
    assert.ok(page.includes(said), said);
  assert.not.match(page, 'OF AN EARLIER PROCESS');
  assert.match(page, 'href="/process/1?start=1"');
  assert.match(page, 'href="/process/501?start=501"');
  assert.match(page, '12.0 MiB');
  assert.match(page, ' 0.0.0.0 port 22');
});

test('a process that has ended is 404, and the page names the one that has its pid', async () => {
  for (const [path, said] of [
    ['/process/4711', 'No process has the pid 4711 now.'],
    ['/process/502', 'No process has the pid 502 now.'],
    ['/process/500?start=4', 'href="/process/500?start=500"'],
  ] as const) {
    const page = await ask(path);
    assert.is(page.status, 404, path);
    assert.is(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.text, 'It has ended');
    assert.ok(page.text.includes(said), said);
    const record = await ask(`/h7/processes${path.slice('/process'.length)}`);
    assert.is(record.status, 404, path);
    assert.match(record.headers['content-type'] ?? '', 'application/problem+json');
  }
});

test('what is no pid or no start is refused; what other sites add to a link is not', async () => {
  for (const path of ['0', '-1', 'x', '1.5', '99999999', '500?start=x', '500?start='])
    assert.is((await ask(`/process/${path}`)).status, 422, path);
  assert.is((await ask('/process/500?utm_source=x')).status, 200);
  assert.is((await ask('/h7/processes/500?utm_source=x')).status, 422);
});

test('it is on control and office alone', async () => {
  for (const path of ['/process/500', '/h7/processes/500'])
    for (const role of ['themed', 'public'] as const)
      assert.is((await served.service.ask(path, { role })).status, 404, `${role} ${path}`);
});

test('names of processes never become elements', async () => {
  await using hostile = await serveScene('hostile');
  const pids =
    hostile.scene.parts.snapshot?.processes?.map(({ pid }) => pid).filter((pid) => pid >= 6_600) ?? [];
  assert.ok(pids.length > 5);
  for (const pid of pids) {
    const { text, status } = await hostile.service.ask(`/process/${pid}`, { role: 'office' });
    if (status === 404) continue;
    assert.not.match(text, new RegExp(`class="${INJECTED}|<img`), String(pid));
    assert.not.match(text, /href="javascript:|[\u202e\u200b]/);
  }
});

test('findings link to their process and startup place', async () => {
  served.sweep({
    findings: [
      findingFrom({ id: '2'.repeat(16), subject }),
      findingFrom({
        id: '6'.repeat(16),
        check: 'startup-entry',
        subject: { kind: 'file', path: '/etc/cron.d/a b' },
        evidence: { entry: 'x' },
      }),
    ],
  });
  const { text } = await ask('/');
  assert.match(text, 'href="/process/500?start=500"');
  assert.match(text, 'href="/startup.html?find=%2Fetc%2Fcron.d%2Fa%20b#starts"');
});

test.run();
