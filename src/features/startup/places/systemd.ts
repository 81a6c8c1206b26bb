/** systemd: units of the system and of users, and what runs before them. */
import { commandsIn } from '../assignments.ts';
import { INI, isLeftover, keyed, loaded, program, settings, significant } from '../parsers.ts';
import { type Parser, places, type Start } from '../place.ts';
import { tmpfiles } from './tmpfiles.ts';
import { isWritten } from './written.ts';

/** Keys that name a program (systemd.service(5), systemd.exec(5), systemd.socket(5), systemd.mount(5)). */
const RUNS =
  /^(?:Exec(?:Start|Stop|Reload|Condition|Mount|Search)?(?:Pre|Post)?|ExecStartPre|ExecStartPost|ExecStopPost|MountFlags|OnFailure|OnSuccess|FailureActionCommand)$/;
/** Keys that decide what a program of the unit loads, or that start other units. */
const SETS =
  /^(?:Environment|EnvironmentFile|PassEnvironment|LoadCredential|ImportCredential|PAMName|RootDirectory|RootImage|MountImages|ExecSearchPath|BindPaths|BindReadOnlyPaths|ExtensionImages)$/;
/** Keys with which a timer, socket or path starts its unit, which has its name unless it names one. */
const TRIGGERS =
  /^(?:On(?:Active|Boot|Startup|UnitActive|UnitInactive)Sec|OnCalendar|OnClockChange|OnTimezoneChange|Listen\w+|Path\w+|DirectoryNotEmpty|What|Where)$/;
const UNIT = /\.(?:service|timer|socket|path|mount|automount|swap|target|slice|scope|conf)$/;

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** The unit of a file: of a drop-in, that of its folder. */
function unitOf(path: string, name: string): string {
  const [, dropped] = /\/([^/]+)\.d\/[^/]+\.conf$/.exec(path) ?? [];
  return dropped ?? name;
}

/** Another unit than the one of the same name is started. */
const namesUnit = ({ section, key }: { section: string; key: string }): boolean =>
  section === 'Socket' ? key === 'Service' : section !== 'Unit' && key === 'Unit';

const unit: Parser = ({ text, name, path, file }) => {
  if (isLeftover(name) || !UNIT.test(name)) return [];
  // A folder of links says what starts together; each link leads to a unit that is read at its own place.
  if (/\.(?:wants|requires|upholds)$/.test(folderOf(path)) && file.link !== '')
    return [{ runs: unitOf(path, name), when: `with ${folderOf(path).replace(/^.*\/(.*)\.\w+$/, '$1')}` }];
  const all = settings(text);
  const user = all.findLast(({ section, key }) => section === 'Service' && key === 'User')?.value;
  const by = unitOf(path, name);
  const starts = all.findLast(namesUnit)?.value ?? by;
  const isDropIn = by !== name;
  return all.flatMap(({ section, key, value }): Start[] => {
    if (value === '' || section === 'Install') return [];
    const sets = SETS.test(key) || (isDropIn && /^(?:User|Group|AmbientCapabilities)$/.test(key));
    const runs = RUNS.test(key) ? value : sets ? `${key}=${value}` : '';
    if (runs !== '') return [{ runs, when: `with ${by}`, name: key, ...(user !== undefined && { user }) }];
    // Of a drop-in, what triggers it is in another file.
    if (isDropIn && namesUnit({ section, key })) return [{ runs: value, when: `with ${by}`, name: key }];
    if (!TRIGGERS.test(key) || section === 'Unit') return [];
    return [{ runs: starts, when: `${key}=${value}`, name: key }];
  });
};

