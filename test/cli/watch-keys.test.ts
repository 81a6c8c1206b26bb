/** Keys and mouse reports of terminals, whole and split anywhere. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KeyDecoder, type TerminalEvent } from '../../src/cli/watch/keys.ts';
import { forAllOf } from '../support/for-all.ts';

const test = suite('watch: keys');

const decoded = (...parts: readonly (string | Uint8Array)[]): TerminalEvent[] => {
  const decoder = new KeyDecoder();
  return parts.flatMap((part) => [...decoder.push(Buffer.from(part as string))]);
};
const told = (events: readonly TerminalEvent[]): string =>
  events
    .map((one) =>
      one.kind === 'key' ? one.key : one.kind === 'text' ? `"${one.text}"` : `${one.what} ${one.x},${one.y}`,
    )
    .join(' ');

const CASES: readonly (readonly [name: string, bytes: string, events: string])[] = [
  ['text', 'q/ä日', '"q" "/" "ä" "日"'],
  [
    'controls',
    '\r\t\b\u007f\u0003\u001a\u000c\u0015',
    'enter tab backspace backspace interrupt suspend redraw clear',
  ],
  ['controls without a meaning', '\u0000\u0001\u0007\u009b', ''],
  ['arrows of both modes', '\u001b[A\u001b[B\u001bOC\u001bOD', 'up down right left'],
  ['arrows with modifiers', '\u001b[1;5A\u001b[1;2B', 'up down'],
  [
    'home and end of every kind',
    '\u001b[H\u001bOF\u001b[1~\u001b[4~\u001b[7~\u001b[8~',
    'home end home end home end',
  ],
  ['pages', '\u001b[5~\u001b[6~', 'page-up page-down'],
  ['Shift-Tab', '\u001b[Z', 'back-tab'],
  ['keys without a meaning', '\u001b[2~\u001b[15~\u001bOP\u001b[I', ''],
  ['a click and its release', '\u001b[<0;5;3M\u001b[<0;5;3m', 'press 4,2'],
  [
    'the wheel, also with Control',
    '\u001b[<64;1;1M\u001b[<65;2;9M\u001b[<80;1;1M',
    'wheel-up 0,0 wheel-down 1,8 wheel-up 0,0',
  ],
  ['other buttons and motion', '\u001b[<2;5;3M\u001b[<32;5;3M\u001b[<35;5;3M', ''],
  ['invalid positions', '\u001b[<0;0;3M\u001b[<0;1;999999M\u001b[<;;M', ''],
  ['an old mouse report', '\u001b[M !!q', '"q"'],
  ['pasted text', '\u001b[200~q\u001b[A/rm\u001b[201~x', '"x"'],
  ['Ctrl-C ends pasted text that has no end', '\u001b[200~q\u0003', 'interrupt'],
  ['answers of the terminal', '\u001b]11;rgb:00/00/00\u0007\u001bP1$r0m\u001b\\x\u001b[?62;c', '"x"'],
  ['Escape and another key', '\u001bq', 'escape "q"'],
  ['Escape and a sequence', '\u001b\u001b[A', 'escape up'],
  ['a sequence that another one interrupts', '\u001b[1\u001b[B', 'down'],
  ['a sequence that is too long', `\u001b[${'1;'.repeat(500)}Aq`, '"q"'],
  ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe]).toString('latin1'), '"ÿ" "þ"'],
];

for (const [name, bytes, events] of CASES) test(name, () => assert.is(told(decoded(bytes)), events));

test('invalid bytes are not text', () => {
  assert.equal(decoded(Uint8Array.from([0xff, 0xc3, 0x28, 0xe6, 0x97])), [{ kind: 'text', text: '(' }]);
});

test('Escape alone is a key once nothing follows, and the rest of a sequence is lost', () => {
  const decoder = new KeyDecoder();
  assert.equal(decoder.push(Buffer.from('\u001b')), []);
  assert.ok(decoder.pending);
  assert.is(told(decoder.flush()), 'escape');
  assert.not.ok(decoder.pending);
  decoder.push(Buffer.from('\u001b[1;'));
  assert.equal(decoder.flush(), []);
  assert.is(told(decoder.push(Buffer.from('A'))), '"A"');
  decoder.push(Buffer.from('\u001b[200~a'));
  assert.not.ok(decoder.pending, 'pasted text lasts until its end');
});

const pieces = fc.oneof(
  fc.constantFrom(...CASES.map(([, bytes]) => Buffer.from(bytes))),
  fc.uint8Array({ maxLength: 12 }),
  fc
    .array(fc.constantFrom(...Buffer.from('\u001b[<;0129~MmAOP]\\\u0007\u0003q')), { maxLength: 12 })
    .map((bytes) => Uint8Array.from(bytes)),
);

test('it does not matter where bytes are split', () => {
  forAllOf(500)(
    fc.array(pieces, { maxLength: 8 }),
    fc.array(fc.nat(40), { maxLength: 30 }),
    (parts, cuts) => {
      const whole = Buffer.concat(parts);
      const split: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) {
        split.push(whole.subarray(at, at + cut));
        at += cut;
      }
      split.push(whole.subarray(at));
      assert.equal(decoded(...split), decoded(whole));
    },
  );
});

test.run();
