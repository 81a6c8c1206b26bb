/** What starts by itself in the workshop, its accounts and packages. */
import type { AccountFacts } from '../../../src/desk/startup.ts';
import { alteredFile } from '../../support/packages.ts';
import { accountFacts, startupEntry } from '../../support/startup.ts';
import { type StartupScene, startupScene } from '../../support/startup-scenes.ts';
import type { SceneName } from './questions/question.ts';

const account = (name: string, uid: number, parts: Partial<AccountFacts>): AccountFacts =>
  accountFacts({
    ...{ name, uid, gid: uid, home: `/home/${name}`, groups: [name], keys: 0, rights: [], last: null },
    ...parts,
  });

const CANNOT = { shell: '/usr/sbin/nologin', password: 'locked', login: [] } as const;

export const WORKSHOP_ACCOUNTS: readonly AccountFacts[] = [
  account('root', 0, { password: 'locked', login: [], home: '/root', rights: ['is root (uid 0)'] }),
  account('anna', 1000, {
    groups: ['anna', 'sudo'],
    login: ['password'],
    rights: ['sudo: %sudo ALL=(ALL:ALL) ALL'],
    last: { user: 'anna', line: 'pts/0', host: '203.0.113.7', seconds: 1_767_323_045 },
  }),
  account('bert', 1001, { keys: 2, login: ['2 SSH keys'], shell: '/bin/zsh' }),
  account('backup2', 0, { login: ['password'], home: '/root', rights: ['is root (uid 0)'] }),
  account('www-data', 33, { ...CANNOT, home: '/var/www' }),
  account('daemon', 1, CANNOT),
];

/** The scene of another name as it is. */
export function startupOf(name: SceneName, nowMs: number): StartupScene {
  if (name !== 'workshop') return startupScene(name, nowMs);
  const usual = startupScene('healthy', nowMs);
  const planted = startupEntry('crontab', {
    path: '/etc/cron.d/maint',
    runs: '/tmp/.cache/helper --nightly',
    when: '*/5 * * * *',
    changedMs: nowMs - 1_800_000,
  });
  return {
    startup: { ...usual.startup, entries: [planted, ...usual.startup.entries] },
    accounts: { container: '', groups: [], unread: [], accounts: WORKSHOP_ACCOUNTS },
    packages: usual.packages && {
      ...usual.packages,
      altered: [alteredFile({ path: '/usr/bin/passwd', package: 'passwd', version: '1:4.17.4-2' })],
    },
  };
}
