/** After this time `run.ts` ends a test file, in ms. */
export const fileTimeoutMs = Number(process.env.DESK_TEST_TIMEOUT_MS ?? 180_000);
