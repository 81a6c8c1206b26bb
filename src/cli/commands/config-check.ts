import { bad, dim, good, warn } from '../../base/terminal.ts';
import type { Command } from '../command.ts';
import { exit } from '../failure.ts';

export const configCheck: Command = {
  name: 'config check',
  summary: 'Reads the configuration and shows everything that is wrong with it',
  examples: [
    ['desk config check', 'the file that would be used'],
    ['DESK_CONFIG=./desk.toml desk config check', 'another one'],
  ],
  async run({ out, err, json, env }) {
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
    const missing = result.ok ? missingPlaces(result, env) : [];
    if (json) {
      out.json(
        result.ok
          ? {
              ok: missing.length === 0,
              path: result.path,
              problems: [],
              unused: unusedKeys(result.config).map(({ key }) => key),
              former: formerKeys(result.config).map(({ key }) => key),
              missing,
              unlisted: unlistedPlaces(result.config),
            }
          : result,
      );
      return result.ok ? (missing.length === 0 ? exit.ok : exit.findings) : exit.usage;
    }
    if (!result.ok) {
      err.line(bad(`Problems: ${result.problems.length}`), ` in ${result.path}`);
      for (const problem of describeProblems(result)) err.wrapped('  ', problem);
      return exit.usage;
    }
    if (result.path === null)
      out.line(
        good('ok'),
        '  no file; the defaults apply',
        dim(`  looked at ${configPlaces(env).join(', ')}`),
      );
    else
      out.line(
        missing.length === 0 ? good('ok') : bad('not ok'),
        `  ${result.path}`,
        dim(`  of ${result.date}`),
      );
    for (const { key, message } of missing) out.wrapped(bad('missing  '), `${key} ${message}`);
    for (const { key, message } of formerKeys(result.config))
      out.wrapped(warn('former name  '), `${key} ${message}`);
    for (const { key, message } of unusedKeys(result.config))
      out.wrapped(warn('unused  '), `${key} ${message}`);
    for (const { key, reason } of unlistedPlaces(result.config))
      out.wrapped(warn('unlisted  '), `${key} cannot be reached: ${reason}`);
    return missing.length === 0 ? exit.ok : exit.findings;
  },
};
