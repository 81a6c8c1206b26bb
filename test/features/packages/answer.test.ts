/** What of a comparison an answer has. */
import { suite } from 'uvu';
import { answerOf } from '../../../src/features/packages/operations.ts';
import { expect } from '../../support/expect.ts';
import { alteredFile, packageScan } from '../../support/packages.ts';
import { findingFrom } from '../../support/state.ts';

const test = suite('packages answer');

test('a file has the ids of open findings about it, or about the folder with more files of its package', () => {
  const scan = packageScan({
    altered: [
      alteredFile(),
      ...['a', 'b', 'c', 'd'].map((name) =>
        alteredFile({ path: `/opt/tool/lib/${name}.js`, package: 'tool', program: false }),
      ),
      alteredFile({ path: '/opt/tool/lib/other', package: 'other' }),
    ],
  });
  const about = (id: string, path: string, name: string, check = 'packaged-file') =>
    findingFrom({ id, check, subject: { kind: 'file', path }, evidence: { package: name } });
  const findings = [
    about('1111111111111111', '/usr/bin/made', 'made'),
    about('2222222222222222', '/opt/tool', 'tool'),
    about('3333333333333333', '/opt/tool/lib/a.js', 'tool', 'odd-executable-path'),
  ];
  const { altered, groups } = answerOf(scan, findings, '');
  expect(Object.fromEntries(altered.map(({ path, findings }) => [path, findings]))).equals({
    '/usr/bin/made': ['1111111111111111'],
    '/opt/tool/lib/a.js': ['2222222222222222'],
    '/opt/tool/lib/b.js': ['2222222222222222'],
    '/opt/tool/lib/c.js': ['2222222222222222'],
    '/opt/tool/lib/d.js': ['2222222222222222'],
    '/opt/tool/lib/other': [],
  });
  // A script is more severe than a text, and many files of a package hide no other one.
  expect(groups.map(({ path, count, example, findings }) => [path, count, example, findings])).equals([
    ['/usr/bin/made', 1, '/usr/bin/made', ['1111111111111111']],
    ['/opt/tool/lib', 4, '/opt/tool/lib/a.js', ['2222222222222222']],
    ['/opt/tool/lib/other', 1, '/opt/tool/lib/other', []],
  ]);
});

test.run();
