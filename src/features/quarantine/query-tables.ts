/** What a query can ask of the quarantine. */
import { type DeskTable, recordTable } from '../../desk/query.ts';
import { file } from '../../records/quarantine.ts';
import { QUARANTINE } from './api.ts';

const quarantine = recordTable({
  name: 'quarantine',
  meaning: 'files of the desk itself that were set aside',
  noun: ['quarantined file', 'quarantined files'],
  key: ['id'],
  label: 'name',
  time: 'at',
  columns: [file],
  // "" where the manifest cannot be read.
  hints: { times: ['at'], units: { bytes: 'bytes' }, unreadWhenEmpty: ['name', 'at', 'why', 'finding'] },
  // The record itself is on the control listener alone.
  needs: 'control',
  read: (desk) => ({ rows: desk.use(QUARANTINE).list() }),
});

export const QUERY_TABLES: readonly DeskTable[] = [quarantine];
