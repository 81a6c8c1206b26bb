/** The page about changes without a browser: what the server renders, its rows, and the state of each kind. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diffOf } from '../../src/features/diff/groups.ts';
import { noneOf, rowsOf, stateOf } from '../../src/pages/diff-page.tsx';
import { renderPage } from '../../src/pages/render.tsx';
import { diff } from '../../src/records/diff.ts';
import { page } from '../../src/records/page.ts';
import { diffRows, eventfulDay } from '../support/diff.ts';
import { expect } from '../support/expect.ts';
import { stateFrom } from '../support/state.ts';

const test = suite('diff page');
const record = (facts = eventfulDay()) => diff.assemble({ ts: '', ...facts });

test('without scripts it names record, command and where each kind is shown, and nothing can be pressed', () => {
  const markup = renderPage('diff', page.assemble(stateFrom()), '{}').replace(/\s+/g, ' ');
  assert.match(markup, '<a href="/diff"');
  assert.match(markup, '<code>desk diff</code>');
  for (const path of ['/#findings', '/startup.html#accounts', '/#listeners', '/#notes'])
    assert.match(markup, `<a href="${path}"`);
  assert.match(markup, 'not read');
  assert.not.match(markup, 'Nothing has changed');
  const controls = markup.match(/<(?:button|fieldset)[^>]*>/g) ?? [];
  assert.ok(controls.length >= 2);
  expect(controls.filter((control) => !control.includes('disabled'))).equals([]);
});

test('each change is a row, by kind', () => {
  expect(rowsOf(record()).map(({ group, change }) => `${group} ${change.event} ${change.name}`)).equals([
    'findings opened A deleted program runs',
    'findings passed A listener is new',
    'startup added /etc/cron.d/x',
    'accounts added eve',
    'listeners added tcp 0.0.0.0:80',
    'packages changed nginx',
    'certificates ends example.org',
    'blind off the desk, or the machine',
  ]);
});

test('a kind is only said to be without changes where all of it is known', () => {
  const states = (facts: ReturnType<typeof eventfulDay>) => {
    const { groups, since } = record(facts);
    return groups.map((group) => stateOf(group, since).tone);
  };
  assert.equal([...new Set(states(diffOf(diffRows())))], ['good']);
  const late = diffRows({ looks: new Map(), firstFindingMs: null, pauses: { firstMs: null, pauses: [] } });
  assert.equal(states(diffOf(late)).filter((tone) => tone === 'good').length, 1, 'certificates');
});

test('"Nothing has changed" is shown where nothing was counted either', () => {
  const noneFor = (parts: Parameters<typeof diffRows>[0]) => noneOf(record(diffOf(diffRows(parts))));
  assert.is(noneFor({}), 'Nothing has changed.');
  const counts = new Map([['listener', { shortLived: 2, leftOut: 0 }]]);
  assert.match(noneFor({ counts }), 'nothing to list');
  assert.match(
    noneFor({ counts: new Map(), troubles: new Map([['startup', 'EACCES']]) }),
    'not all is known',
  );
});

test.run();
