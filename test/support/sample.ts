/** Samples of a desk made by hand. */
import type { Sample } from '../../src/records/history.ts';

export const sampleFrom = (parts: Partial<Sample> = {}): Sample => ({
  at: 1_767_323_040,
  recheckUs: 40,
  recheckMaxUs: 900,
  pids: 30,
  wrapped: 4,
  publicListen: 1,
  bgl: 3,
  findings: 0,
  scars: 0,
  tempC: 41.5,
  ...parts,
});
