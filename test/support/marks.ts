import { chooseMark, runnableMarks } from '../../src/engine/native/mark.ts';
import type { Mark } from '../../src/engine/native/types.ts';

/** The ISA levels that a test covers: all that run here, or the one of `DESK_MARK`, if only that one is built. */
export const testedMarks = (): readonly Mark[] => (process.env.DESK_MARK ? [chooseMark()] : runnableMarks());
