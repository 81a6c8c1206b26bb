/** apt.conf(5) as apt itself reads it: line by line, with quotes that end with their line. */

interface AptSetting {
  /** With all scopes, as `DPkg::Post-Invoke`; `#include` and `#clear` are names too. */
  readonly name: string;
  readonly value: string;
}

/** No name that apt knows has as many characters. */
const MOST_NAME = 500;
const DIRECTIVE = /#(?:clear|include|x-apt-configure-index)/y;

/** Where `//` or `#` begins a comment; the length of the line without one. */
function endOf(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (char === '/' && line[at + 1] === '/') return at;
    DIRECTIVE.lastIndex = at;
    if (char === '#' && !DIRECTIVE.test(line)) return at;
  }
  return line.length;
}

/** A line without comments, and whether one goes on in the next line. */
function uncommented(line: string, isComment: boolean): [code: string, isComment: boolean] {
  const from = isComment ? line.indexOf('*/') + 2 : 0;
  if (from === 1) return ['', true];
  const rest = line.slice(from);
  const text = rest.slice(0, endOf(rest));
  let isQuoted = false;
  let code = '';
  let since = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== '/' || text[at + 1] !== '*') continue;
    code += text.slice(since, at);
    // As apt has it, the star that begins a comment may end it.
    const end = text.indexOf('*/', at + 1);
    if (end < 0) return [code, true];
    at = end + 1;
    since = end + 2;
  }
  return [code + text.slice(since), false];
}

const WORD = /[ ]*((?:[^\s"[]|"[^"]*"|\[[^\]]*\])+)\s*/y;
const decoded = (word: string): string =>
  word
    .replaceAll('"', '')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** A name and its value; one word alone is a value. */
function wordsOf(statement: string): [name: string, value: string | null] {
  WORD.lastIndex = 0;
  const name = decoded(WORD.exec(statement)?.[1] ?? '');
  // What follows a damaged name is shown too.
  const rest = statement.slice(WORD.lastIndex).trim();
  if (rest === '') return [name, null];
  return [name, rest.startsWith('"') ? rest.replaceAll('"', '') : decoded(rest)];
}

const inScope = (scope: string, name: string): string =>
  scope.length >= MOST_NAME ? scope : scope === '' ? name : `${scope}::${name}`;

/** All settings, in their order. */
export function aptConf(text: string): AptSetting[] {
  const found: AptSetting[] = [];
  const scopes: string[] = [];
  let scope = '';
  let statement = '';
  let isComment = false;
  const add = (part: string): void => {
    const words = part.trim();
    if (words !== '') statement += statement === '' ? words : ` ${words}`;
  };
  const set = (name: string, value: string): void => {
    found.push({ name: name.slice(0, MOST_NAME).replace(/:+$/, ''), value });
  };
  const end = (by: string): void => {
    const [name, value] = statement === '' ? ['', null] : wordsOf(statement);
    if (by === '{') {
      scopes.push(scope);
      scope = inScope(scope, name);
      if (value !== null) set(scope, value);
    } else if (statement !== '') set(value === null ? scope : inScope(scope, name), value ?? name);
    statement = '';
    if (by === '}') scope = scopes.pop() ?? '';
  };
  for (const line of text.split('\n')) {
    let code: string;
    [code, isComment] = uncommented(line, isComment);
    let isQuoted = false;
    let since = 0;
    for (let at = 0; at < code.length; at++) {
      const char = code[at] ?? '';
      if (char === '"') isQuoted = !isQuoted;
      if (isQuoted || (char !== '{' && char !== '}' && char !== ';')) continue;
      add(code.slice(since, at));
      end(char);
      since = at + 1;
    }
    add(code.slice(since));
  }
  return found;
}
