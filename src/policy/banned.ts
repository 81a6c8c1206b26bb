/** Ports that nothing may listen on. */

/** The port whose listener is classed as a virus, regardless of the holder (interface rule 1). */
export const BANNED_PORT = 8766;

/** It, and those that the configuration adds. */
export const bannedPorts = ({ also }: { readonly also: readonly number[] }): ReadonlySet<number> =>
  new Set([BANNED_PORT, ...also]);

/** Id of the check for it. */
export const BANNED_LISTENER = 'banned-listener';
