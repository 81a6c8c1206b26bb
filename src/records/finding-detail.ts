/** The answer of `GET /findings/{id}` (`H7_FINDING`): a finding, its history, and what accepting it would do. */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { Acceptance, Finding } from '../findings/finding.ts';
import { type RecordOf, wordsFor } from './define.ts';
import { findingOf, findingSchema, TIME } from './finding.ts';
import type { Moment } from './moment.ts';

const text = z.string();

interface FindingAsked {
  readonly moment: Moment;
  readonly finding: Finding;
  readonly history: readonly { readonly at: string; readonly event: string }[];
  readonly acceptance: Acceptance;
}

const { field, constant, group, record } = wordsFor<FindingAsked>();

const condition = z.strictObject({
  key: text.describe(
    'key of an exception: check, identity, executable, protocol, port, path, finding, evidence',
  ),
  value: text.describe('what it must be'),
});

const event = z.strictObject({ at: text.describe('RFC 3339'), event: text.describe('what happened to it') });

export const findingDetail = record('FindingDetail', 'One finding with its history', {
  ts: field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
  word: constant('H7_FINDING', 'name of this answer'),
  finding: field(findingSchema, 'the finding', ({ finding }) => findingOf(finding)),
  open: field(z.boolean(), 'true until it is closed', ({ moment, finding: { id } }) =>
    moment.judgement.findings.some((one) => one.id === id),
  ),
  history: field(z.array(event), 'its history, oldest first', ({ history }) =>
    history.map(({ at, event }) => ({ at, event })),
  ),
  accept: group('What accepting it would do', {
    effect: field(
      z.enum(['explained', 'spared', 'never']),
      'explained: findings like it count as passed; spared: it stays open, and is only not shut down; never: it cannot be accepted',
      ({ acceptance }) => acceptance.effect,
    ),
    id: field(
      text,
      'what POST /accept is to name as accepts: another one covers something else',
      ({ acceptance }) => acceptance.id,
    ),
    covers: field(
      z.array(condition),
      'findings like it: those that all of these are true of; none when it cannot be accepted',
      ({ acceptance }) => acceptance.covers.map(({ key, value }) => ({ key, value })),
    ),
  }),
});

export type FindingDetail = RecordOf<typeof findingDetail>;
