/** The mail page without a browser: what the server renders, what a card shows. */
import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leftText } from '../../src/pages/mail-page.tsx';
import { mailTo, PersonFacts, warningText } from '../../src/pages/person-card.tsx';
import { renderPage } from '../../src/pages/render.tsx';
import { WARNINGS } from '../../src/records/ledger.ts';
import { page } from '../../src/records/page.ts';
import { people } from '../../src/records/people.ts';
import { forAll } from '../support/for-all.ts';
import { HOSTILE_PEOPLE, INJECTED } from '../support/hostile-words.ts';
import { type StateParts, stateFrom } from '../support/state.ts';

const test = suite('mail page');

/** Invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** The markup of the page, without its embedded record. */
const drawn = (parts: StateParts): string => {
  const record = page.assemble(stateFrom(parts));
  return renderPage('mail', record, '{}');
};

test('without mail sources the page says what to configure, and has no empty list', () => {
  const markup = drawn({});
  assert.match(markup, '[mail] sources');
  assert.match(markup, 'not configured');
  assert.match(markup, /<details><summary>Not set up \(8\)<\/summary>/);
  assert.not.match(markup, 'style=');
  assert.not.match(markup, 'type="search"');
  // What does not work is not folded away.
  assert.match(drawn({ mail: { trouble: 'the ledger cannot be read' } }), 'the ledger cannot be read');
});

test('people need the token', () => {
  const markup = drawn({ mail: { configured: true, people: 3 } });
  assert.match(markup, 'desk open');
  assert.not.match(markup, 'style=');
  assert.is(/<input[^>]*type="search"[^>]*disabled/.test(markup), true);
});

test('each source shows its state and progress, and a failure its reason', () => {
  const source = { read: 3, folders: 2, reason: '', completeMs: null, progress: null };
  const markup = drawn({
    mail: {
      configured: true,
      people: 1234,
      messages: 5,
      finite: false,
      trouble: 'The ledger is full.',
      sources: [
        { ...source, source: 'maildir:~/Mail', state: 'watching' },
        {
          ...source,
          source: 'imap',
          state: 'importing',
          progress: { done: 500, total: 2000, perSec: 100, leftSec: 150 },
        },
        {
          ...source,
          source: 'mbox:~/old',
          state: 'failed',
          reason: 'It cannot be read: give it the mode 0600.',
        },
      ],
    },
  });
  assert.match(markup, '1,234');
  assert.match(markup, 'The ledger is full.');
  assert.match(markup, '500 of 2,000, 100 per second, 3 min left');
  assert.match(markup, '<progress aria-label="Import of imap" max="2000" value="500"');
  assert.match(markup, 'give it the mode 0600');
  assert.match(markup, '3 messages read since the start, 2 folders');
});

test('a card explains every warning and flag, and shows all text escaped', () => {
  const { people: found } = people.assemble({
    state: stateFrom(),
    total: HOSTILE_PEOPLE.length,
    people: HOSTILE_PEOPLE.map((person) => ({ ...person, list: true, automated: true })),
    next: null,
  });
  for (const person of found) {
    const markup = renderToString(h(PersonFacts, { person }));
    assert.match(markup, 'mailing list');
    assert.match(markup, 'A program writes there');
    assert.match(markup, 'href="mailto:');
    assert.not.match(markup, new RegExp(`<[^>]*class=.?${INJECTED}`));
    assert.not.match(markup.replaceAll('\n', ''), UNSEEN);
  }
  for (const kind of WARNINGS)
    for (const about of ['', 'paypal.example'])
      assert.ok(warningText({ kind, about }).includes(about) && warningText({ kind, about }).endsWith('.'));
});

test('an address in a mailto link is only ever the recipient', () => {
  assert.is(mailTo('ada@example.org'), 'mailto:ada@example.org');
  assert.is(mailTo('a?bcc=b@example.org'), 'mailto:a%3Fbcc%3Db@example.org');
  assert.is(mailTo('a\ud800@example.org'), 'mailto:a%EF%BF%BD@example.org');
  forAll(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (local, domain) => {
    const target = mailTo(`${local}@${domain.replaceAll('@', '')}`);
    assert.ok(/^mailto:[^?&#\s"<>:]*$/.test(target), target);
  });
});

test('the remaining time is rounded', () => {
  assert.equal([null, 5, 150, 9_000].map(leftText), ['', ', 5 s left', ', 3 min left', ', 3 h left']);
});

test.run();
