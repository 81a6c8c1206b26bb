/** What the loader, the network and maintenance jobs run. */
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
import { places } from '../place.ts';
import { isWritten } from './written.ts';

/** Lines of interfaces(5) that run a command. */
const interfaces = matching(
  /^(?:pre-up|up|post-up|down|pre-down|post-down|source(?:-directory)?|wpa-action\S*|openvpn)\s/,
);
/** Names that the scripts of ifupdown, dhclient and ppp take. */
const hooks = program((name) => !isLeftover(name));

/** With --lsbsysinit, as pam_motd has it, run-parts(8) takes these names too. */
const isLoginPart = (name: string): boolean =>
  isRunPart(name) || (!isLeftover(name) && /^_?(?:[a-z0-9_.]+-)+[a-z0-9]+$/.test(name));

/** Programs of /usr/bin that are called most; root searches /usr/sbin before it. */
const OF_BIN =
  `awk bash cat chgrp chmod chown cp crontab curl cut dash date dpkg env expr find gawk git gpg grep gzip head
  hostname id install journalctl kill last ln login ls lsof mawk mkdir mktemp mount mv netstat nice openssl passwd
  perl pgrep ps python3 readlink rm rsync run-parts scp sed sh sleep sort ss ssh stat su sudo systemctl tail tar
  tee test top touch tr uname w wc wget which who xargs`
    .trim()
    .split(/\s+/);
/** Those that scripts of root call by their names alone, and what administrators type. */
const SEARCHED = new Set([
  ...OF_BIN,
  ...`addgroup adduser anacron apt at batch blkid chroot cron debconf deluser depmod dnf doas dracut e2fsck
  egrep fgrep flock fsck getent groupadd groupdel hwclock ifconfig ifup ifdown insmod invoke-rc.d ionice ip ip6tables
  iptables ldconfig less locale-gen logger logrotate lsmod man mandb mkinitramfs modprobe more nano needrestart nft
  nologin pam-auth-update pkexec popularity-contest rmmod rpm savelog service sshd start-stop-daemon
  swapon sync sysctl udevadm ucf ucfr umount unattended-upgrade unattended-upgrades unix_chkpwd useradd userdel
  usermod visudo yum zsh`
    .trim()
    .split(/\s+/),
]);
const isSearched = (name: string): boolean =>
  SEARCHED.has(name) || /^(?:apt|deb|dpkg|update|systemd|ssh|python|perl)(?:-[\w.-]+|[\d.]+)$/.test(name);

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
      '/usr/lib/libnss_*',
      '/lib/libnss_*',
      '/lib64/libnss_*',
      '/lib/*-linux-gnu/libnss_*',
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
    parse: all(
      keyed(/^(?:\S+::)?(?:dynamic_path|engine_id|SO_PATH|module|init|\.include)$/),
      matching(/^\.include\b(?!\s*=)/),
    ),
    when: 'in every program that uses TLS',
    user: 'each user',
    severity: 'medium',
    benign: 'Hardware keys need modules.',
    techniques: ['T1574.006'],
  },
  {
    id: 'alternative',
    title: 'program behind a name of alternatives',
    files: ['/etc/alternatives/*'],
    depth: 'facts',
    parse: ({ name, file: { kind, real } }) =>
      kind === 'regular' && !isLeftover(name) ? [{ runs: real }] : [],
    when: 'when a program of that name is run',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators register programs of their own (update-alternatives).',
    techniques: ['T1574', 'T1036.005'],
    starts: false,
  },
  {
    id: 'local-program',
    title: 'program before those of packages',
    files: ['/usr/local/bin/*', '/usr/local/sbin/*', ...OF_BIN.map((name) => `/usr/sbin/${name}`)],
    depth: 'digest',
    // What would be taken for a package's: the names that are searched for most.
    parse: loaded(isSearched),
    when: 'instead of the packaged program of the same name',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators build newer versions of tools.',
    techniques: ['T1574.007', 'T1036.005'],
    starts: false,
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
