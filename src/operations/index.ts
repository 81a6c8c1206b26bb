/** The operations of the desk itself, one file a line. Those of features are in `features/index.ts`. */
export * from './findings.ts';
export * from './pages.ts';
export * from './process.ts';
export * from './public-pages.ts';
export * from './remote.ts';
export * from './service.ts';
export * from './session.ts';
export * from './status.ts';
export * from './tables.ts';
