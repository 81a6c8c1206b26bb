/** In a container the desk reads the container's files: records, commands, tables of queries and the page say so, and nothing of them reads as good. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerFiles } from '../../../src/desk/container-files.ts';
import { answerOf as packagesOf } from '../../../src/features/packages/operations.ts';
import { accountsAnswer } from '../../../src/features/startup/accounts-answer.ts';
import { answerOf } from '../../../src/features/startup/answer.ts';
import { QUERY_TABLES } from '../../../src/features/startup/query-tables.ts';
import { packagesState } from '../../../src/pages/packages-state.tsx';
import { cli, FakeService } from '../../support/cli.ts';
import { FakeDesk } from '../../support/fake-desk.ts';
import { packageScan } from '../../support/packages.ts';
import { accountScan, startupScan } from '../../support/startup.ts';

const WHY = 'accounts are judged by the files of this container';
const service = new FakeService();
const test = suite('files of a container');
test.before(() => service.start());
test.after(() => service.stop());

/** What the three commands print for records without anything to report. */
async function printed(container: string): Promise<readonly string[]> {
  const intact = { altered: [], unread: [] };
  const records: Readonly<Record<string, unknown>> = {
    '/startup': answerOf(startupScan({ entries: [], container }), { show: 'unvouched' }, []),
    '/accounts': accountsAnswer(accountScan({ unread: [], container }), [], 'active'),
    '/packages': packagesOf(packageScan(intact), [], container),
  };
  service.answer = ({ path }) => ({ body: records[path.split('?')[0] ?? ''] });
  const ran = await Promise.all(['startup', 'accounts', 'packages'].map((name) => cli([name], service.env)));
  return ran.map(({ out }) => out);
}

test('commands say it, and do not report as good what they have not seen', async () => {
  const [startup = '', accounts = '', packages = ''] = await printed(WHY);
  for (const out of [startup, accounts, packages])
    assert.match(out.replace(/\s+/g, ' '), `! A${WHY.slice(1)}.`);
  assert.match(startup, 'Nothing was found, but not everything could be read.');
  assert.match(packages, 'No difference in the files that could be compared.');

  const [plainStartup = '', plainAccounts = '', plainPackages = ''] = await printed('');
  for (const out of [plainStartup, plainAccounts, plainPackages]) assert.not.match(out, 'container');
  assert.match(plainStartup, 'Nothing here that a package does not vouch for.');
  assert.match(plainPackages, 'No file differs from its package.');
});

test('files of packages are not good on the page', () => {
  const record = (container: string) => packagesOf(packageScan({ altered: [] }), [], container);
  assert.equal(packagesState(record('')), ['good', 'as packaged']);
  assert.equal(packagesState(record(WHY)), ['warn', 'of the container']);
});

test('a query over them has a gap', async () => {
  const desk = new FakeDesk();
  desk.sweep();
  const gapsOf = async () =>
    Promise.all(
      QUERY_TABLES.map(async ({ open }) => {
        const { gaps } = (await open(desk, { sinceMs: null, untilMs: null, atMs: null, ever: false }))();
        return JSON.stringify(gaps);
      }),
    );
  for (const text of await gapsOf()) assert.not.match(text, WHY);
  desk.startupScan = startupScan({ container: WHY });
  desk.accountScan = accountScan({ container: WHY });
  for (const text of await gapsOf()) assert.match(text, WHY);
});

test('files that are not known to be those of the machine count as not theirs', () => {
  const sight = (works: boolean | null) => [{ id: 'files', works, reason: works === true ? '' : WHY }];
  assert.is(containerFiles(null), '');
  assert.is(containerFiles({ sights: [] }), '');
  assert.is(containerFiles({ sights: sight(true) }), '');
  assert.is(containerFiles({ sights: sight(false) }), WHY);
  assert.is(containerFiles({ sights: sight(null) }), WHY);
});

test.run();
