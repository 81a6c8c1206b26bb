/** How words and paths are written into unit files: systemd.syntax(7), systemd.service(5). Pure. */

/** First line of each unit that `desk install` may replace and `desk uninstall` may remove. */
export const UNIT_MARKER =
  '# Written by "desk install", which replaces it: put changes into a drop-in, by "systemctl edit".';

/** One character beyond those that need no quotes: systemd.syntax(7), "Quoting". */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Text that cannot be written into a unit file: it has no form for NUL, and a line that is not UTF-8 is ignored. */
function refuseUnwritable(text: string): void {
  if (/[\0\ud800-\udfff]/u.test(text))
    throw new RangeError('a unit file cannot hold a NUL byte or text that is not Unicode');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

/** A word in a list of words: quoted where needed, specifiers off. @throws RangeError for text that no unit file can hold */
export function unitWord(text: string): string {
  refuseUnwritable(text);
  const safe = text.replaceAll('%', '%%');
  if (PLAIN.test(safe)) return safe;
  const inner = safe.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
    /[\u0000-\u001f\u007f"\\]/g,
    (one) => ESCAPES[one] ?? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${inner}"`;
}

/** Words of a command line. `$` begins a variable in all but the program (systemd.service(5), "COMMAND LINES"). @throws RangeError for a program without an absolute path */
export function commandLine([program = '', ...words]: readonly string[]): string {
  if (!program.startsWith('/'))
    throw new RangeError(`the program of a unit is not an absolute path: ${program}`);
  return [unitWord(program), ...words.map((word) => unitWord(word.replaceAll('$', '$$$$')))].join(' ');
}

/** The path of a credential is taken as it is, to the end of the line, without quotes. @throws RangeError for a path that cannot be written */
export function credentialPath(path: string): string {
  refuseUnwritable(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cannot be written
  if (!path.startsWith('/') || /[\u0000-\u001f\u007f]|[\s\\]$/.test(path))
    throw new RangeError(`a unit file cannot name this path of a credential: ${JSON.stringify(path)}`);
  return path.replaceAll('%', '%%');
}
