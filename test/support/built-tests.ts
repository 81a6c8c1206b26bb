/**
 * The tests compiled to JavaScript: a copy of the project in which the files of `test`, `bench` and `docs` are compiled too and import
 * `dist` instead of `src`. One compilation for a whole run; each process then starts without a loader.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const FOLDERS = ['test', 'bench', 'docs'];
/** Types are checked by `npm run lint`; here they are only left out, file by file. */
const COMPILER = [
  ...['--ignoreConfig', '--noCheck', '--noResolve', '--verbatimModuleSyntax', '--types', ''],
  ...['--target', 'es2023', '--module', 'esnext', '--moduleResolution', 'bundler'],
  ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions', '--rootDir', '.'],
];
/** Where an import names a module of `src`. */
const OF_SOURCES = /(?<=(?:from|import) ?\(?['"](?:\.\.\/)+)src(?=\/)/g;

/** Makes `tree` such a folder; returns its path. */
export function buildTests(project: string, tree: string): string {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(project, join(entry.parentPath, entry.name))),
  );
  const sources = files.filter((file) => file.endsWith('.ts'));
  const compiler = join(project, 'node_modules/typescript/lib/tsc.js');
  execFileSync(process.execPath, [compiler, ...COMPILER, '--outDir', tree, ...sources], {
    cwd: project,
    stdio: 'inherit',
  });
  for (const file of sources) {
    const path = join(tree, file.replace(/ts$/, 'js'));
    const text = readFileSync(path, 'utf8');
    const ofBuild = text.replace(OF_SOURCES, 'dist');
    if (ofBuild !== text) writeFileSync(path, ofBuild);
  }
  // Everything else is linked from the project, including the sources.
  for (const file of files) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    symlinkSync(join(project, file), join(tree, file));
  }
  for (const name of readdirSync(project))
    if (!FOLDERS.includes(name)) symlinkSync(join(project, name), join(tree, name));
  return tree;
}
