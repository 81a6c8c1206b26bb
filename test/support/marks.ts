import { chooseMark, runnableMarks } from '../../src/engine/native/mark.ts';
import type { Mark } from '../../src/engine/native/types.ts';

/** The marks that a test goes through: all that run here, or the one of `DESK_MARK`, when only that one is built. */
export const testedMarks = (): readonly Mark[] => (process.env.DESK_MARK ? [chooseMark()] : runnableMarks());
