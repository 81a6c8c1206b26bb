/** Kernel modules, kernel parameters, and disks that are set up at boot. */
import { INI, isLeftover, lines, loaded, matching, significant } from '../parsers.ts';
import { type Parser, places } from '../place.ts';

/** modprobe.d(5): commands, aliases, options and dependencies. */
const modprobe: Parser = ({ text, name }) =>
  name.endsWith('.conf') && !isLeftover(name)
    ? significant(text.replace(/\\\n/g, ' '), /^#/)
        .filter((line) => /^(?:install|remove|softdep|alias|options)\s/.test(line))
        .map((runs) => ({ runs }))
    : [];

/** Kernel parameters that name a program, or open the kernel. */
const SYSCTL =
  /^-?(?:kernel[./](?:core_pattern|modprobe|hotplug|poweroff_cmd|modules_disabled|kptr_restrict|dmesg_restrict|yama[./]\S+|unprivileged_\S+|randomize_va_space|perf_event_paranoid|sysrq)|fs[./](?:suid_dumpable|protected_\S+|binfmt_misc\S*)|net[./]ipv4[./](?:ip_forward|conf[./]\S+[./](?:forwarding|rp_filter))|vm[./]mmap_min_addr|dev[./]tty[./]ldisc_autoload)\s*=/;

/** Folders of modules: those of a kernel have more files together than are read for one pattern. */
const MODULES = [
  ...['extra', 'updates', 'weak-updates', 'misc'].map((folder) => `${folder}/**/`),
  ...['arch', 'block', 'crypto', 'drivers', 'fs', 'lib', 'mm', 'net', 'security', 'sound'].map(
    (folder) => `kernel/${folder}/**/`,
  ),
  ...['', '*/', 'kernel/*/'],
];

export const KERNEL = places([
  {
    id: 'modprobe',
    title: 'setting of kernel modules',
    files: [
      '/etc/modprobe.conf',
      '/etc/modprobe.d/*',
      '/run/modprobe.d/*',
      '/usr/lib/modprobe.d/*',
      '/lib/modprobe.d/*',
      '/usr/local/lib/modprobe.d/*',
    ],
    parse: modprobe,
    when: 'when a module is loaded or removed',
    user: 'root',
    severity: 'medium',
    benign: 'Drivers need options and aliases.',
    techniques: ['T1547.006', 'T1546'],
  },
  {
    id: 'loaded-module',
    title: 'kernel module that is loaded at boot',
    files: [
      '/etc/modules',
      '/etc/modules-load.d/*',
      '/run/modules-load.d/*',
      '/usr/lib/modules-load.d/*',
      '/lib/modules-load.d/*',
      '/usr/local/lib/modules-load.d/*',
    ],
    parse: lines(INI),
    when: 'loaded at boot',
    user: 'kernel',
    severity: 'medium',
    benign: 'Administrators and services name modules that they need.',
    techniques: ['T1547.006'],
  },
  {
    id: 'module-file',
    title: 'kernel module that is not of the kernel package',
    files: MODULES.map((folder) => `/lib/modules/*/${folder}*.ko*`),
    depth: 'digest',
    parse: loaded((name) => /\.ko(?:\.\w+)?$/.test(name)),
    when: 'when it is loaded',
    user: 'kernel',
    severity: 'medium',
    benign: 'DKMS builds modules of packages on this machine.',
    techniques: ['T1547.006', 'T1014'],
  },
  {
    id: 'kernel-parameter',
    title: 'kernel parameter that names a program or lowers protection',
    files: [
      '/etc/sysctl.conf',
      '/etc/sysctl.d/*',
      '/run/sysctl.d/*',
      '/usr/lib/sysctl.d/*',
      '/usr/local/lib/sysctl.d/*',
    ],
    parse: matching(SYSCTL),
    when: 'at boot',
    user: 'kernel',
    severity: 'medium',
    benign: 'Administrators tune the kernel; crash handlers set core_pattern.',
    techniques: ['T1546', 'T1562'],
  },
  {
    id: 'encrypted-disk',
    title: 'script that gives the key of a disk',
    files: ['/etc/crypttab'],
    parse: matching(/[\s,](?:keyscript|precheck|check|checkargs)=/),
    when: 'at boot, when the disk is opened',
    user: 'root',
    severity: 'medium',
    benign: 'Keys are on cards or come over the network (decrypt_keyctl, clevis).',
    techniques: ['T1037', 'T1542'],
  },
]);
