/** Composes a query from the parts of a question. It answers null unless every number, name, time and word of the question has its place. Pure. */
import { Draft } from './draft.ts';
import { finding, numbers, program, time, traits, users } from './filters.ts';
import { ofOneThing } from './one-thing.ts';
import { outcomeOf } from './outcome.ts';
import { Parts } from './parts.ts';
import type { Plan, Programs } from './plan.ts';
import type { Reading } from './read.ts';
import { tableOf } from './subject.ts';
import { TABLES } from './tables.ts';

const STAGES = [numbers, users, program, finding, time, traits];

export function compose({ slots, moment, language }: Reading, programs: Programs): Plan | null {
  const parts = new Parts(slots);
  if (parts.has('unread')) return null;
  const asked = parts.take('kind')?.value ?? 'list';
  const unmeasured = parts.takeAll('unmeasured').map(({ value }) => value);
  const base = {
    ...{ language, moment, unmeasured },
    ...{ stranger: null, name: null, simple: false, limit: null, column: null, conditions: [] },
  };
  parts.takeAll('word', 'still');
  parts.takeAll('word', 'only');
  // A name beside a machine may be that of another one.
  if (parts.takeAll('word', 'machine').length > 0 && parts.has('stranger')) return null;

  const special = ofOneThing(parts, asked, base);
  if (special !== undefined) return special;

  const table = tableOf(parts, asked);
  const about = table === null ? undefined : TABLES[table];
  if (table === null || about === undefined) return null;
  const draft = new Draft({ parts, asked, table, about, programs }, base);
  draft.tables = parts.takeAll('table').map(({ value }) => value);
  parts.takeAll('verb', 'listen');
  draft.runs = parts.takeAll('verb', 'run').length > 0;
  parts.takeAll('verb', 'hold');
  parts.takeAll('trait', 'accepted');
  if (table === 'blind') parts.takeAll('facet', 'check');
  return STAGES.every((stage) => stage(draft)) ? outcomeOf(draft) : null;
}
