/** Findings: the list with what could not be seen, and one of them with its history. */

import { z } from 'zod';
import { DeskError } from '../base/desk-error.ts';
import { AVENUE_IDS } from '../checks/check.ts';
import { unknownLinks } from '../checks/startup.ts';
import { OfState } from '../desk/context.ts';
import { DESK, operation } from '../desk/operation.ts';
import { STARTUP } from '../desk/startup.ts';
import { acceptanceFor } from '../features/law/index.ts';
import { detection as detectionRecord } from '../records/detection.ts';
import { findingId, severity } from '../records/finding.ts';
import { findingDetail } from '../records/finding-detail.ts';

export const detection = operation({
  route: 'GET /detection',
  roles: DESK,
  summary: 'Findings and notes of the state',
  input: z.strictObject({
    avenue: z.enum(AVENUE_IDS).optional().describe('only findings and notes of this avenue'),
    severity: severity.optional().describe('only findings of exactly this severity; notes are low'),
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('only findings first seen at or after this RFC 3339 time'),
  }),
  answer: detectionRecord.schema,
  async handle({ desk }, filter) {
    const state = await desk.state();
    const key = Object.keys(filter).length > 0 ? null : detectionRecord.name;
    return new OfState(state, key, () => detectionRecord.assemble({ state, ...filter }), true);
  },
});

export const finding = operation({
  route: 'GET /findings/{id}',
  roles: DESK,
  summary: 'One finding with its history',
  input: z.strictObject({ id: findingId.describe('id of the finding') }),
  answer: findingDetail.schema,
  tool: {
    name: 'explain_finding',
    about:
      'One finding by its id, with evidence, what may be benign about it, the remedy, its history and what starts its program. The query "findings" lists ids.',
  },
  async handle({ desk }, { id }) {
    const state = await desk.state();
    const known = desk.finding(id);
    if (known === undefined)
      throw new DeskError(
        'not-found',
        'No finding has this id',
        'See the ids in /detection or with "desk findings".',
      );
    const { finding } = known;
    const { processes } = (desk.latest() ?? state).snapshot;
    const links = desk.find(STARTUP)?.linksOf(finding, processes) ?? unknownLinks('startup is not available');
    return findingDetail.assemble({ state, ...known, acceptance: acceptanceFor(finding), links });
  },
});
