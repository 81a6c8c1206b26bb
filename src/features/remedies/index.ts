/** Remedies as the store keeps them. */
export { migrations, Shutdowns } from './shutdowns.ts';
