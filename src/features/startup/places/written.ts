/** Lines that scripts of Debian's packages write into files that no package has: by file, exactly. */
import type { PlacedFile, Start } from '../place.ts';

const rotates = (service: string, action: string): string =>
  [
    'if [ -d /run/systemd/system ]; then',
    `systemctl -q is-active ${service} && systemctl kill --signal=SIGHUP ${service} || true`,
    'else',
    `invoke-rc.d ${service} ${action} > /dev/null || true`,
    'fi',
  ].join('; ');

const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  // popularity-contest.postinst and apticron.postinst, at a random minute
  '/etc/cron.d/popularity-contest': [
    'SHELL=/bin/sh',
    'PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin',
    'test -x /etc/cron.daily/popularity-contest && /etc/cron.daily/popularity-contest --crond',
  ],
  '/etc/cron.d/apticron': ['if test -x /usr/sbin/apticron; then /usr/sbin/apticron --cron; else true; fi'],
  // clamav-daemon.postinst, clamav-freshclam.postinst
  '/etc/systemd/system/clamav-daemon.service.d/extend.conf': [
    '-/bin/mkdir -p /run/clamav',
    '/bin/chown clamav /run/clamav',
  ],
  '/etc/logrotate.d/clamav-daemon': [rotates('clamav-daemon', 'reload-log')],
  '/etc/logrotate.d/clamav-freshclam': [rotates('clamav-freshclam', 'reload-log')],
  // ksh93u+m.postinst, by update-binfmts
  '/var/lib/binfmts/ksh': ['/bin/ksh'],
  // logcheck.postinst, by adduser
  '/etc/group': ['logcheck in group adm'],
};

/** As root, or as whom the place says. */
export const isWritten = ({ runs, user = 'root' }: Start, { path }: PlacedFile): boolean =>
  (user === 'root' || path === '/etc/group') && (WRITTEN[path]?.includes(runs) ?? false);
