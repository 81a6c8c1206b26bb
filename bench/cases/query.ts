/** H2: a query over HTTP with 5,000 processes and 1,000 findings, beside one `/status` of the same service and run. */
import { quantile } from '../stats.ts';
import { atMost, type Case, type Outcome } from './case.ts';
import { besideStatus, WARM_UP } from './think.ts';

/** Of every kind: filter, order, group, text, list, and the longest answer. */
const QUERIES = [
  'processes where threads > 10 order by -threads limit 3',
  'processes select count() where wrap = free',
  'processes group by wrap order by -count()',
  'processes group by comm, uid order by -count() limit 20',
  'processes select distinct(executable), max(threads), avg(threads) where not own',
  'processes where executable contains "bin" or comm like "%a%e%" order by start',
  'processes select * order by -start limit 1000',
  'processes since 1d',
  'findings where severity >= high order by -severity, first_seen',
  'findings group by check order by -count()',
  'findings where title contains "socket" select id, title limit 1000',
  'listeners where scope = public and allowed is none',
  'listeners where pids contains 1',
  'excused group by source',
  'columns where table = processes',
  'documentation where meaning contains certificate',
] as const;
/** Milliseconds that a query may take, as its 95th percentile. */
const MOST_MS = 50;

const query: Case = {
  id: 'query',
  target: 'H2',
  title: 'A query with 5,000 processes and 1,000 findings',
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run({ rounds, full }): Promise<Outcome> {
    const bodies = QUERIES.map((query) => ({ query }));
    const found: Awaited<ReturnType<typeof besideStatus>>[] = [];
    for (let time = 0; time < rounds; time++)
      found.push(await besideStatus('/h7/query', bodies, full ? 100 : 20));
    const shared = {
      a: 'POST /h7/query, queries of every kind by turns',
      b: 'GET /status of the same service, by turns with the queries',
      unit: 'µs',
      warmUp: WARM_UP * QUERIES.length,
    };
    return {
      facts: { processes: 5_000, findings: 1_000, queries: QUERIES.length },
      comparisons: [
        {
          ...shared,
          name: 'median of a query',
          goals: [],
          rawA: found.map(({ asked }) => asked),
          rawB: found.map(({ status }) => status),
        },
        {
          ...shared,
          name: 'p95 of a query',
          goals: [atMost('value', MOST_MS * 1000)],
          rawA: found.map(({ asked }) => [quantile(asked, 0.95)]),
          rawB: found.map(({ status }) => [quantile(status, 0.95)]),
        },
      ],
    };
  },
};

export default query;
