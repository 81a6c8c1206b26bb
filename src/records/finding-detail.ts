/** The answer of `GET /findings/{id}` (`H7_FINDING`): a finding, its history, and what accepting it would do. */
import { z } from 'zod';
import type { Acceptance, Finding } from '../findings/finding.ts';
import { type RecordOf, stateHead, text, wordsFor } from './define.ts';
import { findingSchema, titled } from './finding.ts';
import type { DeskState } from './state.ts';

const condition = z.strictObject({
  key: text.describe(
    'key of an exception: check, identity, executable, protocol, port, path, finding, evidence',
  ),
  value: text.describe('what it must be'),
});

const event = z.strictObject({ at: text.describe('RFC 3339'), event: text.describe('what happened to it') });

interface FindingAsked {
  readonly state: DeskState;
  readonly finding: Finding;
  readonly history: readonly Readonly<z.output<typeof event>>[];
  readonly acceptance: Acceptance;
}

const { field, group, record } = wordsFor<FindingAsked>();

export const findingDetail = record('FindingDetail', 'One finding with its history', {
  ...stateHead('H7_FINDING'),
  finding: field(findingSchema, 'the finding', ({ finding }) => titled(finding)),
  open: field(z.boolean(), 'true until it is closed', ({ state, finding: { id } }) =>
    state.judgement.findings.some((one) => one.id === id),
  ),
  history: field(z.array(event), 'its history, oldest first', ({ history }) => history),
  accept: group('What accepting it would do', {
    effect: field(
      z.enum(['explained', 'spared', 'never']),
      'explained: equal findings count as passed; spared: it stays open, but is not shut down; never: it cannot be accepted',
      ({ acceptance }) => acceptance.effect,
    ),
    id: field(
      text,
      'id to send as accepts with POST /accept; it changes with the coverage',
      ({ acceptance }) => acceptance.id,
    ),
    covers: field(
      z.array(condition),
      'equal findings: those that match all of these; none when it cannot be accepted',
      ({ acceptance }) => acceptance.covers,
    ),
  }),
});

export type FindingDetail = RecordOf<typeof findingDetail>;
