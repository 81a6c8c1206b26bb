/** The context of a run: the machine, its kernel, the commit. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { project } from './compiled.ts';
import type { Row } from './results.ts';

const git = (...words: string[]): string =>
  spawnSync('git', words, { cwd: project, encoding: 'utf8' }).stdout?.trim() ?? '';

export function machine(): Row['machine'] {
  const about = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return {
    cpu: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    system: /^PRETTY_NAME="?([^"\n]*)/m.exec(about)?.[1] ?? '',
    node: process.version,
    user: process.geteuid?.() === 0 ? 'root' : 'ordinary',
  };
}

/** Load average of the last minute. */
export const load = (): number => Math.round((loadavg()[0] ?? 0) * 10) / 10;

/** Short hash of the commit, with `+` when sources differ from it; "" outside a repository. */
export function commit(): string {
  const hash = git('rev-parse', '--short=10', 'HEAD');
  const sources = [
    'src',
    'native',
    ...['busy', 'cases', 'farm', 'native', 'peers', 'rounds'].map((one) => `bench/${one}`),
  ];
  const changed = git('status', '--porcelain', '--', ...sources);
  return hash === '' ? '' : `${hash}${changed === '' ? '' : '+'}`;
}
