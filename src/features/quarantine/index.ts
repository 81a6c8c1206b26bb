/** Stale files of the desk itself: which processes and files a dead run left behind, and the folder they are moved to. */
export * from './api.ts';
export { HelperNotes } from './helper-notes.ts';
export { Quarantine } from './quarantine.ts';
