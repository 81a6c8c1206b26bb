/** All operations, in the order of their paths, and all tables that queries can ask. */
import type { ServiceContext } from '../desk/context.ts';
import { operationsIn } from '../desk/operation.ts';
import type { DeskTable } from '../desk/query.ts';
import * as own from '../operations/index.ts';
import * as features from './index.ts';

export const OPERATIONS = operationsIn<ServiceContext>(own, ...Object.values(features));

export const QUERY_TABLES: readonly DeskTable[] = Object.values(features)
  .flatMap((feature) => ('QUERY_TABLES' in feature ? feature.QUERY_TABLES : []))
  .sort((one, other) => (one.table.name < other.table.name ? -1 : 1));
