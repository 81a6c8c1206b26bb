/** The catalogue of checks with how each stands now, for the pages. */
import { z } from 'zod';
import { AVENUE_IDS } from '../checks/judgement.ts';
import { count } from './define.ts';
import type { Moment } from './moment.ts';

export const checkState = z.strictObject({
  id: z.string().describe('the check'),
  avenue: z.enum(AVENUE_IDS).describe('the avenue that it opens'),
  findings: count.describe('open findings of it'),
  blind: count.describe('subjects that it could not judge'),
});

export function checkStates({ judgement }: Moment): z.output<typeof checkState>[] {
  const found = new Map<string, number>();
  for (const { check } of judgement.findings) found.set(check, (found.get(check) ?? 0) + 1);
  const blind = new Map<string, number>();
  for (const { check, subjects } of judgement.notes) blind.set(check, (blind.get(check) ?? 0) + subjects);
  return judgement.checks.map(({ id, avenue }) => ({
    id,
    avenue,
    findings: found.get(id) ?? 0,
    blind: blind.get(id) ?? 0,
  }));
}
