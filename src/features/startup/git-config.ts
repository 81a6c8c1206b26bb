/** git-config(1), as git reads it: a key may follow its heading on one line, and a comment ends with its line. */
import type { Parser } from './place.ts';

/** Keys that run a program. */
const GIT =
  /^(?:core (?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand|worktree)|alias(?: ".*")? .*|credential(?: ".*")? helper|diff(?: ".*")? (?:external|command|textconv)|difftool.* cmd|merge(?: ".*")? driver|mergetool.* (?:cmd|path)|filter ".*" (?:clean|smudge|process)|gpg(?: ".*")? program|sequence editor|init templatedir|include(?:if ".*")? path|pager .*|sendemail smtpserver|remote ".*" (?:uploadpack|receivepack|vcs)|uploadpack packobjectshook|interactive difffilter|browser ".*" cmd|man ".*" cmd|trailer ".*" (?:command|cmd)|submodule ".*" update|ssh variant)$/i;

const BLANK = /[\s\0]*/y;
const COMMENT = /[#;][^\n]*/y;
const HEADING = /\[[ \t]*([^\]\s"\\]*)[ \t]*(?:"((?:[^"\\\n]|\\.)*)"[ \t]*)?\]?/y;
const KEY = /([a-z][\w-]*)[ \t\r]*(=?)[ \t\r]*/iy;
/** A value up to its end or a comment, over lines that end with a backslash. */
const VALUE = /(?:"(?:[^"\\\n]|\\(?:\r\n|[\s\S]))*"?|\\(?:\r\n|[\s\S])|[^"\\\n#;])*/y;
const OTHER = /[^\n]/y;
const ESCAPES = /"|\\(\r?\n)|\\([\s\S])/g;

function at(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** An older form of `diff "x"` is `diff.x`. */
function sectionOf(name = '', part?: string): string {
  const [, first = name, rest] = /^([^.]*)\.(.*)$/.exec(name) ?? [];
  const inner = part ?? rest;
  return inner === undefined ? first : `${first} "${inner}"`;
}

export const gitConfig: Parser = ({ text }) => {
  const found: { runs: string }[] = [];
  let section = '';
  for (let from = 0; from < text.length; ) {
    from += at(BLANK, text, from)?.[0].length ?? 0;
    const heading = at(HEADING, text, from);
    const key = heading === null ? at(KEY, text, from) : null;
    const other = heading ?? key ?? at(COMMENT, text, from) ?? at(OTHER, text, from);
    from += other?.[0].length ?? 1;
    if (heading !== null) section = sectionOf(heading[1], heading[2]);
    if (key === null || key[2] === '') continue;
    const written = at(VALUE, text, from)?.[0] ?? '';
    from += written.length;
    const value = written.replace(ESCAPES, (_, _end?: string, char = '') => char).replace(/(?<!\s)\s+$/, '');
    if (GIT.test(`${section} ${key[1]}`) && (!/^alias/i.test(section) || value.startsWith('!')))
      found.push({ runs: `${section} ${key[1]}=${value}` });
  }
  return found;
};
