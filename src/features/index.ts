/** THE list of features, one line each; their order does not matter. What a line exports with `operation` can be asked. */

export * as alerts from './alerts/feature.ts';
export * as assistant from './assistant/feature.ts';
export * as baseline from './baseline/operations.ts';
export * as diff from './diff/feature.ts';
export * as gate from './gate/operations.ts';
export * as history from './history/feature.ts';
export * as hostess from './hostess/feature.ts';
export * as law from './law/operations.ts';
export * as mail from './mail/feature.ts';
export * as mcp from './mcp/operations.ts';
export * as packages from './packages/feature.ts';
export * as quarantine from './quarantine/operations.ts';
export * as query from './query/operations.ts';
export * as remedies from './remedies/operations.ts';
export * as remote from './remote/feature.ts';
export * as site from './site/feature.ts';
export * as startup from './startup/feature.ts';
export * as vitals from './vitals/feature.ts';
