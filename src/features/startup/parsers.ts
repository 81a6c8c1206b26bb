/** Parsers that several places use. Each is linear in the text, and takes any bytes. */
import type { Parser, PlacedFile, Start } from './place.ts';

const COMMENT = /^#/;
/** Of files with sections, and of some readers of systemd. */
export const INI = /^[#;]/;

/** systemd and others end lines at these too; where a reader does not, a line more is shown. */
const LINE_ENDS = /[\n\r\0]/;

/** Other blanks are part of words, as in a shell. */
const trimmed = (line: string): string => line.replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');

/** Lines that are neither empty nor comments. */
export function significant(text: string, comment = COMMENT): string[] {
  return text
    .split(LINE_ENDS)
    .map(trimmed)
    .filter((line) => line !== '' && !comment.test(line));
}

interface Joining {
  readonly comment?: RegExp;
  readonly more?: RegExp;
}

/** Lines, each joined with the next one if it ends with a backslash that is not escaped. A comment of a whole line ends with its line. */
function groups(text: string, { comment = COMMENT, more = /(?<!\\)(?:\\\\)*\\$/ }: Joining): string[][] {
  const all: string[][] = [];
  let open: string[] | null = null;
  for (const line of text.split(LINE_ENDS)) {
    if (open === null && comment.test(trimmed(line))) continue;
    const goesOn = more.test(line);
    const part = goesOn ? line.replace(/\\[ \t]*$/, '') : line;
    if (open === null) all.push([part]);
    else open.push(part.trimStart());
    open = goesOn ? (open ?? all.at(-1) ?? null) : null;
  }
  return all;
}

/** Joins lines that go on to the next one. */
export const joined = (text: string, joining: Joining = {}): string =>
  groups(text, joining)
    .map((group) => group.join(' '))
    .join('\n');

/** Copies that editors and package managers leave; readers of folders skip them. */
export const isLeftover = (name: string): boolean =>
  /^\.|^#.*#$|~$|\.(?:rpm(?:save|new|orig)|dpkg-(?:old|new|dist|bak|tmp|remove)|pam-(?:old|new)|ucf-(?:old|new|dist)|sw[a-p]|bak|disabled|save)$/.test(
    name,
  );

/** A parser that skips files with names that readers skip. */
const named =
  (parse: Parser, reads: (name: string) => boolean = (name) => !isLeftover(name)): Parser =>
  (file) =>
    file.isNamed || reads(file.name) ? parse(file) : [];

/** Every line that is not a comment, as it is. */
export const lines = (comment?: RegExp): Parser =>
  named(({ text }) => significant(text, comment).map((runs) => ({ runs })));

/** Lines that match; some readers do not join lines, so a part of a joined line counts too. */
export const matching = (pattern: RegExp, comment = COMMENT): Parser =>
  named(({ text }) =>
    groups(text, { comment }).flatMap((group) => {
      const whole = significant(group.join(' '), comment).filter((line) => pattern.test(line));
      const parts = whole.length > 0 || group.length === 1 ? [] : significant(group.join('\n'), comment);
      return [...whole, ...parts.filter((line) => pattern.test(line))].map((runs) => ({ runs }));
    }),
  );

/** The file itself is run: where its owner or others may execute it. */
export const program = (reads?: (name: string) => boolean): Parser =>
  named(
    ({ file, path }) => (file.kind === 'regular' && (file.mode & 0o111) !== 0 ? [{ runs: path }] : []),
    reads,
  );

/** The file itself is loaded or read, executable or not. */
export const loaded = (reads?: (name: string) => boolean): Parser =>
  named(({ file, path }) => (file.kind === 'regular' ? [{ runs: path }] : []), reads);

/** Names that run-parts(8) takes. */
export const isRunPart = (name: string): boolean => /^[\w-]+$/.test(name);

/** One for a script that is read by a shell: its lines without comments. */
export const script = (comment = /^#/): Parser =>
  named(({ text }) => {
    const all = significant(text, comment);
    return all.length === 0 ? [] : [{ runs: all.join('; ') }];
  });

interface Setting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** Settings of a file with sections (systemd.syntax(7)); with `parts`, as readers have them that join no lines, too (desktop entries). */
export function settings(text: string, { parts = false } = {}): Setting[] {
  const found: Setting[] = [];
  let section = '';
  const read = (line: string): void => {
    const [, heading] = /^\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    const at = line.indexOf('=');
    if (heading === undefined && at > 0)
      found.push({ section, key: line.slice(0, at).trim(), value: line.slice(at + 1).trim() });
  };
  for (const group of groups(text, { comment: INI })) {
    for (const line of significant(group.join(' '), INI)) read(line);
    if (parts) for (const line of significant(group.slice(1).join('\n'), INI)) read(line);
  }
  return found;
}

/** Settings with one of these keys. */
export const keyed = (keys: RegExp): Parser =>
  named(({ text }) =>
    settings(text, { parts: true })
      .filter(({ key, value }) => keys.test(key) && value !== '')
      .map(({ section, key, value }) => ({
        runs: `${key}=${value}`,
        name: `${section} ${key}`.trim(),
      })),
  );

/** Lines "KEY value" with one of these keys, as in sshd_config(5): none goes on in the next line, and keys may be quoted. */
export const directives = (keys: RegExp): Parser =>
  named(({ text }) => {
    const found: Start[] = [];
    let block = '';
    for (const line of significant(text, /^#/)) {
      const [, key = '', value = ''] = /^"?([^\s"=]+)"?(?:\s*=\s*|\s+)(.*)$/.exec(line) ?? [];
      if (/^(?:match|host)$/i.test(key)) block = line;
      if (keys.test(key) || (/^match$/i.test(key) && /\bexec\b/i.test(value)))
        found.push({ runs: line, name: block });
    }
    return found;
  });

/** Bodies between lines that begin with one of `from` and a line `to`, as in logrotate.conf(5). */
export const blocks = (from: RegExp, to: RegExp): Parser =>
  named(({ text }) => {
    const found: Start[] = [];
    let body: string[] | null = null;
    let name = '';
    for (const line of significant(text)) {
      if (body !== null && to.test(line)) {
        if (body.length > 0) found.push({ runs: body.join('; '), name });
        body = null;
      } else if (body !== null) body.push(line);
      else if (from.test(line)) {
        body = [];
        name = line;
      }
    }
    return found;
  });

/** Everything that several parsers find in one file. */
export const all =
  (...parsers: readonly Parser[]): Parser =>
  (file: PlacedFile) =>
    parsers.flatMap((parse) => parse(file));
