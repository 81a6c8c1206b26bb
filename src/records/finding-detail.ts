/** The answer of `GET /findings/{id}` (`H7_FINDING`): a finding, its history, and what accepting it would do. */
import { z } from 'zod';
import type { StartupFact, StartupLinks } from '../checks/startup.ts';
import type { Acceptance, Finding } from '../findings/finding.ts';
import { type RecordOf, stateHead, text, wordsFor } from './define.ts';
import { findingSchema, titled } from './finding.ts';
import { vouched } from './startup.ts';
import type { DeskState } from './state.ts';
import { techniquesOf } from './techniques.ts';

const condition = z.strictObject({
  key: text.describe(
    'key of an exception: check, identity, executable, protocol, port, path, finding, evidence',
  ),
  value: text.describe('what it must be'),
});

const event = z.strictObject({ at: text.describe('RFC 3339'), event: text.describe('what happened to it') });

/** What would start a process again. */
export const start = z.strictObject({
  place: text.describe('id of the kind of place'),
  title: text.describe('what it is'),
  path: text.describe('the file'),
  runs: text.describe('what would run; secrets masked, at most 500 characters'),
  when: text.describe('when'),
  user: text.describe('as whom'),
  vouched: vouched.describe('who vouches for it, as in GET /startup'),
});

/** Its source. */
export const startOf = ({ place, path, runs, when, user, voucher }: StartupFact) => ({
  ...{ place: place.id, title: place.title, path, runs, when, user, vouched: voucher.kind },
});

const running = z.strictObject({ pid: z.int().describe('its pid'), name: text.describe('its name') });

interface FindingAsked {
  readonly state: DeskState;
  readonly finding: Finding;
  readonly history: readonly Readonly<z.output<typeof event>>[];
  readonly acceptance: Acceptance;
  readonly links: StartupLinks;
}

const { field, group, record } = wordsFor<FindingAsked>();

export const findingDetail = record('FindingDetail', 'One finding with its history', {
  ...stateHead('H7_FINDING'),
  finding: field(findingSchema, 'the finding', ({ finding }) => titled(finding)),
  open: field(z.boolean(), 'true until it is closed', ({ state, finding: { id } }) =>
    state.judgement.findings.some((one) => one.id === id),
  ),
  techniques: field(
    z.array(text),
    'techniques of MITRE ATT&CK that it may show: those of its check, or of the place of what starts by itself',
    ({ finding: { check, evidence } }) => techniquesOf(check, evidence),
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
  startup: group('What it has to do with what starts by itself, by the last time that was read', {
    returns: field(
      z.enum(['yes', 'not_found', 'unknown', 'none']),
      'whether something would start its process again; not_found: no known place names its program, and all were read; a program named by a link, without its path, or started by another one is not recognised; none: it is about no process',
      ({ links }) => links.returns,
    ),
    reason: field(text, 'why it is unknown; "" where it is not', ({ links }) => links.reason),
    starts: field(
      z.array(start),
      'what would start it, what nothing vouches for first, at most 16',
      ({ links }) => links.starts.map(startOf),
    ),
    running: field(
      z.array(running),
      'of a finding about a file: processes that run it, or what it starts, at most 16',
      ({ links }) => links.running,
    ),
  }),
});

export type FindingDetail = RecordOf<typeof findingDetail>;
