/** What `run.ts` allows a test file on an idle machine, in ms. */
const IDLE_MS = 180_000;

/** After this time `run.ts` ends a test file, in ms. */
export const fileTimeoutMs = Number(process.env.DESK_TEST_TIMEOUT_MS ?? IDLE_MS);

/** How long a test waits for a program that needs `ms` at most on an idle machine: longer where a whole file is allowed more. */
export const patientMs = (ms: number): number => Math.ceil(ms * Math.max(1, fileTimeoutMs / IDLE_MS));
