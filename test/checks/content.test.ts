/** When two contents of a program are equal, and what is reported when they are not. */
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { changedProgram } from '../../src/checks/changed-program.ts';
import { type ContentContext, type FailParts, failOf, type Report } from '../../src/checks/check.ts';
import { type Content, compare, type Image, mergeContents, programKey } from '../../src/checks/content.ts';
import { findingId } from '../../src/findings/finding-id.ts';
import { forAll } from '../support/for-all.ts';
import { processFrom } from '../support/peek.ts';

const imageFrom = (bytes: number, touched: number, size = 100): Image => ({
  device: '8:1',
  inode: String(bytes),
  size,
  modifiedNs: '1700000000000000000',
  changedNs: String(touched),
});
const digestOf = (bytes: number): string => bytes.toString(16).padStart(64, '0');
/** A content with these bytes after this many touches. */
const contentFrom = (bytes: number, touched = 0, read = true): Content => ({
  ...imageFrom(bytes, touched),
  sha256: read ? digestOf(bytes) : '',
});

const contents = fc
  .record({ bytes: fc.nat(4), touched: fc.nat(3), read: fc.boolean() })
  .map(({ bytes, touched, read }) => contentFrom(bytes, touched, read));
const running = fc.record({
  bytes: fc.nat(4),
  touched: fc.nat(3),
  read: fc.constantFrom('yes', 'no', 'later'),
});
const digestRead = ({ bytes, read }: { bytes: number; read: string }): string | undefined =>
  read === 'yes' ? digestOf(bytes) : read === 'no' ? '' : undefined;

const test = suite('content of programs');

test('other bytes are never equal, and an unknown content is neither equal nor different', () => {
  forAll(fc.array(contents), running, (learned, one) => {
    const how = compare(imageFrom(one.bytes, one.touched), digestRead(one), learned);
    const sameBytes = learned.some(({ inode }) => inode === String(one.bytes));
    if (!sameBytes) assert.is.not(how, 'same');
    if (how === 'changed') assert.not.ok(sameBytes);
    if (one.read !== 'later') assert.is.not(how, 'pending');
  });
});

test('a digest that was read is kept, and every content is listed once, newest first', () => {
  forAll(fc.array(contents), fc.array(contents), (older, newer) => {
    const merged = mergeContents(older, newer);
    assert.ok(merged.length <= 8);
    const [first] = newer;
    if (first) assert.is(merged[0]?.changedNs, first.changedNs);
    const digests = merged.map(({ sha256 }) => sha256).filter((one) => one !== '');
    assert.is(new Set(digests).size, digests.length);
    for (const one of [...older, ...newer])
      if (one.sha256 !== '' && merged.length < 8) assert.ok(digests.includes(one.sha256));
  });
});

function said(parts: Partial<ContentContext>): string | FailParts {
  let answer: string | FailParts = 'nothing';
  const report: Report = {
    pass: () => {
      answer = 'pass';
    },
    fail: (fail) => {
      answer = fail;
    },
    blind: ({ reason }) => {
      answer = reason;
    },
  };
  changedProgram.content({ program: '/usr/bin/p', running: [], learned: [], ...parts }, report);
  return answer;
}

function failsOf(running: ContentContext['running']): FailParts[] {
  const fails: FailParts[] = [];
  const other = () => assert.unreachable('not a fail');
  const report: Report = { pass: other, blind: other, fail: (fail) => fails.push(fail) };
  changedProgram.content({ program: '/usr/bin/p', running, learned: [contentFrom(1)] }, report);
  return fails;
}

const classedFrom = (parts: FailParts) => failOf(changedProgram, parts, { confirmed: true });

const runs = (bytes: number, read: 'yes' | 'no' | 'later' = 'yes', touched = 9, pid = 700) => ({
  subject: processFrom({ pid, executable: '/usr/bin/p' }),
  image: imageFrom(bytes, touched),
  sha256: digestRead({ bytes, read }),
  name: String(bytes),
});

