/** Loads the native addon, once per thread, before anything else asks the kernel. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { COMPILED } from '../../base/compiled.ts';
import { chooseMark } from './mark.ts';
import type { Mark, NativeAddon } from './types.ts';

interface Loaded {
  readonly addon: NativeAddon;
  /** File name of the build, e.g. `desk_x86_64.node`. */
  readonly build: string;
  readonly path: string;
}

const loaded = new Map<Mark, Loaded>();

/** The addon of the mark asked for (default: `DESK_MARK`), else of the best. Throws with a remedy. */
export function loadNative(requested?: string): Loaded {
  const mark = chooseMark(requested);
  const known = loaded.get(mark);
  if (known !== undefined) return known;
  const fresh = loadFrom(COMPILED.folder, mark);
  loaded.set(mark, fresh);
  return fresh;
}

/** Loads one given build; see `loadNative` for the usual way. */
export function loadFrom(folder: string, mark: Mark): Loaded {
  const file = resolve(folder, `desk_${mark}.node`);
  const remedy = `To fix this, ${COMPILED.remedy}.`;
  if (!existsSync(file)) throw new Error(`The native build ${file} is missing. ${remedy}`);
  let addon: NativeAddon;
  try {
    addon = createRequire(import.meta.url)(file) as NativeAddon;
  } catch (error) {
    throw new Error(`The native build ${file} does not load: ${(error as Error).message}. ${remedy}`, {
      cause: error,
    });
  }
  if (addon.mark !== mark) throw new Error(`The native build ${file} says it is ${addon.mark}. ${remedy}`);
  return { addon, build: basename(file), path: file };
}
