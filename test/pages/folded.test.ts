/** What pages group and fold: findings of one check, what is not configured, alerts, and the words that a button explains. */
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageName } from '../../src/desk/context.ts';
import { renderPage } from '../../src/pages/render.tsx';
import { visible } from '../../src/pages/visible.ts';
import type { AlertTarget } from '../../src/records/alerts.ts';
import { type Page, page as pageRecord } from '../../src/records/page.ts';
import { SET_UP } from '../../src/records/setup.ts';
import { HOSTILE } from '../support/hostile-words.ts';
import { sceneOf } from '../support/scenes.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';

const drawn = (name: PageName, page: Page): string => {
  const markup = renderPage(name, page, '{}');
  return markup.slice(markup.indexOf('<body>'));
};
const written = (text: string): string => renderToString(h('p', null, visible(text))).slice(3, -4);
const times = (markup: string, part: string): number => markup.split(part).length - 1;

const manyOf = (count: number, check: string, severity: 'critical' | 'high' | 'low', from = 0) =>
  Array.from({ length: count }, (_, at) =>
    findingFrom({
      id: (from + at).toString(16).padStart(16, '0'),
      check,
      severity,
      summary: `${check} ${at}`,
    }),
  );

test('many findings of one check are one group that opens; a few are shown one by one', () => {
  const markup = drawn(
    'office',
    pageRecord.assemble(
      stateFrom({
        findings: [...manyOf(3, 'traced', 'high'), ...manyOf(46, 'unlearned-process', 'low', 100)],
      }),
    ),
  );
  assert.is(times(markup, 'data-finding="'), 49);
  assert.is(times(markup, '<details class="finding-group'), 1);
  const group = markup.slice(markup.indexOf('<details class="finding-group'));
  assert.match(group, /^<details class="finding-group calm-edge"><summary>/);
  assert.match(group, '46 findings');
  assert.match(group, 'A running program is not in the baseline.');
  assert.is(times(markup.slice(0, markup.indexOf('<details class="finding-group')), 'data-finding="'), 3);
});

test('checks of which no finding is among the most severe are named with their number', () => {
  const page = pageRecord.assemble(
    stateFrom({ findings: [...manyOf(60, 'traced', 'high'), ...manyOf(7, 'unlearned-process', 'low', 100)] }),
  );
  assert.equal(
    page.finding_groups.map(({ severity, check, count }) => `${severity} ${check} ${count}`),
    ['high traced 60', 'low unlearned-process 7'],
  );
  const markup = drawn('office', page);
  assert.match(markup, '60 findings');
  assert.match(markup, '10 more of this check are in');
  assert.match(markup, '<a href="/detection?severity=low">7 findings</a> of <code>unlearned-process</code>');
});

test('what is not configured is one closed list, and no empty section', () => {
  const bare = drawn('office', pageRecord.assemble(stateFrom()));
  assert.match(bare, '<details class="card not-set-up"><summary>');
  for (const { title, gives, setting } of Object.values(SET_UP)) {
    assert.ok(bare.includes(written(title)) && bare.includes(written(gives)), title);
    assert.ok(bare.includes(`<code>${setting}</code>`), setting);
  }
  for (const id of ['mail', 'site', 'alerts']) assert.not.match(bare, ` id="${id}"`);
  const config = {
    alerts: { to: [{ name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/x' }] },
    heartbeat: [{ name: 'beat', url: 'https://beat.example/' }],
    mail: { sources: ['imap'] },
    site: { public_url: 'https://desk.example/' },
    sites: [{ name: 'shop', url: 'https://shop.example/' }],
    status_page: { enabled: true },
    listen: { remote: { enabled: true }, themed: { enabled: true } },
    assistant: { base_url: 'http://127.0.0.1:1/', model: 'm' },
  };
  const all = drawn('office', pageRecord.assemble(stateFrom({ config, mail: { configured: true } })));
  assert.not.match(all, 'not-set-up');
  for (const id of ['mail', 'site', 'alerts']) assert.match(all, ` id="${id}"`);
  // What does not work is not folded away.
  const silent = stateFrom({ site: { status: 0, probedMs: 1, reason: 'NO ANSWER' } });
  assert.match(drawn('office', pageRecord.assemble(silent)), 'NO ANSWER');
});

test('alerts show what failed, what waits and quiet time; a target that fails is never good', () => {
  const target: AlertTarget = {
    ...{ name: 'phone', kind: 'ntfy' as const, least: 'high' as const, sent: null, waiting: '' },
    ...{ tries: 0, reason: '', reported: 0, pending: 0 },
  };
  const config = { alerts: { to: [{ name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/x' }] } };
  const alerts = (parts: StateParts['alerts']): string => {
    const markup = drawn(
      'office',
      pageRecord.assemble(stateFrom({ config, ...(parts && { alerts: parts }) })),
    );
    const from = markup.indexOf('id="alerts"');
    return markup.slice(from, markup.indexOf('</section>', from));
  };
  assert.match(alerts({}), 'not started');
  assert.match(alerts({ targets: [target] }), '1 target');
  const failing = alerts({
    targets: [{ ...target, waiting: 'a shell', tries: 2, reason: HOSTILE.markup, pending: 4 }],
    quiet: { since: '', until: '2026-11-22T11:00:00.000Z', why: HOSTILE.script },
  });
  assert.match(failing, '1 not delivered');
  assert.match(failing, 'failed 2 times');
  assert.match(failing, 'a shell');
  assert.match(failing, '4 new and not sent yet');
  assert.match(failing, '2026-11-22 11:00:00');
  assert.ok(failing.includes(written(HOSTILE.markup)) && failing.includes(written(HOSTILE.script)));
  assert.not.match(failing, 'state good');
  const heartbeat = { name: 'beat', everySec: 60, sent: null, reason: 'it answers 500' };
  assert.match(alerts({ targets: [target], heartbeats: [heartbeat] }), '1 not delivered');
});

test('every explained word has its text once, and a button that names it', () => {
  for (const name of ['office', 'hostess', 'startup', 'links', 'themed'] as const) {
    const markup = drawn(name, pageRecord.assemble(stateFrom(sceneOf('degraded').parts)));
    const buttons = [...markup.matchAll(/popovertarget="([^"]+)" aria-label="What is meant by “[^"]+”"/g)];
    assert.ok(buttons.length > 0, name);
    for (const [, id] of buttons) assert.is(times(markup, `id="${id}" class="term-text" popover="auto"`), 1);
  }
});

test.run();
