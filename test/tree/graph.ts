/** The import graph of `src/`, read from its text. Type-only and dynamic imports count. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Tree {
  /** Paths of TypeScript files of `src/`, relative to the root. */
  readonly files: readonly string[];
  /** By file: the files of `src/` that it imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly text: (file: string) => string;
}

export function listFiles(root: string, folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(root, path, ending);
      return ending.test(entry.name) ? [path] : [];
    })
    .sort();
}

export function readTree(root: string): Tree {
  const files = listFiles(root, 'src', /\.tsx?$/);
  const known = new Set(files);
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const text = (file: string) => texts.get(file) ?? '';
  const imports = new Map(
    files.map((file) => {
      const found = [...text(file).matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)];
      const targets = found.map(([, target = '']) => normalize(join(dirname(file), target)));
      return [file, [...new Set(targets)].filter((target) => known.has(target))];
    }),
  );
  return { files, imports, text };
}

/** The folder that a file belongs to: a feature, else a folder of `src/`; `src` for a file at its root. */
export function folderOf(file: string): string {
  const [, first = '', second = ''] = file.split('/');
  if (!file.slice('src/'.length).includes('/')) return 'src';
  return first === 'features' && file.split('/').length > 3 ? `features/${second}` : first;
}

/** By folder: the folders that it imports, and one import of each as an example. */
export function folderGraph({ files, imports }: Tree): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const file of files) {
    const from = folderOf(file);
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets);
    for (const target of imports.get(file) ?? []) {
      const to = folderOf(target);
      if (to !== from && !targets.has(to)) targets.set(to, `${file} imports ${target}`);
    }
  }
  return graph;
}

/** The groups of folders that reach each other (Tarjan's strongly connected components), imported ones first. */
export function components(graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node)?.keys() ?? []) {
      if (!index.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    found.push(stack.splice(stack.indexOf(node)).sort());
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found;
}

/** Those of the groups that have more than one member: import cycles. */
export const cycles = (graph: ReadonlyMap<string, ReadonlyMap<string, string>>): string[][] =>
  components(graph).filter((group) => group.length > 1);
