/** What `npm run build` made for the browser: read once, served from memory under its exact names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Asset } from '../desk/context.ts';

export const STYLE_TYPE = 'text/css; charset=utf-8';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': STYLE_TYPE,
};

const FOLDER = new URL('../../dist/assets/', import.meta.url);

function kept(make: () => Buffer): () => Buffer {
  let made: Buffer | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function assetOf(path: URL, type: string): Asset {
  const raw = readFileSync(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  return {
    type,
    raw,
    gzip: kept(() => gzipSync(raw, { level: 9 })),
    br: kept(() => brotliCompressSync(raw, quality)),
  };
}

/** The assets by name; empty where nothing was built, and pages are plain then. */
function readAssets(): ReadonlyMap<string, Asset> {
  if (!existsSync(FOLDER)) return new Map();
  return new Map(
    readdirSync(FOLDER).flatMap((name) => {
      const type = TYPES[extname(name)];
      return type === undefined ? [] : [[name, assetOf(new URL(name, FOLDER), type)] as const];
    }),
  );
}

let assets: ReadonlyMap<string, Asset> | undefined;

/** The asset of a name; undefined when there is none. */
export function asset(name: string): Asset | undefined {
  assets ??= readAssets();
  return assets.get(name);
}
