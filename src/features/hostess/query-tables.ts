/** What a query can ask of the documentation: words, fields, checks, commands, endpoints and keys with their meanings. */
import { type DeskTable, ownColumn, recordTable } from '../../desk/query.ts';
import { documentation } from './documentation.ts';

const table = recordTable({
  name: 'documentation',
  meaning:
    'words, fields of records, checks, commands, endpoints and keys of the configuration, with their meanings',
  noun: ['entry of the documentation', 'entries of the documentation'],
  key: ['kind', 'name'],
  label: 'name',
  columns: [
    ownColumn('kind', 'text', 'what it is', {
      values: ['word', 'field', 'check', 'command', 'endpoint', 'key'],
    }),
    ownColumn('name', 'text', 'what it is called'),
    ownColumn('meaning', 'text', 'what it means'),
  ],
  read: () => ({ rows: documentation() }),
});

export const QUERY_TABLES: readonly DeskTable[] = [table];
