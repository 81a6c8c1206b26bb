/** What a query can ask of alerts. */
import { type DeskTable, recordTable } from '../../desk/query.ts';
import { delivery } from '../../records/alerts.ts';
import { ALERTS } from './api.ts';
import { shownDelivery } from './shown.ts';

/** Rows that the store keeps. */
const MOST = 1_000;

const alerts = recordTable({
  name: 'alerts',
  meaning: 'alert messages that arrived, the newest first',
  noun: ['alert', 'alerts'],
  key: ['message', 'target'],
  label: 'title',
  time: 'at',
  columns: [delivery],
  hints: { times: ['at'] },
  read: (desk) => ({ rows: desk.use(ALERTS).deliveries(MOST).map(shownDelivery) }),
});

export const QUERY_TABLES: readonly DeskTable[] = [alerts];
