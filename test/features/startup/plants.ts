/** For each place a file that starts something harmless, and what the desk must say of it. */

export interface Plant {
  readonly place: string;
  /** `~/` is the home of an ordinary user. */
  readonly path: string;
  readonly text: string;
  /** Default: 0644. */
  readonly mode?: number;
  /** The starts that are reported, as they are shown. */
  readonly runs: readonly string[];
  readonly user?: string;
}

const SCRIPT = '#!/bin/sh\nexec /bin/true planted\n';
/** A file that is run as a whole. */
const program = (place: string, path: string): Plant => ({
  place,
  path,
  text: SCRIPT,
  mode: 0o755,
  runs: [path],
});
/** A file that is loaded as a whole. */
const library = (place: string, path: string): Plant => ({
  place,
  path,
  text: '\u007fELF planted',
  runs: [path],
});
const RUN = '/bin/true planted';
const line = (place: string, path: string, text = RUN): Plant => ({
  place,
  path,
  text: `# a comment\n\n${text}\n`,
  runs: [text],
});

const DESKTOP = `[Desktop Entry]\nType=Application\nName=Planted\nExec=${RUN}\n`;
const KEY = `ssh-ed25519 ${'A'.repeat(67)}B== planted`;

export const PLANTS: readonly Plant[] = [
  {
    place: 'service-environment',
    path: '/etc/default/planted',
    text: '# a comment\nOPTIONS="-v"\nLD_PRELOAD=/opt/planted.so\n',
    runs: ['LD_PRELOAD=/opt/planted.so'],
  },
  {
    place: 'privileged-program',
    path: '/opt/planted/as-root',
    text: SCRIPT,
    mode: 0o4755,
    runs: ['/opt/planted/as-root'],
  },
  {
    place: 'privileged-program',
    path: '/var/planted/as-group',
    text: SCRIPT,
    mode: 0o2755,
    runs: ['/var/planted/as-group'],
    user: 'each user',
  },
  // scheduled
  {
    place: 'crontab',
    path: '/etc/cron.d/planted',
    text: `# m h\nSHELL=/bin/sh\n* * * * * www-data ${RUN}\n@reboot root ${RUN} boot\n`,
    runs: ['SHELL=/bin/sh', RUN, `${RUN} boot`],
  },
  {
    place: 'crontab',
    path: '/etc/crontab',
    text: `*/5 1-3 * * mon-fri root ${RUN}\n`,
    runs: [RUN],
    user: 'root',
  },
  {
    place: 'user-crontab',
    path: '/var/spool/cron/crontabs/games',
    text: `* * * * * ${RUN}\n`,
    mode: 0o600,
    runs: [RUN],
    user: 'games',
  },
  program('cron-folder', '/etc/cron.daily/planted'),
  { place: 'anacrontab', path: '/etc/anacrontab', text: `7 5 weekly ${RUN}\n`, runs: [RUN] },
  {
    place: 'at-job',
    path: '/var/spool/cron/atjobs/a0000101c0ffee',
    text: `#!/bin/sh\n# atrun uid=0 gid=0\numask 22\nPATH=/bin; export PATH\ncd / || {\n\t echo 'Execution directory inaccessible' >&2\n\t exit 1\n}\n${RUN}\n`,
    mode: 0o700,
    runs: [RUN],
  },
  { place: 'cron-access', path: '/etc/cron.allow', text: 'planted\n', runs: ['planted'] },
  // systemd
  {
    place: 'systemd-unit',
    path: '/etc/systemd/system/planted.service',
    text: `[Unit]\nDescription=planted\n[Service]\nUser=games\nExecStart=${RUN}\n[Install]\nWantedBy=multi-user.target\n`,
    runs: [RUN],
    user: 'games',
  },
  {
    place: 'systemd-unit',
    path: '/etc/systemd/system/planted.timer',
    text: '[Timer]\nOnCalendar=daily\nUnit=planted.service\n',
    runs: ['planted.service'],
  },
  {
    place: 'systemd-unit',
    path: '/etc/systemd/system/cron.service.d/planted.conf',
    text: `[Service]\nExecStartPost=\\\n  ${RUN}\nEnvironment=LD_PRELOAD=/tmp/planted.so\n`,
    runs: [RUN, 'Environment=LD_PRELOAD=/tmp/planted.so'],
  },
  {
    place: 'systemd-unit',
    path: '/run/systemd/system/planted.path',
    text: '[Path]\nPathExists=/tmp/planted\n',
    runs: ['planted.path'],
  },
  {
    place: 'systemd-user-unit',
    path: '/etc/systemd/user/planted.service',
    text: `[Service]\nExecStart=${RUN}\n`,
    runs: [RUN],
    user: 'each user',
  },
  {
    place: 'systemd-home-unit',
    path: '~/.config/systemd/user/planted.service',
    text: `[Service]\nExecStart=${RUN}\n`,
    runs: [RUN],
  },
  program('systemd-generator', '/etc/systemd/system-generators/planted'),
  program('systemd-generator', '/usr/local/lib/systemd/user-environment-generators/planted'),
  program('systemd-hook', '/usr/lib/systemd/system-shutdown/planted'),
  {
    place: 'systemd-manager',
    path: '/etc/systemd/system.conf.d/planted.conf',
    text: '[Manager]\nDefaultEnvironment=LD_PRELOAD=/tmp/planted.so\n',
    runs: ['DefaultEnvironment=LD_PRELOAD=/tmp/planted.so'],
  },
  line('environment-folder', '/etc/environment.d/planted.conf', 'LD_PRELOAD=/tmp/planted.so'),
  line('tmpfiles', '/etc/tmpfiles.d/planted.conf', 'f /etc/cron.d/later 0644 root root - planted'),
  line('sysusers', '/etc/sysusers.d/planted.conf', 'u planted 0 "planted" /root /bin/sh'),
  {
    place: 'quadlet',
    path: '/etc/containers/systemd/planted.container',
    text: `[Container]\nImage=planted\nExec=${RUN}\n`,
    runs: ['Image=planted', `Exec=${RUN}`],
  },
  library('portable-image', '/etc/extensions/planted.raw'),
  {
    place: 'user-at-boot',
    path: '/var/lib/systemd/linger/planted',
    text: '',
    runs: ['the units of planted'],
    user: 'planted',
  },
  // boot
  program('init-script', '/etc/init.d/planted'),
  { place: 'rc-local', path: '/etc/rc.local', text: `#!/bin/sh\n${RUN}\n`, mode: 0o755, runs: [RUN] },
  { place: 'inittab', path: '/etc/inittab', text: `# table\nx1:2345:respawn:${RUN}\n`, runs: [RUN] },
  program('supervised-service', '/etc/service/planted/run'),
  {
    place: 'supervisor-program',
    path: '/etc/supervisor/conf.d/planted.conf',
    text: `[program:planted]\ncommand=${RUN}\n`,
    runs: [`command=${RUN}`],
  },
  {
    place: 'udev-rule',
    path: '/etc/udev/rules.d/99-planted.rules',
    text: `# rule\nSUBSYSTEM=="net", RUN+="${RUN}"\n`,
    runs: [`RUN+="${RUN}"`],
  },
  line('modprobe', '/etc/modprobe.d/planted.conf', `install planted ${RUN}`),
  line('loaded-module', '/etc/modules-load.d/planted.conf', 'planted'),
  library('module-file', '/lib/modules/6.1.0-planted/kernel/net/ipv4/.planted.ko.xz'),
  line('encrypted-disk', '/etc/crypttab', 'disk /dev/sda2 none luks,keyscript=/tmp/planted'),
  library('module-file', '/lib/modules/6.1.0-planted/extra/planted.ko'),
  library('initramfs', '/etc/initramfs-tools/hooks/planted'),
  program('boot-loader', '/etc/grub.d/99_planted'),
  {
    place: 'kernel-command-line',
    path: '/etc/default/grub.d/planted.cfg',
    text: 'GRUB_CMDLINE_LINUX="quiet init=/tmp/planted"\n',
    runs: ['init=/tmp/planted"'],
  },
  program('kernel-hook', '/etc/kernel/postinst.d/planted'),
  line('kernel-parameter', '/etc/sysctl.d/planted.conf', 'kernel.core_pattern = |/tmp/planted %p'),
  // /proc/sys is the kernel's own: it is not written by a test.
  {
    place: 'kernel-helper',
    path: '/proc/sys/kernel/core_pattern',
    text: '|/tmp/planted %p\n',
    runs: ['|/tmp/planted %p'],
  },
  line('binary-format', '/etc/binfmt.d/planted.conf', ':planted:M::planted::/tmp/planted:'),
  {
    place: 'acpi-event',
    path: '/etc/acpi/events/planted',
    text: `event=button.*\naction=${RUN}\n`,
    runs: [`action=${RUN}`],
  },
  program('cloud-init', '/var/lib/cloud/scripts/per-boot/planted'),
  // shells
  line('system-profile', '/etc/profile.d/planted.sh'),
  line('home-profile', '~/.bashrc'),
  line('home-profile', '~/.zshenv'),
  line('skeleton', '/etc/skel/.profile'),
  line('environment', '/etc/environment', 'LD_PRELOAD=/tmp/planted.so'),
  {
    place: 'python',
    path: '/usr/local/lib/python3.11/dist-packages/planted.pth',
    text: 'some/folder\nimport os; os.getpid()\n',
    runs: ['import os; os.getpid()'],
  },
  line('python', '/usr/lib/python3/dist-packages/usercustomize.py', 'print("planted")'),
  line('interpreter', '~/.gdbinit', 'shell /bin/true'),
  {
    place: 'php',
    path: '/etc/php/8.2/cli/conf.d/planted.ini',
    text: 'auto_prepend_file = /tmp/planted.php\n',
    runs: ['auto_prepend_file=/tmp/planted.php'],
  },
  {
    place: 'git',
    path: '~/.gitconfig',
    text: `[core]\n\tpager = ${RUN}\n[user]\n\tname = planted\n[alias]\n\tst = status\n\trun = !${RUN}\n`,
    runs: [`core pager=${RUN}`, `alias run=!${RUN}`],
  },
  program('git-hook', '~/project/.git/hooks/post-commit'),
  line('editor', '~/.vimrc', 'autocmd VimEnter * silent !true planted'),
  line('editor', '~/.vim/pack/planted/start/planted/plugin/planted.vim', 'silent !true planted'),
  line('editor', '~/.tmux.conf', 'run "true planted"'),
  program('program-in-home', '~/.local/bin/sudo'),
  // access
  {
    place: 'passwd',
    path: '/etc/passwd',
    text: 'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nplanted:x:0:0::/root:/usr/sbin/nologin\n',
    runs: ['/bin/bash as uid 0, gid 0, home /root', '/usr/sbin/nologin as uid 0, gid 0, home /root'],
  },
  {
    place: 'shadow',
    path: '/etc/shadow',
    text: 'root:*:19000:0:99999:7:::\nplanted::19000:0:99999:7:::\n',
    mode: 0o640,
    runs: ['no password is needed'],
    user: 'planted',
  },
  {
    place: 'group',
    path: '/etc/group',
    text: 'root:x:0:\nsudo:x:27:planted\nusers:x:100:planted\n',
    runs: ['planted in group sudo'],
  },
  {
    place: 'user-record',
    path: '/etc/userdb/planted.user',
    text: '{"userName":"planted","uid":0,"gid":0,"memberOf":["wheel"]}',
    runs: ['user {"userName":"planted","uid":0,"gid":0,"memberOf":["wheel"]}'],
    user: 'planted',
  },
  {
    place: 'user-record',
    path: '/etc/userdb/planted:wheel.membership',
    text: '{}',
    runs: ['member planted in group wheel'],
  },
  line('subordinate-ids', '/etc/subuid', 'planted:0:65536'),
  line('sudoers', '/etc/sudoers.d/planted', 'planted ALL=(ALL:ALL) NOPASSWD: ALL'),
  line('polkit-rule', '/etc/polkit-1/localauthority/50-local.d/planted.pkla', 'ResultAny=yes'),
  {
    place: 'polkit-action',
    path: '/usr/share/polkit-1/actions/planted.policy',
    text: '<policyconfig>\n<allow_any>yes</allow_any>\n<allow_active>no</allow_active>\n</policyconfig>\n',
    runs: ['<allow_any>yes</allow_any>'],
  },
  {
    place: 'pam',
    path: '/etc/pam.d/planted',
    text: '# a comment\nauth sufficient pam_permit.so\n',
    runs: ['auth sufficient pam_permit.so', 'auth succeeds for everyone'],
  },
  library('pam-module', '/usr/lib/x86_64-linux-gnu/security/pam_planted.so'),
  line('pam-setting', '/etc/security/access.conf', '+:ALL:ALL'),
  {
    place: 'sshd',
    path: '/etc/ssh/sshd_config.d/planted.conf',
    text: 'PermitRootLogin yes\nX11Forwarding yes\n',
    runs: ['PermitRootLogin yes'],
  },
  line('ssh-rc', '~/.ssh/rc'),
  {
    place: 'authorized-keys',
    path: '~/.ssh/authorized_keys',
    text: `command="${RUN}" ${KEY}\n`,
    mode: 0o600,
    runs: [`command="${RUN}" ssh-ed25519 SHA256:6fdDdSAj/N1F45EzOuUmQqvUZe6/DoH/eHqk2/s82mk planted`],
  },
  line('ssh-client', '~/.ssh/config', `ProxyCommand ${RUN}`),
  line('remote-shell', '/etc/hosts.equiv', '+ +'),
  line('name-service', '/etc/hosts', '203.0.113.7 planted.example'),
  library('certificate-authority', '/usr/local/share/ca-certificates/planted.crt'),
  // system
  line('preload', '/etc/ld.so.preload', '/tmp/planted.so'),
  line('library-path', '/etc/ld.so.conf.d/planted.conf', '/tmp/planted'),
  library('loaded-library', '/usr/lib/libnss_planted.so.2'),
  program('local-program', '/usr/local/sbin/run-parts'),
  program('local-program', '/usr/sbin/ls'),
  library('interpreter-module', '/usr/lib/python311.zip'),
  library('interpreter-module', '/etc/perl/Debian/Planted.pm'),
  library('loaded-library', '/usr/local/lib/libnss_planted.so.2'),
  {
    place: 'openssl',
    path: '/etc/ssl/openssl.cnf',
    text: '[planted]\ndynamic_path = /tmp/planted.so\n',
    runs: ['dynamic_path=/tmp/planted.so'],
  },
  program('local-program', '/usr/local/bin/sudo'),
  {
    place: 'apt',
    path: '/etc/apt/apt.conf.d/99planted',
    text: `// hook\nAPT::Update::Pre-Invoke {"${RUN}";};\nAPT::Install-Recommends "no";\n`,
    runs: [RUN],
  },
  {
    place: 'alternative',
    path: '/etc/alternatives/planted',
    text: SCRIPT,
    mode: 0o755,
    runs: ['/etc/alternatives/planted'],
  },
  line('dpkg', '/etc/dpkg/dpkg.cfg.d/planted', `post-invoke=${RUN}`),
  program('package-script', '/var/lib/dpkg/info/planted.postinst'),
  line(
    'package-source',
    '/etc/apt/sources.list.d/planted.list',
    'deb [trusted=yes] http://planted.example/ stable main',
  ),
  library('package-key', '/etc/apt/trusted.gpg.d/planted.gpg'),
  {
    place: 'package-plugin',
    path: '/etc/pacman.d/hooks/planted.hook',
    text: `[Action]\nWhen = PostTransaction\nExec = ${RUN}\n`,
    runs: [`Exec = ${RUN}`],
  },
  program('motd', '/etc/update-motd.d/99-planted'),
  {
    place: 'logrotate',
    path: '/etc/logrotate.d/planted',
    text: `/var/log/planted {\n  daily\n  postrotate\n    ${RUN}\n  endscript\n}\n`,
    runs: [RUN],
  },
  program('network-manager', '/etc/NetworkManager/dispatcher.d/99-planted'),
  program('ifupdown', '/etc/network/if-up.d/planted'),
  {
    place: 'interfaces',
    path: '/etc/network/interfaces',
    text: `auto lo\niface lo inet loopback\n  post-up ${RUN}\n`,
    runs: [`post-up ${RUN}`],
  },
  library('network-hook', '/etc/dhcp/dhclient-exit-hooks.d/planted'),
  {
    place: 'vpn',
    path: '/etc/wireguard/planted.conf',
    text: `[Interface]\nPostUp = ${RUN}\n`,
    mode: 0o600,
    runs: [`PostUp = ${RUN}`],
  },
  // programs and services
  { place: 'autostart', path: '/etc/xdg/autostart/planted.desktop', text: DESKTOP, runs: [RUN] },
  { place: 'home-autostart', path: '~/.config/autostart/planted.desktop', text: DESKTOP, runs: [RUN] },
  line('home-autostart', '~/.xsession'),
  {
    place: 'home-application',
    path: '~/.local/share/applications/firefox.desktop',
    text: DESKTOP,
    runs: [RUN],
  },
  line('x-session', '/etc/X11/Xsession.d/99planted'),
  {
    place: 'display-manager',
    path: '/etc/lightdm/lightdm.conf.d/planted.conf',
    text: `[Seat:*]\ngreeter-setup-script=${RUN}\n`,
    runs: [`greeter-setup-script=${RUN}`],
  },
  {
    place: 'dbus-service',
    path: '/usr/share/dbus-1/system-services/planted.service',
    text: `[D-BUS Service]\nName=planted\nExec=${RUN}\nUser=root\n`,
    runs: [RUN],
    user: 'root',
  },
  line('dbus-policy', '/etc/dbus-1/system.d/planted.conf', '<allow own="*"/>'),
  line('internet-service', '/etc/inetd.conf', `planted stream tcp nowait root /bin/true true`),
  line('mail-delivery', '~/.forward', `"|${RUN}"`),
  program('printing', '/usr/lib/cups/filter/planted'),
  line('cups-setting', '/etc/cups/cups-files.conf', 'ServerBin /tmp/planted'),
  {
    place: 'housekeeping',
    path: '/etc/letsencrypt/renewal-hooks/post/planted',
    text: SCRIPT,
    mode: 0o755,
    runs: ['/etc/letsencrypt/renewal-hooks/post/planted'],
  },
  line('browser', '/etc/chromium.d/planted', 'export CHROMIUM_FLAGS="--load-extension=/tmp/planted"'),
  line('log-server', '/etc/rsyslog.d/planted.conf', '*.* ^/tmp/planted'),
  line('monitoring', '/etc/snmp/snmpd.conf', `extend planted ${RUN}`),
  {
    place: 'intrusion-action',
    path: '/etc/fail2ban/action.d/planted.conf',
    text: `[Definition]\nactionban = ${RUN}\n`,
    runs: [`actionban = ${RUN}`],
  },
  line('web-server', '/etc/apache2/mods-enabled/planted.load', 'LoadModule planted_module /tmp/planted.so'),
  {
    place: 'file-server',
    path: '/etc/samba/smb.conf',
    text: `[share]\n  root preexec = ${RUN}\n`,
    runs: [`root preexec = ${RUN}`],
  },
  line('database', '/etc/postgresql/15/main/conf.d/planted.conf', `archive_command = '${RUN}'`),
  {
    place: 'container',
    path: '/etc/kubernetes/manifests/planted.yaml',
    text: 'kind: Pod\nspec:\n  containers:\n  - image: planted\n',
    runs: ['- image: planted'],
  },
];
