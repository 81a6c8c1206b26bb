/** The office, the themed page, the links page and the flyout as the server renders them, for all scenes. */
import * as fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { z } from 'zod';
import type { PageName } from '../../src/desk/context.ts';
import { OPERATIONS } from '../../src/features/table.ts';
import { DeskContext } from '../../src/pages/desk-context.ts';
import { PLACES, placeOf, valueText } from '../../src/pages/grounds.ts';
import { countsOf } from '../../src/pages/links-page.tsx';
import { clipped } from '../../src/pages/long.tsx';
import { renderPage } from '../../src/pages/render.tsx';
import { Talked } from '../../src/pages/talked.tsx';
import { halves, improvementsOf } from '../../src/pages/verdict.tsx';
import { visible } from '../../src/pages/visible.ts';
import { subjectText } from '../../src/records/finding-words.ts';
import { type Page, page as pageRecord } from '../../src/records/page.ts';
import type { ListenerRole } from '../../src/records/state.ts';
import { forAll } from '../support/for-all.ts';
import { HOSTILE, INJECTED } from '../support/hostile-words.ts';
import { SCENES, type SceneName, sceneOf } from '../support/scenes.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';
import { diskFacts, vitalsRead } from '../support/vitals.ts';

const recordOf = (scene: SceneName): Page => pageRecord.assemble(stateFrom(sceneOf(scene).parts));
const drawn = (name: PageName, page: Page): string => {
  const markup = renderPage(name, page, '{}');
  return markup.slice(markup.indexOf('<body>'));
};
const written = (text: string): string => renderToString(h('p', null, visible(text))).slice(3, -4);
const idsOf = (markup: string): string[] => [...markup.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id);
const hrefsOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);
const times = (markup: string, part: string): number => markup.split(part).length - 1;

test('the office has the state of the machine in one row: what is not known is never good', () => {
  const machine = (vitals: StateParts['vitals']): string => {
    const markup = drawn('office', pageRecord.assemble(stateFrom({ vitals })));
    const from = markup.indexOf('id="machine"');
    return markup.slice(from, markup.indexOf('</section>', from));
  };
  const well = machine(vitalsRead());
  assert.match(well, 'within limits');
  assert.match(well, '0.50 0.25 0.13');
  assert.match(well, '/ 60 % free');
  assert.is(times(well, 'data-known="no"'), 0);
  const full = machine(vitalsRead({ disks: [diskFacts({ availablePercent: 1, availableBytes: 5 })] }));
  assert.match(full, '1 beyond a limit');
  assert.match(full, '/ has 1 % of its space left');
  const missing = [{ what: 'memory', reason: 'EACCES', kind: 'unread' }] as const;
  const unread = machine(vitalsRead({ memory: null, missing }));
  assert.match(unread, 'not all known');
  assert.match(unread, 'Not known: memory: EACCES');
  assert.is(times(unread, 'data-known="no"'), 1);
  assert.not.match(unread, 'within limits');
  const none = machine(null);
  assert.match(none, 'not read yet');
  assert.not.match(none, 'within limits');
});

for (const scene of SCENES)
  test(`the office shows verdict, grade, every reason, port, avenue and finding: ${scene}`, () => {
    const page = recordOf(scene);
    const { status } = page;
    const markup = drawn('office', page);
    assert.match(markup, new RegExp(`<h1 id="verdict">The desk is ${status.ok ? '' : 'not '}well</h1>`));
    assert.is(times(markup, `data-grade="${status.grade}"`), 1);
    assert.is(times(markup, 'class="issue-what"'), status.issues.length);
    for (const issue of status.issues)
      for (const half of halves(issue)) assert.ok(markup.includes(written(clipped(half))), half);
    // Port 8766 is listed below the desk ports.
    assert.is(times(markup, 'data-port="'), page.ports.length + 1);
    assert.is(times(markup, 'data-avenue="'), 6);
    assert.is(times(markup, 'data-finding="'), page.findings.length);
    for (const { summary, evidence } of page.findings) {
      assert.ok(markup.includes(written(clipped(summary))), summary);
      for (const value of Object.values(evidence))
        assert.ok(markup.includes(written(String(value))), String(value));
    }
    for (const step of improvementsOf(status.hostess_charge.improvements))
      assert.ok(markup.includes(written(clipped(step))), step);
    for (const { reason } of page.notes) assert.ok(markup.includes(written(clipped(reason))), reason);
  });

