/** Helper processes that inspect other processes; contents of programs; the processes of findings. */
export { countEgress } from './egress-watch.ts';
export { TierTwo } from './inspection.ts';
export type { PeekTotals } from './inspector.ts';
