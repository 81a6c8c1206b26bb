/** The sample of the interface, the grades, and what makes a desk not ok. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Severity } from '../../src/policy/severity.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import type { ServiceListener } from '../../src/records/state.ts';
import { findingFrom, noteFrom, type StateParts, stateFrom } from '../support/state.ts';

const SAMPLE_PORTS = [80, 443, 993, 465, 18770, 18771, 18772].map((port) => ({
  name: `p${port}`,
  port,
  required: port === 80,
}));
const up = (...ports: readonly number[]) => ({ listeners: ports.map((port) => ({ port })) });
const office = (state: ServiceListener['state'], reason = ''): ServiceListener => ({
  role: 'office',
  host: '127.0.0.1',
  port: 80,
  state,
  reason,
});

test('the sample of the interface: three of seven ports up, required port 80 down', () => {
  const status = deskStatus.assemble(
    stateFrom({ config: { ports: SAMPLE_PORTS }, snapshot: up(18770, 18771, 18772) }),
  );
  assert.is(status.ports_up, 3);
  assert.is(status.ports_n, 7);
  assert.is(status.ok, false);
  assert.is(status.issues.length, 1);
  assert.match(status.issues[0] ?? '', /\b80\b/);
  assert.is(status.grade, 'gold');
  assert.is(status.hostess_charge.ok, true);
  assert.equal(status.hostess_charge.issues, []);
});

test('a port is up if clients can reach it, by TCP only', () => {
  const ports = [{ name: 'web', port: 80, required: true }];
  const portsUp = (listener: object): number =>
    deskStatus.assemble(
      stateFrom({ config: { ports }, snapshot: { listeners: [{ port: 80, ...listener }] } }),
    ).ports_up;
  for (const address of ['127.0.0.1', '0.0.0.0', '192.0.2.7', '::', '::1'])
    assert.is(portsUp({ address }), 1, address);
  // The desk does not check these addresses.
  for (const address of ['127.0.0.9', '127.1.2.3', '::ffff:127.0.0.9'])
    assert.is(portsUp({ address, scope: 'loopback' }), 0, address);
  assert.is(portsUp({ protocol: 'udp' }), 0);
});

test('without [[ports]] the enabled listeners count, and only the office is required', () => {
  const status = (...ports: number[]) =>
    deskStatus.assemble(
      stateFrom({ config: { listen: { themed: { enabled: true } } }, snapshot: up(...ports) }),
    );
  assert.equal([status(80).ports_up, status(80).ports_n, status(80).ok], [1, 4, true]);
  assert.equal([status(18770, 18771, 18772).ports_up, status(18770, 18771, 18772).ok], [3, false]);
});

test('a control port that another program holds makes the desk not ok', () => {
  const reason = 'python3.11 (pid 30653) holds it';
  const control: ServiceListener = { ...office('failed', reason), role: 'control', port: 18772 };
  const status = deskStatus.assemble(
    stateFrom({ snapshot: up(80, 18770, 18772), service: { listeners: [control] } }),
  );
  assert.equal(status.issues, [`The control port 18772 is not served by this desk; ${reason}.`]);
  assert.is(status.ok, false);
});

test('a required port that our listener could not bind: the issue has the reason, the improvements do not', () => {
  const reason = 'needs CAP_NET_BIND_SERVICE';
  const deskState = stateFrom({
    snapshot: up(18770, 18772),
    service: { listeners: [office('failed', reason)] },
  });
  const status = deskStatus.assemble(deskState);
  assert.ok(status.issues.some((issue) => issue.includes('80') && issue.includes(reason)));
  assert.not(status.hostess_charge.improvements.includes(reason));
});

test('another program on the port: the port is up, the desk is ok, and one improvement reports it', () => {
  const reason = 'pid 77 holds the port';
  const deskState = stateFrom({
    snapshot: up(80, 18770, 18772),
    service: { listeners: [office('failed', reason)] },
  });
  const status = deskStatus.assemble(deskState);
  assert.ok(status.ok);
  assert.is(status.hostess_charge.improvements.split('; ').filter((step) => step.includes(reason)).length, 1);
});

test('duties that fail for one reason are one issue', () => {
  const fails = (reason: string) => ({ configured: true, healthy: false, reason });
  const { issues } = chargeReport.assemble(
    stateFrom({ duties: { trickle_train: fails('r'), mail_people: fails('r'), law_pack: fails('other') } }),
  );
  assert.is(issues.length, 2);
  assert.ok(
    issues.some((issue) => /trickle_train and mail_people .*; r\.$/.test(issue)),
    issues.join(),
  );
  assert.ok(
    issues.some((issue) => /law_pack .*; other\.$/.test(issue)),
    issues.join(),
  );
});

const GRADES: readonly (readonly [string, StateParts, string])[] = [
  ['nothing', {}, 'gold'],
  ['ports down', { snapshot: up() }, 'gold'],
  ['a low finding', { findings: [findingFrom({ severity: 'low' })] }, 'gold'],
  ['a note', { notes: [noteFrom()] }, 'gold'],
  ['a medium scar', { findings: [findingFrom({ severity: 'medium' })] }, 'silver'],
  ['a high scar', { findings: [findingFrom({ severity: 'high' })] }, 'silver'],
  [
    'a high finding that is suppressed',
    { findings: [findingFrom({ severity: 'high', scar: false })] },
    'gold',
  ],
  [
    'a duty that fails',
    { duties: { law_pack: { configured: true, healthy: false, reason: 'r' } } },
    'silver',
  ],
  ['a critical scar', { findings: [findingFrom({ severity: 'critical' })] }, 'bronze'],
  ['8766 up', { snapshot: up(80, 8766) }, 'lead'],
  [
    '8766 up and a critical scar',
    { snapshot: up(80, 8766), findings: [findingFrom({ severity: 'critical' })] },
    'lead',
  ],
];
for (const [what, parts, grade] of GRADES) {
  test(`grade with ${what}: ${grade}`, () => assert.is(deskStatus.assemble(stateFrom(parts)).grade, grade));
}

const CHARGES: readonly (readonly [Severity, boolean])[] = [
  ['low', true],
  ['medium', false],
  ['high', false],
  ['critical', false],
];
for (const [severity, ok] of CHARGES) {
  test(`charge with a ${severity} finding: ok is ${ok}`, () => {
    const finding = findingFrom({ severity, summary: 'what-was-seen', remedy: 'what-to-do' });
    const charge = chargeReport.assemble(stateFrom({ findings: [finding] }));
    assert.is(charge.ok, ok);
    assert.is(charge.issues.filter((issue) => /what-was-seen.*what-to-do/.test(issue)).length, ok ? 0 : 1);
    assert.is(charge.improvements, 'what-to-do');
  });
}

test('the configured site: 2xx and 3xx are ok, anything else is one issue that names it; the embedded site has none', () => {
  const status = (code: number, public_url: string) =>
    deskStatus.assemble(stateFrom({ config: { site: { public_url } }, site: { status: code } }));
  for (const code of [200, 204, 301, 399]) assert.ok(status(code, 'https://example.org').ok, String(code));
  for (const code of [0, 199, 400, 404, 500]) {
    const { ok, issues, hostess_charge } = status(code, 'https://example.org');
    assert.equal([ok, hostess_charge.ok, issues.length], [false, true, 1]);
    assert.ok(issues[0]?.includes('https://example.org'));
    assert.ok(status(code, '').ok);
  }
});

test('8766 is reported once, by the scar when there is one', () => {
  const subject = { kind: 'listener', protocol: 'tcp', address: '::1', port: 8766, inode: 5 } as const;
  const finding = findingFrom({
    severity: 'critical',
    check: 'banned-listener',
    subject,
    summary: 'port 8766 is up',
  });
  for (const findings of [[], [finding]]) {
    const { issues } = deskStatus.assemble(stateFrom({ snapshot: up(80, 8766), findings }));
    assert.is(issues.filter((issue) => issue.includes('8766')).length, 1);
  }
});

test('a banned listener in its grace period, or whose shutdown was refused, has its remedy in issues and improvements', () => {
  const finding = findingFrom({ id: 'feedfacefeedface', check: 'banned-listener', severity: 'critical' });
  const advice = 'it is shut down at 03:04:35, to keep it: desk accept feedfacefeedface --why "…"';
  const attempt = { finding: finding.id, advice };
  for (const remedies of [
    { pending: [{ ...attempt, at: '2026-01-02T03:04:35.000+00:00' }] },
    { refused: [{ ...attempt, reason: 'pid 1 holds it' }] },
  ]) {
    const status = deskStatus.assemble(stateFrom({ findings: [finding], remedies }));
    assert.match(status.issues.join(' '), advice);
    assert.match(status.hostess_charge.improvements, advice);
    assert.not.match(status.hostess_charge.improvements, finding.remedy);
  }
});

test('if banned listeners are shut down only on request, the issue says how to request it', () => {
  const finding = findingFrom({ check: 'banned-listener', severity: 'critical', remedy: 'stop it' });
  const issues = (shut_down: string) =>
    deskStatus
      .assemble(stateFrom({ findings: [finding], config: { banned: { shut_down } } }))
      .issues.join(' ');
  assert.match(issues('ask'), 'stop it, or have it shut down with desk av close once');
  assert.not.match(issues('never'), 'av close');
});

test('a refused TCP dump is reported: port 8766 could not be checked', () => {
  const probes = [{ id: 'sock_diag tcp4', works: false, reason: 'EPERM', cure: '' }];
  const hygiene = deskHygiene.assemble(stateFrom({ snapshot: { listeners: [], probes } }));
  assert.is(hygiene.datacenter_port_8766.status, 'failed');
  assert.is(hygiene.datacenter_port_8766.up, false);
});

test('an office that is not on port 80 is an improvement, never an issue, and only where it is bound', () => {
  const config = { listen: { office: { port: 18780 } } };
  const office: ServiceListener = {
    role: 'office',
    host: '127.0.0.1',
    port: 18780,
    state: 'bound',
    reason: '',
  };
  for (const [officeRefusal, why] of [
    ['EADDRINUSE', 'another program uses port 80'],
    ['EACCES', 'this user may not bind port 80 (EACCES)'],
  ] as const) {
    const parts = { config, officeRefusal, service: { listeners: [office] } };
    const status = deskStatus.assemble(stateFrom(parts));
    const advice = `set [listen.office] port = 18780 to keep the office there, it moved because ${why}`;
    assert.ok(status.hostess_charge.improvements.split('; ').includes(advice));
    assert.not.match(status.issues.join(), /18780 to keep/);
    const unbound = {
      ...parts,
      service: { listeners: [{ ...office, state: 'failed', reason: 'why' } as const] },
    };
    assert.not.match(
      deskStatus.assemble(stateFrom(unbound)).hostess_charge.improvements,
      'to keep the office',
    );
  }
});

test('improvements are sorted by severity, unique, and contain no separator', () => {
  const findings = [
    findingFrom({ id: '1', severity: 'low', remedy: 'third' }),
    findingFrom({ id: '2', severity: 'critical', remedy: 'first; really.' }),
    findingFrom({ id: '3', severity: 'medium', remedy: 'second' }),
    findingFrom({ id: '4', severity: 'medium', remedy: 'second' }),
  ];
  const { improvements } = chargeReport.assemble(
    stateFrom({ findings, notes: [noteFrom({ cure: 'fourth' })] }),
  );
  assert.equal(improvements.split('; '), ['first, really', 'second', 'third', 'fourth']);
});

test('a finding without remedy: improvements say how to inspect it, and knows_improvements is false', () => {
  const charge = chargeReport.assemble(stateFrom({ findings: [findingFrom({ id: 'abc', remedy: '' })] }));
  assert.match(charge.improvements, /\babc\b/);
  assert.is(charge.system_run.knows_improvements, false);
});

test('a desk that is not configured and has not learned reports that', () => {
  const status = deskStatus.assemble(stateFrom());
  const { in_charge, learn, forever, war_machine, global_protect } = status.hostess_charge;
  assert.equal(learn, { vocab_correct: null, vocab_total: null, learned_rows: null });
  assert.equal(
    [status.iron.adjoin, forever.gap_sec, forever.pid, forever.mega_batch],
    [null, null, null, null],
  );
  assert.equal([in_charge.mail_people, in_charge.secure_learn, global_protect.ok], [false, false, true]);
  assert.equal([war_machine.axes.love_net, war_machine.axes.research], [0, 0]);
  // 100, 100, 100, 2 × 100, 100 and one of five wrapped: 620 of 7 weights; love_net and research are left out.
  assert.equal([war_machine.axes.iron_map, war_machine.score, war_machine.grade], [20, 88.6, 'B']);
  assert.equal(
    [status.nav.claws, status.nav.email, status.whole_stick.wp_admin, status.identity.updated],
    ['', '', '', ''],
  );
});

test('a learned baseline reports its counts, and the hint to review it if it has entries', () => {
  const baseline = { generation: 2, identities: 9, seenAgain: 4, rows: 12, runningKnown: 3, toReview: 1 };
  const { iron, hostess_charge: charge } = deskStatus.assemble(stateFrom({ baseline }));
  assert.equal(charge.learn, { vocab_correct: 4, vocab_total: 9, learned_rows: 12 });
  assert.equal([iron.adjoin, iron.bgs.know_her], [2, 3]);
  assert.match(charge.improvements, 'desk baseline review');
  const reviewed = deskStatus.assemble(stateFrom({ baseline: { ...baseline, toReview: 0 } }));
  assert.not.match(reviewed.hostess_charge.improvements, 'desk baseline review');
});

test('a local link is shown only if something answers there', () => {
  const { nav, whole_stick, hostess_charge } = deskStatus.assemble(stateFrom({ service: { listeners: [] } }));
  const local = [
    nav.employee,
    nav.links,
    nav.hostess7,
    nav.h7_charge,
    whole_stick.public_site,
    hostess_charge.talk.her,
  ];
  assert.equal(new Set([...local, ...Object.values(hostess_charge.pages)]), new Set(['']));
});

test('no record contains the password or a token file', () => {
  const config = {
    mail: { password_file: '/canary-secret/file' },
    assistant: { api_key_file: '/canary-secret/key' },
  };
  const deskState = stateFrom({ config, mail: { passwordSet: true } });
  for (const record of [deskStatus, chargeReport, deskHygiene])
    assert.not(JSON.stringify(record.assemble(deskState)).includes('canary-secret'), record.name);
  assert.is(chargeReport.assemble(deskState).mail.pass_set, true);
});

test.run();