test('names of processes, sites and people never become elements', () => {
  const page = recordOf('hostile');
  for (const name of ['office', 'themed', 'links'] as const) {
    const markup = drawn(name, page);
    assert.not.match(markup, new RegExp(`class="${INJECTED}|<img`));
    assert.not.match(markup, /href="javascript:/);
    assert.not.match(markup, / style=/);
    assert.equal(idsOf(markup), [...new Set(idsOf(markup))], 'an id is used twice');
  }
});

test('a port of [banned] is listed with the ports, and one that is up is shown even in a shortened list', () => {
  const portsOf = (listeners: readonly number[], namespace?: number) => {
    const found = findingFrom({
      check: 'banned-listener',
      subject: {
        kind: 'listener',
        protocol: 'tcp',
        address: '0.0.0.0',
        port: 5_555,
        inode: 9,
        namespace: namespace ?? 0,
      },
    });
    const page = pageRecord.assemble(
      stateFrom({
        config: { banned: { also: [4_444, 5_555, 8_766] } },
        snapshot: { listeners: listeners.map((port) => ({ port })) },
        findings: namespace === undefined ? [] : [found],
      }),
    );
    const tile = drawn('office', page).split('id="ports"')[1]?.split('</section>')[0] ?? '';
    return [
      tile
        .split('</ul>')[0]
        ?.replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ') ?? '',
      page.banned.also,
    ] as const;
  };
  const [quiet, none] = portsOf([]);
  assert.match(quiet, /\d of \d up .*down 8766 must stay down down \+2 must stay down/);
  assert.equal(none, [
    { port: 4_444, state: 'inactive' },
    { port: 5_555, state: 'inactive' },
  ]);
  const [one, up] = portsOf([4_444]);
  assert.match(
    one,
    /Ports 4444 is up .*down 8766 must stay down up 4444 must stay down down \+1 must stay down/,
  );
  assert.is(up[0]?.state, 'active');
  assert.match(portsOf([4_444, 8_766])[0], /Ports 2 banned up .*up 8766 must stay down up 4444/);
  assert.match(portsOf([], 77)[0], /Ports 5555 is up .*up 5555 must stay down in another network namespace/);
});

test('the themed page links only to what its listener has', () => {
  const roles = (path: string) => OPERATIONS.find((one) => one.path === path)?.roles as readonly string[];
  for (const scene of SCENES)
    for (const href of hrefsOf(drawn('themed', recordOf(scene))))
      assert.ok(href === '/' || /^(#|https?:|mailto:)/.test(href) || roles(href)?.includes('themed'), href);
});

test('the office links only to paths of its listener and to existing ids', () => {
  const page = recordOf('degraded');
  const served = (path: string): boolean =>
    OPERATIONS.some(
      (one) =>
        (one.roles as readonly ListenerRole[]).includes('office') &&
        new RegExp(`^${one.path.replace(/\{[^}]*\}/g, '[^/]+')}$`).test(path),
    );
  const ids = idsOf(drawn('office', page));
  const wrong = [...hrefsOf(drawn('office', page)), ...PLACES.map(([, place]) => place)]
    .filter((href) => !/^https?:/.test(href))
    .filter((href) => {
      const [path = '', id] = href.split('#');
      if (path !== '' && !served(path)) return true;
      return id !== undefined && (path === '' || path === '/') && !ids.includes(id);
    });
  assert.equal(wrong, []);
});

test('the path of a value links to where it is shown', () => {
  assert.is(placeOf('status.ok'), '/#verdict');
  assert.is(placeOf('status.ports_up'), '/#ports');
  assert.is(placeOf('status.hostess_charge.antivirus.avenues[3].open'), '/#avenues');
  assert.is(placeOf('status.hostess_charge.antivirus.spv_pids'), '/#wrap');
  assert.is(placeOf('status.law'), '/status');
  assert.is(placeOf('status'), '/status');
  assert.is(placeOf('detection.findings[0].summary'), '/#findings');
  assert.is(placeOf('findings.00112233aabbccdd.remedy'), '/findings/00112233aabbccdd');
  assert.is(placeOf('charge.antivirus.avenues[3].open'), '/#avenues');
  assert.is(placeOf('charge.spv_pids'), '/h7/charge');
  assert.is(placeOf('av.spv_pids'), '/#wrap');
  assert.is(placeOf('avenues'), null);
  assert.is(placeOf('processes[pid=1].comm'), '/#processes');
  assert.is(placeOf('statusbar'), null);
  assert.is(placeOf('javascript:alert(1)'), null);
  forAll(fc.string(), (path) => {
    const place = placeOf(path);
    assert.ok(place === null || /^\/[a-z0-9./#]*$/.test(place));
  });
});

test('values are shortened to a few characters', () => {
  assert.is(valueText('gold'), 'gold');
  assert.is(valueText(''), '""');
  assert.is(valueText(false), 'false');
  assert.is(valueText(null), 'null');
  assert.is(valueText({ up: [80] }), '{"up":[80]}');
  fc.assert(fc.property(fc.anything(), (value) => [...valueText(JSON.stringify(value))].length <= 161));
});

test('a reason and its remedy together are the original sentence', () => {
  assert.equal(halves('Port 80 (a; b) is down; start it.'), ['Port 80 (a; b) is down;', 'start it.']);
  assert.equal(halves('Something.'), ['Something.', '']);
  forAll(fc.string(), fc.string(), (what, remedy) => {
    const sentence = `${what}; ${remedy}`;
    assert.is(halves(sentence).join(' '), sentence);
  });
});

test('long texts keep their start and end', () => {
  assert.is(clipped('short'), 'short');
  forAll(fc.string({ unit: 'grapheme', maxLength: 900 }), (text) => {
    const [signs, shown] = [[...text], [...clipped(text)]];
    assert.ok(shown.length <= 243);
    assert.equal(shown.slice(0, 100), signs.slice(0, 100));
    assert.equal(shown.slice(-60), signs.slice(-60));
  });
});

test('the subject of a finding is described as text', () => {
  assert.is(
    subjectText({ kind: 'listener', protocol: 'tcp', address: '0.0.0.0', port: 8766, inode: 1 }),
    'tcp listener 0.0.0.0 port 8766',
  );
  assert.is(subjectText({ kind: 'desk' }), 'the desk itself');
});

test('the links page names every link with its state, and how to set what is not', () => {
  for (const scene of SCENES) {
    const page = recordOf(scene);
    const markup = drawn('links', page);
    const { nav, whole_stick } = page.status;
    assert.is(page.links.length, Object.keys(nav).length + Object.keys(whole_stick).length);
    for (const { group, name, state, target, detail } of page.links) {
      assert.match(markup, `data-link="${group}.${name}" data-state="${state}"`);
      assert.ok(markup.includes(written(state === 'unset' ? detail : target)), `${group}.${name}`);
    }
    for (const command of Object.values(page.status.cli)) assert.match(markup, `<code>${command}</code>`);
  }
  const link = { group: 'nav', name: 'x', target: '', detail: '' } as const;
  assert.is(
    countsOf([
      { ...link, state: 'answers' },
      { ...link, state: 'silent' },
      { ...link, state: 'silent' },
      { ...link, state: 'unset' },
    ]),
    '1 answers, 2 do not answer, 1 not configured',
  );
});

test('an answer of the hostess is text, with its evidence as links and commands to copy', () => {
  const page = recordOf('hostile');
  const view = { page, live: null, link: 'rendered', trouble: '', actions: null } as const;
  const exchange = {
    question: HOSTILE.markup,
    refusal: '',
    answer: {
      ts: page.ts,
      word: 'H7_CONSULT',
      she: 'Hostess 7',
      message: HOSTILE.markup,
      answer: HOSTILE.script,
      grounds: [
        { path: 'status.ok', value: HOSTILE.attribute },
        { path: HOSTILE.address, value: 1 },
      ],
      suggestions: [HOSTILE.terminal],
      ok: false,
      assistant: {
        role: 'teammate',
        model: HOSTILE.rtl,
        queries: [
          { number: 1, query: HOSTILE.address, answer: HOSTILE.script, rows: 1, error: '' },
          { number: 2, query: HOSTILE.markup, answer: '', rows: 0, error: HOSTILE.attribute },
        ],
        answer: HOSTILE.markup,
        parts: [
          { text: HOSTILE.markup, path: null },
          { text: HOSTILE.script, path: HOSTILE.attribute },
        ],
        ms: 3,
        flags: [{ text: '99', reason: HOSTILE.attribute }],
        truncated: false,
      },
      assistant_note: '',
    },
  } as const;
  const markup = renderToString(
    h(DeskContext.Provider, { value: view }, h(Talked, { exchange: exchange as never })),
  );
  assert.not.match(markup, new RegExp(`class="${INJECTED}|<img`));
  assert.equal(hrefsOf(markup), ['/#verdict']);
  assert.ok(markup.includes(`<code>${written(HOSTILE.terminal)}</code>`));
  for (const text of [HOSTILE.script, HOSTILE.attribute, HOSTILE.rtl, HOSTILE.markup])
    assert.ok(markup.includes(written(text)), text);
});

test('the question field has the length limit of the service', () => {
  const longest = Number(/<textarea [^>]*maxlength="(\d+)"/.exec(drawn('office', recordOf('healthy')))?.[1]);
  const { body } = OPERATIONS.find(({ id }) => id === 'think') as { readonly body: z.ZodType };
  assert.ok(body.safeParse({ message: 'x'.repeat(longest) }).success);
  assert.not.ok(body.safeParse({ message: 'x'.repeat(longest + 1) }).success);
});

test('the assistant is offered if it can be asked, else the page shows the reason', () => {
  const box = (assistant: NonNullable<StateParts['assistant']>): string =>
    /<label class="talk-assisted">.*?<\/label>/s.exec(
      drawn('office', pageRecord.assemble(stateFrom({ ...sceneOf('healthy').parts, assistant }))),
    )?.[0] ?? '';
  assert.match(box({ place: 'none' }), 'none is configured');
  assert.match(box({ place: 'elsewhere' }), 'desk open');
  assert.not.match(box({ place: 'here' }), /none is configured|desk open/);
});

test('without scripts the flyout shows the command to type', () => {
  const markup = drawn('office', recordOf('healthy'));
  assert.match(markup, /<dialog [^>]*id="hostess7"[^>]*data-scripts="no"/);
  assert.match(markup, 'desk think');
  assert.match(markup, /<a [^>]*href="#hostess7"/);
});

test.run();
