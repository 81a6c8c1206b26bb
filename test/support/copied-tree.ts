/** A copy of the source tree, for tests that make the changes of a developer. */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './require.ts';
import { patientMs } from './time-limit.ts';

const COPIED = ['src', 'test/support', 'test/http/service.ts', 'test/proofs.ts', 'test/tree', 'package.json'];
const LINKED = ['node_modules', 'build', 'dist', 'bench', 'native', 'tsconfig.json'];
/** Folders of `docs` that take long to copy and that no document is made from. */
const LEFT_OUT = /\/docs\/(?:pages|schemas|benchmarks|decisions)$/;

/** A file of this tree, by its path. */
const given = (file: string): string => join(projectRoot, file);

export class CopiedTree {
  readonly root = mkdtempSync(join(tmpdir(), 'desk-tree-'));

  constructor() {
    for (const name of COPIED) cpSync(given(name), this.#at(name), { recursive: true });
    mkdirSync(this.#at('docs'));
    cpSync(given('docs'), this.#at('docs'), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    for (const name of LINKED) symlinkSync(given(name), this.#at(name));
  }

  #at(path: string): string {
    return join(this.root, path);
  }

  /** Puts a copy of a file of this tree at a new place. */
  add(file: string, path: string): void {
    mkdirSync(join(this.#at(path), '..'), { recursive: true });
    cpSync(given(file), this.#at(path));
  }

  append(path: string, line: string): void {
    appendFileSync(this.#at(path), `${line}\n`);
  }

  replace(path: string, before: string | RegExp, after: string): void {
    const text = readFileSync(this.#at(path), 'utf8');
    const changed = text.replace(before, after);
    if (changed === text) throw new Error(`${path} has no ${before}`);
    writeFileSync(this.#at(path), changed);
  }

  remove(path: string): void {
    rmSync(this.#at(path), { recursive: true });
  }

  /** Runs a program of Node in the copy. */
  run(...words: readonly string[]) {
    const { PATH = '' } = process.env;
    return spawnSync(process.execPath, words, {
      cwd: this.root,
      encoding: 'utf8',
      timeout: patientMs(180_000),
      maxBuffer: 64 << 20,
      env: { PATH },
    });
  }

  /** The JSON that a script of this tree prints in the copy. */
  answer(script: string) {
    this.add(script, 'script.ts');
    const { status, stdout, stderr } = this.run('--import', 'tsx', 'script.ts');
    if (status !== 0) throw new Error(`${script}: ${stderr}`);
    return JSON.parse(stdout);
  }

  end(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Runs work in a copy of the tree, and removes it. */
export function inCopy<T>(work: (tree: CopiedTree) => T): T {
  const tree = new CopiedTree();
  try {
    return work(tree);
  } finally {
    tree.end();
  }
}
