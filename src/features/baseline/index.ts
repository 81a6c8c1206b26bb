/** The baseline: what was learned, kept in sealed generations, and learning. */
export * from './api.ts';
export { Learning } from './learning.ts';
export { migrations } from './migrations.ts';
export { isNews } from './observation.ts';
export { BaselineTables, holdsLearned } from './tables.ts';
