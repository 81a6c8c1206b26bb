/** The operations of the public listener, one file a line. What this file imports reaches nothing that controls the desk. */

export * from '../operations/public-pages.ts';
export * from './mail/public-operations.ts';
export * from './site/public-operations.ts';
