/** The operations of the remote listener, one file a line. What this file imports reaches nothing that controls the desk. */

export { asset } from '../operations/public-pages.ts';
export * from '../operations/remote.ts';
