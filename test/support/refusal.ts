import { DeskError } from '../../src/base/desk-error.ts';

/** The refusal that some work ends with, which has a remedy; throws if there is none. */
export function refusal(work: () => unknown): DeskError {
  try {
    work();
  } catch (error) {
    if (error instanceof DeskError && error.remedy !== '') return error;
    throw error;
  }
  throw new Error('it was not refused');
}
