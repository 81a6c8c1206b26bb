/** Run in an overlay (startup-hang.test.ts): file systems that hang lie over a home, folders of cron and a packaged folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { compare } from '../../src/features/packages/verifier.ts';
import { PatternWatch } from '../../src/features/startup/pattern-watch.ts';
import { PLACES } from '../../src/features/startup/places/index.ts';
import { StartupScanner } from '../../src/features/startup/scan.ts';
import { cli, type Ran } from '../support/cli.ts';
import { write } from '../support/silent-package.ts';

type Unread = readonly { readonly path: string; readonly reason: string }[];

export interface Hung {
  readonly scans: readonly {
    readonly unread: Unread;
    readonly planted: readonly string[];
    /** Helpers that cannot end. */
    readonly stuck: number;
  }[];
  readonly commands: Readonly<Record<'startup' | 'accounts', Ran>>;
  readonly packages: { readonly unread: Unread; readonly altered: readonly string[] };
  /** What the watcher says of itself, and whether it saw a file elsewhere. */
  readonly watch: { readonly trouble: string; readonly seen: boolean };
  /** Helpers that are left once the file systems have ended. */
  readonly left: number;
}

const [program = '', packaged = '', altered = ''] = process.argv.slice(2);
const HOMES = { planted: 4321, other: 4322 };
const PLANTED = ['/home/other/.bashrc', '/etc/cron.daily/desk-evil'];

/** Children of this process that wait in the kernel and do not end when they are killed. */
const helpers = (): number =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'latin1');
        return status.includes('desk-peek') && status.includes(`PPid:\t${process.pid}\n`);
      } catch {
        return false;
      }
    }).length;

for (const [name, uid] of Object.entries(HOMES)) {
  writeFileSync(
    '/etc/passwd',
    `${readFileSync('/etc/passwd', 'utf8')}${name}:x:${uid}:${uid}::/home/${name}:/bin/sh\n`,
  );
  mkdirSync(`/home/${name}/.ssh`, { recursive: true });
  write(`/home/${name}/.bashrc`, '/tmp/evil\n');
  for (const path of [`/home/${name}`, `/home/${name}/.ssh`, `/home/${name}/.bashrc`])
    chownSync(path, uid, uid);
}
write('/etc/cron.daily/desk-evil', '#!/bin/sh\n/tmp/evil\n', 0o755);
write('/etc/cron.d/desk-hidden', '* * * * * root /tmp/evil\n');
writeFileSync(altered, 'changed\n', { flag: 'a' });

mkdirSync('/etc/cron.hourly', { recursive: true });
const silent = ['/home/planted', '/etc/cron.d', packaged];
const server: ChildProcess = spawn(program, [...silent, '--', '/etc/cron.hourly'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
await once(server.stdout as NodeJS.ReadableStream, 'data');
const scanner = new StartupScanner({ places: PLACES });
const scans: Hung['scans'][number][] = [];
for (let turn = 0; turn < 2; turn++) {
  const { entries, unread } = await scanner.all({ walks: turn === 0 });
  const paths = new Set(entries.map(({ path }) => path));
  scans.push({
    unread: unread.map(({ path, reason }) => ({ path, reason })),
    planted: PLANTED.filter((path) => paths.has(path)),
    stuck: helpers(),
  });
}
let seen = false;
const watch = new PatternWatch({
  changed: (patterns) => {
    seen ||= patterns?.some(({ pattern }) => pattern === `${dirname(PLANTED[1] ?? '')}/*`) ?? false;
  },
});
watch.watch(scanner.patterns);
for (let turn = 0; turn < 200 && watch.trouble !== ''; turn++) await delay(50);
const { trouble } = watch;
rmSync(PLANTED[1] ?? '');
for (let turn = 0; turn < 200 && !seen; turn++) await delay(50);
write(PLANTED[1] ?? '', '#!/bin/sh\n/tmp/evil\n', 0o755);
watch.close();
write('/tmp/desk-none.toml', '');
const env = { HOME: '/root', DESK_STATE: '/tmp/desk-state', DESK_CONFIG: '/tmp/desk-none.toml' };
const startup = await cli(['startup', '--json', '--local'], env);
const accounts = await cli(['accounts', '--json', '--local'], env);
const compared = await compare(new Map(), { deadlineMs: 5_000, mostMs: 60_000 });
server.stdin?.end();
await once(server, 'exit');
await scanner.close();
for (let turn = 0; turn < 200 && helpers() > 0; turn++) await delay(50);
process.stdout.write(
  JSON.stringify({
    scans,
    commands: { startup, accounts },
    packages: {
      unread: compared.unread.map(({ path, reason }) => ({ path, reason })),
      altered: compared.altered.map(({ path }) => path),
    },
    watch: { trouble, seen },
    left: helpers(),
  } satisfies Hung),
);
