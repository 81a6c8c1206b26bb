/** What was: findings with their lines, what was deleted, minutes of the desk. */
export * from './api.ts';
export { forgetCommandLines } from './command-lines.ts';
export {
  type FindingChanges,
  FindingHistory,
  type FindingLine,
  type FindingPast,
  RECORD,
} from './finding-history.ts';
export { ownerOf } from './finding-shares.ts';
export { migrations } from './migrations.ts';
export { storeGaps } from './query-tables.ts';
export { AT_ONCE, WaitingChanges } from './waiting-changes.ts';
