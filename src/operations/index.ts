/** THE list of operations, one file a line: what each file exports with `operation` can be asked. */
export * from './accept.ts';
export * from './baseline.ts';
export * from './findings.ts';
export * from './gate.ts';
export * from './hostess.ts';
export * from './mail.ts';
export * from './pages.ts';
export * from './public.ts';
export * from './quarantine.ts';
export * from './remedies.ts';
export * from './service.ts';
export * from './session.ts';
export * from './site.ts';
export * from './status.ts';
export * from './tables.ts';
