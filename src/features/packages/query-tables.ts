/** What a query can ask of the packages. */

import { PACKAGES } from '../../desk/packages.ts';
import { type DeskTable, recordTable } from '../../desk/query.ts';
import { altered } from '../../records/packages.ts';
import { answerOf } from './operations.ts';

const packages = recordTable({
  name: 'packages',
  meaning: 'files that differ from what their package recorded, as of the last comparison',
  noun: ['file that differs from its package', 'files that differ from their packages'],
  key: ['path'],
  label: 'package',
  time: 'changed',
  shown: ['severity', 'path', 'package', 'version', 'changed'],
  columns: [altered],
  hints: { times: ['changed'], ranked: ['severity'] },
  read: (desk) => {
    const { container, ...api } = desk.use(PACKAGES);
    const scan = api.latest();
    const answer = answerOf(scan, desk.latest()?.judgement.findings ?? [], container);
    const unread = answer.unread.length;
    return {
      rows: answer.altered,
      gaps: [
        ...(scan === null ? ['packages have not been compared yet: desk packages compares them'] : []),
        ...(container === '' ? [] : [container]),
        ...(answer.trouble === '' ? [] : [answer.trouble]),
        ...(unread === 0 ? [] : [`${unread} files or packages could not be compared`]),
      ],
      notes: answer.compared === null ? [] : [`compared ${answer.compared}`],
    };
  },
});

export const QUERY_TABLES: readonly DeskTable[] = [packages];
