/** What shells, editors and interpreters run when they start. */
import { gitConfig } from '../git-config.ts';
import { isLeftover, keyed, loaded, matching, script, significant } from '../parsers.ts';
import { type Parser, places } from '../place.ts';
import { HOSTILE_PROFILE } from './profile-lines.ts';

const HOME_BENIGN = 'Users set up their shells and programs as they like.';

/** Folders of Python itself, which are searched anyway. */
const PYTHON_FOLDER = /^\/usr\/(?:local\/)?lib(?:64)?\/python3[\w.]*(?:\/|$)/;
const isElsewhere = (line: string): boolean =>
  /(?:^|\/)\.\.(?:\/|$)/.test(line) || (line.startsWith('/') && !PYTHON_FOLDER.test(line));

/** Lines of a .pth file that run (those that begin with an import), and folders in which Python looks for modules from then on (site of the Python library). */
const pathFile: Parser = ({ text, name }) =>
  name.endsWith('.pth')
    ? significant(text, /^#/)
        .filter((line) => /^import[ \t]/.test(line) || isElsewhere(line))
        .map((runs) => ({ runs }))
    : [];

const EDITABLE = /^import (__editable___\w+_finder); \1\.install\(\)$/;
const DISTUTILS =
  /^import os; var = 'SETUPTOOLS_USE_DISTUTILS'; enabled = os\.environ\.get\(var, '(?:local|stdlib)'\) == 'local'; enabled and __import__\('_distutils_hack'\)(?:\.add_shim\(\))?;?$/;
const NONE = /(?!)/;

const pythonFile: Parser = (file) => (file.name.endsWith('.pth') ? pathFile(file) : script(/^#/)(file));

const SITE = [
  '/usr/lib/python3',
  '/usr/lib/python3*',
  '/usr/lib64/python3*',
  '/usr/local/lib/python3*',
  '~/.local/lib/python3*',
].flatMap((top) =>
  ['dist-packages', 'site-packages', 'lib-dynload', '.'].flatMap((folder) => {
    const at = folder === '.' ? top : `${top}/${folder}`;
    return [
      `${at}/*.pth`,
      ...['site', 'user'].flatMap((name) => [
        `${at}/${name}customize*`,
        `${at}/${name}customize/__init__.py`,
      ]),
    ];
  }),
);

/** Commands of tmux(1), whose names may be cut, and those behind `#(` of its status line. */
const TMUX =
  /(?<![\w-])(?:run(?:-\w*)?|if(?:-\w*)?|pipe\w*(?:-\w*)?|new(?:-\w*)?|neww|split\w*(?:-\w*)?|respawn\S*|source(?:-\w*)?|set-h\w*|display-pop\w*|popup|default-(?:command|shell))(?![\w-])|#\(|;/i;
const SETS =
  /^shell\b|^exec\b|^#?\s*speller|formatter|proxy|output|config|use-askpass|\b(?:screen|backtick)\b|;/i;
const COMMENTS: readonly (readonly [name: RegExp, comment: RegExp])[] = [
  [/\.el$|^emacs$/, /^;/],
  [/\.lua$/, /^--(?!\[)/],
  [/^lessfilter$/, /^#/],
  // In vim, `#` shows a line, and the next command may follow it behind a bar.
  [/./, /^(?:"|#(?!.*\|))/],
];
const editorFile: Parser = (file) => {
  // The catalogue has them with their dot: they are not leftovers.
  const named = { ...file, name: file.name.replace(/^\./, '') };
  if (/^(?:tmux\.conf|screenrc|nanorc|lesskey|wgetrc|curlrc|mailcap)$/.test(named.name))
    return matching(named.name.startsWith('tmux') ? TMUX : SETS, /^#/)(named);
  return script(COMMENTS.find(([name]) => name.test(named.name))?.[1])(named);
};

export const SHELLS = places([
  {
    id: 'system-profile',
    title: 'profile of every shell',
    files: [
      '/etc/profile',
      '/etc/profile.d/*',
      '/etc/bash.bashrc',
      '/etc/bashrc',
      '/etc/bash.bash_logout',
      '/etc/bash_completion.d/*',
      '/etc/zsh/*',
      '/etc/zshenv',
      '/etc/zshrc',
      '/etc/zprofile',
      '/etc/zlogin',
      '/etc/csh.cshrc',
      '/etc/csh.login',
      '/etc/csh/*',
      '/etc/fish/config.fish',
      '/etc/fish/conf.d/*',
      '/etc/ksh.kshrc',
      '/etc/mkshrc',
      '/etc/inputrc',
    ],
    parse: script(),
    when: 'when a user logs in or starts a shell',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators set variables and aliases for all users.',
    techniques: ['T1546.004'],
  },
  {
    id: 'home-profile',
    title: 'profile of the shell of a user',
    files: [
      ...[
        'profile',
        'bashrc',
        'bash_profile',
        'bash_login',
        'bash_logout',
        'bash_aliases',
        'zshrc',
        'zshenv',
        'zprofile',
        'zlogin',
        'zlogout',
        'cshrc',
        'tcshrc',
        'login',
        'logout',
        'kshrc',
        'mkshrc',
        'xprofile',
        'inputrc',
        'pam_environment',
      ].map((name) => `~/.${name}`),
      '~/.config/fish/config.fish',
      '~/.config/fish/conf.d/*',
      '~/.config/fish/functions/*',
      '~/.bashrc.d/*',
      '~/.bash_completion',
      '~/.config/bash_completion',
      '~/.local/share/bash-completion/completions/*',
    ],
    // The catalogue has them with their dot: they are not leftovers.
    parse: ({ text }) => {
      const all = significant(text, /^#/);
      return all.length === 0 ? [] : [{ runs: all.join('; ') }];
    },
    expected: ({ runs }) => !HOSTILE_PROFILE.test(runs),
    when: 'when this user logs in or starts a shell',
    user: 'owner',
    severity: 'medium',
    benign: HOME_BENIGN,
    techniques: ['T1546.004'],
  },
  {
    id: 'skeleton',
    title: 'file that new users get',
    files: ['/etc/skel/.*', '/etc/skel/*/**/*'],
    // Their dot hides them; they are not leftovers.
    parse: (file) =>
      file.name.startsWith('.goutputstream-')
        ? []
        : script(/^#/)({ ...file, name: file.name.replace(/^\./, '') }),
    when: 'in the home of each new user',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators prepare homes.',
    techniques: ['T1546.004'],
    starts: false,
  },
  {
    id: 'environment',
    expected: ({ runs }) =>
      /^PATH="?(?:\/(?:usr\/|usr\/local\/|snap\/)?(?:s?bin|games)(?::|"?$))+$/.test(runs),
    title: 'environment of every login',
    files: [
      '/etc/environment',
      '/etc/security/pam_env.conf',
      '/etc/default/locale',
      '/etc/login.defs',
      '/etc/default/login',
    ],
    parse: ({ text, name }) =>
      significant(text, /^#/)
        .filter((line) =>
          name === 'login.defs'
            ? /^(?:ENV_\w*PATH|ENVIRON_FILE|USERDEL_CMD|FAKE_SHELL|LOGIN_STRING|TTYTYPE_FILE)\b/.test(line)
            : !/^(?:LANG|LANGUAGE|LC_\w+)=/.test(line),
        )
        .map((runs) => ({ runs })),
    when: 'in the environment of every session',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators set PATH and proxies.',
    techniques: ['T1574.006', 'T1574.007'],
    starts: false,
  },
  {
    id: 'python',
    title: 'code that Python runs at its start',
    files: [
      ...SITE,
      '/etc/python3*/sitecustomize.py',
      '~/.pythonrc',
      '~/.pythonrc.py',
      '/usr/lib/python3*/site.py',
    ],
    parse: pythonFile,
    // What pip and setuptools write where a user installs them, or works on a module of their own.
    expected: ({ runs }, { path, name }) =>
      path.includes('/.local/lib/python') &&
      (runs.startsWith('/') ||
        (/^__editable__\..+\.pth$/.test(name)
          ? EDITABLE
          : name === 'distutils-precedence.pth'
            ? DISTUTILS
            : NONE
        ).test(runs)),
    when: 'whenever Python starts',
    user: 'each user',
    severity: 'medium',
    benign: 'Packaging tools of Python (setuptools, editable installs, coverage) put such files there.',
    techniques: ['T1546.018'],
  },
  {
    id: 'interpreter',
    title: 'code that an interpreter runs at its start',
    files: [
      '/etc/perl/sitecustomize.pl',
      '/usr/local/lib/*/perl/*/sitecustomize.pl',
      '/usr/local/share/perl/*/sitecustomize.pl',
      '~/.perldb',
      '~/.irbrc',
      '~/.pryrc',
      '~/.gdbinit',
      '/etc/gdb/gdbinit',
      '/etc/gdb/gdbinit.d/*',
      '~/.config/gdb/gdbinit',
      '~/.Rprofile',
      '/etc/R/Rprofile.site',
      '~/.lldbinit',
      '~/.psqlrc',
      '~/.sqliterc',
      '~/.node_repl_history.js',
      '~/.ghci',
      '~/.octaverc',
      '~/.guile',
    ],
    parse: ({ text, name }) => {
      const all = significant(text, name === '.guile' ? /^;/ : /^#/);
      return all.length === 0 ? [] : [{ runs: all.join('; ') }];
    },
    when: 'whenever that interpreter starts',
    user: 'owner',
    severity: 'low',
    benign: HOME_BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'interpreter-module',
    title: 'module before those of an interpreter',
    // First in the path of Python, whose packages have no such file, and of Debian's Perl.
    files: [
      '/usr/lib/python3*.zip',
      '/usr/lib64/python3*.zip',
      '/usr/local/lib/python3*.zip',
      '/etc/perl/*.pm',
      '/etc/perl/*/*.pm',
    ],
    depth: 'digest',
    parse: loaded((name) => /\.(?:zip|pm)$/.test(name)),
    when: 'when a program of that interpreter loads a module of its name',
    user: 'each user',
    severity: 'medium',
    benign: 'Administrators configure libraries of Perl so (Net::libnet).',
    techniques: ['T1574', 'T1546.018'],
  },
  {
    id: 'php',
    title: 'code that PHP loads',
    files: [
      '/etc/php/*/*/php.ini',
      '/etc/php/*/*/conf.d/*',
      '/etc/php/*/mods-available/*',
      '/etc/php.ini',
      '/etc/php.d/*',
      '/usr/local/etc/php/php.ini',
      '/usr/local/etc/php/conf.d/*',
      '/etc/php/*/fpm/pool.d/*',
    ],
    parse: keyed(
      /^(?:auto_prepend_file|auto_append_file|extension|zend_extension|extension_dir|sendmail_path|php_(?:admin_)?value\[(?:auto_prepend_file|auto_append_file|extension|disable_functions)\])$/,
    ),
    when: 'in every request of PHP',
    user: 'each user',
    severity: 'medium',
    benign: 'Extensions of PHP are set up so.',
    techniques: ['T1505.003', 'T1505'],
  },
  {
    id: 'git',
    title: 'program that git runs',
    files: ['/etc/gitconfig', '~/.gitconfig', '~/.config/git/config'],
    parse: gitConfig,
    when: 'when this user works with git',
    user: 'owner',
    severity: 'low',
    benign: HOME_BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'git-hook',
    title: 'hook of git',
    files: [
      '/usr/share/git-core/templates/hooks/*',
      '~/.git/hooks/*',
      '~/*/.git/hooks/*',
      '~/.config/git/hooks/*',
      '/etc/.git/hooks/*',
      '/opt/*/.git/hooks/*',
      '/srv/*/.git/hooks/*',
    ],
    parse: (file) =>
      file.name.endsWith('.sample') || isLeftover(file.name) || (file.file.mode & 0o111) === 0
        ? []
        : [{ runs: file.path }],
    when: 'when a user works in that repository',
    user: 'owner',
    severity: 'low',
    benign: HOME_BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'editor',
    title: 'code that an editor or terminal runs at its start',
    files: [
      '/etc/vim/vimrc',
      '/etc/vim/vimrc.local',
      '/etc/vimrc',
      '~/.vimrc',
      '~/.gvimrc',
      '~/.vim/vimrc',
      '~/.vim/plugin/**/*',
      '~/.vim/after/plugin/**/*',
      '~/.vim/pack/*/start/*/plugin/**/*',
      '~/.vim/autoload/*',
      '~/.vim/ftplugin/*',
      '~/.config/nvim/init.*',
      '~/.config/nvim/plugin/*',
      '~/.config/nvim/lua/**/*.lua',
      '~/.emacs',
      '~/.emacs.d/init.el',
      '~/.config/emacs/init.el',
      '/etc/emacs/site-start.d/*',
      '/etc/emacs/site-start.el',
      '/etc/nanorc',
      '~/.nanorc',
      '~/.tmux.conf',
      '/etc/tmux.conf',
      '~/.config/tmux/tmux.conf',
      '~/.screenrc',
      '/etc/screenrc',
      '~/.lesskey',
      '~/.lessfilter',
      '~/.wgetrc',
      '~/.curlrc',
      '/etc/wgetrc',
      '~/.mailcap',
      '/etc/mailcap',
    ],
    parse: editorFile,
    when: 'whenever that program starts',
    user: 'owner',
    severity: 'low',
    benign: HOME_BENIGN,
    techniques: ['T1546'],
  },
  {
    id: 'program-in-home',
    title: 'program that hides one of the system',
    files: ['~/bin/*', '~/.local/bin/*'],
    depth: 'digest',
    // What sudo, ssh and the like would be taken for.
    parse: (file) =>
      /^(?:sudo|su|doas|ssh|scp|sftp|passwd|login|ls|ps|ss|netstat|lsof|top|htop|find|grep|cat|cp|mv|rm|cd|id|w|who|last|sh|bash|dash|zsh|env|which|systemctl|journalctl|service|crontab|curl|wget|git|gpg|kill|dpkg|apt|apt-get|rpm|dnf|yum|pacman|mount|ip|ifconfig|iptables|nft)$/.test(
        file.name,
      )
        ? loaded()(file)
        : [],
    when: 'when this user types its name',
    user: 'owner',
    severity: 'medium',
    benign: 'Users build newer versions of tools for themselves.',
    techniques: ['T1574.007'],
    starts: false,
  },
]);
