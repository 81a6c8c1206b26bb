/** What package managers run, and where packages come from. */
import { aptConf } from '../apt-conf.ts';
import { isLeftover, loaded, matching, significant } from '../parsers.ts';
import { type Parser, places, type Start } from '../place.ts';

/** Names of settings (apt.conf(5)) that run a program, name where apt finds one, or lower what it demands of packages. */
const APT_RUNS =
  /Invoke|Install-Pkgs|Auto-?Detect|Proxy|^#include$|^(?:Binary::[^:]*::)?(?:Root)?Dir$|Dir::(?:Bin|Etc)|AllowInsecure|AllowUnauthenticated|AllowWeak|AllowDowngrade|Verify-(?:Peer|Host)|::Options|::Path|Solver|Planner|Tools|gpgv?command|Compressor::.*::(?:Binary|(?:Unc|C)ompressArg)|AptCli::Hooks|Chroot-Directory|Run-Directory|Sandbox::User|::U?Mount$/i;
const aptSettings: Parser = ({ text, name }) =>
  isLeftover(name)
    ? []
    : aptConf(text)
        .filter((setting) => setting.value !== '' && APT_RUNS.test(setting.name))
        .map((setting): Start => ({ runs: setting.value, name: setting.name }));

/** deb822(5) and one-line sources: where packages come from. */
const sources: Parser = ({ text, name }) =>
  !/\.(?:list|sources|repo|conf)$|^mirrorlist$/.test(name)
    ? []
    : significant(text, /^#/)
        .filter((line) =>
          /^(?:deb|deb-src|Types:|URIs:|Signed-By:|Trusted:|baseurl|mirrorlist|gpgcheck|enabled|Server|SigLevel)\b/i.test(
            line,
          ),
        )
        .map((runs) => ({ runs }));

/** dpkg unpacks the scripts of a package, whose digests it does not keep, together with its files. */
const UNPACKING_NS = 600_000_000_000n;

/** dpkg runs only scripts of packages that it knows. */
const packageScript: Parser = ({ path, file: { changedNs, owners = [] } }) => {
  const unpacked = owners.some(({ installedNs }) => BigInt(changedNs) <= BigInt(installedNs) + UNPACKING_NS);
  return unpacked ? [] : [{ runs: path }];
};

const BENIGN = 'Administrators, and programs that are not packaged, set it up.';

export const PACKAGING = places([
  {
    id: 'apt',
    title: 'hook of apt',
    files: ['/etc/apt/apt.conf', '/etc/apt/apt.conf.d/*', '/usr/share/apt/apt.conf.d/*'],
    parse: aptSettings,
    when: 'when packages are updated or installed',
    user: 'root',
    severity: 'high',
    benign: 'Packages and administrators set hooks (apt-listchanges, needrestart, docker images).',
    techniques: ['T1546.016'],
  },
  {
    id: 'dpkg',
    title: 'hook of dpkg',
    files: ['/etc/dpkg/dpkg.cfg', '/etc/dpkg/dpkg.cfg.d/*', '~/.dpkg.cfg', '/etc/dpkg/shlibs.override'],
    parse: matching(
      /^(?:pre-invoke|post-invoke|status-logger|force-|no-debsig|path-(?:exclude|include)|root|admindir)/,
    ),
    when: 'when packages are installed',
    user: 'root',
    severity: 'high',
    benign: 'Images of containers leave documentation out so.',
    techniques: ['T1546.016'],
  },
  {
    id: 'package-script',
    title: 'script of a package, not as it was unpacked',
    files: ['preinst', 'postinst', 'prerm', 'postrm', 'config'].map((kind) => `/var/lib/dpkg/info/*.${kind}`),
    depth: 'digest',
    parse: packageScript,
    when: 'when the package is installed, upgraded, configured or removed',
    user: 'root',
    severity: 'high',
    benign: 'An administrator has corrected a script that failed.',
    techniques: ['T1546.016'],
  },
  {
    id: 'package-source',
    title: 'place that packages come from',
    files: [
      '/etc/apt/sources.list',
      '/etc/apt/sources.list.d/*',
      '/etc/yum.repos.d/*',
      '/etc/zypp/repos.d/*',
      '/etc/pacman.conf',
      '/etc/pacman.d/mirrorlist',
    ],
    parse: sources,
    when: 'when packages are installed',
    user: 'root',
    severity: 'low',
    benign: 'Administrators add sources.',
    techniques: ['T1195.002'],
    starts: false,
  },
  {
    id: 'package-key',
    title: 'key that signs packages',
    files: [
      '/etc/apt/trusted.gpg',
      '/etc/apt/trusted.gpg.d/*',
      '/etc/apt/keyrings/*',
      '/usr/share/keyrings/*',
      '/etc/pki/rpm-gpg/*',
    ],
    depth: 'digest',
    parse: loaded(),
    when: 'when packages are installed',
    user: 'root',
    severity: 'low',
    benign: 'Sources of packages have keys of their own.',
    techniques: ['T1195.002', 'T1553'],
    starts: false,
  },
  {
    id: 'package-plugin',
    title: 'plugin of another package manager',
    files: [
      '/etc/dnf/plugins/*',
      '/etc/dnf/dnf.conf',
      '/etc/yum.conf',
      '/etc/yum/pluginconf.d/*',
      '/usr/lib/yum-plugins/*',
      '/usr/lib/python3*/site-packages/dnf-plugins/*',
      '/etc/dnf/plugins/post-transaction-actions.d/*',
      '/etc/pacman.d/hooks/*',
      '/usr/share/libalpm/hooks/*',
      '/etc/zypp/plugins/*/*',
      '/usr/lib/zypp/plugins/*/*',
      '/etc/rpm/macros*',
      '/usr/lib/rpm/macros.d/*',
      '~/.rpmmacros',
      '/etc/apk/commit_hooks.d/*',
      '/etc/portage/bashrc',
      '/usr/lib/cnf-update-db',
      '/etc/needrestart/hook.d/*',
      '/etc/needrestart/notify.d/*',
      '/etc/needrestart/restart.d/*',
      '/etc/needrestart/conf.d/*',
    ],
    parse: (file) =>
      /\.(?:conf|hook|action)$|macros/.test(file.name)
        ? matching(
            /^(?:Exec|enabled|plugins?|pluginpath|installonly|gpgcheck|\*?[\w.*-]*:[\w-]+:|%__|\$nrconf)/,
          )(file)
        : loaded()(file),
    when: 'when packages are installed',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546.016'],
  },
]);
