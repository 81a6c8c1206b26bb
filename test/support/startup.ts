/** A hand-made pass over startup places: an entry that nothing vouches for, one that has changed, one of a package. */
import type { StartupFact, Voucher } from '../../src/checks/startup.ts';
import type { AccountFacts, AccountScan, StartupScan } from '../../src/desk/startup.ts';
import { PLACES } from '../../src/features/startup/places/index.ts';

/** 2026-01-02T03:04:05Z. */
export const CHANGED_MS = 1_767_323_045_000;

const voucherFrom = (parts: Partial<Voucher>): Voucher => ({
  kind: 'none',
  package: '',
  version: '',
  database: '',
  expected: '',
  found: '',
  configuration: false,
  ...parts,
});

export function startupEntry(
  place: string,
  parts: Partial<Omit<StartupFact, 'place' | 'voucher'>> & { readonly voucher?: Partial<Voucher> } = {},
): StartupFact {
  const known = PLACES.find(({ id }) => id === place);
  if (known === undefined) throw new Error(`no place ${place}`);
  return {
    path: '/etc/planted',
    runs: '/bin/true',
    user: 'root',
    when: known.when,
    name: '',
    link: '',
    linked: '',
    expected: false,
    key: parts.runs ?? '/bin/true',
    sha256: 'a'.repeat(64),
    changedMs: CHANGED_MS,
    ...parts,
    place: known,
    voucher: voucherFrom(parts.voucher ?? {}),
  };
}

export const startupScan = (parts: Partial<StartupScan> = {}): StartupScan => ({
  entries: [
    startupEntry('crontab', { path: '/etc/cron.d/own', runs: '/opt/own --nightly', when: '5 4 * * *' }),
    startupEntry('sudoers', {
      path: '/etc/sudoers',
      runs: 'ada ALL=(ALL) ALL',
      user: 'ada',
      voucher: {
        kind: 'changed',
        package: 'sudo',
        version: '1.9',
        database: 'dpkg',
        expected: 'b'.repeat(32),
        configuration: true,
      },
    }),
    startupEntry('systemd-unit', {
      path: '/usr/lib/systemd/system/cron.service',
      runs: '/usr/sbin/cron -f',
      changedMs: CHANGED_MS - 1000,
      voucher: { kind: 'package', package: 'cron', version: '3.0', database: 'dpkg' },
    }),
  ],
  unread: [],
  packages: '',
  busy: false,
  unwatched: '',
  container: '',
  files: 3,
  readMs: CHANGED_MS + 60_000,
  tookMs: 12.6,
  ...parts,
});

export const accountFacts = (parts: Partial<AccountFacts> = {}): AccountFacts => ({
  ...{ name: 'ada', uid: 1000, gid: 1000, home: '/home/ada', shell: '/bin/bash' },
  groups: ['ada', 'sudo'],
  password: 'set',
  passwordSetMs: CHANGED_MS,
  expired: false,
  keys: 2,
  login: ['password', '2 SSH keys'],
  rights: ['sudo: %sudo ALL=(ALL:ALL) ALL'],
  last: { user: 'ada', line: 'pts/0', host: '203.0.113.7', seconds: 1_767_323_045 },
  ...parts,
});

export const accountScan = (parts: Partial<AccountScan> = {}): AccountScan => ({
  container: '',
  groups: [{ name: 'sudo', gid: 27, members: ['ada'] }],
  accounts: [
    accountFacts({
      name: 'root',
      uid: 0,
      gid: 0,
      home: '/root',
      login: [],
      rights: ['is root (uid 0)'],
      last: null,
    }),
    accountFacts(),
    accountFacts({
      name: 'daemon',
      uid: 1,
      login: [],
      rights: [],
      passwordSetMs: null,
      keys: null,
      last: null,
    }),
  ],
  unread: [{ path: '/var/log/wtmp', reason: 'EACCES' }],
  ...parts,
});
