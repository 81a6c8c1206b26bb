/** AIDE with a database of `/usr` of its own: what Debian's packages have there, and digests of it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRun } from '../cases/case.ts';
import { wholeRuns } from '../rounds.ts';
import { type Found, notInstalled, type Peer, programPath } from './peer.ts';

/** 1, 2 and 4 say that files are new, gone or others. */
const CODES = [0, 1, 2, 3, 4, 5, 6, 7];

/** Its database is made once: it is what it compares with. */
function configured(path: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-bench-aide-'));
  const config = join(folder, 'aide.conf');
  const database = join(folder, 'aide.db');
  writeFileSync(
    config,
    `database_in=file:${database}\ndatabase_out=file:${database}\ngzip_dbout=no\nreport_url=file:/dev/null\n/usr p+i+n+u+g+s+m+c+md5\n`,
  );
  const made = spawnSync(path, [`--config=${config}`, '--init'], { encoding: 'utf8', timeout: 600_000 });
  if (made.status !== 0) throw new CannotRun(`aide cannot make its database: ${made.stderr.slice(0, 200)}`);
  return config;
}

function find(): Found {
  const path = programPath('aide');
  if (path === undefined) return notInstalled('aide', 'aide');
  const said = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  const version = /(\d+\.[\d.]+)/.exec(`${said.stdout}${said.stderr}`)?.[1] ?? 'of unknown version';
  let config = '';
  return {
    version,
    works: {
      'package files': {
        does: 'aide --check of /usr',
        form: 'program',
        warmUp: 0,
        round(passes) {
          config ||= configured(path);
          return wholeRuns([path, `--config=${config}`, '--check'], passes, { warmUp: 0, codes: CODES });
        },
      },
    },
  };
}

export const aide: Peer = { id: 'aide', slow: 'minutes', works: ['package files'], find };
