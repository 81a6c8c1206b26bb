/** What `desk startup` lists: counts and what is worth a look, or with options each entry. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerOf, type StartupQuestion } from '../../../src/features/startup/answer.ts';
import { cli, FakeService } from '../../support/cli.ts';
import { startupEntry, startupScan } from '../../support/startup.ts';

const service = new FakeService();
const test = suite('desk startup');
test.before(() => service.start());
test.after(() => service.stop());

const scan = startupScan({
  entries: [
    startupEntry('systemd-unit', {
      path: '/usr/lib/systemd/system/cron.service',
      runs: '/usr/sbin/cron -f',
      voucher: { kind: 'package', package: 'cron', version: '3.0', database: 'dpkg' },
    }),
    ...Array.from({ length: 30 }, (_, at) =>
      startupEntry('systemd-unit', {
        path: `/etc/systemd/system/multi-user.target.wants/${at}.service`,
        runs: `usual-${at}.service`,
        link: `/usr/lib/systemd/system/${at}.service`,
        linked: 'own',
        voucher: { kind: 'package', package: 'usual', version: '1', database: 'dpkg' },
      }),
    ),
    ...Array.from({ length: 8 }, (_, at) =>
      startupEntry('crontab', { path: `/etc/cron.d/${at}`, runs: `/opt/strange-${at}` }),
    ),
    startupEntry('sudoers', {
      path: '/etc/sudoers',
      runs: 'ada ALL=(ALL) ALL',
      expected: true,
      voucher: { kind: 'changed', package: 'sudo', version: '1.9', database: 'dpkg', configuration: true },
    }),
  ],
});

const printed = (...words: readonly string[]): Promise<string> => printedOf(scan, ...words);

async function printedOf(found: typeof scan, ...words: readonly string[]): Promise<string> {
  service.answer = ({ path }) => {
    const asked = Object.fromEntries(new URL(path, 'http://desk').searchParams) as Partial<StartupQuestion>;
    return { body: answerOf(found, { show: 'unvouched', ...asked }, []) };
  };
  return (await cli(['startup', ...words], service.env)).out;
}

const timesIn = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

test('counts of each kind, then only what is unusual or changed, and how to see the others', async () => {
  const text = await printed();
  assert.match(text, /^39 entries that no package vouches for$/m);
  assert.match(text, /^ {2}systemd-unit +30 +unit of the system$/m);
  assert.match(text, /^ {2}crontab +8 /m);
  assert.match(text, 'ada ALL=(ALL) ALL');
  assert.is(timesIn(text, /\/opt\/strange-\d/g), 5);
  assert.match(text, 'and 3 more: desk startup --place crontab');
  assert.not.match(text, 'usual-');
  assert.match(text, '30 more are usual');
  assert.match(text, 'For 1 more a package vouches: --all lists them.');
});

test('that nothing is worth a look is good news only where all could be read', async () => {
  const usual = { ...scan, entries: scan.entries.filter(({ link }) => link !== '') };
  const all = await printedOf(usual);
  assert.match(all, 'None of them is worth a look: all are usual.');
  for (const unread of [
    { packages: 'dpkg: EACCES' },
    { unread: [{ path: '/etc/cron.d', reason: 'EACCES', place: startupEntry('crontab').place }] },
  ])
    assert.match(
      await printedOf({ ...usual, ...unread }),
      'None of them is worth a look, but not everything could be read.',
    );
});

test('with a filter, with --all and as JSON each entry is listed', async () => {
  const ofPlace = await printed('--place', 'systemd-unit');
  assert.is(timesIn(ofPlace, /usual-\d+\.service$/gm), 30);
  assert.not.match(ofPlace, 'entries that no package');
  const all = await printed('--all');
  assert.is(timesIn(all, /usual-\d+\.service$/gm), 30);
  assert.is(timesIn(all, /\/opt\/strange-\d/g), 8);
  assert.match(all, '/usr/sbin/cron -f');
  assert.is(JSON.parse(await printed('--json')).entries.length, 39);
});

test.run();
