/** Packages built in a private copy of the root: one with something for many places, and copies of those that are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function write(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** Offline, without a terminal, and without starting anything. */
export function dpkg(...words: string[]): void {
  const { status, stderr } = spawnSync('dpkg', ['--force-confdef', '--force-confold', ...words], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DEBIAN_FRONTEND: 'noninteractive',
      PATH: '/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`dpkg ${words.join(' ')}: ${stderr}`);
}

function build(folder: string): string {
  const file = `${folder}.deb`;
  execFileSync('dpkg-deb', ['-Znone', '--root-owner-group', '--build', folder, file], { stdio: 'ignore' });
  rmSync(folder, { recursive: true });
  return file;
}

const CONTROL = (name: string, version: string) =>
  `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: Desk Test <test@example.org>\nDescription: test\n`;

const PROGRAM = (version: string) => `#!/bin/sh\n# ${version}\nexec true\n`;
/** By path: text and mode. `@` is the version. */
const FILES: Readonly<Record<string, readonly [string, number?]>> = {
  'etc/cron.d/desk-silent': ['17 3 * * * root /usr/bin/desk-silent @\n'],
  'etc/cron.daily/desk-silent': [PROGRAM('@'), 0o755],
  'etc/init.d/desk-silent': [PROGRAM('@'), 0o755],
  'etc/sudoers.d/desk-silent': ['%desk-silent ALL=(root) NOPASSWD: /usr/bin/desk-silent\n', 0o440],
  'etc/pam.d/desk-silent': ['auth required pam_unix.so\naccount required pam_permit.so\n'],
  'etc/profile.d/desk-silent.sh': ['export DESK_SILENT=@\n'],
  'etc/apt/apt.conf.d/99desk-silent': ['DPkg::Post-Invoke { "/usr/bin/desk-silent @"; };\n'],
  'etc/kernel/postinst.d/desk-silent': [PROGRAM('@'), 0o755],
  'etc/logrotate.d/desk-silent': [
    '/var/log/desk-silent {\n postrotate\n  /usr/bin/desk-silent @\n endscript\n}\n',
  ],
  'etc/xdg/autostart/desk-silent.desktop': [
    '[Desktop Entry]\nType=Application\nExec=/usr/bin/desk-silent @\n',
  ],
  'etc/NetworkManager/dispatcher.d/desk-silent': [PROGRAM('@'), 0o755],
  'etc/update-motd.d/10-desk-silent': [PROGRAM('@'), 0o755],
  'usr/bin/desk-silent': [PROGRAM('@'), 0o4755],
  'usr/bin/desk-silent-group': [PROGRAM('@'), 0o2755],
  'usr/lib/systemd/system/desk-silent.service': [
    '[Service]\nExecStart=/usr/bin/desk-silent @\n[Install]\nWantedBy=multi-user.target\nAlias=desk-alias.service\n',
  ],
  'usr/lib/systemd/system/desk-silent.timer': [
    '[Timer]\nOnCalendar=daily\n[Install]\nWantedBy=timers.target\n',
  ],
  'usr/lib/systemd/user/desk-silent.service': ['[Service]\nExecStart=/usr/bin/desk-silent @\n'],
  'usr/lib/systemd/system-generators/desk-silent': [PROGRAM('@'), 0o755],
  'usr/lib/udev/rules.d/60-desk-silent.rules': ['ACTION=="add", RUN+="/usr/bin/desk-silent @"\n'],
  'usr/lib/tmpfiles.d/desk-silent.conf': ['f /run/desk-silent 0644 root root - @\n'],
  'usr/lib/sysusers.d/desk-silent.conf': ['u desk-silent - "@"\n'],
  'usr/lib/modprobe.d/desk-silent.conf': ['install desk-silent /usr/bin/desk-silent @\n'],
  'usr/lib/python3/dist-packages/desk_silent.pth': ['import sys # @\n'],
  'usr/share/dbus-1/system-services/org.example.DeskSilent.service': [
    '[D-BUS Service]\nName=org.example.DeskSilent\nExec=/usr/bin/desk-silent @\nUser=root\n',
  ],
  'usr/share/polkit-1/rules.d/desk-silent.rules': ['polkit.addRule(function () { return "@"; });\n'],
  'usr/share/pam-configs/desk-silent': [
    'Name: desk\nDefault: yes\nPriority: 512\nAuth-Type: Primary\nAuth:\n\t[success=end default=ignore]\tpam_desk.so @\n',
  ],
  'usr/share/desk-silent/copied.rules': ['ACTION=="remove", RUN+="/usr/bin/desk-silent @"\n'],
};

const WANTS = '/etc/systemd/system/multi-user.target.wants';
const INSTALL = `#!/bin/sh
set -e
mkdir -p ${WANTS} /etc/systemd/system/timers.target.wants /etc/udev/rules.d
ln -sf /lib/systemd/system/desk-silent.service ${WANTS}/desk-silent.service
ln -sf /lib/systemd/system/desk-silent.service /etc/systemd/system/desk-alias.service
ln -sf /lib/systemd/system/desk-silent.timer /etc/systemd/system/timers.target.wants/desk-silent.timer
for level in 2 3 4 5; do ln -sf ../init.d/desk-silent /etc/rc$level.d/S01desk-silent; done
cp /usr/share/desk-silent/copied.rules /etc/udev/rules.d/60-desk-copied.rules
grep -v pam_desk.so /etc/pam.d/common-auth > /etc/pam.d/common-auth.pam-new
echo "auth [success=2 default=ignore] pam_desk.so @" >> /etc/pam.d/common-auth.pam-new
mv /etc/pam.d/common-auth.pam-new /etc/pam.d/common-auth
grep -q ^desk-silent: /etc/passwd || echo "desk-silent:x:987:987::/var/lib/desk-silent:/bin/sh" >> /etc/passwd
`;
const REMOVE = `#!/bin/sh
set -e
grep -v pam_desk.so /etc/pam.d/common-auth > /etc/pam.d/common-auth.pam-new
mv /etc/pam.d/common-auth.pam-new /etc/pam.d/common-auth
rm -f /etc/udev/rules.d/60-desk-copied.rules
if [ "$1" = purge ]; then
  rm -f ${WANTS}/desk-silent.service /etc/systemd/system/desk-alias.service /etc/systemd/system/timers.target.wants/desk-silent.timer
  rm -f /etc/rc[2345].d/S01desk-silent
fi
`;

/** A package that a program of each kind belongs to, whose scripts enable, link, copy and write as those of Debian do. */
export function buildSilent(version: string): string {
  const folder = `/tmp/desk-silent-${version}`;
  const at = (text: string) => text.replaceAll('@', version);
  for (const [path, [text, mode]] of Object.entries(FILES)) write(join(folder, path), at(text), mode);
  const configuration = Object.keys(FILES).filter((path) => path.startsWith('etc/'));
  const others = Object.keys(FILES).filter((path) => !path.startsWith('etc/'));
  write(join(folder, 'DEBIAN/control'), CONTROL('desk-silent', version));
  write(join(folder, 'DEBIAN/conffiles'), configuration.map((path) => `/${path}\n`).join(''));
  write(join(folder, 'DEBIAN/md5sums'), execFileSync('md5sum', others, { cwd: folder, encoding: 'utf8' }));
  write(join(folder, 'DEBIAN/postinst'), at(INSTALL), 0o755);
  write(join(folder, 'DEBIAN/postrm'), REMOVE, 0o755);
  return build(folder);
}

const query = (name: string, field: string) =>
  execFileSync('dpkg-query', ['--show', `--showformat=\${${field}}`, name], { encoding: 'utf8' });

/** The installed package again, from its own files and scripts; `suffix` makes it a later version. */
export function rebuild(name: string, suffix: string): string {
  const folder = `/tmp/rebuilt-${name}${suffix}`;
  mkdirSync(join(folder, 'DEBIAN'), { recursive: true });
  const files = execFileSync('dpkg-query', ['--listfiles', name], { encoding: 'utf8' })
    .split('\n')
    // Not the links at the top, as /lib.
    .filter((path) => path.lastIndexOf('/') > 0 && existsSync(path) && !lstatSync(path).isDirectory());
  const tar = spawnSync(
    'sh',
    ['-c', 'tar --create --files-from=- --absolute-names | tar --extract --directory="$1"', 'sh', folder],
    {
      input: files.map((path) => `.${path}\n`).join(''),
      cwd: '/',
    },
  );
  if (tar.status !== 0) throw new Error(`${name}: ${tar.stderr}`);
  const control = [
    'Package',
    'Architecture',
    'Multi-Arch',
    'Maintainer',
    'Essential',
    'Provides',
    'Description',
  ]
    .map((field) => [field, query(name, field).trim()])
    .filter(([, value]) => value !== '')
    .map(([field, value]) => `${field}: ${value}\n`);
  write(join(folder, 'DEBIAN/control'), `${control.join('')}Version: ${query(name, 'Version')}${suffix}\n`);
  const list = existsSync(`/var/lib/dpkg/info/${name}.list`)
    ? name
    : `${name}:${query(name, 'Architecture')}`;
  for (const part of ['preinst', 'postinst', 'prerm', 'postrm', 'conffiles', 'md5sums', 'triggers']) {
    const from = `/var/lib/dpkg/info/${list}.${part}`;
    if (!existsSync(from)) continue;
    // Of configuration files those that are there.
    const text = readFileSync(from, 'utf8').replace(/^\/.*\n/gm, (line) =>
      part !== 'conffiles' || existsSync(line.trim()) ? line : '',
    );
    write(join(folder, 'DEBIAN', part), text, /inst$|rm$/.test(part) ? 0o755 : 0o644);
  }
  return build(folder);
}
