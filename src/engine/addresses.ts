/** IP addresses: canonical text of their bytes (network order). */

/** ::ffff:0:0/96, the v4-mapped addresses (RFC 4291 section 2.5.5.2). */
const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function isMapped(bytes: Uint8Array): boolean {
  return bytes.length === 16 && MAPPED_PREFIX.every((byte, at) => bytes[at] === byte);
}

/** Canonical text of 4 or 16 bytes: dotted quad, or RFC 5952 (v4-mapped in its mixed form). Other lengths throw. */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new RangeError(`an address has 4 or 16 bytes, not ${bytes.length}`);
  if (isMapped(bytes)) return `::ffff:${bytes.subarray(12).join('.')}`;
  const groups: number[] = [];
  for (let at = 0; at < 16; at += 2) groups.push(((bytes[at] as number) << 8) | (bytes[at + 1] as number));
  const [from, length] = longestZeroRun(groups);
  const hex = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  // RFC 5952 section 4.2.2: a single zero group is not shortened.
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, from))}::${hex(groups.slice(from + length))}`;
}

/** Start and length of the longest run of zeros; of equal runs the first (RFC 5952 section 4.2.3). */
function longestZeroRun(groups: readonly number[]): [number, number] {
  let best: [number, number] = [0, 0];
  let length = 0;
  groups.forEach((group, at) => {
    length = group === 0 ? length + 1 : 0;
    if (length > best[1]) best = [at - length + 1, length];
  });
  return best;
}