/** Variables with which other programs load code. */
const LOADS = /\b(?:LD_\w+|BASH_ENV|PYTHON\w*|PERL5\w*|NODE_OPTIONS|JAVA_TOOL_OPTIONS|GCONV_PATH)=/;
/** Rules of the firewall, and notes of the installer: no shell reads them. */
const NO_SHELL = /^(?:ip6?tables|arptables|ebtables|nftables|ipset|anaconda)(?:[-.]|$)/;
const serviceEnvironment: Parser = ({ text, name }) => {
  if (isLeftover(name)) return [];
  const loads = significant(text, /^#/).filter((line) => LOADS.test(line) || /\$\(|`/.test(line));
  const commands = NO_SHELL.test(name) ? [] : commandsIn(text);
  return [...new Set([...loads, ...commands])].map((runs) => ({ runs }));
};
/** As Debian's template of /etc/default/grub has it. */
const GRUB_NAMES = [
  'GRUB_DISTRIBUTOR=`lsb_release -i -s 2> /dev/null || echo Debian`',
  'GRUB_DISTRIBUTOR=`( . /etc/os-release; echo \x24{NAME:-Debian} ) 2>/dev/null || echo Debian`',
];

const BENIGN = 'An administrator, or a program that is not packaged, has installed a service.';
const TREE = (folder: string) => [`${folder}/*`, `${folder}/*/*`];

export const SYSTEMD = places([
  {
    id: 'systemd-unit',
    title: 'unit of the system',
    files: [
      ...TREE('/etc/systemd/system'),
      ...TREE('/usr/lib/systemd/system'),
      ...TREE('/lib/systemd/system'),
      ...TREE('/usr/local/lib/systemd/system'),
      ...TREE('/run/systemd/system'),
      ...TREE('/run/systemd/transient'),
      ...TREE('/run/systemd/generator'),
      ...TREE('/run/systemd/generator.early'),
      ...TREE('/run/systemd/generator.late'),
      ...TREE('/etc/systemd/system.control'),
      ...TREE('/run/systemd/system.control'),
      ...TREE('/etc/systemd/system.attached'),
    ],
    parse: unit,
    expected: isWritten,
    when: 'when systemd starts the unit',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543.002', 'T1053.006'],
  },
  {
    id: 'systemd-user-unit',
    title: 'unit of users',
    files: [
      ...TREE('/etc/systemd/user'),
      ...TREE('/etc/xdg/systemd/user'),
      ...TREE('/usr/lib/systemd/user'),
      ...TREE('/usr/local/lib/systemd/user'),
      ...TREE('/run/systemd/user'),
      ...TREE('/usr/local/share/systemd/user'),
      ...TREE('/usr/share/systemd/user'),
    ],
    parse: unit,
    when: 'when the systemd of a user starts the unit',
    user: 'each user',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543.002', 'T1053.006'],
  },
  {
    id: 'systemd-home-unit',
    title: 'unit in a home',
    files: [
      ...TREE('~/.config/systemd/user'),
      ...TREE('~/.local/share/systemd/user'),
      ...TREE('~/.config/systemd/user.control'),
    ],
    parse: unit,
    when: 'when the systemd of this user starts the unit',
    user: 'owner',
    severity: 'medium',
    benign: 'Users set up services and timers of their own.',
    techniques: ['T1543.002', 'T1053.006'],
  },
  {
    id: 'systemd-generator',
    title: 'generator of units',
    files: [
      'system-generators',
      'user-generators',
      'system-environment-generators',
      'user-environment-generators',
    ].flatMap((kind) =>
      ['/etc/systemd', '/run/systemd', '/usr/lib/systemd', '/usr/local/lib/systemd'].map(
        (top) => `${top}/${kind}/*`,
      ),
    ),
    depth: 'digest',
    parse: program(),
    when: 'at boot and at every reload of systemd, before any unit',
    user: 'root',
    severity: 'high',
    benign: 'A program that is not packaged makes units.',
    techniques: ['T1543.002'],
  },
  {
    id: 'systemd-hook',
    title: 'program for shutdown and sleep',
    files: [
      '/usr/lib/systemd/system-sleep/*',
      '/etc/systemd/system-sleep/*',
      '/usr/lib/systemd/system-shutdown/*',
      '/etc/systemd/system-shutdown/*',
      '/etc/pm/sleep.d/*',
      '/etc/pm/power.d/*',
      '/usr/lib/pm-utils/sleep.d/*',
    ],
    depth: 'digest',
    parse: program(),
    when: 'when the machine sleeps, wakes or is shut down',
    user: 'root',
    severity: 'medium',
    benign: 'Drivers and power tools need it.',
    techniques: ['T1543.002'],
  },
  {
    id: 'systemd-manager',
    title: 'setting of systemd itself',
    files: ['system', 'user', 'logind', 'journald', 'coredump', 'networkd'].flatMap((part) => [
      `/etc/systemd/${part}.conf`,
      `/etc/systemd/${part}.conf.d/*`,
      `/run/systemd/${part}.conf.d/*`,
      `/usr/lib/systemd/${part}.conf.d/*`,
      `/usr/local/lib/systemd/${part}.conf.d/*`,
    ]),
    parse: keyed(
      /^(?:DefaultEnvironment|ManagerEnvironment|ShowStatusCommand|.*Watchdog.*Device|KillUserProcesses|Storage|ProcessSizeMax|ExternalSizeMax|ForwardTo\w+)$/,
    ),
    // Only what is loaded into other programs is more than tuning.
    expected: ({ runs }) => !LOADS.test(runs),
    when: 'for every unit',
    user: 'root',
    severity: 'medium',
    benign: 'Administrators tune systemd.',
    techniques: ['T1543.002', 'T1574.006'],
    starts: false,
  },
  {
    id: 'environment-folder',
    title: 'environment of users',
    files: [
      '/etc/environment.d/*',
      '/usr/lib/environment.d/*',
      '/usr/local/lib/environment.d/*',
      '/run/environment.d/*',
      '~/.config/environment.d/*',
    ],
    parse: ({ text, name }) =>
      name.endsWith('.conf') && !isLeftover(name) ? significant(text, INI).map((runs) => ({ runs })) : [],
    when: 'in the environment of every program of a session',
    user: 'each user',
    severity: 'low',
    benign: 'Users and desktops set variables.',
    techniques: ['T1574.006', 'T1574.007'],
    starts: false,
  },
  {
    id: 'service-environment',
    title: 'environment of services',
    files: ['/etc/default/*', '/etc/sysconfig/*'],
    parse: serviceEnvironment,
    expected: ({ runs }, { path }) => path === '/etc/default/grub' && GRUB_NAMES.includes(runs),
    when: 'when a service or script reads it',
    user: 'root',
    severity: 'medium',
    benign: 'Administrators set options of services.',
    techniques: ['T1574.006', 'T1543.002'],
  },
  {
    id: 'tmpfiles',
    title: 'files that systemd makes at boot',
    files: [
      '/etc/tmpfiles.d/*',
      '/run/tmpfiles.d/*',
      '/usr/lib/tmpfiles.d/*',
      '/usr/local/lib/tmpfiles.d/*',
      '~/.config/user-tmpfiles.d/*',
    ],
    parse: tmpfiles,
    when: 'at boot, and daily',
    user: 'root',
    severity: 'medium',
    benign: 'Services declare the files that they need.',
    techniques: ['T1543.002', 'T1222.002'],
    starts: false,
  },
  {
    id: 'sysusers',
    title: 'users that systemd makes',
    files: ['/etc/sysusers.d/*', '/run/sysusers.d/*', '/usr/lib/sysusers.d/*'],
    parse: ({ text, name }) =>
      name.endsWith('.conf') && !isLeftover(name) ? significant(text).map((runs) => ({ runs })) : [],
    when: 'at boot, and when a package asks',
    user: 'root',
    severity: 'medium',
    benign: 'Services declare the users that they need.',
    techniques: ['T1136.001'],
    starts: false,
  },
  {
    id: 'user-at-boot',
    title: 'user whose units start at boot',
    files: ['/var/lib/systemd/linger/*'],
    depth: 'digest',
    parse: ({ name, file }) =>
      file.kind === 'regular' ? [{ runs: `the units of ${name}`, name, user: name }] : [],
    when: 'at boot, without a login',
    user: 'owner',
    severity: 'low',
    benign: 'Users have containers and services of their own started so (loginctl enable-linger).',
    techniques: ['T1543.002'],
  },
  {
    id: 'quadlet',
    title: 'container that systemd starts',
    files: [
      '/etc/containers/systemd/**/*',
      '/usr/share/containers/systemd/**/*',
      '~/.config/containers/systemd/**/*',
    ],
    parse: keyed(/^(?:Image|Exec|Entrypoint|PodmanArgs|Volume|AddDevice|AddCapability|Yaml)$/),
    when: 'when systemd starts its unit',
    user: 'owner',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543.005', 'T1610'],
  },
  {
    id: 'portable-image',
    title: 'extension of the system',
    files: ['/etc/extensions/*', '/var/lib/extensions/*', '/run/extensions/*', '/var/lib/confexts/*'],
    depth: 'digest',
    parse: loaded(),
    when: 'merged into /usr or /etc at boot',
    user: 'root',
    severity: 'medium',
    benign: 'Image-based systems are extended so.',
    techniques: ['T1543.002'],
  },
]);
