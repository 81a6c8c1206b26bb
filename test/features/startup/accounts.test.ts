/** Accounts from the texts of passwd, group, shadow and sudoers, and from real logins. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AccountTexts, accountsFrom } from '../../../src/features/startup/account-rights.ts';
import { scanAccounts } from '../../../src/features/startup/account-scan.ts';
import { accountsAnswer } from '../../../src/features/startup/accounts-answer.ts';
import { expect } from '../../support/expect.ts';
import { forAll } from '../../support/for-all.ts';
import { accountScan } from '../../support/startup.ts';
import { findingFrom } from '../../support/state.ts';

const test = suite('accounts');

const DAY_MS = 86_400_000;
const NOW_MS = 20_000 * DAY_MS;
const texts = (parts: Partial<AccountTexts> = {}): AccountTexts => ({
  passwd: [
    'root:x:0:0:root:/root:/bin/bash',
    'daemon:x:1:1::/usr/sbin:/usr/sbin/nologin',
    'ada:x:1000:1000:Ada:/home/ada/:/bin/zsh',
    'toor:x:0:0::/root:/bin/sh',
    'eve::1001:1001::/home/eve:',
    'damaged',
    'bad:x:1x:0::/:/bin/sh',
  ].join('\n'),
  group: 'root:x:0:\nada:x:1000:\nsudo:x:27:ada\ndocker:x:900:eve,ada\nshadow:x:42:\n',
  shadow: 'root:!:19000:0:99999:7:::\nada:$y$j9T$abc$def:19500:0:99999:7:::\neve:$6$x$y:0:::::1:\n',
  sudoers: '',
  keys: new Map([
    ['/root', 1],
    ['/home/ada', 2],
    ['/usr/sbin', 0],
  ]),
  logins: [{ user: 'ada', line: 'pts/0', host: '203.0.113.7', seconds: 1_000 }],
  nowMs: NOW_MS,
  ...parts,
});
const of = (name: string, parts: Partial<AccountTexts> = {}) => {
  const account = accountsFrom(texts(parts)).find((one) => one.name === name);
  if (account === undefined) throw new Error(`no ${name}`);
  return account;
};

test('each account says how it can log in', () => {
  expect(accountsFrom(texts()).map(({ name }) => name)).equals(['root', 'daemon', 'ada', 'toor', 'eve']);
  expect(of('root').login).equals(['1 SSH key']);
  assert.is(of('root').password, 'locked');
  expect(of('daemon').login).equals([]);
  expect(of('ada').login).equals(['password', '2 SSH keys']);
  assert.is(of('ada').passwordSetMs, 19_500 * DAY_MS);
  assert.is(of('ada').last?.host, '203.0.113.7');
  // An empty field of passwd asks for nothing, whatever shadow has; but the account has ended.
  expect([of('eve').password, of('eve').expired, of('eve').login]).equals(['empty', true, []]);
  expect(of('eve', { shadow: '' }).login).equals(['no password is asked for', 'SSH keys not known']);
  assert.is(of('eve').shell, '/bin/sh');
  // A program of that name elsewhere may be anything, and only "x" says that the hash is somewhere else.
  const passwd = 'bob:x:7:7::/home/bob:/opt/nologin\n';
  expect(
    of('bob', { passwd, shadow: 'bob:xyHASH:1::::::\n', keys: new Map([['/home/bob', 0]]) }).login,
  ).equals(['password']);
});

test('what could not be read is not known, and never reads as none', () => {
  const blind = of('ada', { shadow: null, keys: new Map() });
  expect([blind.password, blind.keys]).equals(['unknown', null]);
  expect(blind.login).equals(['password not known', 'SSH keys not known']);
});

test('rights come from the uid, from sudoers and from groups', () => {
  expect(of('toor').rights).equals(['is root (uid 0)']);
  expect(of('daemon').rights).equals([]);
  const sudoers = [
    'Defaults env_reset',
    '#1001 ALL = /bin/true',
    '# a comment = ALL',
    '@includedir /etc/sudoers.d',
    '%sudo ALL=(ALL:ALL) ALL',
    'User_Alias OPS = ada, eve : DEV = daemon',
    'OPS ALL=(root) NOPASSWD: \\',
    '  /usr/bin/systemctl',
    'Cmnd_Alias X = /bin/false',
  ].join('\n');
  expect(of('ada', { sudoers }).rights).equals([
    'sudo: %sudo ALL=(ALL:ALL) ALL',
    'sudo: OPS ALL=(root) NOPASSWD:  /usr/bin/systemctl',
    'group docker: starts containers with the whole disk in them',
  ]);
  expect(of('eve', { sudoers }).rights).equals([
    'sudo: #1001 ALL = /bin/true',
    'sudo: OPS ALL=(root) NOPASSWD:  /usr/bin/systemctl',
    'group docker: starts containers with the whole disk in them',
  ]);
  expect(of('daemon', { sudoers: 'ada, daemon ALL=ALL' }).rights).equals(['sudo: ada, daemon ALL=ALL']);
  expect(of('daemon', { sudoers: 'ALL, !daemon ALL=ALL' }).rights).equals([]);
  for (const line of [
    '"daemon" ALL=ALL',
    'd\\aemon ALL=ALL',
    '!daemon, daemon ALL=ALL',
    'User_Alias A = B\nUser_Alias B = A, daemon\nA ALL=ALL',
    '# a comment \\\ndaemon ALL=ALL',
    'ada, \\ \n daemon ALL=ALL',
  ])
    assert.is(of('daemon', { sudoers: line }).rights.length, 1, line);
});

test('any texts are taken', () => {
  const line = fc.array(
    fc.constantFrom(':', ',', '=', '%', '#', 'ALL', 'ada', '0', '\\\n', ' ', '(', '!', '$'),
    {
      maxLength: 30,
    },
  );
  const text = fc.array(line, { maxLength: 8 }).map((all) => all.map((parts) => parts.join('')).join('\n'));
  forAll(text, text, (passwd, sudoers) => {
    const all = accountsFrom(texts({ passwd, group: passwd, shadow: passwd, sudoers }));
    for (const { uid, rights } of all) assert.ok(uid >= 0 && rights.every((one) => one.length < 300));
  });
});

test('the answer leaves out who can do nothing, and names open findings about an account', () => {
  const about = findingFrom({
    check: 'startup-entry',
    evidence: { place: 'group', user: 'daemon', entry: 'x' },
  });
  const active = accountsAnswer(accountScan(), [], 'active');
  expect(active.accounts.map(({ name }) => name)).equals(['root', 'ada']);
  assert.is(active.others, 1);
  assert.is(active.accounts[1]?.last_from, '203.0.113.7');
  const news = accountsAnswer(accountScan(), [about], 'active');
  expect(news.accounts.map(({ name, findings }) => [name, findings])).equals([
    ['root', []],
    ['ada', []],
    ['daemon', [about.id]],
  ]);
  assert.is(accountsAnswer(accountScan(), [], 'all').others, 0);
});

test('the accounts of this machine are read', async () => {
  const { accounts } = await scanAccounts();
  const root = accounts.find(({ uid }) => uid === 0);
  assert.is(root?.rights[0], 'is root (uid 0)');
  assert.ok(accounts.some(({ name }) => name === 'daemon'));
});

test.run();
