/** The tables that questions are about. */
import { HOST_TABLES } from './host-tables.ts';
import { MACHINE_TABLES } from './machine-tables.ts';
import { MORE_TABLES } from './more-tables.ts';
import { REPORT_TABLES } from './report-tables.ts';
import type { Asked } from './table.ts';

export type { Asked, Condition, Said } from './table.ts';
export { said } from './table.ts';

export const TABLES: Readonly<Record<string, Asked>> = {
  ...MORE_TABLES,
  ...MACHINE_TABLES,
  ...REPORT_TABLES,
  ...HOST_TABLES,
};
