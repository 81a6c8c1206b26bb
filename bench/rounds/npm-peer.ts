/** `FOLDER PACKAGE WORK PASSES GAP`: calls a peer from npm; the first call is left out, GAP ms pass between calls. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { printRound } from './round.ts';

const [folder = '', name = '', work = '', passes = '', gap = ''] = process.argv.slice(2);
const from = createRequire(join(folder, 'package.json'));

// biome-ignore lint/suspicious/noExplicitAny: each package has its own exports
const load = async (): Promise<any> => {
  // Packages that are ESM alone have no file that require would find.
  const about = from(`./node_modules/${name}/package.json`) as {
    exports?: string | { default?: string };
    main?: string;
  };
  const { exports } = about;
  const entry = typeof exports === 'string' ? exports : (exports?.default ?? about.main ?? 'index.js');
  return import(pathToFileURL(join(folder, 'node_modules', name, entry)).href);
};

const calls: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'systeminformation processes': async () => (await load()).default.processes,
  'systeminformation listeners': async () => (await load()).default.networkConnections,
  'ps-list processes': async () => (await load()).default,
  'find-process listeners': async () => {
    const { default: find } = await load();
    // It searches for the holder of one port.
    return () => (find.default ?? find)('port', 1);
  },
};

await printRound(async () => {
  const call = await calls[`${name} ${work}`]?.();
  if (call === undefined) throw new Error(`no call for ${name} ${work}`);
  const us: number[] = [];
  for (let pass = 0; pass <= Number(passes); pass += 1) {
    await delay(Number(gap));
    const started = process.hrtime.bigint();
    await call();
    if (pass > 0) us.push(Number(process.hrtime.bigint() - started) / 1000);
  }
  return { us, facts: {} };
});
