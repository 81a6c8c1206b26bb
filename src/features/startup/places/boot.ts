/** What runs at boot without systemd: init scripts, kernel, boot loader, devices. */
import {
  all,
  INI,
  isLeftover,
  joined,
  keyed,
  lines,
  loaded,
  matching,
  program,
  script,
  significant,
} from '../parsers.ts';
import { type Parser, places } from '../place.ts';
import { isWritten } from './written.ts';

/** Each line of an init table that starts something (inittab(5)). */
const inittab: Parser = ({ text }) =>
  significant(text, /^#/).flatMap((line) => {
    const [id = '', levels = '', action = '', ...command] = line.split(':');
    const runs = command.join(':');
    return runs === '' ? [] : [{ runs, when: `${action} in run levels ${levels}`, name: id }];
  });

/** Keys of udev(7) that run a program or load something. */
const udev: Parser = ({ text, name }) =>
  name.endsWith('.rules') && !isLeftover(name)
    ? significant(joined(text, { comment: /^#/ }), /^#/).flatMap((line) => {
        const runs = [
          ...line.matchAll(
            /\b(?:RUN(?:\{\w+\})?\s*\+?:?=|PROGRAM\s*[=!]?=|IMPORT\{(?:program|builtin)\}\s*[=!]?=|ENV\{(?:SYSTEMD_WANTS|SYSTEMD_USER_WANTS)\}\s*\+?=)\s*e?"([^"]*)"/g,
          ),
        ];
        return runs.map(([what]) => ({ runs: what, when: `for devices with ${line.slice(0, 200)}` }));
      })
    : [];

const KERNEL_COMMAND =
  /\b(?:init|rdinit|systemd\.(?:unit|wants|run|debug[-_]shell)|rd\.\w+|module\.sig_enforce|lsm|security|apparmor|selinux|enforcing|modprobe\.\w+|modules[-_]load|mitigations|audit)=\S+|\bsystemd\.debug[-_]shell\b/g;
/** Folders of which names without this ending are not read. */
const KERNEL_FOLDERS = /\/grub\.d\/(?!.*\.cfg$)|\/entries\/(?!.*\.conf$)/;
const kernelCommand: Parser = ({ text, name, path }) =>
  (isLeftover(name) || KERNEL_FOLDERS.test(path) ? [] : significant(text)).flatMap((line) =>
    (line.match(KERNEL_COMMAND) ?? []).map((runs) => ({ runs, name: '' })),
  );

const RC = [0, 1, 2, 3, 4, 5, 6, 'S'].flatMap((level) => [`/etc/rc${level}.d/*`, `/etc/rc.d/rc${level}.d/*`]);
const BENIGN = 'An administrator, or a program that is not packaged, has set it up.';

