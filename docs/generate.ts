/**
 * Writes the generated documents (`npm run docs`); with `--check` it writes nothing and exits 1 with the names of those
 * that are stale. A generated document is one entry of `DOCUMENTS`.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { benchDocuments } from '../bench/report/documents.ts';
import { openApiText } from '../src/http/openapi.ts';
import { defaultLawText } from '../src/law/default-text.ts';
import { describe, jsonSchema, type Row } from '../src/records/describe.ts';
import { ALL, ANSWERS, type Listed, RECORDS } from '../src/records/index.ts';

export interface Document {
  /** Below the root of the project. */
  readonly path: string;
  render(): string;
}

const root = new URL('../', import.meta.url);

const kebab = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
const schemaPath = ({ name }: Listed): string => `docs/schemas/${kebab(name)}.schema.json`;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** What a field can hold beyond its type: its constant, its few values, the record it embeds. */
function heldValues({ constant, values, record }: Row): string {
  if (record !== undefined) return `[${record}](#${record.toLowerCase()})`;
  if (constant !== undefined) return `\`${cell(constant)}\``;
  return (values ?? []).map((value) => `\`${cell(value)}\``).join(' ');
}

function table(listed: Listed): string {
  const rows = describe(listed).map(
    (row) => `| \`${row.path}\` | ${cell(row.type)} | ${cell(row.meaning)} | ${heldValues(row)} |`,
  );
  return [
    `### ${listed.name}`,
    '',
    `${listed.meaning}. Schema: [${schemaPath(listed).slice('docs/'.length)}](${schemaPath(listed).slice('docs/'.length)})`,
    '',
    '| field | type | meaning and derivation | value |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

const recordsPage = (): string =>
  [
    '# Records',
    '',
    'Generated from `src/records/` by `npm run docs`; change the field lines there, not this page.',
    'Types: str, int, num, bool, `X|null`, `[X]` a list, object. Words: [glossary](glossary.md).',
    '',
    '## The three records',
    '',
    ...RECORDS.map(table),
    '## The other answers',
    '',
    ...ANSWERS.map(table),
  ].join('\n');

export const DOCUMENTS: readonly Document[] = [
  { path: 'docs/records.md', render: recordsPage },
  { path: 'docs/openapi.json', render: openApiText },
  { path: 'docs/law.toml', render: defaultLawText },
  ...ALL.map((listed) => ({
    path: schemaPath(listed),
    render: () => `${JSON.stringify(jsonSchema(listed), null, 2)}\n`,
  })),
  ...benchDocuments(),
];

function held(path: string): string | undefined {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Paths of the documents whose file is missing or differs from what they render now. */
export const stale = (): string[] =>
  DOCUMENTS.filter(({ path, render }) => held(path) !== render()).map(({ path }) => path);

function main(args: readonly string[]): number {
  const unknown = args.filter((arg) => arg !== '--check');
  if (unknown.length > 0) {
    console.error(`unknown option ${unknown[0]}; known: --check`);
    return 2;
  }
  const old = stale();
  if (args.includes('--check')) {
    for (const path of old) console.error(`stale: ${path} (run npm run docs)`);
    return old.length === 0 ? 0 : 1;
  }
  for (const { path, render } of DOCUMENTS.filter(({ path }) => old.includes(path))) {
    mkdirSync(dirname(fileURLToPath(new URL(path, root))), { recursive: true });
    writeFileSync(new URL(path, root), render());
    console.log(`wrote ${path}`);
  }
  return 0;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = main(process.argv.slice(2));
