/** What the loader, package managers, the network and housekeeping run. */
import {
  all,
  blocks,
  isLeftover,
  isRunPart,
  keyed,
  loaded,
  matching,
  program,
  significant,
} from '../parsers.ts';
import { type Parser, places, type Start } from '../place.ts';
import { isWritten } from './written.ts';

/** Settings of apt.conf(5) that run a program, in both forms: `Name "value";` and `Name { "value"; }`. */
const APT =
  /\b((?:APT|DPkg|Acquire|Dir|Unattended-Upgrade|AptCli|quiet)(?:::[\w.-]{1,60}){0,12}|Pre-Invoke|Post-Invoke(?:-Success)?|Pre-Install-Pkgs|Post-Install-Pkgs|Proxy-Auto-Detect|AllowInsecureRepositories|AllowUnauthenticated|Options|Path)(?:::)?\s{0,20}(?:\{([^{}]{0,4000})\}|((?:"[^"]{0,1000}"\s{0,20}){1,20};))/gi;
const APT_RUNS =
  /(?:Invoke|Install-Pkgs|Auto-?Detect|Proxy|Dir::Bin|Dir::Etc|AllowInsecure|AllowUnauthenticated|AllowDowngrade|Verify-(?:Peer|Host)|::Options|::Path|Solver|Planner|Tools)/i;
const aptSettings: Parser = ({ text, name }) => {
  if (isLeftover(name)) return [];
  const plain = text
    .replace(/^\s*(?:\/\/|#(?!clear|include)).*$/gm, '')
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '');
  return [...plain.matchAll(APT)]
    .map(([whole, key = '', block, value]) => ({
      key,
      values: [...(block ?? value ?? '').matchAll(/"([^"]*)"/g)].map(([, one = '']) => one),
      whole,
    }))
    .filter(({ key, values, whole }) => values.length > 0 && (APT_RUNS.test(key) || APT_RUNS.test(whole)))
    .flatMap(({ key, values }): Start[] => values.map((runs) => ({ runs, name: key })));
};

/** Lines of interfaces(5) that run a command. */
const interfaces = matching(
  /^(?:pre-up|up|post-up|down|pre-down|post-down|source(?:-directory)?|wpa-action\S*|openvpn)\s/,
);
/** Names that the scripts of ifupdown, dhclient and ppp take. */
const hooks = program((name) => !isLeftover(name));

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

/** With --lsbsysinit, as pam_motd has it, run-parts(8) takes these names too. */
const isLoginPart = (name: string): boolean =>
  isRunPart(name) || (!isLeftover(name) && /^_?(?:[a-z0-9_.]+-)+[a-z0-9]+$/.test(name));

const BENIGN = 'Administrators, and programs that are not packaged, set it up.';

export const SYSTEM = places([
  {
    id: 'preload',
    title: 'library that is loaded into every program',
    files: ['/etc/ld.so.preload'],
    parse: ({ text }) =>
      significant(text, /^#/)
        .flatMap((line) => line.split(/[\s:,]+/))
        .filter((one) => one !== '')
        .map((runs) => ({ runs })),
    when: 'in every program that starts',
    user: 'each user',
    severity: 'critical',
    benign: 'Loggers of commands (snoopy) work that way.',
    techniques: ['T1574.006'],
  },
  {
    id: 'library-path',
    title: 'folder of libraries',
    files: ['/etc/ld.so.conf', '/etc/ld.so.conf.d/*'],
    parse: ({ text, name, path }) =>
      /\.d\//.test(path) && !name.endsWith('.conf') ? [] : significant(text, /^#/).map((runs) => ({ runs })),
    when: 'searched for the libraries of every program',
    user: 'each user',
    severity: 'medium',
    benign: 'Programs that are not packaged bring libraries.',
    techniques: ['T1574.006'],
    starts: false,
  },
  {
    id: 'loaded-library',
    title: 'library that the C library loads by itself',
    files: [
      '/usr/lib/*-linux-gnu/gconv/*.so',
      '/usr/lib/*-linux-gnu/gconv/gconv-modules.d/*',
      '/usr/lib/*-linux-gnu/libnss_*',
      '/usr/lib64/libnss_*',
      '/usr/lib64/gconv/*.so',
      '/usr/local/lib/libnss_*',
      '/usr/lib/*-linux-gnu/engines-*/*',
      '/usr/lib/*-linux-gnu/ossl-modules/*',
      '/usr/lib64/engines-*/*',
      '/etc/ssl/openssl.cnf',
      '/usr/local/lib/*.so',
      '/usr/local/lib/*.so.*',
      // The first folders of the loader on Debian, and those for newer processors (ld.so(8)).
      '/usr/local/lib/*-linux-gnu/*.so',
      '/usr/local/lib/*-linux-gnu/*.so.*',
      '/usr/local/lib/glibc-hwcaps/*/*',
      '/usr/local/lib/*-linux-gnu/glibc-hwcaps/*/*',
      '/usr/lib/*-linux-gnu/glibc-hwcaps/*/*',
      '/usr/lib64/glibc-hwcaps/*/*',
    ],
    depth: 'digest',
    parse: (file) => (file.name === 'openssl.cnf' ? [] : loaded()(file)),
    when: 'when a program looks up a name, converts text or uses TLS',
    user: 'each user',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1574.006', 'T1556'],
  },
  {
    id: 'openssl',
    title: 'module that OpenSSL loads',
    files: ['/etc/ssl/openssl.cnf', '/etc/pki/tls/openssl.cnf', '/etc/ssl/openssl.cnf.d/*'],
    parse: keyed(/^(?:dynamic_path|engine_id|SO_PATH|module|init|\.include)$/),
    when: 'in every program that uses TLS',
    user: 'each user',
    severity: 'medium',
    benign: 'Hardware keys need modules.',
    techniques: ['T1574.006'],
  },
  {
    id: 'local-program',
    title: 'program before those of packages',
    files: ['/usr/local/bin/*', '/usr/local/sbin/*'],
    depth: 'digest',
    // What a package would be taken for: the names that are searched for most.
    parse: (file) =>
      /^(?:sudo|su|doas|ssh|sshd|scp|passwd|login|ls|ps|ss|netstat|lsof|top|find|grep|cat|cp|mv|rm|id|w|who|last|sh|bash|dash|env|which|systemctl|journalctl|service|crontab|curl|wget|git|gpg|kill|dpkg|apt|apt-get|rpm|dnf|yum|mount|ip|ifconfig|iptables|nft|date|uname|hostname|tar|gzip|useradd|usermod|unix_chkpwd)$/.test(
        file.name,
      )
        ? loaded()(file)
        : [],
    when: 'instead of the packaged program of the same name',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators build newer versions of tools.',
    techniques: ['T1574.007', 'T1036.005'],
    starts: false,
  },
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
  {
    id: 'motd',
    title: 'script of the message of the day',
    files: [
      '/etc/update-motd.d/*',
      '/usr/lib/update-notifier/update-motd*',
      '/etc/motd.d/*',
      '/etc/profile.d/motd*',
    ],
    parse: program(isLoginPart),
    when: 'at every login',
    user: 'root',
    severity: 'high',
    benign: 'Providers and administrators greet users.',
    techniques: ['T1546', 'T1037'],
  },
  {
    id: 'logrotate',
    title: 'script of logrotate',
    files: ['/etc/logrotate.conf', '/etc/logrotate.d/*', '/usr/etc/logrotate.d/*'],
    parse: all(
      blocks(/^(?:prerotate|postrotate|firstaction|lastaction|preremove)\b/, /^endscript\b/),
      matching(/^(?:include|mail|compresscmd|uncompresscmd|shred)\s/),
    ),
    expected: isWritten,
    when: 'daily, when a log is rotated',
    user: 'root',
    severity: 'medium',
    benign: 'Services reopen their log after a rotation.',
    techniques: ['T1053'],
  },
  {
    id: 'network-manager',
    title: 'script of NetworkManager or networkd',
    files: [
      '/etc/NetworkManager/dispatcher.d/*',
      '/etc/NetworkManager/dispatcher.d/*/*',
      '/usr/lib/NetworkManager/dispatcher.d/*',
      '/usr/lib/NetworkManager/dispatcher.d/*/*',
      '/etc/networkd-dispatcher/*/*',
      '/usr/lib/networkd-dispatcher/*/*',
      '/etc/netplan/hooks/*',
    ],
    parse: hooks,
    when: 'when a network connection comes or goes',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'ifupdown',
    title: 'script of network interfaces',
    files: [
      '/etc/network/if-up.d/*',
      '/etc/network/if-down.d/*',
      '/etc/network/if-pre-up.d/*',
      '/etc/network/if-post-down.d/*',
      '/etc/sysconfig/network-scripts/ifup-*',
      '/sbin/ifup-local',
      '/etc/wicked/scripts/*',
      '/etc/conf.d/net',
    ],
    parse: hooks,
    when: 'when a network interface comes or goes',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'interfaces',
    expected: ({ runs }) => runs === 'source /etc/network/interfaces.d/*',
    title: 'command of a network interface',
    files: ['/etc/network/interfaces', '/etc/network/interfaces.d/*'],
    parse: interfaces,
    when: 'when the interface comes or goes',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'network-hook',
    title: 'script of DHCP, PPP, VPN or name resolution',
    files: [
      '/etc/dhcp/dhclient-enter-hooks',
      '/etc/dhcp/dhclient-exit-hooks',
      '/etc/dhcp/dhclient-enter-hooks.d/*',
      '/etc/dhcp/dhclient-exit-hooks.d/*',
      '/etc/dhcp/debug',
      '/etc/dhcpcd.exit-hook',
      '/etc/dhcpcd.enter-hook',
      '/usr/lib/dhcpcd/dhcpcd-hooks/*',
      '/etc/ppp/ip-up.d/*',
      '/etc/ppp/ip-down.d/*',
      '/etc/ppp/ipv6-up.d/*',
      '/etc/ppp/ip-up',
      '/etc/ppp/ip-down',
      '/etc/ppp/ip-pre-up',
      '/etc/ppp/ip-up.local',
      '/etc/resolvconf/update.d/*',
      '/etc/resolvconf/update-libc.d/*',
      '/etc/vpnc/*.d/*',
      '/etc/udhcpc/*',
      '/usr/share/udhcpc/*',
      '/etc/wpa_supplicant/*.sh',
      '/etc/avahi/avahi-autoipd.action',
    ],
    parse: loaded((name) => !isLeftover(name)),
    when: 'when an address is obtained or a connection is made',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'vpn',
    title: 'command of a VPN or firewall',
    files: [
      '/etc/wireguard/*',
      '/etc/openvpn/*',
      '/etc/openvpn/*/*',
      '/etc/ipsec.conf',
      '/etc/ipsec.d/*',
      '/etc/strongswan.d/*',
      '/etc/swanctl/conf.d/*',
      '/etc/ufw/*.init',
      '/etc/keepalived/keepalived.conf',
      '/etc/shorewall/*',
      '/etc/firewall/*',
    ],
    parse: matching(
      /^(?:Pre|Post)(?:Up|Down)\s*=|^(?:up|down|route-up|route-pre-down|ipchange|client-(?:dis)?connect|learn-address|auth-user-pass-verify|tls-verify|plugin|script-security)\s|(?:left|right)updown|updown\s*=|^\s*(?:notify\w*|script)\s/,
    ),
    when: 'when the connection comes or goes',
    user: 'root',
    severity: 'medium',
    benign: 'VPNs set routes and firewalls so.',
    techniques: ['T1546'],
  },
]);
