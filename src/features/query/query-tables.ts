/** The tables of the desk itself. */
import type { DeskTable } from '../../desk/query.ts';
import { CATALOGUE_TABLES } from './catalogue-tables.ts';
import { MACHINE_TABLES } from './machine-tables.ts';
import { REPORT_TABLES } from './report-tables.ts';

export const QUERY_TABLES: readonly DeskTable[] = [...MACHINE_TABLES, ...REPORT_TABLES, ...CATALOGUE_TABLES];
