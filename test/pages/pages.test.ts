/** Pages as the server sends them: escaping, structure for screen readers, no external content, and explicit about missing data. */
import * as fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PageName } from '../../src/desk/context.ts';
import { PAGE_POLICY } from '../../src/http/headers.ts';
import { openApiDocument } from '../../src/http/openapi.ts';
import { docsPage } from '../../src/pages/docs-page.tsx';
import { renderDocument } from '../../src/pages/document.tsx';
import { Link, Section, safeHref } from '../../src/pages/parts.tsx';
import { problemPage } from '../../src/pages/problem-page.tsx';
import { publicMailPage, publicPage } from '../../src/pages/public-pages.tsx';
import { PAGES } from '../../src/pages/registry.tsx';
import { renderPage } from '../../src/pages/render.tsx';
import { visible } from '../../src/pages/visible.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { page as pageRecord } from '../../src/records/page.ts';
import { openPeople } from '../../src/records/people.ts';
import type { DeskState } from '../../src/records/state.ts';
import { expect } from '../support/expect.ts';
import { personFrom } from '../support/fake-desk.ts';
import { forAll } from '../support/for-all.ts';
import { findingFrom, type StateParts, stateFrom } from '../support/state.ts';

/** Every document that the service sends, by name. */
function pagesOf(state: DeskState): Readonly<Record<string, string>> {
  const page = pageRecord.assemble(state);
  const json = JSON.stringify(page);
  const { config } = state.desk;
  const people = openPeople.assemble({
    state,
    total: 2,
    people: [personFrom({ name: HOSTILE })],
    next: 'n',
  });
  return {
    ...Object.fromEntries(Object.keys(PAGES).map((name) => [name, renderPage(name as PageName, page, json)])),
    docs: docsPage(openApiDocument()),
    public: publicPage(config),
    publicMail: publicMailPage(config, people),
    problem: problemPage({
      type: 'urn:x',
      title: 'Nothing here',
      status: 404,
      detail: 'Look elsewhere.',
      instance: 'urn:y',
    }),
  };
}

/** What a page loads and embeds, from its own listener. */
const OWN = [
  /<link rel="icon" href="data:,"\/>/,
  /<link rel="stylesheet" href="\/assets\/style\.css"\/>/,
  /<script type="module" src="\/assets\/pages\.js"><\/script>/,
  /<script type="application\/json" id="page">[^<]*<\/script>/,
];
const withoutOwn = (page: string): string => OWN.reduce((rest, own) => rest.replace(own, ''), page);
/** As escaped in text and attributes of the pages. */
const written = (text: string): string => renderToString(h('p', null, visible(text))).slice(3, -4);

const HOSTILE =
  '</td><script>alert(1)</script>"\'`&\u001b[31m\u0000\u0085\u202e\u200b\ufeff\u2066\u{e0041}\ud800\n';
/** The part that the configuration accepts as an address. */
const HOSTILE_ADDRESS = '</td><script>alert(1)</script>`&\u001b[31m\u0000\u202e\u200b@evil.example';

const hostile: StateParts = {
  findings: [
    findingFrom({
      summary: HOSTILE,
      remedy: `stop ${HOSTILE}`,
      benign: HOSTILE,
      severity: 'critical',
      evidence: { [HOSTILE]: HOSTILE },
    }),
  ],
  site: { name: HOSTILE, reason: HOSTILE, status: 0 },
  config: {
    identity: { from_name: HOSTILE, address: HOSTILE_ADDRESS, notes: HOSTILE, imap_host: HOSTILE },
    ports: [{ name: HOSTILE, port: 80, required: true }],
    site: { names: [HOSTILE] },
  },
  mail: {
    configured: true,
    trouble: HOSTILE,
    exportPath: HOSTILE,
    sources: [
      {
        source: HOSTILE,
        state: 'failed',
        reason: HOSTILE,
        folders: 0,
        read: 0,
        progress: null,
        completeMs: null,
      },
    ],
  },
  gate: {
    state: 'fail',
    god: 1,
    observation: 3,
    lastRun: { at: HOSTILE, steps: [{ step: 'cook', ok: false, ms: 1, detail: HOSTILE }] },
  },
};

test('hostile names are shown as text without invisible characters', () => {
  const pages = pagesOf(stateFrom(hostile));
  assert.match(pages.office ?? '', '&lt;script>alert(1)');
  for (const [name, page] of Object.entries(pages)) {
    assert.not.match(withoutOwn(page), /<script/i, name);
    assert.not.match(page.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u, name);
  }
});

