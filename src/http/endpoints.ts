/**
 * The one table of endpoints. Routes, methods, guards of input, tokens, the OpenAPI document and the reference page all
 * follow from it; a role has exactly the entries that name it.
 */
import { z } from 'zod';
import { AVENUE_IDS } from '../checks/check.ts';
import { baselineDiff } from '../records/baseline-diff.ts';
import { chargeReport } from '../records/charge-report.ts';
import { cook } from '../records/cook.ts';
import { deskHygiene } from '../records/desk-hygiene.ts';
import { deskStatus } from '../records/desk-status.ts';
import { detection } from '../records/detection.ts';
import { severity } from '../records/finding.ts';
import { findingDetail } from '../records/finding-detail.ts';
import { LONGEST_CURSOR, PEOPLE_ORDERS } from '../records/ledger.ts';
import { liveView } from '../records/live.ts';
import type { ListenerRole } from '../records/moment.ts';
import { page } from '../records/page.ts';
import { openPeople, people, who } from '../records/people.ts';
import { quarantine } from '../records/quarantine.ts';
import { scar, scarCheck } from '../records/scar.ts';
import { scarRuns } from '../records/scar-runs.ts';
import { site } from '../records/site.ts';
import { consult, think } from '../records/talk.ts';
import type { Endpoint } from './endpoint.ts';
import { ACCEPT_ENDPOINTS, findingId } from './endpoints-accept.ts';
import { MAIL_ENDPOINTS } from './endpoints-mail.ts';
import { PAGES, SERVICE_ENDPOINTS } from './endpoints-service.ts';
import { TABLE_ENDPOINTS } from './endpoints-tables.ts';
import { learned, reviewed, session, sessionCode } from './operation-answers.ts';
import { assistantElsewhere, peopleAsked, peopleHidden, realCook } from './token-rules.ts';

const CONTROL = ['control'] as const satisfies readonly ListenerRole[];
const DESK = ['control', 'office'] as const satisfies readonly ListenerRole[];
/** What the office and the themed page read. */
const SHOWN = ['control', 'office', 'themed'] as const satisfies readonly ListenerRole[];
const LEDGER = ['control', 'office', 'public'] as const satisfies readonly ListenerRole[];

const rfc3339 = z.iso.datetime({ offset: true });
const entryId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'expected the 16 hex digits of an entry')
  .describe('id of the entry');
/** A week. */
const MOST_WINDOW_MIN = 10_080;
/** Findings named in one call: the body stays below its limit. */
const MOST_NAMED = 500;
const message = z.string().trim().min(1).max(4096);

const detectionQuery = z.strictObject({
  avenue: z.enum(AVENUE_IDS).optional().describe('only findings and notes of this avenue'),
  severity: severity.optional().describe('only findings of exactly this severity; notes are low'),
  since: rfc3339.optional().describe('only findings first seen at or after this RFC 3339 time'),
});
const peopleQuery = z.strictObject({
  q: z.string().max(200).optional().describe('part of a name or address'),
  limit: z.coerce.number().int().min(1).max(500).default(100).describe('people on one page'),
  cursor: z.string().max(LONGEST_CURSOR).optional().describe('"next" of the page before'),
  sort: z
    .enum(PEOPLE_ORDERS)
    .default('rank')
    .describe(
      'order; rank: people you wrote to, recently and often, first; where the list is open to all: name',
    ),
});
const thinkBody = z.strictObject({ message: message.describe('what to ask') });

