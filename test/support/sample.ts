/** Hand-made samples of a desk. */
import type { Sample } from '../../src/records/measures.ts';

export const sampleFrom = (parts: Partial<Sample> = {}): Sample => ({
  at: 1_767_323_040,
  recheck_us: 40,
  recheck_max_us: 900,
  pids: 30,
  wrapped: 4,
  public_listen: 1,
  bgl: 3,
  findings: 0,
  scars: 0,
  temp_c: 41.5,
  ...parts,
});
