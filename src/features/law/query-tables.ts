/** What a query can ask of what was accepted. */
import { type DeskTable, ownColumn, recordTable } from '../../desk/query.ts';
import { utcTime } from '../../engine/time.ts';
import { entry } from '../../records/accepted.ts';
import { LAW } from './api.ts';

const accepted = recordTable({
  name: 'accepted',
  meaning: 'findings that were accepted and not taken back; what has ended is among them',
  noun: ['accepted entry', 'accepted entries'],
  key: ['id'],
  label: 'covers',
  time: 'accepted',
  columns: [entry, ownColumn('covers', 'text', 'what it covers, in words')],
  hints: { times: ['accepted', 'expires'], noneWhenNull: ['expires'] },
  read: (desk) => ({
    rows: desk
      .use(LAW)
      .accepted.list()
      .map(({ id, why, covers, expiresMs, acceptedMs }) => ({
        ...{ id, why, expires: utcTime(expiresMs), accepted: utcTime(acceptedMs) },
        covers: covers.map(({ key, value }) => `${key} ${value}`).join(', '),
      })),
  }),
});

export const QUERY_TABLES: readonly DeskTable[] = [accepted];
