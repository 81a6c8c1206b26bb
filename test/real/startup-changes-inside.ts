/** Run in an overlay (startup-changes.test.ts): a desk learns the machine, which is then changed step by step; prints what is found after each. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { REMEDIES } from '../../src/features/remedies/api.ts';
import { write } from '../support/silent-package.ts';
import { withLearnedDesk } from './startup-learned.ts';

export interface Step {
  readonly step: string;
  readonly found: readonly { readonly check: string; readonly severity: string; readonly summary: string }[];
}

const CHECKS = ['startup-entry', 'packaged-file'];

/** A package with a cron job, a unit that its script enables, and a script that is no configuration file. */
function build(version: string): string {
  const folder = `/tmp/deb-${version}`;
  const put = (path: string, text: string, mode?: number) => write(join(folder, path), text, mode);
  put(
    'DEBIAN/control',
    `Package: desk-planted\nVersion: ${version}\nArchitecture: all\nMaintainer: Desk Test <test@example.org>\nDescription: test\n`,
  );
  put('DEBIAN/conffiles', '/etc/cron.d/desk-planted\n');
  put(
    'DEBIAN/postinst',
    '#!/bin/sh\nset -e\nmkdir -p /etc/systemd/system/multi-user.target.wants\nln -sf /lib/systemd/system/desk-planted.service /etc/systemd/system/multi-user.target.wants/desk-planted.service\n',
    0o755,
  );
  put(
    'DEBIAN/postrm',
    '#!/bin/sh\nset -e\nif [ "$1" = purge ]; then rm -f /etc/systemd/system/multi-user.target.wants/desk-planted.service; fi\n',
    0o755,
  );
  put('etc/cron.d/desk-planted', `17 3 * * * root /usr/bin/true ${version}\n`);
  put('lib/systemd/system/desk-planted.service', `[Service]\nExecStart=/usr/bin/true ${version}\n`);
  put('usr/lib/systemd/system-shutdown/desk-planted', `#!/bin/sh\n# ${version}\n`, 0o755);
  const files = execFileSync('find', ['etc', 'lib', 'usr', '-type', 'f'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n');
  const sums = files.filter((file) => !file.startsWith('etc/'));
  put('DEBIAN/md5sums', execFileSync('md5sum', sums, { cwd: folder, encoding: 'utf8' }));
  const file = `/tmp/desk-planted-${version}.deb`;
  execFileSync('dpkg-deb', ['--root-owner-group', '--build', folder, file], { stdio: 'ignore' });
  return file;
}

const dpkg = (...words: string[]) => execFileSync('dpkg', words, { stdio: ['ignore', 'ignore', 'pipe'] });

const steps: Step[] = [];
await withLearnedDesk(async (desk) => {
  const look = async (step: string): Promise<void> => {
    // The first one may judge what an event began to read before the step was done.
    for (let turn = 0; turn < 2; turn++) await desk.use(REMEDIES).avClose('check');
    const { judgement } = await desk.state({ maxAgeMs: 0 });
    // Other altered packages of this machine are left out: a slow run sees the first comparison of them.
    const found = judgement.findings.filter(
      ({ check, evidence }) => CHECKS.includes(check) && evidence.place !== undefined,
    );
    steps.push({ step, found: found.map(({ check, severity, summary }) => ({ check, severity, summary })) });
  };
  await look('learned');
  const [first, second] = [build('1.0'), build('2.0')];
  dpkg('-i', first);
  await look('installed');
  dpkg('-i', second);
  await look('upgraded');
  dpkg('-i', '--force-confmiss', second);
  await look('installed again');
  dpkg('-r', 'desk-planted');
  await look('removed');
  dpkg('-i', second);
  appendFileSync('/etc/cron.d/desk-planted', '@reboot root /tmp/evil\n');
  await look('a line in a configuration file');
  dpkg('-P', 'desk-planted');
  await look('purged');
  dpkg('-i', first);
  appendFileSync('/usr/lib/systemd/system/desk-planted.service', 'ExecStartPost=/tmp/evil\n');
  await look('a changed unit');
  dpkg('-P', 'desk-planted');
  write('/etc/cron.d/.own.swp', '* * * * * root true\n');
  write('/etc/systemd/system/own.service~', '[Service]\nExecStart=/bin/true\n');
  mkdirSync('/etc/systemd/system/timers.target.wants', { recursive: true });
  rmSync('/etc/systemd/system/timers.target.wants/fstrim.timer', { force: true });
  symlinkSync('/lib/systemd/system/fstrim.timer', '/etc/systemd/system/timers.target.wants/fstrim.timer');
  await look('an enabled unit, and what editors leave');
  write('/etc/systemd/system/own.service', '[Service]\nExecStart=/tmp/evil\n');
  await look('a unit');
});
process.stdout.write(JSON.stringify(steps));
