/** What a query can ask of the baseline. */
import { type DeskTable, ownColumn, recordTable } from '../../desk/query.ts';
import { row } from '../../records/baseline-diff.ts';
import { storeGaps } from '../history/index.ts';
import { BASELINE } from './api.ts';

const generations = recordTable({
  name: 'generations',
  meaning: 'generations of the baseline, the newest first',
  noun: ['generation', 'generations'],
  key: ['number'],
  label: 'how',
  time: 'learned',
  columns: [
    ownColumn('number', 'number', 'its number; 0 is the empty baseline'),
    ownColumn('learned', 'time', 'when it was learned; none of the empty one'),
    ownColumn('how', 'text', 'how it came about: first use, learned, auto, content or restored'),
    ownColumn('held', 'boolean', 'it is the one that counts'),
    ownColumn('parent', 'number', 'the generation it came from'),
    ownColumn('privilege', 'text', 'uid and capabilities it was learned with'),
    ownColumn('kept', 'boolean', 'its rows are still there'),
  ],
  hints: { times: ['learned'], noneWhenNull: ['parent'] },
  read: (desk) => ({
    gaps: storeGaps(desk),
    rows: desk
      .use(BASELINE)
      .generations()
      .map(({ learnedAt, authoritative, ...one }) => ({ ...one, learned: learnedAt, held: authoritative })),
  }),
});

const differences = recordTable({
  name: 'baseline_differences',
  meaning:
    'what runs now and was not learned, what was learned and does not run, and programs with other contents',
  noun: ['difference to the baseline', 'differences to the baseline'],
  key: ['difference', 'kind', 'text'],
  label: 'text',
  columns: [
    ownColumn(
      'difference',
      'text',
      'added: it is there and was not learned; gone: learned, and not there now; changed: another content',
      {
        values: ['added', 'gone', 'changed'],
      },
    ),
    row,
  ],
  read: async (desk) => {
    const { added, gone, changed } = await desk.use(BASELINE).difference();
    return {
      rows: Object.entries({ added, gone, changed }).flatMap(([difference, rows]) =>
        rows.map(({ kind, text }) => ({ difference, kind, text })),
      ),
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [generations, differences];
