/** By what a finding that is gone was accepted. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Token } from '../../../src/desk/token.ts';
import { acceptedBy } from '../../../src/features/alerts/accepted.ts';
import { BASELINE } from '../../../src/features/baseline/index.ts';
import { LAW } from '../../../src/features/law/api.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { Suppression } from '../../../src/policy/law.ts';
import { findingFrom } from '../../support/state.ts';

const ID = findingFrom().id;

interface Parts {
  readonly finding?: Partial<Finding>;
  readonly suppression?: Partial<Suppression>;
  readonly how?: string;
  readonly ageMs?: number;
}

function by({ finding, suppression, how = 'first use', ageMs = 0 }: Parts): string {
  const own: Suppression = {
    ...{ checks: ['traced'], expiresMs: null, why: 'ours', source: 'accepted', name: '' },
    ...suppression,
  };
  const law = { current: () => ({ suppressions: suppression === undefined ? [] : [own] }) };
  const learnedAt = new Date(Date.now() - ageMs).toISOString();
  const apis: Readonly<Record<string, unknown>> = {
    [LAW.id]: law,
    [BASELINE.id]: {
      generations: () => [
        { how: 'first use', learnedAt, authoritative: false },
        { how, learnedAt, authoritative: true },
      ],
    },
  };
  return acceptedBy(ID, {
    find: ({ id }: Token<unknown>) => (apis[id] ?? null) as never,
    finding: () => ({ finding: findingFrom(finding), history: [] }),
  });
}

test('an exception that covers it says why, and where it is from', () => {
  assert.is(by({ suppression: {} }), 'ours');
  assert.is(by({ suppression: { source: 'law' } }), 'law.toml: ours');
  assert.is(by({ suppression: { source: 'benign', name: 'debugger' } }), 'debugger: ours');
  assert.is(by({ suppression: { checks: ['other'] } }), '');
  assert.is(by({ suppression: { expiresMs: 1 } }), '');
});

test('it was learned when a person has just learned, and its kind can be', () => {
  assert.is(by({}), '');
  assert.is(by({ how: 'learned' }), 'learned');
  assert.is(by({ how: 'learned', ageMs: 60_000 }), '');
  assert.is(by({ how: 'auto' }), '');
  assert.is(by({ how: 'learned', finding: { check: 'changed-program' } }), 'learned');
  assert.is(by({ how: 'learned', finding: { severity: 'critical' } }), '');
});

test('one that is not known, or cannot be read, was not', () => {
  const find = () => null;
  assert.is(acceptedBy('reason:gate', { find, finding: () => undefined }), '');
  const finding = () => {
    throw new Error('SQLITE_BUSY');
  };
  assert.is(acceptedBy(ID, { find, finding }), '');
});

test.run();