export const ENDPOINTS = [
  {
    id: 'status',
    method: 'GET',
    path: '/status',
    roles: DESK,
    summary: 'The desk status record',
    answer: deskStatus.schema,
  },
  {
    id: 'av',
    method: 'GET',
    path: '/av',
    roles: DESK,
    summary: 'The desk hygiene record',
    answer: deskHygiene.schema,
  },
  {
    id: 'charge',
    method: 'GET',
    path: '/h7/charge',
    roles: DESK,
    summary: 'The charge report',
    answer: chargeReport.schema,
  },
  {
    id: 'live',
    method: 'GET',
    path: '/h7/live',
    roles: SHOWN,
    summary:
      'What changes; as text/event-stream the events snapshot, finding, scar, port and missed, resumed by Last-Event-ID',
    answer: liveView.schema,
    stream: true,
  },
  {
    id: 'page',
    method: 'GET',
    path: '/h7/page',
    roles: SHOWN,
    summary: 'Everything the pages show of one moment',
    answer: page.schema,
  },
  {
    id: 'detection',
    method: 'GET',
    path: '/detection',
    roles: DESK,
    summary: 'Findings and notes of the moment',
    query: detectionQuery,
    answer: detection.schema,
  },
  {
    id: 'finding',
    method: 'GET',
    path: '/findings/{id}',
    roles: DESK,
    summary: 'One finding with its history',
    params: z.strictObject({ id: findingId.describe('id of the finding') }),
    answer: findingDetail.schema,
  },
  {
    id: 'scar',
    method: 'GET',
    path: '/scar',
    roles: DESK,
    summary: 'State of the scar gate',
    answer: scar.schema,
  },
  {
    id: 'scar-runs',
    method: 'GET',
    path: '/scar/runs',
    roles: DESK,
    summary: 'The last runs of the scar gate, newest first',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(20).describe('how many'),
    }),
    answer: scarRuns.schema,
  },
  {
    id: 'site',
    method: 'GET',
    path: '/site',
    roles: DESK,
    summary: 'The public site as it was last probed, and its history',
    answer: site.schema,
  },
  {
    id: 'scar-check',
    method: 'POST',
    path: '/scar/check',
    roles: DESK,
    summary: 'Runs the whole pipeline, with cook-off as a dry run; touches nothing outside its records',
    body: z.strictObject({}),
    answer: scarCheck.schema,
  },
  {
    id: 'cook',
    method: 'POST',
    path: '/cook',
    roles: DESK,
    summary: 'Says what cook-off would do (check), or does it (cook)',
    body: z.strictObject({
      mode: z.enum(['check', 'cook']).default('check').describe('dry run or the whole pipeline'),
      findings: z
        .array(findingId)
        .max(MOST_NAMED)
        .optional()
        .describe(
          'ids of the findings that it may work on, others are left as they are; all scars when left out',
        ),
    }),
    answer: cook.schema,
    token: realCook,
  },
  {
    id: 'av-close',
    method: 'POST',
    path: '/av/close',
    roles: DESK,
    summary:
      'A full antivirus pass: closes avenues whose subjects are gone, shuts banned listeners down that the law does not allow',
    body: z.strictObject({
      mode: z
        .enum(['check', 'cook'])
        .default('cook')
        .describe('check looks at everything and says what cook-off would do then; cook does it'),
    }),
    answer: cook.schema,
    token: 'control',
  },
  {
    id: 'field-clear',
    method: 'POST',
    path: '/field/clear',
    roles: DESK,
    summary: 'Clears stale residue of the desk itself; resolute also shuts a banned listener down',
    body: z.strictObject({ mode: z.enum(['soft', 'resolute']).describe('how far it goes') }),
    answer: cook.schema,
    token: 'control',
  },
  {
    id: 'quarantine',
    method: 'GET',
    path: '/quarantine',
    roles: CONTROL,
    summary: 'Files of the desk itself that were set aside',
    answer: quarantine.schema,
  },
  {
    id: 'quarantine-restore',
    method: 'POST',
    path: '/quarantine/restore',
    roles: CONTROL,
    summary: 'Gives one of them back under its old name',
    body: z.strictObject({ id: entryId }),
    answer: quarantine.schema,
    token: 'control',
  },
  {
    id: 'quarantine-purge',
    method: 'POST',
    path: '/quarantine/purge',
    roles: CONTROL,
    summary: 'Deletes one of them, or those set aside long ago',
    body: z
      .strictObject({
        id: entryId.optional(),
        older_than_sec: z
          .int()
          .min(0)
          .max(4_000_000_000)
          .optional()
          .describe('those set aside at least so many seconds ago'),
      })
      .refine(
        ({ id, older_than_sec }) => (id === undefined) !== (older_than_sec === undefined),
        'expected either id or older_than_sec',
      ),
    answer: quarantine.schema,
    token: 'control',
  },
  {
    id: 'learn',
    method: 'POST',
    path: '/learn',
    roles: DESK,
    summary:
      'Learns the observation as the new baseline unless there are scars other than changed programs, or opens a learning window',
    body: z.strictObject({
      window_min: z
        .int()
        .min(1)
        .max(MOST_WINDOW_MIN)
        .optional()
        .describe(
          'opens a learning window of so many minutes: what clean observations show is learned at its end',
        ),
    }),
    answer: learned.schema,
    token: 'control',
  },
  {
    id: 'baseline-diff',
    method: 'GET',
    path: '/baseline/diff',
    roles: DESK,
    summary: 'What the observation has and the held generation has not, and the other way round',
    answer: baselineDiff.schema,
  },
  {
    id: 'baseline-restore',
    method: 'POST',
    path: '/baseline/restore',
    roles: DESK,
    summary: 'Makes a new generation with the rows of an old one, whose digest must verify',
    body: z.strictObject({
      generation: z.int().min(0).describe('number of the old one; 0 starts over with an empty baseline'),
    }),
    answer: learned.schema,
    token: 'control',
  },
  {
    id: 'baseline-review',
    method: 'POST',
    path: '/baseline/review',
    roles: DESK,
    summary: 'Takes note that a person has looked through what was learned and is marked for review',
    body: z.strictObject({}),
    answer: reviewed.schema,
    token: 'control',
  },
  {
    id: 'session-code',
    method: 'POST',
    path: '/session/code',
    roles: CONTROL,
    summary: 'A single-use code, good for 60 s, that a page exchanges for a token',
    body: z.strictObject({}),
    answer: sessionCode.schema,
    token: 'control',
  },
  {
    id: 'session',
    method: 'POST',
    path: '/session',
    roles: DESK,
    summary: 'Exchanges a single-use code for a token',
    body: z.strictObject({ code: z.string().min(1).max(128).describe('the code') }),
    answer: session.schema,
  },
  {
    id: 'think',
    method: 'POST',
    path: '/h7/think',
    roles: DESK,
    summary: 'Asks the hostess',
    body: thinkBody,
    answer: think.schema,
    token: peopleAsked,
  },
  {
    id: 'hostess-think',
    method: 'POST',
    path: '/hostess7/think',
    roles: DESK,
    summary: 'The same as /h7/think',
    body: thinkBody,
    answer: think.schema,
    token: peopleAsked,
  },
  {
    id: 'consult',
    method: 'POST',
    path: '/h7/consult',
    roles: DESK,
    summary:
      'Asks the hostess, with the assistant consulting; as text/event-stream the events hostess, assistant and done',
    body: z.strictObject({
      message: message.describe('what to ask'),
      with_assistant: z.boolean().default(true).describe('let the assistant answer beside her'),
    }),
    answer: consult.schema,
    stream: true,
    token: assistantElsewhere,
  },
  {
    id: 'people',
    method: 'GET',
    path: '/email/api/people',
    roles: LEDGER,
    summary: 'The mail people ledger; on an open public list without the token names and domains only',
    query: peopleQuery,
    answer: z.union([people.schema, openPeople.schema]),
    token: peopleHidden,
  },
  {
    id: 'who',
    method: 'GET',
    path: '/email/api/who',
    roles: LEDGER,
    summary: 'Looks one address up in the ledger',
    query: z.strictObject({ email: z.string().min(3).max(320).describe('the address') }),
    answer: who.schema,
    token: 'people',
  },
  ...ACCEPT_ENDPOINTS,
  ...TABLE_ENDPOINTS,
  ...MAIL_ENDPOINTS,
  ...SERVICE_ENDPOINTS,
  ...PAGES,
] as const satisfies readonly Endpoint[];

export type Endpoints = typeof ENDPOINTS;
