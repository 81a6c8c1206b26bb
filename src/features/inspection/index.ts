/** Inspection: helper processes look into other processes; contents of programs; who the process of a finding is. */
export { TierTwo } from './inspection.ts';
export { HELPER_CURE } from './judge.ts';
export type { PeekTotals } from './peeker.ts';
