/** The tables of the interface, parsed from its document: path → type, and the constant where it fixes one. */
import { readFileSync } from 'node:fs';

export interface Promised {
  readonly type: string;
  /** JSON text. */
  readonly constant?: string;
}

export type Table = Map<string, Promised>;

/** Splits at a separator that is neither in parentheses nor in backticks. */
function split(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  let quoted = false;
  for (const char of text) {
    if (char === '`') quoted = !quoted;
    if (char === '(' && !quoted) depth++;
    if (char === ')' && !quoted) depth--;
    if (char === separator && depth === 0 && !quoted) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

const bare = (text: string): string => text.replaceAll('`', '').trim();
const nameOf = (text: string): string => bare(text.replace(/\(.*$/, ''));

function constantOf(type: string, rest: string): string | undefined {
  const list = /^ = ([\w, ]+)$/.exec(rest)?.[1];
  if (type === '[str]' && list !== undefined) return JSON.stringify(list.split(', '));
  const value = /^, (?:constant )?`([^`]+)`$/.exec(rest)?.[1] ?? /^, (\d+|true|[A-Z]+)$/.exec(rest)?.[1];
  if (value === undefined) return undefined;
  return type === 'str' ? JSON.stringify(value) : value;
}

/** Reads one type cell, `object: a (int), b (str, note)` and its relatives, into rows below `path`. */
function read(table: Table, path: string, cell: string): void {
  const text = cell.trim();
  const put = (type: string, constant?: string) =>
    table.set(path, { type, ...(constant === undefined ? {} : { constant }) });

  const each = /^object: (.+), each `([^`]+)`$/.exec(text);
  const objectOf = /^object of (\w+): ([^.]*)/.exec(text);
  const object = /^(object|array of objects): (.*)$/.exec(text);
  if (each?.[1] !== undefined && each[2] !== undefined) {
    put('object');
    for (const name of split(each[1], ',')) read(table, `${path}.${nameOf(name)}`, each[2]);
  } else if (objectOf?.[1] !== undefined && objectOf[2] !== undefined) {
    put('object');
    for (const name of split(objectOf[2], ',')) read(table, `${path}.${nameOf(name)}`, objectOf[1]);
  } else if (object?.[2] !== undefined) {
    const list = object[1] === 'array of objects';
    put(list ? '[object]' : 'object');
    const all = /\(all (\w+)\)$/.exec(object[2])?.[1];
    for (const part of split(object[2], ',')) {
      const own = /\((.*)\)$/.exec(part)?.[1];
      read(table, `${path}${list ? '[]' : ''}.${nameOf(part)}`, all ?? own ?? 'missing');
    }
  } else {
    const plain = text.replace(/^`([^`]+)`$/, '$1');
    const type = /^(\[str\]|(?:str|int|num|bool)(?:\|null)?|object)/.exec(plain)?.[1];
    if (type === undefined)
      throw new Error(`the interface has a type this reader does not know: ${path}: ${text}`);
    put(type, constantOf(type, plain.slice(type.length)));
  }
}

/** The rows of all tables below `### heading`; a table introduced by "`group` fields:" lies below that group. */
export function interfaceTable(heading: string): Table {
  const document = readFileSync(new URL('../fixtures/interface.md', import.meta.url), 'utf8');
  const start = document.indexOf(`### ${heading}`);
  if (start < 0) throw new Error(`the interface has no heading ${heading}`);
  const end = document.slice(start + 4).search(/^##/m);
  const table: Table = new Map();
  let prefix = '';
  for (const line of document.slice(start, start + 4 + end).split('\n')) {
    const group = /^`(\w+)` fields:$/.exec(line)?.[1];
    if (group !== undefined) prefix = `${group}.`;
    if (!line.startsWith('|') || /^\|\s*(Field|-+)/.test(line)) continue;
    const [names = '', type = '', notes = ''] = split(line.slice(1, -1), '|');
    const list = notes.slice(notes.indexOf(': ') + 2);
    const cell = type.startsWith('object') && notes.includes(': ') ? `${type}: ${list}` : type;
    for (const name of split(names, ',')) read(table, prefix + bare(name), cell);
  }
  return table;
}
