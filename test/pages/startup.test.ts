/** The startup page without a browser: what the server renders, filters, order, and what its states say. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerOf as packagesOf } from '../../src/features/packages/operations.ts';
import { accountsAnswer, answerOf } from '../../src/features/startup/index.ts';
import { ordered } from '../../src/pages/accounts-list.tsx';
import { placeOf } from '../../src/pages/grounds.ts';
import { packagesState } from '../../src/pages/packages-state.tsx';
import { renderPage } from '../../src/pages/render.tsx';
import { filtered } from '../../src/pages/starts.tsx';
import { page } from '../../src/records/page.ts';
import { vouchedWords } from '../../src/records/startup-words.ts';
import { expect } from '../support/expect.ts';
import { packageScan } from '../support/packages.ts';
import { SCENE_NOW } from '../support/scenes.ts';
import { accountFacts, accountScan } from '../support/startup.ts';
import { startupScene } from '../support/startup-scenes.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';

const test = suite('startup page');

/** The markup of the page, without its embedded record. */
const drawn = (parts: StateParts = {}): string =>
  renderPage('startup', page.assemble(stateFrom(parts)), '{}').replace(/\s+/g, ' ');

test('without scripts it names record and command of each table, and shows the open findings about it', () => {
  const markup = drawn({
    findings: [
      findingFrom({ check: 'startup-entry', summary: 'PLANTED' }),
      findingFrom({ id: '1111111111111111', check: 'traced', summary: 'ANOTHER' }),
    ],
  });
  for (const path of ['/startup', '/accounts', '/packages']) assert.match(markup, `<a href="${path}"`);
  for (const command of ['desk startup', 'desk accounts', 'desk packages'])
    assert.match(markup, `<code>${command}</code>`);
  assert.match(markup, 'PLANTED');
  assert.not.match(markup, 'ANOTHER');
  assert.not.match(markup, 'style=');
  const controls =
    markup.split('id="starts"')[1]?.match(/<(?:button|select|fieldset|input type="search")[^>]*>/g) ?? [];
  assert.ok(controls.length > 8);
  expect(controls.filter((control) => !/disabled|popovertarget/.test(control))).equals([]);
});

test('it does not say that no finding is open where the record has not all of them', () => {
  assert.match(drawn(), 'No open finding is about');
  const many = Array.from({ length: 60 }, (_, at) =>
    findingFrom({ id: at.toString(16).padStart(16, '0'), check: 'traced', severity: 'high' }),
  );
  const markup = drawn({ findings: many });
  assert.not.match(markup, 'No open finding is about');
  assert.match(markup, 'None of the 50 most severe findings is about it');
  assert.match(markup, '0 or more');
});

const { startup, accounts, packages } = startupScene('healthy', SCENE_NOW);
const now = new Date(SCENE_NOW).toISOString();

test('entries are filtered by words, user, place and time', () => {
  const { entries } = answerOf(startup, { show: 'all' }, []);
  const by = (parts: object) =>
    filtered(entries, now, { query: '', user: '', place: '', days: '', ...parts }).map(({ path }) => path);
  assert.is(by({}).length, 8);
  expect(by({ user: 'ada' })).equals(['/var/spool/cron/crontabs/ada']);
  expect(by({ place: 'cron-folder' })).equals(['/etc/cron.daily/logrotate']);
  expect(by({ days: '1' })).equals(['/var/spool/cron/crontabs/ada']);
  expect(by({ days: '30' })).equals(['/etc/sudoers', '/var/spool/cron/crontabs/ada']);
  expect(by({ query: 'NGINX wants' })).equals(['/etc/systemd/system/multi-user.target.wants/nginx.service']);
  expect(by({ query: 'nginx', user: 'ada' })).equals([]);
});

test('who vouches is said for every kind', () => {
  const { entries } = answerOf(startup, { show: 'unvouched' }, []);
  const said = entries.map((entry) => vouchedWords(entry, 'unvouched'));
  expect(said.map(({ tone, word }) => `${tone} ${word}`)).equals([
    'warn changed',
    'warn no package',
    'warn no package',
    'calm link',
  ]);
  const [entry] = entries;
  assert.ok(entry !== undefined);
  assert.is(vouchedWords({ ...entry, configuration: false }, 'all').tone, 'bad');
  assert.is(vouchedWords({ ...entry, vouched: 'package' }, 'all').tone, 'good');
  assert.match(
    vouchedWords({ ...entry, vouched: 'none', package: 'mount 2.38' }, 'all').more,
    /not mount 2.38/,
  );
});

test('accounts that need a look come first', () => {
  const record = accountsAnswer(
    accountScan({
      accounts: [
        ...accounts.accounts,
        accountFacts({ name: 'toor', uid: 0 }),
        accountFacts({ name: 'guest', password: 'empty', login: ['no password is asked for'] }),
      ],
    }),
    [findingFrom({ check: 'startup-entry', evidence: { place: 'passwd', user: 'bob' } })],
    'active',
  );
  expect(ordered(record.accounts).map(({ name }) => name)).equals(['bob', 'toor', 'guest', 'root', 'ada']);
});

test('packages are good only where all were compared and none differs', () => {
  const of = (parts: Parameters<typeof packageScan>[0] | null) =>
    packagesState(packagesOf(parts === null ? null : packageScan(parts), [], ''));
  expect(packagesState(packagesOf(packages, [], ''))).equals(['good', 'as packaged']);
  expect(packagesState(packagesOf(packages, [], 'not its files'))).equals(['warn', 'of the container']);
  expect(of(null)).equals(['warn', 'not compared yet']);
  expect(of({ altered: [], trouble: 'dpkg is not installed' })).equals(['warn', 'not known']);
  expect(of({ altered: [], unread: [{ path: '/x', reason: 'EACCES' }] })).equals([
    'warn',
    'not all compared',
  ]);
  expect(of({})).equals(['bad', '2 differ']);
  expect(packagesState(null)).equals(['calm', 'not read yet']);
});

test('grounds of the hostess lead to the part of the page that shows them', () => {
  assert.is(placeOf('startup_all.entries[3].runs'), '/startup.html#starts');
  assert.is(placeOf('startup.entries[user=root].length'), '/startup.html#starts');
  assert.is(placeOf('accounts.accounts[name=ada].login'), '/startup.html#accounts');
  assert.is(placeOf('packages.altered.length'), '/startup.html#packages');
});

test.run();
