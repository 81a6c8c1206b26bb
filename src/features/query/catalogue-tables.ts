/** Tables about tables. */
import { type DeskTable, ownColumn, recordTable, TABLES } from '../../desk/query.ts';
import { historyOf } from '../../query/time.ts';

const tables = recordTable({
  name: 'tables',
  meaning: 'the tables that can be asked',
  noun: ['table', 'tables'],
  key: ['name'],
  label: 'name',
  columns: [
    ownColumn('name', 'text', 'its name'),
    ownColumn('meaning', 'text', 'what its rows are'),
    ownColumn('columns', 'number', 'how many columns it has'),
    ownColumn('key', 'list', 'columns that identify a row'),
    ownColumn('history', 'text', 'what "since", "until", "at" and "ever" do'),
    ownColumn('needs', 'text', 'the token that it needs: people, or control', {
      values: ['people', 'control'],
    }),
  ],
  hints: { noneWhenNull: ['needs'] },
  read: (desk) => ({
    rows: desk.use(TABLES).map(({ table, needs }) => ({
      name: table.name,
      meaning: table.meaning,
      columns: table.columns.length,
      key: table.key,
      history: historyOf(table),
      needs,
    })),
  }),
});

const columns = recordTable({
  name: 'columns',
  meaning: 'the columns of all tables, with their units and meanings',
  noun: ['column', 'columns'],
  key: ['table', 'name'],
  label: 'name',
  shown: ['table', 'name', 'type', 'unit', 'meaning', 'values'],
  columns: [
    ownColumn('table', 'text', 'the table'),
    ownColumn('name', 'text', 'its name'),
    ownColumn('type', 'text', 'what its cells are', {
      values: ['text', 'number', 'boolean', 'time', 'list'],
    }),
    ownColumn('unit', 'text', 'unit of its numbers'),
    ownColumn('meaning', 'text', 'what it says'),
    ownColumn('values', 'list', 'the only values that it can have; none where any is possible'),
    ownColumn('ordered', 'boolean', 'its values are in ascending order, and < and > follow it'),
  ],
  read: (desk) => ({
    rows: desk.use(TABLES).flatMap(({ table }) =>
      table.columns.map(({ ranked = false, ...column }) => ({
        ...column,
        table: table.name,
        ordered: ranked,
      })),
    ),
  }),
});

export const CATALOGUE_TABLES: readonly DeskTable[] = [tables, columns];
