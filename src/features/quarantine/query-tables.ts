/** What a query can ask of the quarantine. */
import { type DeskTable, recordTable, schemaColumns } from '../../desk/query.ts';
import { file } from '../../records/quarantine.ts';
import { QUARANTINE } from './api.ts';

// "" where the manifest cannot be read.
const HINTS = { times: ['at'], units: { bytes: 'bytes' }, unreadWhenEmpty: ['name', 'at', 'why', 'finding'] };

const quarantine = recordTable(
  {
    name: 'quarantine',
    meaning: 'files of the desk itself that were set aside',
    noun: ['quarantined file', 'quarantined files'],
    key: ['id'],
    label: 'name',
    time: 'at',
  },
  schemaColumns(file, HINTS),
  HINTS,
  (desk) => ({ rows: desk.use(QUARANTINE).list() }),
  // The record itself is on the control listener alone.
  'control',
);

export const QUERY_TABLES: readonly DeskTable[] = [quarantine];