test('a touched file passes; other bytes are one finding of the path, for these bytes only', () => {
  const learned = [contentFrom(1)];
  assert.is(said({ learned, running: [runs(1)] }), 'pass');
  const [first, other] = [
    said({ learned, running: [runs(2), runs(2, 'yes', 9, 701)] }),
    said({ learned, running: [runs(3)] }),
  ];
  if (typeof first === 'string' || typeof other === 'string') throw new Error('it did not fail');
  assert.equal(first.subject, { kind: 'file', path: '/usr/bin/p', content: '2' });
  assert.match(first.evidence.processes as string, /^700, 701$/);
  assert.match(first.evidence.running as string, digestOf(2));
  assert.match(first.evidence.learned as string, digestOf(1));
  assert.is.not(first.evidenceClass, other.evidenceClass);
});

test('the processes of a finding are sorted by pid', () => {
  const late = said({
    learned: [contentFrom(1)],
    running: [runs(2, 'yes', 9, 1701), runs(1), runs(2, 'yes', 9, 701)],
  });
  if (typeof late === 'string') throw new Error('it did not fail');
  assert.is(late.evidence.processes, '701, 1701');
});

test('each changed content is a finding with its own acceptance, and their number is limited', () => {
  const fails = failsOf([1002, 1003, 1002].map((bytes, at) => runs(bytes, 'yes', 9, 700 + at)));
  assert.is(fails.length, 2);
  const [one, other] = fails as [FailParts, FailParts];
  assert.is.not(findingId(classedFrom(one)), findingId(classedFrom(other)));
  assert.is(one.evidenceClass, `sha256 ${digestOf(1002)}`);
  assert.is(other.evidenceClass, `sha256 ${digestOf(1003)}`);
  assert.is(one.evidence.processes, '700, 702');
  const many = failsOf(Array.from({ length: 50 }, (_, at) => runs(2000 + at)));
  assert.is(many.length, 9);
  const more = failsOf(Array.from({ length: 51 }, (_, at) => runs(2000 + at)));
  assert.is.not(many.at(-1)?.evidenceClass, more.at(-1)?.evidenceClass);
});

test('a different size is a different content even without a digest, and accepting it covers this state of the file', () => {
  const larger = { ...runs(2, 'later'), image: imageFrom(2, 9, 101) };
  const [found] = failsOf([larger]) as [FailParts];
  assert.match(found.evidence.running as string, 'sha256 not read');
  const [touched] = failsOf([{ ...larger, image: imageFrom(2, 10, 101) }]) as [FailParts];
  assert.is.not(found.evidenceClass, touched.evidenceClass);
  assert.match(
    said({ learned: [contentFrom(1)], running: [runs(2, 'later')] }) as string,
    'still being read',
  );
});

test('a missing record, digest or file is blind', () => {
  const learned = [contentFrom(1)];
  assert.match(said({ learned: [], running: [runs(1)] }) as string, 'never recorded');
  for (const unread of [
    { learned, running: [runs(2, 'no')] },
    { learned: [contentFrom(1, 0, false)], running: [runs(2)] },
    { learned, running: [{ ...runs(1), image: null }] },
    { program: '', running: [{ ...runs(1), image: null }] },
  ])
    assert.match(said(unread) as string, /could not be read|hide facts/);
});

test('a program is known by its path, also after its file was deleted, and separately in a container', () => {
  const of = (executable: string, identity: string) => programKey({ executable, identity });
  assert.is(of('/bin/p', '/bin/p'), '/bin/p');
  assert.is(of('/bin/p (deleted)', '/bin/p (deleted)'), '/bin/p');
  assert.is(of('/bin/perl', '/bin/perl:@container'), '/bin/perl');
  assert.is(of('/bin/perl', '/bin/perl@container:x'), '/bin/perl@container');
  assert.is(of('', 'p?1000'), '');
});

test.run();
