/** What the desk does about findings: shuts banned listeners down and moves its own stale files into quarantine. */
export * from './api.ts';
export { liveMachine } from './machine.ts';
export { Remedies } from './remedies.ts';
export { migrations, Shutdowns } from './shutdowns.ts';