test('any string is shown as text, without markup or invisible characters', () => {
  forAll(fc.string({ unit: 'binary' }), (text) => {
    const drawn = renderToString(
      h(Section, {
        id: 'x',
        title: text,
        aside: h('i', { title: text }),
        children: [text, h(Link, { to: text })],
      }),
    );
    assert.not.match(drawn, /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
    expect(
      [...new Set([...drawn.matchAll(/<([^\s/>]+)/g)].map(([, tag]) => tag))].filter(
        (tag) => !['section', 'div', 'h2', 'i', 'a', 'span'].includes(tag ?? ''),
      ),
    ).equals([]);
  });
});

test('the embedded record of a page cannot close its element, and parses to the record', () => {
  forAll(fc.string({ unit: 'binary' }), (text) => {
    const json = JSON.stringify({ text: `${text}</script><!--<script>` });
    const page = renderDocument({ title: 't', page: { name: 'office', json }, body: h('p', null, 'x') });
    const [, held = ''] = /<script type="application\/json" id="page">([^<]*)<\/script>/.exec(page) ?? [];
    assert.equal(JSON.parse(held), JSON.parse(json));
  });
});

test('invisible characters have visible forms', () => {
  assert.is(
    visible('a\u001b\u0000\u007f\u0085\u202e\u200d'),
    'a\u241b\u2400\u2421\u27e8U+0085\u27e9\u27e8U+202E\u27e9\u27e8U+200D\u27e9',
  );
  assert.is(visible('Grüße 你好 مرحبا'), 'Grüße 你好 مرحبا');
});

test('only safe URLs become links', () => {
  for (const target of [
    'https://example.org/',
    'http://127.0.0.1:18772/h7/charge',
    'mailto:a@example.org',
    '/docs',
    '#top',
  ])
    assert.is(safeHref(target), target);
  for (const target of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:x',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'vbscript:x',
    'https://desk.example/\u202e',
    '#\u0000',
    'file:///etc/passwd',
    '',
  ])
    assert.is(safeHref(target), null, target);
});

test('every page has language, title, one main heading, landmarks and balanced tags', () => {
  for (const parts of [{}, hostile])
    for (const [name, page] of Object.entries(pagesOf(stateFrom(parts)))) {
      assert.match(page, '<html lang="en">', name);
      assert.match(page, /<title>[^<]{3,}<\/title>/, name);
      assert.is(page.match(/<h1[ >]/g)?.length, 1, name);
      assert.is(page.match(/<main[ >]/g)?.length, 1, name);
      assert.match(page, 'name="viewport"', name);
      const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.is(new Set(ids).size, ids.length, `${name}: an id is used twice: ${ids.join(' ')}`);
      for (const [, labels = ''] of page.matchAll(/aria-(?:labelledby|describedby)="([^"]*)"/g))
        for (const label of labels.split(' ')) assert.ok(ids.includes(label), `${name} ${label}`);
      for (const [, target] of page.matchAll(/href="#([^"]+)"/g))
        assert.ok(ids.includes(target), `${name} #${target}`);
      assertBalanced(name, page);
      // The table of a grid has no caption of its own.
      for (const table of page.match(/<table\b(?! role="none").*?<\/table>/gs) ?? [])
        assert.match(table, /<caption[^>]*>[^<]+<\/caption>.*<th scope="col"/s, name);
    }
});

function assertBalanced(name: string, page: string): void {
  const open: string[] = [];
  for (const [whole, closing, tag = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/gi)) {
    if (['meta', 'link', 'br', 'input'].includes(tag) || whole.endsWith('/>')) continue;
    if (closing === '') open.push(tag);
    else assert.is(open.pop(), tag, `${name}: </${tag}>`);
  }
  assert.equal(open, [], name);
}

test('a page loads nothing external and has no inline script or style, and the policy forbids them', () => {
  for (const [name, page] of Object.entries(pagesOf(stateFrom())))
    assert.not.match(
      withoutOwn(page),
      /<(script|style|iframe|img|object|embed|link)[ >]| action=| on[a-z]+=| style="|@import|url\(/i,
      name,
    );
  assert.match(PAGE_POLICY, "default-src 'none'");
  assert.not.match(PAGE_POLICY, /unsafe|https?:|\*/);
});

test('the sections that records link to exist', () => {
  const pages = pagesOf(stateFrom());
  const { pages: links } = chargeReport.assemble(stateFrom());
  assert.match(pages.office ?? '', ` id="${new URL(links.flyout).hash.slice(1)}"`);
  assert.match(pages.hostess ?? '', ` id="${new URL(links.learn_plug).hash.slice(1)}"`);
});

test('problems are on top with their remedy; what is not configured is labelled so', () => {
  const state = stateFrom({ snapshot: { listeners: [{ port: 18772 }] } });
  const status = deskStatus.assemble(state);
  assert.not.ok(status.ok);
  const { office = '', themed = '', links = '', mail = '' } = pagesOf(state);
  for (const page of [office, themed]) {
    const top = page.slice(0, page.indexOf('id="ports"'));
    const read = top.replace(/<[^>]*>/g, '');
    for (const issue of status.issues) assert.ok(read.includes(written(issue)), issue);
  }
  assert.match(links, 'not configured');
  assert.match(mail, 'not configured');
});

test('the API reference shows every operation', () => {
  const { docs = '' } = pagesOf(stateFrom());
  for (const [path, methods] of Object.entries(openApiDocument().paths ?? {}))
    for (const method of Object.keys(methods ?? {}))
      assert.ok(docs.includes(`${method.toUpperCase()} ${path}`), path);
});

test.run();