export const BOOT = places([
  {
    id: 'init-script',
    title: 'init script',
    files: ['/etc/init.d/*', '/etc/rc.d/init.d/*', ...RC, '/etc/runlevels/*/*', '/etc/local.d/*'],
    parse: program((name) => !isLeftover(name) && name !== 'README'),
    when: 'at boot',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1037.004', 'T1037'],
  },
  {
    id: 'rc-local',
    title: 'last script of the boot',
    files: [
      '/etc/rc.local',
      '/etc/rc.d/rc.local',
      '/etc/rc.d/*.rc',
      '/etc/boot.d/*',
      '/etc/init.d/boot.local',
      '/etc/conf.d/local',
      // Read by every init script of Debian.
      '/etc/lsb-base-logging.sh',
    ],
    parse: (file) =>
      (file.name.endsWith('.sh') || file.file.mode & 0o111 ? script()(file) : []).filter(
        ({ runs }) => runs !== 'exit 0',
      ),
    when: 'at boot',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1037.004'],
  },
  {
    id: 'inittab',
    title: 'init table',
    files: ['/etc/inittab', '/etc/init/*'],
    parse: (file) =>
      file.name === 'inittab'
        ? inittab(file)
        : matching(/^(?:exec|script|pre-start|post-start|respawn|start on)\b/)(file),
    when: 'at boot',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1037', 'T1543'],
  },
  {
    id: 'supervised-service',
    title: 'service of another supervisor',
    files: [
      '/etc/service/*/run',
      '/etc/sv/*/run',
      '/var/service/*/run',
      '/service/*/run',
      '/etc/s6/*/run',
      '/etc/services.d/*/run',
      '/etc/cont-init.d/*',
      '/etc/my_init.d/*',
    ],
    parse: program(),
    when: 'at boot, and again whenever it ends',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543'],
  },
  {
    id: 'supervisor-program',
    title: 'program of supervisord, monit or pm2',
    files: [
      '/etc/supervisord.conf',
      '/etc/supervisor/*',
      '/etc/supervisor/conf.d/*',
      '/etc/supervisord.d/*',
      '/etc/monit/*',
      '/etc/monit/conf.d/*',
      '/etc/monit/conf-enabled/*',
      '/etc/monitrc',
      '/etc/monit.d/*',
      '~/.pm2/dump.pm2',
    ],
    parse: all(
      keyed(/^(?:command|environment)$/),
      matching(/^\s*(?:(?:start|stop|restart)\s+program|exec\b|if .*\bexec\b|check program)|"pm_exec_path"/),
    ),
    when: 'at boot, and again whenever it ends',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543'],
  },
  {
    id: 'udev-rule',
    title: 'program of a device rule',
    files: [
      '/etc/udev/rules.d/*',
      '/run/udev/rules.d/*',
      '/usr/lib/udev/rules.d/*',
      '/lib/udev/rules.d/*',
      '/usr/local/lib/udev/rules.d/*',
    ],
    parse: udev,
    when: 'when a device appears or changes',
    user: 'root',
    severity: 'high',
    benign: 'Drivers and desktop programs bring rules.',
    techniques: ['T1546.017'],
  },
  {
    id: 'initramfs',
    expected: ({ runs }) => /^RESUME=(?:none|auto|UUID=[\w-]+|\/dev\/[\w/-]+)$/.test(runs),
    title: 'part of the initial RAM disk',
    files: [
      '/etc/initramfs-tools/hooks/*',
      '/etc/initramfs-tools/scripts/*/*',
      '/etc/initramfs-tools/modules',
      '/etc/initramfs-tools/conf.d/*',
      '/usr/share/initramfs-tools/hooks/*',
      '/usr/share/initramfs-tools/scripts/*/*',
      '/usr/share/initramfs-tools/scripts/*',
      '/etc/initramfs/post-update.d/*',
      '/etc/dracut.conf',
      '/etc/dracut.conf.d/*',
      '/usr/lib/dracut/modules.d/*/*.sh',
      '/usr/lib/dracut/hooks/*/*',
      '/etc/mkinitcpio.conf',
      '/etc/mkinitcpio.conf.d/*',
      '/etc/initcpio/*/*',
    ],
    parse: (file) =>
      /\.conf$|\/(?:modules|mkinitcpio\.conf)$|conf\.d\//.test(file.path) ? lines()(file) : loaded()(file),
    when: 'at boot, before the root file system is mounted',
    user: 'root',
    severity: 'high',
    benign: 'Disk encryption and drivers need it.',
    techniques: ['T1542', 'T1037'],
  },
  {
    id: 'boot-loader',
    title: 'script of the boot loader',
    files: ['/etc/grub.d/*'],
    parse: program((name) => !isLeftover(name) && name !== 'README'),
    when: 'when the boot menu is made',
    user: 'root',
    severity: 'medium',
    benign: 'Administrators add entries to the menu.',
    techniques: ['T1542.003'],
  },
  {
    id: 'kernel-command-line',
    title: 'kernel command line that names a program',
    files: [
      '/etc/default/grub',
      '/etc/default/grub.d/*',
      '/boot/grub/grub.cfg',
      '/boot/grub2/grub.cfg',
      '/boot/loader/entries/*',
      '/etc/kernel/cmdline',
      '/boot/cmdline.txt',
      '/boot/firmware/cmdline.txt',
      '/boot/extlinux/extlinux.conf',
      '/boot/syslinux/syslinux.cfg',
      '/boot/refind_linux.conf',
    ],
    parse: kernelCommand,
    when: 'at boot',
    user: 'kernel',
    severity: 'high',
    benign: 'Administrators set it to repair or to tune a machine.',
    techniques: ['T1542.003'],
  },
  {
    id: 'kernel-hook',
    title: 'script that runs when a kernel is installed',
    files: ['postinst.d', 'preinst.d', 'postrm.d', 'prerm.d', 'install.d', 'header_postinst.d'].flatMap(
      (folder) => [`/etc/kernel/${folder}/*`, `/usr/lib/kernel/${folder}/*`],
    ),
    parse: program(),
    when: 'when a kernel is installed or removed',
    user: 'root',
    severity: 'medium',
    benign: 'DKMS and boot loaders need it.',
    techniques: ['T1546', 'T1542'],
  },
  {
    id: 'kernel-helper',
    title: 'program that the kernel starts',
    files: [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/modprobe',
      '/proc/sys/kernel/hotplug',
      '/proc/sys/kernel/poweroff_cmd',
      '/sys/kernel/uevent_helper',
      '/sys/fs/cgroup/release_agent',
      '/sys/fs/cgroup/*/release_agent',
    ],
    // A pattern for the name of a core file starts nothing; these programs are the kernel's defaults.
    parse: ({ text, name }) =>
      significant(text, /^$/)
        .filter((line) =>
          name === 'core_pattern'
            ? line.startsWith('|')
            : !/^(?:\/usr)?\/sbin\/(?:modprobe|poweroff)$/.test(line),
        )
        .map((runs) => ({ runs, name })),
    when: 'when a program crashes, a module is wanted, or a device appears',
    user: 'root',
    severity: 'high',
    benign: 'Crash handlers (systemd-coredump, apport, abrt) are set so.',
    techniques: ['T1546', 'T1611'],
  },
  {
    id: 'binary-format',
    title: 'program that runs files of a format',
    files: [
      '/etc/binfmt.d/*',
      '/run/binfmt.d/*',
      '/usr/lib/binfmt.d/*',
      '/usr/local/lib/binfmt.d/*',
      '/proc/sys/fs/binfmt_misc/*',
      '/usr/share/binfmts/*',
      '/var/lib/binfmts/*',
    ],
    parse: (file) =>
      file.path.startsWith('/proc/')
        ? matching(/^interpreter\s/)(file)
        : file.path.includes('/binfmts/')
          ? matching(/^(?:interpreter\s|detector\s|\/)/)(file)
          : lines(INI)(file),
    // update-binfmts(8) keeps under the same name what a package declares: the program is its interpreter, or its detector.
    origin: ({ runs }, { path, name }) =>
      path.includes('/binfmts/') ? `${name} ${runs.replace(/^(?:interpreter|detector)\s+/, '')}` : '',
    expected: isWritten,
    when: 'when a file of that format is executed',
    user: 'each user',
    severity: 'medium',
    benign: 'Emulators and interpreters register themselves.',
    techniques: ['T1546'],
  },
  {
    id: 'acpi-event',
    title: 'action of a power event',
    files: ['/etc/acpi/events/*', '/etc/acpi/*.sh', '/etc/acpi/actions/*'],
    parse: (file) => (file.path.includes('/events/') ? keyed(/^action$/)(file) : program()(file)),
    when: 'when a key is pressed or the lid is closed',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'cloud-init',
    title: 'commands of cloud-init',
    files: [
      '/etc/cloud/cloud.cfg',
      '/etc/cloud/cloud.cfg.d/*',
      '/var/lib/cloud/scripts/*/*',
      '/var/lib/cloud/seed/**/*',
    ],
    parse: (file) =>
      file.path.includes('/scripts/')
        ? program()(file)
        : matching(
            /^-?\s*(?:runcmd|bootcmd|write_files|scripts-\w+|cloud_\w+_modules)\b|^- *\[|^-\s+(?:sh|bash|curl|wget|\/)/,
          )(file),
    when: 'at boot',
    user: 'root',
    severity: 'medium',
    benign: 'Cloud providers configure machines so.',
    techniques: ['T1037'],
  },
]);
