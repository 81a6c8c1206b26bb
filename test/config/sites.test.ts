/** `[[sites]]` and `[status_page]`: their forms, and each error at its key and line. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkConfig } from '../../src/config/load.ts';

const test = suite('configured sites');

const check = (toml: string) => checkConfig(new TextEncoder().encode(toml));

function sitesOf(toml: string) {
  const result = check(toml);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

const problemsOf = (toml: string): readonly string[] => {
  const result = check(toml);
  return result.ok ? [] : result.problems.map(({ line, key, message }) => `${line}: ${key} ${message}`);
};

const SITE = '[[sites]]\nname = "shop"\nurl = "https://shop.example/"\n';

test('an old file with one [site] is read as before, alone and beside [[sites]]', () => {
  const old = '[site]\npublic_url = "https://example.org/"\nnames = ["example.org"]\n';
  const alone = sitesOf(old);
  assert.equal(alone.sites, []);
  assert.is(alone.status_page.enabled, false);
  const both = sitesOf(`${old}${SITE}`);
  assert.equal(both.site, alone.site);
  assert.equal(both.sites, [
    {
      name: 'shop',
      url: 'https://shop.example/',
      expect_status: [{ from: 200, to: 399 }],
      expect_text: '',
      certificate_days: 14,
      every_sec: 60,
    },
  ]);
});

test('expected statuses are a number, a range, or a list of these', () => {
  for (const [text, ranges] of [
    ['204', [[204, 204]]],
    ['"200-299"', [[200, 299]]],
    [
      '[200, "301-302"]',
      [
        [200, 200],
        [301, 302],
      ],
    ],
  ] as const)
    assert.equal(
      sitesOf(`${SITE}expect_status = ${text}\n`).sites[0]?.expect_status.map(({ from, to }) => [from, to]),
      ranges,
    );
  for (const text of ['"200"', '"299-200"', '"200-2990"', 'true', '[200, "x"]', '2.5'])
    assert.match(
      problemsOf(`${SITE}expect_status = ${text}\n`)[0] ?? '',
      /^4: sites\[0\]\.expect_status found .*, expected a status such as 200, a range such as "200-399", or a list of these$/,
    );
});

test('each error names its key and line', () => {
  for (const [toml, problem] of [
    [`${SITE}every_sec = 9\n`, '4: sites[0].every_sec found 9, expected at least 10'],
    [`${SITE}evry_sec = 60\n`, '4: sites[0].evry_sec is an unknown key; did you mean "every_sec"?'],
    [
      '[[sites]]\nname = "a"\nurl = "ftp://a.example/"\n',
      '3: sites[0].url found "ftp://a.example/", expected a web address (http or https)',
    ],
    [`${SITE}expect_status = 99\n`, '4: sites[0].expect_status found 99, expected at least 100'],
    [
      `${SITE}expect_status = []\n`,
      '4: sites[0].expect_status found a list of 0, expected at least 1 entries',
    ],
    ['[[sites]]\nurl = "https://a.example/"\n', '1: sites[0].name found nothing, expected text in quotes'],
    [`${SITE}${SITE}`, '5: sites[1].name found "shop", which is the name of two sites'],
    [
      `[site]\npublic_url = "https://shop.example/"\n[[sites]]\nname = "shop.example"\nurl = "https://a.example/"\n`,
      '4: sites[0].name found "shop.example", the name of the site of site.public_url',
    ],
    [
      '[[site]]\nname = "shop"\n',
      '1: site found a list of 1, expected one table [site], the public site; write further ones as [[sites]]',
    ],
    [
      `${SITE}[status_page]\nenabled = true\n`,
      '5: status_page.enabled found true, expected status_page.sites too: only sites that are named there are shown to everyone',
    ],
    [
      `${SITE}[status_page]\nsites = ["shop", "ship"]\n`,
      '5: status_page.sites[1] found "ship", expected one of "shop"',
    ],
    [
      `${SITE}[status_page]\nsites = ["shop", "shop"]\n`,
      '5: status_page.sites[1] found "shop", which is listed twice',
    ],
    [
      '[status_page]\nsites = ["x"]\n',
      '2: status_page.sites[0] found "x", expected a name of [[sites]], of which there are none',
    ],
  ] as const)
    assert.equal(problemsOf(toml), [problem]);
});

test('an address with a password is refused, and not repeated', () => {
  const [problem = ''] = problemsOf('[[sites]]\nname = "a"\nurl = "https://user:word@a.example/"\n');
  assert.match(problem, /^3: sites\[0\]\.url found an address with a user name or password/);
  assert.not.match(problem, 'word@');
});

test('the status page may show the public site by its host name', () => {
  const { status_page } = sitesOf(
    `[site]\npublic_url = "https://example.org/"\n${SITE}[status_page]\nenabled = true\nsites = ["shop", "example.org"]\n`,
  );
  assert.equal(status_page, { enabled: true, title: 'Status', sites: ['shop', 'example.org'] });
});

test.run();
