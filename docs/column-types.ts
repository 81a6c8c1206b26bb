/** `src/engine/native/column-types.ts`, made of `native/core/columns.def`: the columns of a sweep and the numbers in them. */
import { readFileSync } from 'node:fs';

const ARRAYS: Readonly<Record<string, string>> = {
  'std::uint8_t': 'Uint8Array',
  'std::uint16_t': 'Uint16Array',
  'std::uint32_t': 'Uint32Array',
  'std::uint64_t': 'BigUint64Array',
  'std::int32_t': 'Int32Array',
};
/** Tables; all else are enums. */
const TABLES: Readonly<Record<string, string>> = {
  PROCESS: 'ProcessColumns',
  LISTENER: 'ListenerColumns',
  CONNECTION: 'ConnectionColumns',
  HOLDER: 'HolderColumns',
};
const ENTRY = /^([A-Z_]+)\((.*)\)$/;

const comment = (lines: readonly string[], indent: string): string => {
  if (lines.length < 2) return lines.map((line) => `${indent}/** ${line} */\n`).join('');
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */\n`].join('\n');
};

/** Of WRAP `kWrapNsUser` is `nsUser`, of OWNER `kHeld` is `held`. */
const nameOf = (table: string, constant: string): string =>
  constant
    .replace(new RegExp(`^k(?:${table.charAt(0)}${table.slice(1).toLowerCase()}(?=[A-Z]))?`), '')
    .replace(/^./, (first) => first.toLowerCase());

function member(table: string, args: string, meaning: readonly string[]): string {
  const [first = '', second = '', element = ''] = args.split(', ');
  if (TABLES[table] === undefined) return `${comment(meaning, '  ')}  ${nameOf(table, first)}: ${second},\n`;
  const array = ARRAYS[element];
  if (array === undefined) throw new TypeError(`columns.def: ${args} has no known element type`);
  return `${comment(meaning, '  ')}  readonly ${second.slice(1, -1)}: ${array};\n`;
}

export function columnTypes(): string {
  const source = readFileSync(new URL('../native/core/columns.def', import.meta.url), 'utf8');
  const parts = new Map<string, { about: readonly string[]; members: string }>();
  let about: readonly string[] = [];
  let meaning: string[] = [];
  // What comes before is for C++.
  for (const line of source.slice(source.lastIndexOf('#endif') + '#endif\n'.length).split('\n')) {
    const [, name, args] = ENTRY.exec(line) ?? [];
    if (line.startsWith('// ')) meaning.push(line.slice('// '.length));
    else if (name !== undefined && args !== undefined) {
      const part = parts.get(name) ?? { about, members: '' };
      part.members += member(name, args, meaning);
      parts.set(name, part);
      meaning = [];
    } else if (line === '' && meaning.length > 0) {
      about = meaning;
      meaning = [];
    }
  }
  const texts = [...parts].map(([name, { about, members }]) =>
    TABLES[name] === undefined
      ? `${comment(about, '')}export const ${name} = {\n${members}} as const;\n`
      : `${comment(about, '')}export interface ${TABLES[name]} {\n${members}}\n`,
  );
  return [
    '/** Generated from `native/core/columns.def` by `npm run docs`; change the entries there, not this file. */\n',
    ...texts,
  ].join('\n');
}
