/** vCard 4.0 (RFC 6350). Pure. */

/** Octets of a line without its end (section 3.2). */
const LONGEST_LINE = 75;

/** Section 3.4: what would end a value or a line is escaped. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\,;]/g, '\\$&')
    .replaceAll(/\r\n|[\r\n\u0085\u2028\u2029]/g, '\\n')
    .replaceAll(/\p{Cc}+/gu, ' ');

/** Folded between characters, never within one. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST_LINE) {
      lines.push(current);
      // The space that continues a line counts.
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += size;
  }
  lines.push(current);
  return lines.join('\r\n');
}

/** One person with the name they are best known by, their other names and their address. Lines end in CRLF. */
export function vcard(address: string, names: readonly string[]): string {
  const [name = address, ...others] = names;
  const lines = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    `FN:${escaped(name)}`,
    ...(others.length > 0 ? [`NICKNAME:${others.map(escaped).join(',')}`] : []),
    `EMAIL:${escaped(address)}`,
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
