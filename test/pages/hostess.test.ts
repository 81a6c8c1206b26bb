/** The hostess page: what the radar and the pipeline draw, and what the dialogs show before an action. */
import { type ComponentChild, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { acceptanceFor } from '../../src/features/law/accept.ts';
import { endOf, Scope } from '../../src/pages/accept-dialog.tsx';
import { CookPlan, LearnPlan, Outcome } from '../../src/pages/act-dialogs.tsx';
import { DeskContext, type DeskView } from '../../src/pages/desk-context.ts';
import { HostessPage } from '../../src/pages/hostess-page.tsx';
import { RunTable, wayOf } from '../../src/pages/pipeline.tsx';
import { place, Radar } from '../../src/pages/radar.tsx';
import type { BaselineDiff } from '../../src/records/baseline-diff.ts';
import { page as pageRecord } from '../../src/records/page.ts';
import type { Cook } from '../../src/records/scar.ts';
import { HOSTILE, INJECTED } from '../support/hostile-words.ts';
import { sceneOf } from '../support/scenes.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';

const step = (name: 'cook' | 'scar-check' | 'gate' | 'cook-off' | 'scar-recheck', ok = true) => ({
  step: name,
  ok,
  ms: 1,
  detail: `detail of ${name}`,
});

const pageOf = (parts: StateParts) => pageRecord.assemble(stateFrom(parts));

function drawn(parts: StateParts, actions: Partial<NonNullable<DeskView['actions']>> | null = null): string {
  const value = {
    page: pageOf(parts),
    live: null,
    link: actions === null ? 'rendered' : 'live',
    trouble: '',
    actions:
      actions === null
        ? null
        : {
            signedIn: false,
            refusal: '',
            get: async () => ({}),
            post: async () => ({}),
            refresh: async () => undefined,
            ...actions,
          },
  } as DeskView;
  return renderToString(h(DeskContext.Provider, { value, children: h(HostessPage, {}) }));
}

const markup = (node: ComponentChild): string => renderToString(h('div', null, node));
/** Elements by their action: true = disabled. */
const buttons = (html: string): Record<string, boolean> =>
  Object.fromEntries(
    [...html.matchAll(/<button[^>]*data-act="([^"]+)"[^>]*>/g)].map(([tag, name]) => [
      name,
      tag.includes(' disabled'),
    ]),
  );

test('radar: an axis without points is drawn as not set and not part of the polygon', () => {
  const { axes } = pageOf({});
  const absent = axes.filter(({ points }) => points === null);
  assert.ok(absent.length > 0);
  const html = markup(h(Radar, { axes, grade: 'B', score: 80.5 }));
  assert.is(html.match(/class="axis [^"]*absent"/g)?.length, absent.length);
  const reached = html.match(/<polygon class="reached" points="([^"]*)"/)?.[1]?.split(' ');
  assert.is(reached?.length, axes.length - absent.length);
  for (const { formula } of axes)
    assert.ok(
      html.split(markup(formula).slice(5, -6)).length >= 3,
      `${formula}: name of the axis, and on hover`,
    );
  assert.not.match(html, / style=/);
});

test('radar: the first axis points up, and coordinates are the same on server and client', () => {
  const [x, y] = place(0, 8, 100);
  assert.equal([x, place(0, 8, 0)[1] - y], [240, 100]);
  for (let at = 0; at < 8; at++)
    for (const value of place(at, 8, 33)) assert.match(String(value), /^\d+(\.\d)?$/);
});

