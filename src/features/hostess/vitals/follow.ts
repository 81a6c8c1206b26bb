/** Follow-ups about what processes use: "and the second?", "and nginx?", "how much CPU does it use?". Pure. */
import { conditionText, queryText } from '../../../query/text.ts';
import type { Query } from '../../../query/types.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { MOST_SORTED, SORTS } from '../grammar/follow-figures.ts';
import { bareOf, moveOf } from '../grammar/follow-words.ts';
import { chosen } from '../grammar/pin.ts';
import type { Plan, Step } from '../grammar/plan.ts';
import type { VitalAsked } from './asked.ts';
import type { Heard, Named } from './hear.ts';
import { EACH, MOST_LISTED, namesOf, parsed, whereOfProcesses } from './patterns.ts';
import { USES, type Use } from './quantities.ts';

export type Build = Partial<VitalAsked> &
  Pick<VitalAsked, 'kind' | 'uses'> & { readonly query: string; readonly second?: string };

/** What makes the plans. */
export interface Tools {
  readonly heard: Heard;
  readonly programs: Heard['programs'];
  readonly previous: string | null;
  readonly isShort: boolean;
  top(where: readonly string[], uses: readonly Use[], limit: number, names?: readonly Named[]): Plan;
  total(where: readonly string[], uses: readonly Use[], names: readonly Named[]): Plan;
  built(parts: Build): Plan;
}

const orderColumns = ({ order }: Query): readonly (string | undefined)[] =>
  order.map(({ item }) => item.column?.text);
/** The uses whose columns these are. */
const usesOf = (columns: readonly (string | undefined)[]): readonly Use[] =>
  (Object.keys(USES) as Use[]).filter((use) => USES[use].every((column) => columns.includes(column)));

const whereClause = (parts: readonly string[]): string =>
  parts.length === 0 ? '' : ` where ${parts.join(' and ')}`;

/** "And the second?", after the process that uses most. */
export function nthPlan({ heard, previous, built }: Tools): Plan | null {
  const before = parsed(previous);
  const move = moveOf(bareOf(heard.plain), heard.language)?.move;
  if (before?.from.text !== 'slow' || (move !== 'second' && move !== 'third')) return null;
  const { base } = chosen(before) ?? { base: { ...before, limit: null } };
  const uses = usesOf(orderColumns(before));
  // No query orders by a sum.
  if (uses.length === 0 || uses.includes('io')) return null;
  const isNext = /\b(?:next|nachste\w*|siguiente|suivante?)\b/.test(heard.plain);
  const nth = isNext ? (before.limit ?? 1) + 1 : move === 'second' ? 2 : 3;
  const step: Step = (record) => {
    const pid = record.rows[nth - 1]?.pid;
    const order = queryText(before).match(/ order by .*?(?= limit |$)/)?.[0] ?? '';
    const where = [...(base.where === null ? [] : [conditionText(base.where)]), `pid = ${pid}`];
    return typeof pid === 'number'
      ? `slow select ${EACH}${whereClause(where)}${order} limit 1`
      : `slow select ${EACH} where pid = -1`;
  };
  const plan = built({ kind: 'top', uses, query: queryText({ ...base, limit: nth }), unused: [] });
  return { ...plan, steps: [step] };
}

/** "And nginx?", after what another program uses. */
export function otherProgram({ heard, programs, previous, isShort, total }: Tools): Plan | null {
  const { quantities, users, unused, amounts, moment } = heard;
  const before = parsed(previous);
  const [program, ...others] = programs;
  if (before?.from.text !== 'slow' || program === undefined || others.length > 0 || !isShort) return null;
  const sums = before.select.flatMap(({ aggregate, column }) => (aggregate === 'sum' ? [column?.text] : []));
  const uses = usesOf(sums);
  const isAlone = quantities.length + users.length + amounts.length === 0 && moment === null;
  const isOwn = /\b(?:run\w*|installed|laufen|lauft|corre|tourne\w*|instal\w+|who|wer|qui|quien)\b/;
  if (uses.length === 0 || !isAlone || unused.length > 1 || isOwn.test(heard.plain)) return null;
  return total([program.where], uses, [program]);
}

/** "And RAM?", "how much memory do they use together?" */
export function usesFollowing(
  { heard, isShort, top, total, built }: Tools,
  before: Query,
  uses: readonly Use[],
): Plan | null {
  const has = heard.has.bind(heard);
  if (has('m:machine', 'a:free', 'a:total', 'a:full') && !has('p:they', 'r:together')) return null;
  if (has('t:past', 't:future', 't:was')) return null;
  const isBack = has('p:they', 'r:together') || isShort;
  if (!isBack || heard.amounts.length > 1) return null;
  const table = before.from.text;
  const named = chosen(before);
  if (table === 'slow') {
    const isWhole = named !== null && (has('o:most', 'o:least', 'k:which') || !has('p:they', 'u:use'));
    const rows = isWhole ? named.base : (named?.row ?? before);
    const where = rows.where === null ? [] : [conditionText(rows.where)];
    if (where.some((one) => /_per_sec|_bytes|_percent/.test(one))) where.pop();
    const isSum = before.select.some(({ aggregate }) => aggregate !== null) || has('r:together');
    const names = namesOf(before);
    if (isSum) return total(where, uses, names);
    const number = heard.amounts[0]?.value;
    return top(where, uses, number ?? Math.min(before.limit ?? 1, MOST_LISTED), names);
  }
  if (table === 'processes') {
    const rows = named?.row ?? before;
    const isSorted = SORTS.test(heard.plain);
    const where = whereOfProcesses(rows);
    if (where === null) return isSorted && rows.where === null ? top([], uses, MOST_SORTED) : null;
    const names = namesOf(rows);
    if (isSorted) return top([where], uses, MOST_SORTED, names);
    if (named !== null) return top([where], uses, before.limit ?? 1, names);
    return has('o:most', 'o:least', 'k:which') ? top([where], uses, 1, names) : total([where], uses, names);
  }
  if (table !== 'listeners' && table !== 'findings') return null;
  const sums = uses.flatMap((use) => USES[use].map((column) => `sum(${column})`));
  const step: Step = (record: QueryAnswer) => {
    const pids = [...new Set(record.rows.flatMap((row) => [row.pid, row.pids].flat()))].filter(
      (one): one is number => typeof one === 'number',
    );
    return pids.length === 0 || pids.length > MOST_LISTED
      ? null
      : `slow select count(), ${sums.join(', ')} where pid in (${pids.join(', ')})`;
  };
  const column = table === 'listeners' ? 'pids' : 'pid';
  const plan = built({
    kind: 'total',
    uses,
    query: `${table} select ${column}${before.where === null ? '' : ` where ${conditionText(before.where)}`}`,
    names: [],
  });
  return { ...plan, steps: [step] };
}
