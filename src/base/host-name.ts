/** Names of hosts. Imports nothing. */

const LABELS = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

/**
 * An IPv4 address or nothing (WHATWG URL, "ends in a number"): inet_aton(3) takes `127.1`, `0x7f.1`, `0177.0.0.1` and `2130706433`.
 */
export const endsInNumber = (text: string): boolean => /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i.test(text);

/** RFC 1123 section 2.1, also with underscores, at most 253 characters (RFC 1035 section 2.3.4), and not an address in any spelling. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && LABELS.test(text) && !endsInNumber(text);
