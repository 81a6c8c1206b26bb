/** What desktops and services start. */
import { isLeftover, keyed, lines, matching, program, script, settings, significant } from '../parsers.ts';
import { type Parser, places } from '../place.ts';

/** Desktop Entry Specification: `Exec`, unless the entry is hidden. Of several values, readers take the last one. */
const desktopEntry: Parser = ({ text, name }) => {
  if (isLeftover(name) || !name.endsWith('.desktop')) return [];
  const all = settings(text, { parts: true });
  const isHidden = [settings(text), all].every((read) => {
    const hidden = read.filter(({ section, key }) => section === 'Desktop Entry' && key === 'Hidden');
    return hidden.length > 0 && hidden.every(({ value }) => value === 'true');
  });
  if (isHidden) return [];
  return all
    .filter(({ key, value }) => (key === 'Exec' || key === 'TryExec') && value !== '')
    .map(({ section, key, value }) => ({ runs: value, name: `${section} ${key}` }));
};

/** Files of D-Bus services: other sections say nothing, no line goes on in the next one, and names may begin with a dot. */
const busService: Parser = ({ text, name }) => {
  if (!name.endsWith('.service')) return [];
  let section = '';
  const all = significant(text, /^#/).flatMap((line) => {
    const [, heading] = /^\[([^\]]*)\]/.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    const at = line.indexOf('=');
    return heading !== undefined || section !== 'D-BUS Service' || at < 1
      ? []
      : [{ key: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }];
  });
  const user = all.find(({ key }) => key === 'User')?.value;
  return all
    .filter(({ key, value }) => key === 'Exec' && value !== '')
    .map(({ key, value }) => ({
      ...{ runs: value, name: `D-BUS Service ${key}` },
      ...(user !== undefined && { user }),
    }));
};

/** Rights that a bus gives to everyone, and to whom a service belongs (dbus-daemon(1)). */
const busPolicy = matching(
  /<(?:allow|deny|policy|includedir|include|standard_\w+dirs|servicehelper|fork|user)\b/,
);

/** Containers that Docker starts again by itself. */
const dockerContainer: Parser = ({ text }) => {
  const [, policy = ''] = /"RestartPolicy"\s*:\s*\{\s*"Name"\s*:\s*"([^"]*)"/.exec(text) ?? [];
  const [, image = ''] = /"Image"\s*:\s*"([^"]*)"/.exec(text) ?? [];
  const [, name = ''] = /"Name"\s*:\s*"(\/[^"]*)"/.exec(text) ?? [];
  return policy === '' || policy === 'no'
    ? []
    : [{ runs: `container ${name.slice(1)} of ${image}`, when: `restarts: ${policy}` }];
};

