/** Which findings the desk itself may end. */
import { BANNED_LISTENER } from '../policy/banned.ts';

export const STALE_FILE = 'stale-runtime-file';

/** Checks that have a remedy of the desk; of the findings of all others it only tells what a person could do. */
export const REMEDIED: ReadonlySet<string> = new Set([BANNED_LISTENER, STALE_FILE]);
