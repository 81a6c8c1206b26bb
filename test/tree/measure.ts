/**
 * Prints size and complexity of the tree: `npm run lint`, or for another tree `node --import tsx test/tree/measure.ts FOLDER`.
 * Nothing here passes or fails; the rules are in test/house.test.ts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cycles, folderGraph, folderOf, listFiles, readTree } from './graph.ts';
import { placesIn, ROWS } from './rows.ts';

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'));
const tree = readTree(root);
const linesOf = (text: string): number => text.split('\n').length - 1;

/** Words that the second edition replaces, see docs/glossary.md; the interface's own uses of them remain. */
const WORDS: Readonly<Record<string, RegExp>> = {
  moment: /\bmoments?\b/gi,
  'told, tells': /\b(?:told|tells)\b/gi,
  'look, slow look': /\blook(?:s|ed|ing)?\b/gi,
  'standing, stands': /\bstand(?:s|ing)?\b/gi,
  voucher: /\bvouch(?:er|ers|es|ed)?\b/gi,
  'excuse, spared': /\b(?:excus(?:e|es|ed|ing)|spared)\b/gi,
  'wedged, fried': /\b(?:wedged?|fried)\b/gi,
  turns: /\bturns?\b/gi,
  'peeker, roll, rounds, later': /\b(?:peeker|roll|rounds?)\b/gi,
  'doubts, dead-since': /\b(?:doubts?|dead-since)\b/gi,
  'world, speech, shelf': /\b(?:world|speech|shelf)\b/gi,
  'door, tenant, reception': /\b(?:door|tenants?|reception)\b/gi,
  'nobody, whoever': /\b(?:nobody|whoever|whatever)\b/gi,
  'for want of, mend, anew': /\b(?:for want of|mends?|anew)\b/gi,
  'is no X': /(?<!\bthere )\bis no (?!longer\b|more\b|one\b)[a-z]+\b/gi,
};

const count = (files: readonly string[], pattern: RegExp): number =>
  files.reduce((sum, file) => sum + (readFileSync(join(root, file), 'utf8').match(pattern)?.length ?? 0), 0);

function print(name: string, value: string | number): void {
  console.log(`${name.padEnd(44)} ${String(value).padStart(8)}`);
}

const folders = new Map<string, { files: number; lines: number }>();
for (const file of tree.files) {
  const folder = folderOf(file);
  const { files, lines } = folders.get(folder) ?? { files: 0, lines: 0 };
  folders.set(folder, { files: files + 1, lines: lines + linesOf(tree.text(file)) });
}
console.log('folder of src/, without styles                  files    lines');
for (const [folder, { files, lines }] of [...folders].sort())
  console.log(`  ${folder.padEnd(42)} ${String(files).padStart(8)} ${String(lines).padStart(8)}`);
const total = [...folders.values()].reduce((sum, { lines }) => sum + lines, 0);
console.log(`  ${'all'.padEnd(42)} ${String(tree.files.length).padStart(8)} ${String(total).padStart(8)}`);
console.log('');

const natives = listFiles(root, 'native', /\.(?:cc|h|c)$/);
const tests = listFiles(root, 'test', /\.tsx?$/);
const sum = (files: readonly string[]): number =>
  files.reduce((all, file) => all + linesOf(readFileSync(join(root, file), 'utf8')), 0);
print('lines of styles', sum(listFiles(root, 'src', /\.css$/)));
print('lines of native/', sum(natives));
print('lines of test/', sum(tests));
print('files at the root of src/', tree.files.filter((file) => folderOf(file) === 'src').length);
const knots = cycles(folderGraph(tree));
print('import cycles between folders', knots.length);
print('folders in import cycles', knots.flat().length);
const importers = new Map<string, number>();
for (const targets of tree.imports.values())
  for (const target of targets) importers.set(target, (importers.get(target) ?? 0) + 1);
print('files with one importer', [...importers.values()].filter((number) => number === 1).length);
const describing = [
  ...tree.files,
  ...listFiles(root, 'native', /\.(?:h|cc|def)$/),
  ...listFiles(root, 'test/support', /\.ts$/),
].map((file) => readFileSync(join(root, file), 'utf8'));
for (const [row, columns] of Object.entries(ROWS)) {
  const names = new Set(columns.split(' '));
  const places = describing
    .filter((text) => !text.startsWith('/** Generated'))
    .flatMap((text) => placesIn(text, names));
  print(`places that describe a ${row}${row.endsWith('sample') ? '' : ' row'}`, places.length);
}
for (const [what, proof] of [
  ['a new check', 'test/checks/new-check.test.ts'],
  ['a new operation with its command', 'test/operations/new-operation.test.ts'],
  ['a new feature', 'test/features/new-feature.test.ts'],
] as const)
  print(`files touched by ${what}`, existsSync(join(root, proof)) ? `see ${proof}` : 'no proof');
console.log('');

const documents = listFiles(root, 'docs', /\.md$/);
console.log('words of our own                                 code    tests     docs');
for (const [name, pattern] of Object.entries(WORDS))
  console.log(
    `  ${name.padEnd(38)} ${[[...tree.files, ...natives], tests, documents]
      .map((files) => String(count(files, pattern)).padStart(8))
      .join(' ')}`,
  );
