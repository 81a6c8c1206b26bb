/** The time of a query: which part of the history of a table it asks for. */
import { PAST_TIMES, pastTime } from '../base/past-time.ts';
import { type Name, type Query, QueryError, type Table, type TimeWord } from './types.ts';

/** Null: not asked. Milliseconds since the epoch. */
export interface Span {
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly atMs: number | null;
  readonly ever: boolean;
}

/** @throws QueryError where it is not a time, or unless `future` is true, one of the future. */
export function momentOf({ text, at }: Name, nowMs: number, future = false): number {
  const ms = pastTime(text.trim(), nowMs);
  if (ms >= 0 && (future || ms <= nowMs)) return ms;
  const what = ms > nowMs ? 'This time is in the future' : 'This is not a time';
  throw new QueryError(`${what}: write e.g. ${PAST_TIMES}.`, at);
}

/** What of a history a table has, one phrase. */
export function historyOf({ time, past = [] }: Table): string {
  const can = [
    ...(time === undefined ? [] : [`since and until go by "${time}"`]),
    ...(past.includes('at') ? ['at shows it as it was'] : []),
    ...(past.includes('ever') ? ['ever adds what is over'] : []),
  ];
  return can.length === 0 ? 'it shows only the current state' : can.join(', ');
}

/** `tables`: all of them, for what to ask instead. @throws QueryError for a word that the table does not take. */
export function spanOf(query: Query, table: Table, tables: readonly Table[], nowMs: number): Span {
  const asked: readonly (readonly [TimeWord, boolean, boolean])[] = [
    ['since', query.since !== null, table.time !== undefined],
    ['until', query.until !== null, table.time !== undefined],
    ['at', query.at !== null, table.past?.includes('at') ?? false],
    ['ever', query.ever, table.past?.includes('ever') ?? false],
  ];
  for (const [word, isAsked, isTaken] of asked) {
    if (!isAsked || isTaken) continue;
    const others = tables.filter(({ time, past }) =>
      word === 'since' || word === 'until' ? time !== undefined : past?.includes(word as 'at' | 'ever'),
    );
    const instead =
      others.length === 0 ? '' : `; "${word}" works with ${others.map(({ name }) => name).join(', ')}`;
    throw new QueryError(
      `"${table.name}" cannot be asked with "${word}": ${historyOf(table)}${instead}.`,
      query.places?.[word] ?? -1,
    );
  }
  if (query.at !== null && (query.since !== null || query.until !== null))
    throw new QueryError(
      '"at" is a single time and cannot be combined with "since" or "until".',
      query.at.at,
    );
  const ms = (name: Name | null): number | null => (name === null ? null : momentOf(name, nowMs));
  const span = { sinceMs: ms(query.since), untilMs: ms(query.until), atMs: ms(query.at), ever: query.ever };
  if (span.sinceMs !== null && span.untilMs !== null && span.sinceMs > span.untilMs)
    throw new QueryError('"since" is later than "until": swap them.', query.until?.at);
  return span;
}