test('pipeline: the clean path ends at the gate, the dirty one continues, and before the first run everything is idle', () => {
  const gate = (lastRun: StateParts['gate']) => pageOf({ gate: lastRun ?? {} }).gate;
  const clean = [step('cook'), step('scar-check'), step('gate')];
  const dirty = [step('cook'), step('scar-check', false), step('gate', false)];
  const at = '2026-01-02T03:04:05.000+00:00';
  assert.is(wayOf(gate({})), 'none');
  assert.is(wayOf(gate({ lastRun: { at, steps: clean } })), 'clean');
  assert.is(wayOf(gate({ lastRun: { at, steps: dirty } })), 'dirty');

  const states = (steps: typeof clean | null) => {
    const html = drawn({ gate: { lastRun: steps === null ? null : { at, steps } } });
    return [...html.matchAll(/class="step [^"]*?(idle|well|ill)" data-step="([^"]+)"/g)]
      .map(([, state, name]) => `${name} ${state}`)
      .join(', ');
  };
  assert.is(
    states(clean),
    'cook well, scar-check well, gate well, cook-off idle, scar-recheck idle, held well',
  );
  assert.is(
    states(dirty),
    'cook well, scar-check ill, gate ill, cook-off idle, scar-recheck idle, held idle',
  );
  assert.is(
    states([...dirty, step('cook-off'), step('scar-recheck')]),
    'cook well, scar-check ill, gate ill, cook-off well, scar-recheck well, held well',
  );
  assert.is(
    states(null),
    'cook idle, scar-check idle, gate idle, cook-off idle, scar-recheck idle, held idle',
  );
});

test('buttons are rendered disabled on the server; viewing needs no token, actions do', () => {
  const findings = [findingFrom()];
  const server = buttons(drawn({ findings }));
  assert.equal(Object.keys(server).sort(), 'accept accepted close cook dry-run learn scar-check'.split(' '));
  assert.ok(Object.values(server).every((off) => off));
  const looking = drawn({ findings }, {});
  assert.equal(
    Object.entries(buttons(looking)).flatMap(([name, off]) => (off ? [] : [name])),
    ['scar-check', 'dry-run'],
  );
  assert.match(looking, 'Run <code>desk open</code> to act from here');
  assert.ok(Object.values(buttons(drawn({ findings }, { signedIn: true }))).every((off) => !off));
  assert.match(drawn({}, { refusal: 'The code was used before.' }), 'The code was used before.');
});

test('avenues: each shows its checks, and findings with their possible actions', () => {
  const html = drawn({ findings: [findingFrom()] });
  const { checks } = pageOf({ findings: [findingFrom()] });
  assert.is(html.match(/data-check="/g)?.length, checks.length);
  assert.match(html, /class="bad" data-check="traced"/);
  assert.match(html, 'data-finding="00112233aabbccdd"');
  assert.is(html.match(/data-avenue="/g)?.length, 6);
});

const cookOf = (remedies: Cook['remedies'], gate: 'pass' | 'fail' = 'fail'): Cook => ({
  ts: '',
  word: 'H7_COOK',
  steps: [],
  remedies,
  scar_count: remedies.length,
  gate,
  god: 1,
});

test('cook: what will be done and what remains are listed separately, per finding', () => {
  const remedy = {
    finding: 'a',
    remedy: 'shut it down',
    result: 'would send SIGTERM to pid 1',
    summary: 'first',
  };
  const html = markup(
    h(CookPlan, {
      cook: cookOf([
        { ...remedy, left: false, done: true },
        { ...remedy, finding: 'b', summary: 'second', left: true, done: false },
      ]),
    }),
  );
  const [done = '', left = ''] = html.split('This is left to you');
  assert.match(done, 'first');
  assert.not.match(done, 'second');
  assert.match(left, 'second');
  assert.match(
    markup(h(CookPlan, { cook: cookOf([{ ...remedy, left: true, done: false }]) })),
    'The desk itself does nothing',
  );
  assert.match(markup(h(CookPlan, { cook: cookOf([], 'pass') })), 'only scan again');
});

const diffOf = (learn: BaselineDiff['learn'], gone: BaselineDiff['gone'] = []): BaselineDiff => ({
  ts: '',
  word: 'H7_BASELINE',
  a: { generation: 3 },
  b: { generation: 9 },
  added: [],
  gone,
  changed: [],
  learn,
});

test('learn: a refusal replaces the list; programs that do not run now remain known', () => {
  const refused = markup(
    h(LearnPlan, { diff: diffOf({ adds: [], refusal: 'The gate does not pass.' }), windowOpen: false }),
  );
  assert.match(refused, 'The gate does not pass.');
  assert.not.match(refused, 'followed by a new one');
  const row = { kind: 'identity', text: '/usr/bin/new' } as const;
  const shown = markup(
    h(LearnPlan, {
      diff: diffOf({ adds: [row], refusal: '' }, [{ ...row, text: '/old' }]),
      windowOpen: true,
    }),
  );
  assert.match(shown, '/usr/bin/new');
  assert.match(shown, 'No entry is removed');
  assert.match(shown, 'Known, and not seen now: 1');
  assert.match(shown, 'learning window ends');
});

test('accept: what it covers is listed, a banned listener is only kept from shutdown, and some checks cannot be accepted', () => {
  const scope = (finding: Parameters<typeof findingFrom>[0]) =>
    markup(
      h(Scope, {
        accept: {
          ...acceptanceFor(findingFrom(finding)),
          covers: [...acceptanceFor(findingFrom(finding)).covers],
        },
      }),
    );
  assert.match(scope({}), '/usr/sbin/sshd');
  assert.match(scope({ check: 'banned-listener' }), 'only not shut down');
  assert.match(scope({ check: 'baseline-tampered' }), 'cannot be accepted');
  assert.is(endOf(''), undefined);
  assert.is(endOf('nonsense'), undefined);
  assert.match(endOf('2027-01-31T08:00') ?? '', /^2027-01-3\dT\d\d:\d\d:00\.000Z$/);
});

test('hostile names in page and dialogs are text without invisible characters', () => {
  for (const hostile of Object.values(HOSTILE)) {
    const remedies = [
      { finding: hostile, remedy: hostile, result: hostile, left: false, done: true, summary: hostile },
    ];
    const rows = [{ kind: 'identity', text: hostile } as const];
    const run = {
      at: '2026-01-02T03:04:05.000+00:00',
      mode: 'cook',
      gate: 'fail',
      scar_count: 1,
      god: 1,
    } as const;
    const html = [
      markup(h(CookPlan, { cook: cookOf(remedies) })),
      markup(h(Outcome, { cook: cookOf(remedies) })),
      markup(h(LearnPlan, { diff: diffOf({ adds: rows, refusal: '' }, rows), windowOpen: false })),
      markup(h(LearnPlan, { diff: diffOf({ adds: [], refusal: hostile }), windowOpen: false })),
      markup(
        h(Scope, { accept: { effect: 'explained', id: '', covers: [{ key: hostile, value: hostile }] } }),
      ),
      markup(h(RunTable, { runs: [{ ...run, steps: [{ ...step('gate'), detail: hostile }] }] })),
      drawn({
        findings: [findingFrom({ summary: hostile, remedy: hostile, evidence: { [hostile]: hostile } })],
      }),
    ].join('');
    assert.not.match(html, /<(?:script|img)/);
    // Attribute by attribute: none comes from a name.
    assert.not.match(html, new RegExp(`<\\w+(?:\\s[\\w-]+(?:="[^"]*")?)*\\s(?:on\\w+=|class="?${INJECTED})`));
    assert.not.match(html, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
  assert.not.match(drawn(sceneOf('hostile').parts), /<script|<img/);
});

test.run();
