/** Who may log in, how, and with which rights. */
import { directives, INI, joined, lines, loaded, matching, program, significant } from '../parsers.ts';
import { type Parser, places } from '../place.ts';
import { authorizedKeys, group, isOfService, passwd, shadow, userRecord } from './login-files.ts';
import { PAM_WRITTEN, pamLines, pamOrigin } from './pam-profiles.ts';
import { isWritten } from './written.ts';

/** sudoers(5): `#include` and `#1001` are not comments, and blanks may follow the backslash that continues a line. */
export const SUDOERS = { comment: /^#(?!include|\d)/, more: /\\[ \t]*$/ };

/** sudo skips names that have a dot or end with a tilde in a folder that it includes. */
export const isSudoersFile = (path: string): boolean => !/\/sudoers\.d\/(?:[^/]*\.[^/]*|[^/]*~)$/.test(path);

/** Settings of sudo that say how it asks and logs, not whom it trusts or what it runs. */
const HARMLESS_DEFAULT =
  /^(?:!?(?:insults|pwfeedback|fqdn|mail_\w+|log_(?:host|year))|lecture(?:\s*=\s*(?:always|once|never))?|requiretty|tty_tickets|ignore_dot|log_(?:input|output|subcmds|allowed|denied)|(?:badpass_message|passprompt|passwd_timeout|syslog(?:_\w+)?|loglinelen|mailto|mailfrom|mailsub|umask|maxseq)\s*=.*)$/;
const isHarmless = (line: string): boolean => {
  const [, settings] = /^Defaults(?:[@:!>]\S+)?\s+(.*)$/.exec(line) ?? [];
  return settings?.split(',').every((one) => HARMLESS_DEFAULT.test(one.trim())) ?? false;
};

/** sudoers(5): all that grants, includes, or changes how it is asked for. */
const sudoers: Parser = ({ text, path }) =>
  isSudoersFile(path)
    ? significant(joined(text, SUDOERS), SUDOERS.comment)
        .filter((line) => !isHarmless(line))
        .map((runs) => ({ runs }))
    : [];

/** Comments before any code; behind it, whether a line is in a comment or in a string takes a parser of JavaScript. */
const HEADER = /(?:\s+|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
const JS_COMMENT = /^\/\/(?!.*(?:\*\/|[`\u2028\u2029]))/;
/** polkit(8) reads every name with this ending. */
const polkitRule: Parser = ({ text, name }) => {
  if (!name.endsWith('.rules')) return significant(text).map((runs) => ({ runs }));
  HEADER.lastIndex = 0;
  const code = significant(text.slice(HEADER.exec(text)?.[0].length ?? 0), JS_COMMENT);
  return code.length === 0 ? [] : [{ runs: code.join('; ') }];
};

const SSHD =
  /^(?:AuthorizedKeysFile|AuthorizedKeysCommand(?:User)?|AuthorizedPrincipals\w+|AuthenticationMethods|SshdSessionPath|SshdAuthPath|TrustedUserCAKeys|PermitRootLogin|PasswordAuthentication|PermitEmptyPasswords|PubkeyAuthentication|HostbasedAuthentication|IgnoreRhosts|KbdInteractiveAuthentication|ChallengeResponseAuthentication|UsePAM|PermitUserEnvironment|PermitUserRC|ForceCommand|Subsystem|Include|Port|ListenAddress|AllowUsers|AllowGroups|DenyUsers|DenyGroups|Match|AcceptEnv|SetEnv|StrictModes|HostKey|PermitTunnel|GatewayPorts|AllowTcpForwarding|XAuthLocation|Banner|ChrootDirectory|SecurityKeyProvider|PAMServiceName)$/i;
const SSH =
  /^(?:ProxyCommand|LocalCommand|PermitLocalCommand|KnownHostsCommand|Include|ProxyJump|PKCS11Provider|SecurityKeyProvider|XAuthLocation|IdentityAgent|SendEnv|SetEnv|StrictHostKeyChecking|UserKnownHostsFile)$/i;

const BENIGN = 'Administrators manage accounts and rights.';

export const ACCESS = places([
  {
    id: 'passwd',
    // What they may do without a password, the other files say.
    expected: isOfService,
    plain: true,
    title: 'account with a shell, uid 0 or a powerful group',
    files: ['/etc/passwd'],
    parse: passwd,
    when: 'when this user logs in',
    user: 'owner',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1136.001', 'T1078.003'],
    starts: false,
  },
  {
    id: 'shadow',
    plain: true,
    title: 'password of an account',
    files: ['/etc/shadow'],
    parse: shadow,
    when: 'accepted when this user logs in',
    user: 'owner',
    severity: 'medium',
    benign: 'Users change their passwords.',
    techniques: ['T1098', 'T1078.003'],
    starts: false,
  },
  {
    id: 'group',
    plain: true,
    title: 'member of a powerful group',
    files: ['/etc/group', '/etc/gshadow'],
    parse: group,
    expected: isWritten,
    when: 'holds when this user logs in',
    user: 'owner',
    severity: 'medium',
    benign: BENIGN,
    techniques: ['T1098.007'],
    starts: false,
  },
  {
    id: 'user-record',
    plain: true,
    title: 'account or group apart from passwd and group',
    files: [
      '/etc/userdb/*',
      '/run/userdb/*',
      '/run/host/userdb/*',
      '/usr/lib/userdb/*',
      '/usr/local/lib/userdb/*',
    ],
    parse: userRecord,
    when: 'when this user logs in',
    user: 'owner',
    severity: 'high',
    benign: 'Image-based systems and containers of systemd-nspawn have accounts so.',
    techniques: ['T1136.001', 'T1098.007'],
    starts: false,
  },
  {
    id: 'subordinate-ids',
    plain: true,
    title: 'ids that a user may take',
    files: ['/etc/subuid', '/etc/subgid'],
    parse: lines(),
    when: 'when this user makes a user namespace',
    user: 'owner',
    severity: 'low',
    benign: 'Containers of users need them; adduser(8) gives them to each.',
    techniques: ['T1098'],
    starts: false,
  },
  {
    id: 'sudoers',
    plain: true,
    title: 'right to run programs as another user',
    files: [
      '/etc/sudoers',
      '/etc/sudoers.d/*',
      '/usr/local/etc/sudoers',
      '/usr/local/etc/sudoers.d/*',
      '/etc/doas.conf',
      '/etc/sudo.conf',
      '/etc/opendoas.conf',
    ],
    parse: sudoers,
    when: 'when sudo or doas is asked',
    user: 'root',
    severity: 'high',
    benign: BENIGN,
    techniques: ['T1548.003'],
    starts: false,
  },
  {
    id: 'polkit-rule',
    plain: true,
    title: 'right that polkit grants',
    files: [
      '/etc/polkit-1/rules.d/*',
      '/run/polkit-1/rules.d/*',
      '/usr/share/polkit-1/rules.d/*',
      '/usr/local/share/polkit-1/rules.d/*',
      '/etc/polkit-1/localauthority/**/*.pkla',
      '/var/lib/polkit-1/localauthority/**/*.pkla',
      '/etc/polkit-1/localauthority.conf.d/*',
    ],
    parse: polkitRule,
    when: 'when a program asks for a right',
    user: 'root',
    severity: 'high',
    benign: 'Packages and administrators grant rights to groups.',
    techniques: ['T1548'],
    starts: false,
  },
  {
    id: 'polkit-action',
    plain: true,
    title: 'action that polkit allows without a password',
    files: [
      '/usr/share/polkit-1/actions/*',
      '/usr/local/share/polkit-1/actions/*',
      '/etc/polkit-1/actions/*',
    ],
    parse: matching(
      /<(?:allow_any|allow_inactive|allow_active)>\s*yes|org\.freedesktop\.policykit\.exec\.path/,
    ),
    when: 'when a program asks for a right',
    user: 'root',
    severity: 'medium',
    benign: 'Desktop programs declare harmless actions so.',
    techniques: ['T1548'],
    starts: false,
  },
  {
    id: 'pam',
    expected: ({ runs }, { name }) => name.startsWith('common-') && PAM_WRITTEN.test(runs),
    plain: true,
    title: 'module that decides about logins',
    files: [
      '/etc/pam.d/*',
      '/etc/pam.conf',
      '/usr/lib/pam.d/*',
      '/usr/share/pam.d/*',
      '/usr/share/pam-configs/*',
    ],
    parse: pamLines,
    origin: pamOrigin,
    when: 'at every login, and with sudo and su',
    user: 'root',
    severity: 'high',
    benign: 'Packages of modules write these files, by pam-auth-update or authselect.',
    techniques: ['T1556.003'],
  },
  {
    id: 'pam-module',
    title: 'PAM module',
    files: [
      '/lib/security/*',
      '/lib64/security/*',
      '/usr/lib/security/*',
      '/usr/lib64/security/*',
      '/usr/lib/*-linux-gnu/security/*',
      '/usr/local/lib/security/*',
    ],
    depth: 'digest',
    parse: (file) => (/\.so(?:\.|$)/.test(file.name) ? loaded()(file) : []),
    when: 'at every login of a service that names it',
    user: 'root',
    severity: 'high',
    benign: 'A module that is not packaged was built on this machine.',
    techniques: ['T1556.003'],
  },
  {
    id: 'pam-setting',
    plain: true,
    title: 'setting of PAM modules',
    files: [
      '/etc/security/*.conf',
      '/etc/security/*.init',
      '/etc/security/limits.d/*',
      '/etc/security/namespace.d/*',
      '/etc/securetty',
      '/etc/shells',
      '/etc/nologin',
    ],
    parse: (file) => (file.name.endsWith('.init') ? program()(file) : lines()(file)),
    when: 'at every login',
    user: 'root',
    severity: 'low',
    benign: BENIGN,
    techniques: ['T1556.003'],
    starts: false,
  },
  {
    id: 'sshd',
    plain: true,
    title: 'setting of the SSH server',
    files: [
      '/etc/ssh/sshd_config',
      '/etc/ssh/sshd_config.d/*',
      '/usr/local/etc/ssh/sshd_config',
      '/etc/default/ssh',
      '/etc/sysconfig/sshd',
    ],
    parse: (file) => (/default|sysconfig/.test(file.path) ? lines()(file) : directives(SSHD)(file)),
    when: 'at every login by SSH',
    user: 'root',
    severity: 'medium',
    benign: 'Administrators set up the server.',
    techniques: ['T1098.004', 'T1556'],
  },
  {
    id: 'ssh-rc',
    title: 'script that runs at a login by SSH',
    files: ['/etc/ssh/sshrc', '~/.ssh/rc', '~/.ssh/environment'],
    parse: ({ text }) => {
      const all = significant(text, /^#/);
      return all.length === 0 ? [] : [{ runs: all.join('; ') }];
    },
    when: 'at every login by SSH',
    user: 'owner',
    severity: 'medium',
    benign: 'Few users have one.',
    techniques: ['T1546.004', 'T1098.004'],
  },
  {
    id: 'authorized-keys',
    plain: true,
    title: 'key that may log in by SSH',
    files: [
      '~/.ssh/authorized_keys',
      '~/.ssh/authorized_keys2',
      '/etc/ssh/authorized_keys',
      '/etc/ssh/authorized_keys/*',
      '/etc/ssh/authorized_keys.d/*',
      '/etc/dropbear/authorized_keys',
      '/var/lib/*/.ssh/authorized_keys',
    ],
    parse: authorizedKeys,
    when: 'when its holder logs in',
    user: 'owner',
    severity: 'medium',
    benign: 'Users add keys of their machines.',
    techniques: ['T1098.004'],
  },
  {
    id: 'ssh-client',
    title: 'program that the SSH client runs',
    files: ['/etc/ssh/ssh_config', '/etc/ssh/ssh_config.d/*', '~/.ssh/config'],
    parse: directives(SSH),
    when: 'when this user connects with SSH',
    user: 'owner',
    severity: 'low',
    benign: 'Users reach machines through others.',
    techniques: ['T1546'],
  },
  {
    id: 'remote-shell',
    plain: true,
    title: 'host that may log in without a password',
    files: [
      '/etc/hosts.equiv',
      '/etc/ssh/shosts.equiv',
      '~/.rhosts',
      '~/.shosts',
      '/etc/hosts.allow',
      '/etc/hosts.deny',
      '~/.k5login',
      '/etc/krb5.conf',
      '/etc/krb5.conf.d/*',
    ],
    parse: (file) =>
      /krb5\.conf/.test(file.path)
        ? matching(/plugin|module|auth_to_local|admin_server|kdc/, INI)(file)
        : significant(file.text, /^#/).map((runs) => ({ runs })),
    when: 'when that host connects',
    user: 'owner',
    severity: 'medium',
    benign: 'Clusters trust their members.',
    techniques: ['T1098', 'T1556'],
    starts: false,
  },
  {
    id: 'name-service',
    plain: true,
    title: 'source of accounts and names',
    files: [
      '/etc/nsswitch.conf',
      '/etc/hosts',
      '/etc/resolv.conf',
      '/etc/host.conf',
      '/etc/gai.conf',
      '/etc/ldap.conf',
      '/etc/nslcd.conf',
      '/etc/sssd/sssd.conf',
      '/etc/sssd/conf.d/*',
    ],
    parse: (file) =>
      matching(
        file.name === 'nsswitch.conf' || !/sssd|nslcd|ldap/.test(file.path)
          ? /./
          : /uri|server|provider|command|shell|access/,
        // Of these, only resolv.conf and sssd.conf have others.
        /resolv|sssd/.test(file.path) ? INI : undefined,
      )(file),
    when: 'when a name or an account is looked up',
    user: 'each user',
    severity: 'low',
    benign: 'Administrators and network managers write these files.',
    techniques: ['T1556', 'T1565.001'],
  },
  {
    id: 'certificate-authority',
    title: 'certificate authority that is trusted',
    files: [
      '/usr/local/share/ca-certificates/**/*',
      '/usr/share/ca-certificates/**/*',
      '/etc/pki/ca-trust/source/anchors/*',
      '/usr/share/pki/ca-trust-source/anchors/*',
      '/etc/ca-certificates/trust-source/anchors/*',
      '/etc/ca-certificates/update.d/*',
    ],
    depth: 'digest',
    parse: loaded(),
    when: 'with every TLS connection',
    user: 'each user',
    severity: 'medium',
    benign: 'Companies and test tools have authorities of their own.',
    techniques: ['T1553.004'],
    starts: false,
  },
]);
