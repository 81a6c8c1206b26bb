/** The password is removed from text by its value, in every form that a protocol, a format or a hostile server may give it. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { REMOVED, Redactor } from '../../src/base/redactor.ts';
import { forAll, forAllOf } from '../support/for-all.ts';

/** Passwords as people and generators make them, and a hostile mixture. */
const secrets = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 4, maxLength: 30 }),
  fc.string({ unit: 'binary-ascii', minLength: 4, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom('\\', '"', '%', '=', '+', '/', ' ', 'u', '0', '2', '5', 'ß', '…', '😀', '&'),
    minLength: 4,
    maxLength: 20,
  }),
);
const around = fc.string({ unit: fc.constantFrom('a', 'Z', '9', ' ', '.', '-', 'é'), maxLength: 12 });

const percentAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const unicodeAll = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
const quotedPrintable = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/** Each form and its decoder: after decoding, nothing of the secret may remain. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json in json': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'json, all escaped': unicodeAll,
  'IMAP quoted': (text) => text.replaceAll(/["\\]/g, '\\$&'),
  'percent, component': (text) => encodeURIComponent(text),
  'percent, all, small': percentAll,
  'percent, all, twice': (text) => encodeURIComponent(percentAll(text)),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'quoted-printable': quotedPrintable,
  hex: (text) => Buffer.from(text).toString('hex'),
  HEX: (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'as Latin-1': (text) => Buffer.from(text).toString('latin1'),
  NFD: (text) => text.normalize('NFD'),
};

// Compiling the pattern of a secret is the expensive part: each secret is tried with every form.
test('the secret is removed in every form', () => {
  forAllOf(200)(secrets, around, around, (secret, before, after) => {
    const redactor = new Redactor(secret);
    for (const [name, form] of Object.entries(FORMS)) {
      const shown = form(secret);
      const text = redactor.text(`${before} ${shown} ${after}`);
      assert.not.ok(text.includes(shown), `${name}: ${text}`);
      assert.ok(text.includes(REMOVED), name);
      assert.ok(redactor.finds(shown), name);
      assert.is(redactor.text(text), text, name);
    }
  });
});

test('base64 at every alignment: nothing of the secret can be decoded', () => {
  const bytes = fc.uint8Array({ maxLength: 7 });
  forAll(secrets, bytes, bytes, fc.boolean(), fc.boolean(), (secret, before, after, url, folded) => {
    const whole = Buffer.concat([before, Buffer.from(secret), after]);
    const encoded = whole.toString(url ? 'base64url' : 'base64');
    const shown = folded ? encoded.replaceAll(/.{5}/g, '$&\r\n') : encoded;
    const text = new Redactor(secret).text(shown);
    assert.ok(text.includes(REMOVED), `${shown} became ${text}`);
    // The rest contains no digit whose six bits all belong to the secret.
    const left = text.replaceAll(/\s/g, '').split(REMOVED).join('').replaceAll('=', '').length;
    const digits = encoded.replaceAll('=', '').length;
    const own =
      Math.floor((8 * (before.length + Buffer.byteLength(secret))) / 6) - Math.ceil((8 * before.length) / 6);
    assert.ok(left <= digits - own, `${shown} became ${text}`);
  });
});

test('the credentials that SASL PLAIN and LOGIN send are removed', () => {
  const secret = 'canary-…"%\\ß';
  const redactor = new Redactor(secret);
  for (const user of ['a', 'ab', 'abc', 'me@desk.example']) {
    const plain = Buffer.from(`\0${user}\0${secret}`).toString('base64');
    const text = redactor.text(`AUTHENTICATE PLAIN ${plain}`);
    const end = Buffer.from(text.replace(/.* /, '').replace(REMOVED, ''), 'base64').toString();
    assert.ok(`\0${user}\0`.startsWith(end.slice(0, user.length + 1)), end);
    assert.not.ok(end.includes('can'));
  }
});

test('other text is unchanged', () => {
  const redactor = new Redactor('correct horse battery staple');
  forAll(fc.string({ maxLength: 200 }), (text) => {
    assert.is(redactor.text(text), text);
  });
  assert.is(new Redactor().text('anything'), 'anything');
  assert.is(new Redactor('').text('anything'), 'anything');
  // Too short to differ from other text once encoded.
  assert.is(new Redactor('ab').text('cab YWI= 6162'), `c${REMOVED} YWI= 6162`);
});

test('nested data is redacted; bytes, numbers, null and known keywords are unchanged', () => {
  const redactor = new Redactor('secret');
  const bytes = new Uint8Array([1, 2]);
  assert.equal(redactor.data({ a: ['a secret', { secret: 1, b: null, c: bytes, d: true }] }), {
    a: [`a ${REMOVED}`, { secret: 1, b: null, c: bytes, d: true }],
  });
  const data = { kind: 'secret', secret: ['secret'], reason: 'the secret' };
  assert.equal(redactor.data(data, new Set(['kind', 'secret'])), {
    kind: 'secret',
    secret: [REMOVED],
    reason: `the ${REMOVED}`,
  });
});

test('every password that was read is removed, old ones too', () => {
  const redactor = new Redactor('the old one');
  redactor.add('the new one');
  redactor.add('the new one');
  assert.is(redactor.text('the old one, the new one'), `${REMOVED}, ${REMOVED}`);
});

test('a short password that is a word does not count as a long secret', () => {
  const redactor = new Redactor('ann');
  assert.not.ok(redactor.hasLong('ann@example.org'));
  redactor.add('long-enough');
  assert.ok(redactor.hasLong('x.long-enough@example.org'));
  assert.not.ok(redactor.hasLong('ann@example.org'));
});

test('a megabyte of hostile text is redacted in time, for any password', () => {
  for (const secret of ['\\\\\\\\', '\\"\\"\\"', '%25%25', '====', 'aaaa', '\\u\\u\\u', '    ']) {
    const redactor = new Redactor(secret);
    for (const unit of ['\\', '\\"', '%25', '=', 'a', '\\u', 'YWFh', ' ', '\\\\%5c'])
      redactor.text(`${unit.repeat(1_000_000 / unit.length)}x`);
  }
});

test.run();