const BENIGN = 'Administrators and desktop programs set it up.';
const HOME_BENIGN = 'Users choose what starts with their session.';
export const PROGRAMS = places([
  {
    id: 'autostart',
    title: 'program that starts with every desktop',
    files: [
      '/etc/xdg/autostart/*',
      '/usr/share/autostart/*',
      '/usr/share/gnome/autostart/*',
      '/usr/local/share/autostart/*',
      '/etc/xdg/lxsession/*/autostart',
      '/etc/xdg/openbox/autostart',
      '/etc/xdg/labwc/autostart',
    ],
    parse: (file) => (file.name === 'autostart' ? lines()(file) : desktopEntry(file)),
    when: 'when a user logs in to a desktop',
    user: 'each user',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1547.013'],
  },
  {
    id: 'home-autostart',
    title: 'program that starts with the desktop of a user',
    files: [
      '~/.config/autostart/*',
      '~/.config/autostart-scripts/*',
      '~/.config/plasma-workspace/env/*',
      '~/.config/plasma-workspace/shutdown/*',
      '~/.config/openbox/autostart',
      '~/.config/lxsession/*/autostart',
      '~/.config/i3/config',
      '~/.i3/config',
      '~/.config/sway/config',
      '~/.config/hypr/hyprland.conf',
      '~/.fluxbox/startup',
      '~/.kde/Autostart/*',
      '~/.xinitrc',
      '~/.xsession',
      '~/.xsessionrc',
      '~/.Xclients',
      '~/.gnomerc',
      '~/.vnc/xstartup',
      '~/.dmrc',
    ],
    parse: (file) =>
      file.name.endsWith('.desktop')
        ? desktopEntry(file)
        : /config$|\.conf$/.test(file.name)
          ? matching(/^(?:exec|exec_always|exec-once|bindsym.*exec)\b/)(file)
          : script()({ ...file, name: file.name.replace(/^\./, '') }),
    when: 'when this user logs in to a desktop',
    user: 'owner',
    severity: 'medium',
    benign: HOME_BENIGN,
    techniques: ['T1547.013', 'T1546.004'],
  },
  {
    id: 'home-application',
    title: 'application that a user has of their own',
    files: ['~/.local/share/applications/*', '~/Desktop/*.desktop'],
    parse: desktopEntry,
    when: 'when this user starts it, in place of one of the system with its name',
    user: 'owner',
    severity: 'low',
    benign: 'Browsers, games and programs that are not packaged put them there.',
    techniques: ['T1574', 'T1204.002'],
    starts: false,
  },
  {
    id: 'x-session',
    title: 'script of every X session',
    files: [
      '/etc/X11/Xsession',
      '/etc/X11/Xsession.d/*',
      '/etc/X11/xinit/*',
      '/etc/X11/xinit/xinitrc.d/*',
      '/etc/X11/Xsetup.d/*',
      '/etc/X11/Xreset.d/*',
      '/etc/gdm3/*/Default',
      '/etc/gdm/*/Default',
      '/etc/lightdm/*.sh',
      '/usr/share/sddm/scripts/*',
      '/etc/sddm/*',
      '/etc/xrdp/*.sh',
      '/usr/share/xsessions/*',
      '/usr/share/wayland-sessions/*',
      '/usr/local/share/xsessions/*',
    ],
    parse: (file) => (file.name.endsWith('.desktop') ? desktopEntry(file) : script(/^(?:#|exit 0$)/)(file)),
    when: 'when a user logs in to a desktop',
    user: 'each user',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1547.013', 'T1037'],
  },
  {
    id: 'display-manager',
    title: 'command of the display manager',
    files: [
      '/etc/lightdm/*.conf',
      '/etc/lightdm/lightdm.conf.d/*',
      '/usr/share/lightdm/lightdm.conf.d/*',
      '/etc/sddm.conf',
      '/etc/sddm.conf.d/*',
      '/etc/gdm3/*.conf',
      '/etc/gdm/custom.conf',
    ],
    parse: keyed(/script|command|autologin|session-wrapper|AutomaticLogin|DisplayCommand|^User$/i),
    when: 'when the display manager starts or a user logs in',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1037'],
  },
  {
    id: 'dbus-service',
    title: 'program that the message bus starts',
    files: [
      '/usr/share/dbus-1/system-services/*',
      '/usr/share/dbus-1/services/*',
      '/usr/local/share/dbus-1/services/*',
      '/usr/local/share/dbus-1/system-services/*',
      '/etc/dbus-1/system-services/*',
      '/run/dbus-1/services/*',
      '~/.local/share/dbus-1/services/*',
    ],
    parse: busService,
    when: 'when a program calls it',
    user: 'owner',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1543', 'T1546'],
  },
  {
    id: 'dbus-policy',
    title: 'right on the message bus',
    files: [
      '/etc/dbus-1/system.d/*',
      '/etc/dbus-1/session.d/*',
      '/etc/dbus-1/*.conf',
      '/usr/share/dbus-1/system.d/*',
      '/usr/share/dbus-1/*.conf',
    ],
    parse: busPolicy,
    when: 'when a program calls a service',
    user: 'root',
    severity: 'medium',
    benign: 'Services declare who may call them.',
    techniques: ['T1543', 'T1548'],
    starts: false,
  },
  {
    id: 'internet-service',
    title: 'service that inetd starts',
    files: ['/etc/inetd.conf', '/etc/inetd.d/*', '/etc/xinetd.conf', '/etc/xinetd.d/*'],
    parse: (file) =>
      /xinetd/.test(file.path)
        ? matching(/^(?:server|server_args|disable|user|port|redirect)\s*[+-]?=/)(file)
        : lines()(file),
    when: 'when a client connects',
    user: 'root',
    severity: 'high',
    benign: 'Few machines have one.',
    techniques: ['T1543', 'T1205'],
  },
  {
    id: 'mail-delivery',
    title: 'program that gets mail',
    files: [
      '/etc/aliases',
      '/etc/mail/aliases',
      '~/.forward',
      '~/.procmailrc',
      '/etc/procmailrc',
      '~/.mailfilter',
      '~/.qmail',
      '/etc/postfix/master.cf',
      '/etc/exim4/conf.d/*/*',
      '/etc/exim4/exim4.conf.template',
      '/etc/maildroprc',
    ],
    parse: (file) =>
      file.name === 'master.cf'
        ? matching(
            /^(?:\S+\s+(?:unix|inet|fifo|pass)\s.*\b(?:pipe|spawn)\b|flags=.*argv=|user=\S+\s+argv=|argv=)/,
          )(file)
        : matching(/\||^:include:|^!|`|command\s*=/, /^#/)({ ...file, name: file.name.replace(/^\./, '') }),
    when: 'when mail arrives',
    user: 'owner',
    severity: 'medium',
    benign: 'Mailing lists and filters work so.',
    techniques: ['T1546'],
  },
  {
    id: 'printing',
    title: 'program of the print server',
    files: ['/usr/lib/cups/filter/*', '/usr/lib/cups/backend/*', '/usr/lib/cups/notifier/*'],
    depth: 'digest',
    parse: program(),
    when: 'when something is printed',
    user: 'lp',
    severity: 'medium',
    benign: 'Drivers of printers bring filters.',
    techniques: ['T1543'],
  },
  {
    id: 'cups-setting',
    title: 'setting of the print server',
    files: ['/etc/cups/cups-files.conf', '/etc/cups/cupsd.conf'],
    parse: matching(/^(?:ServerBin|User|Group|SystemGroup|FileDevice|Include|SetEnv)\b/i),
    when: 'when something is printed',
    user: 'root',
    severity: 'low',
    benign: BENIGN,
    techniques: ['T1543'],
  },
  {
    id: 'container',
    title: 'container that starts again',
    files: [
      '/var/lib/docker/containers/*/hostconfig.json',
      '/etc/kubernetes/manifests/*',
      '/var/lib/rancher/k3s/server/manifests/*',
      '/etc/docker/daemon.json',
      '/etc/crio/crio.conf.d/*',
      '/etc/containerd/config.toml',
      '/etc/containers/oci/hooks.d/*',
      '/usr/share/containers/oci/hooks.d/*',
      '/etc/cni/net.d/*',
    ],
    parse: (file) =>
      file.name === 'hostconfig.json'
        ? dockerContainer(file)
        : matching(
            /^-?\s*(?:image|command|args)\s*:|"(?:runtimes?|path|default-runtime|init-path|hosts|args)"|binary|runtime_path|hostPath/i,
            /^#/,
          )(file),
    when: 'when the container service starts',
    user: 'root',
    severity: 'medium',
    benign: 'Services run in containers.',
    techniques: ['T1543.005', 'T1610'],
  },
  {
    id: 'housekeeping',
    title: 'script of a maintenance tool',
    files: [
      '/etc/etckeeper/*.d/*',
      '/etc/logcheck/header.txt',
      '/etc/smartmontools/run.d/*',
      '/etc/smartd_warning.d/*',
      '/etc/apcupsd/*',
      '/etc/backup.d/*',
      '/etc/backupninja/*',
      '/etc/letsencrypt/renewal-hooks/*/*',
      '/etc/letsencrypt/cli.ini',
      '/etc/bind/*.sh',
      '/etc/ssl/certs/*.sh',
      '/usr/share/unattended-upgrades/*',
      '/etc/apm/*/*',
      '/etc/bluetooth/*.sh',
      '/etc/hdparm.conf',
      '/etc/schroot/setup.d/*',
      '/etc/libvirt/hooks/*',
      '/etc/libvirt/hooks/*/*',
      '/etc/xen/scripts/*',
      '/etc/ansible/facts.d/*',
      '/etc/facter/facts.d/*',
      '/etc/puppetlabs/facter/facts.d/*',
    ],
    parse: program(),
    when: 'when that tool runs',
    user: 'root',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1546', 'T1053'],
  },
  {
    id: 'browser',
    title: 'native messaging host, extension or policy of a browser',
    files: [
      '/etc/opt/chrome/native-messaging-hosts/*',
      '/etc/chromium/native-messaging-hosts/*',
      '/etc/opt/chrome/policies/managed/*',
      '/etc/chromium/policies/managed/*',
      '/etc/chromium.d/*',
      '/usr/lib/mozilla/native-messaging-hosts/*',
      '/usr/lib/firefox/distribution/policies.json',
      '/etc/firefox/policies/policies.json',
      '~/.mozilla/native-messaging-hosts/*',
      '~/.config/google-chrome/NativeMessagingHosts/*',
      '~/.config/chromium/NativeMessagingHosts/*',
    ],
    parse: matching(
      /"path"|"(?:ExtensionInstallForcelist|ExtensionSettings|Extensions|Certificates|ProxySettings)"|--load-extension|^export\b/,
    ),
    when: 'when a user starts the browser',
    user: 'each user',
    severity: 'low',
    benign: 'Password managers and companies set up browsers so.',
    techniques: ['T1176'],
  },
]);
