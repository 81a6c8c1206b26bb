import { bad, dim, good, warn } from '../../base/terminal.ts';
import { exit } from '../../desk/failure.ts';
import type { CliCommand } from '../command.ts';

export const configCheck: CliCommand = {
  name: 'config check',
  summary: 'Reads the configuration and shows everything that is wrong with it',
  examples: [
    ['desk config check', 'the file that would be used'],
    ['DESK_CONFIG=./desk.toml desk config check', 'another one'],
  ],
  async run({ out, err, json, env, answer }) {
    const [
      { configPlaces, describeProblems, loadConfig },
      { formerKeys, unusedKeys },
      { unlistedPlaces },
      { missingPlaces },
    ] = await Promise.all([
      import('../../config/load.ts'),
      import('../../config/unused.ts'),
      import('../../service/unlisted.ts'),
      import('../missing-places.ts'),
    ]);
    const result = loadConfig(env);
    if (!result.ok) {
      if (json) out.json(result);
      else {
        err.line(bad(`Problems: ${result.problems.length}`), ` in ${result.path}`);
        for (const problem of describeProblems(result)) err.wrapped('  ', problem);
      }
      return exit.usage;
    }
    const { path, config } = result;
    const missing = missingPlaces(result, env);
    const ok = missing.length === 0;
    const [unused, former, unlisted] = [unusedKeys(config), formerKeys(config), unlistedPlaces(config)];
    const record = {
      ok,
      path,
      problems: [],
      unused: unused.map(({ key }) => key),
      former: former.map(({ key }) => key),
      missing,
      unlisted,
    };
    const print = (): void => {
      if (path === null)
        out.line(
          good('ok'),
          '  no file; the defaults apply',
          dim(`  none of ${configPlaces(env).join(', ')}`),
        );
      else out.line(ok ? good('ok') : bad('not ok'), `  ${path}`, dim(`  of ${result.date}`));
      for (const { key, message } of missing) out.wrapped(bad('missing  '), `${key} ${message}`);
      for (const { key, message } of former) out.wrapped(warn('former name  '), `${key} ${message}`);
      for (const { key, message } of unused) out.wrapped(warn('unused  '), `${key} ${message}`);
      for (const { key, reason } of unlisted)
        out.wrapped(warn('unlisted  '), `${key} cannot be reached: ${reason}`);
    };
    return answer(record, print, ok);
  },
};
