/** Files of variables that shells read: everything except plain assignments would run. */

/** A part of a word without command substitution. */
const PART = String.raw`(?:[^\s"'\`$;&|()<>\\]|\\.|\$(?!\()|"(?:[^"\\\`$]|\\[\s\S]|\$(?!\())*"|'[^']*')`;
const NAMED = String.raw`^(?:export[ \t]+)?[A-Za-z_]\w*\+?=`;
/** systemd reads options without quotes too; no program has a name that begins with `-`. */
const PLAIN = new RegExp(
  `${NAMED}${PART}*(?:[ \\t]+-${PART}*(?:[ \\t]+(?!#)${PART}+)*)?(?:[ \\t]+#[^\\n]*)?$`,
);
const UNCLOSED = new RegExp(`${NAMED}${PART}*(?:"(?:[^"\\\\]|\\\\[\\s\\S])*|'[^']*)$`);
const GOES_ON = /(?<!\\)(?:\\\\)*\\$/;

/** Lines without comments and blanks; one with the next where a quote or a backslash at its end says so. */
function statements(text: string): string[] {
  const found: string[] = [];
  const lines = text.split(/[\n\r\0]/);
  for (let at = 0; at < lines.length; at++) {
    let line = (lines[at] ?? '').replace(/^[ \t]+/, '');
    if (line === '' || line.startsWith('#')) continue;
    const parts: string[] = [];
    while (GOES_ON.test(line) && at + 1 < lines.length) {
      parts.push(line.slice(0, -1));
      at += 1;
      line = lines[at] ?? '';
    }
    parts.push(line);
    const whole = parts.join('');
    if (!UNCLOSED.test(whole)) {
      found.push(whole.trim());
      continue;
    }
    const quote = /"(?:[^"\\]|\\[\s\S])*$/.test(whole) ? '"' : "'";
    const inside = [whole];
    while (at + 1 < lines.length) {
      at += 1;
      line = lines[at] ?? '';
      inside.push(line);
      if (line.includes(quote)) break;
    }
    found.push(inside.join('\n').trim());
  }
  return found;
}

/** Everything except plain assignments. */
export const commandsIn = (text: string): string[] =>
  statements(text)
    .filter((statement) => !PLAIN.test(statement))
    .map((statement) => statement.replace(/\s*\n\s*/g, '; '));
