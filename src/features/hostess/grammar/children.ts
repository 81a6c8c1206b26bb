/** Processes that another one has started. */
import type { Draft } from './draft.ts';
import { program } from './filters.ts';
import { inList, query, valuesOf } from './follow-rows.ts';
import type { Plan, Step } from './plan.ts';
import { said } from './tables.ts';

const toChildren: Step = (record) =>
  query('processes', inList('ppid', valuesOf(record, 'pid')), ' order by pid');

/** "Children of nginx", "child processes of process 1"; null where it is not said whose. */
export function childrenOf(draft: Draft): Plan | null {
  const { parts, table, conditions, asked } = draft;
  if (table !== 'processes' || (asked !== 'list' && asked !== 'who' && asked !== 'whether')) return null;
  // Processes too, where one is named.
  for (const name of ['systemd', 'cron'])
    if (parts.take('trait', name) !== null) parts.slots.push({ part: 'program', value: name, text: name });
  const number = parts.take('number');
  if (number !== null) {
    parts.takeAll('column', 'pid');
    const pid = Number(number.value);
    conditions.push({
      query: `pid = ${pid}`,
      words: said(`${pid}`, `${pid}`, `${pid}`, `${pid}`),
      step: null,
    });
  } else if (!program(draft) || conditions.length === 0) return null;
  if (parts.slots.length > 0) return null;
  const of = number?.value ?? draft.program ?? '';
  const first = draft.query();
  conditions.splice(0, conditions.length, {
    query: '',
    words: said(`started by ${of}`, `von ${of} gestartet`, `iniciados por ${of}`, `lancés par ${of}`),
    step: null,
  });
  return draft.plan(asked === 'whether' ? 'whether' : 'list', first, { steps: [toChildren], stranger: null });
}
