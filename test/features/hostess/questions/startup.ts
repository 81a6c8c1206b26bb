/** What starts by itself, accounts and packages, in four languages. */
import { each, one, type Question } from './question.ts';

const NGINX = {
  grounds: [
    /^startup_all\.entries\[\d+\]\.runs$/,
    /^startup_all\.entries\[\d+\]\.path$/,
    /^startup_all\.entries\[\d+\]\.user$/,
  ],
  says: [/\/usr\/sbin\/nginx/, /multi-user\.target\.wants/],
  suggests: ['desk startup --all'],
} as const;
const BOB = '[name=bob]';

export const STARTUP: readonly Question[] = [
  ...each(
    'healthy',
    `
    what starts automatically? | what starts by itself? | which programs start at boot?
    was startet beim Systemstart von selbst? | ¿qué arranca automáticamente?`,
    {
      grounds: [
        ['startup_all.entries.length', 8],
        ['startup.entries.length', 4],
        'startup.entries[0].runs',
        'detection.findings[check=startup-entry].length',
      ],
      says: [/NOPASSWD/, /backup-agent/],
      never: [/could not be read|not everything/i],
      suggests: ['desk startup'],
    },
  ),
  ...each(
    'healthy',
    `
    what starts as root that no package vouches for?
    was startet als root, für das kein Paket bürgt?
    qu'est-ce qui démarre en tant que root sans qu'aucun paquet ne le garantisse ?
    ¿qué arranca como root que ningún paquete avala?`,
    {
      grounds: [['startup.entries[user=root].length', 3]],
      says: [/as root/, /no package vouches/, /\/etc\/cron\.d\/backup/],
      suggests: ['desk startup --user root'],
    },
  ),
  one(
    'healthy',
    'what starts automatically as ada?',
    [['startup_all.entries[user=ada].length', 1]],
    /sync-notes/,
  ),
  one('healthy', 'what starts automatically as mallory?', [['startup_all.entries[user=mallory].length', 0]]),
  ...each(
    'healthy',
    `
    what starts nginx? | where is nginx started? | does nginx start at boot? | WHAT STARTS NGINX
    was startet nginx? | wo wird nginx gestartet?
    qu'est-ce qui démarre nginx ? | où nginx est-il démarré ? | ¿qué inicia nginx? | ¿dónde se inicia nginx?`,
    NGINX,
  ),
  one('healthy', 'where is frobnicatord started?', 'startup_all.entries.length', /Nothing that starts/),
  one('healthy', 'what starts cron?', {
    grounds: [/^startup_all\.entries\[\d+\]\.runs$/],
    says: [/\/usr\/sbin\/cron -f/],
    // It is in a folder of that name.
    never: [/logrotate/],
  }),
  one('healthy', 'which cron jobs are there?', /^startup_all\.entries\[\d+\]\.when$/, /15 3 \* \* \*/),
  ...each(
    'healthy',
    `
    what changed at startup since yesterday? | was hat sich beim Systemstart seit gestern geändert?
    qu'est-ce qui a changé au démarrage depuis hier ? | ¿qué cambió en el arranque desde ayer?`,
    {
      grounds: [
        'asked.since',
        ['startup_all.entries[changed>=2026-11-21T00:00:00.000+01:00].length', 1],
        ['startup.entries[changed>=2026-11-21T00:00:00.000+01:00].length', 1],
      ],
      says: [/sync-notes/],
      never: [/backup-agent/],
    },
  ),
  ...each(
    'degraded',
    ['what starts automatically?', 'what starts nginx?', 'what changed at startup since yesterday?'],
    ['startup_all.unread.length', 'startup_all.unread[0].path'],
    /Not everything could be read/,
    /EACCES/,
  ),
  one('degraded', 'what changed at startup since yesterday', 'startup_all.unwatched', /ENOSPC/),
  one('hostile', 'what starts by itself?', ['startup.entries.length'], /"curl -s/),
  one('empty', 'what starts automatically', [['startup.entries.length', 0]]),

  ...each(
    'healthy',
    `
    who can log in? | which accounts can log in?`,
    {
      grounds: ['accounts.accounts[name=ada].login', `accounts.accounts${BOB}.login`],
      says: [/ada can log in \(password, 2 SSH keys\)/, /bob can log in \(password\)/],
      never: [/www-data/],
      suggests: ['desk accounts'],
    },
  ),
  ...each('healthy', 'wer kann sich anmelden? | qui peut se connecter ? | ¿quién puede iniciar sesión?', {
    grounds: ['query.total', 'query.rows[0].login'],
    says: [/^2 .*ada .*bob/],
    never: [/www-data/],
  }),
  ...each(
    'healthy',
    "was startet automatisch? | qu'est-ce qui démarre automatiquement ?",
    ['query.total', 'query.rows[0].path'],
    /^8 /,
  ),
  one('healthy', 'can bob log in?', 'query.rows[0].login', /^Yes\b.*bob/),
  one('healthy', 'kann bob sich anmelden?', 'query.rows[0].login', /^Ja\b.*bob/),
  one('healthy', 'bob peut-il se connecter ?', 'query.rows[0].login', /^Oui\b.*bob/),
  one('healthy', '¿puede bob iniciar sesión?', 'query.rows[0].login', /^Sí.*bob/),
  one('healthy', 'can www-data log in?', 'query.total', /^No\b.*www-data that can log in/),
  one('healthy', 'can mallory log in?', {
    refuses: true,
    grounds: [['accounts.accounts.length', 4]],
    says: [/no local account "mallory"/, /directory service/],
  }),
  ...each(
    'healthy',
    `
    who has sudo? | who has root rights? | wer hat Root-Rechte?`,
    {
      grounds: ['accounts.accounts[name=root].rights', 'accounts.accounts[name=ada].rights'],
      says: [/ada has these rights: sudo/],
      never: [/bob/],
    },
  ),
  ...each(
    'healthy',
    `
    when did ada log in last? | last login of ada
    quand ada s'est-elle connectée pour la dernière fois ? | ¿cuándo inició sesión ada por última vez?`,
    ['accounts.accounts[name=ada].last_login', 'accounts.accounts[name=ada].last_from'],
    /203\.0\.113\.7/,
  ),
  one(
    'healthy',
    'when did bob log in last',
    `accounts.accounts${BOB}.last_login`,
    /No login of bob is recorded/,
  ),
  ...each(
    'healthy',
    'wer hat sudo? | qui a sudo ? | qui a des droits root ? | ¿quién tiene sudo? | ¿quién tiene permisos de root?',
    { grounds: ['query.total', 'query.rows[0].rights'], says: [/^2 .*root .*ada .*sudo/], never: [/bob/] },
  ),
  one('healthy', 'wann hat sich ada zuletzt angemeldet?', 'query.rows[0].last_login', /ada/),
  one('healthy', 'who logged in last?', 'accounts.accounts[name=ada].last_login'),
  one('healthy', 'which accounts have no password?', [['accounts.accounts[password=empty].length', 0]]),
  one('hostile', 'which accounts have no password?', [['accounts.accounts[password=empty].length', 1]]),
  one('healthy', 'who has ssh keys?', 'accounts.accounts[name=ada].keys', /ada has 2 SSH keys/),
  one('healthy', 'how many accounts are there?', [['accounts.accounts.length', 4]]),
  // Its rights have words as of another answer: they are quoted.
  one('hostile', 'who has root rights?', ['accounts.accounts[name=root].rights'], /"sudo: <img/),
  one('degraded', 'can bob log in?', {
    grounds: ['query.total'],
    says: [/^That is not known/],
    never: [/^(?:Yes|No)\b/],
    refuses: 'either',
  }),
  ...each('degraded', ['who can log in?'], {
    grounds: [`accounts.accounts${BOB}.login`, 'accounts.unread.length'],
    says: [/Whether bob can log in is not known/, /\/etc\/shadow/],
    never: [/bob can log in \(/, /(?<!Whether )bob can log in/],
  }),
  one('degraded', 'when did bob log in last?', `accounts.accounts${BOB}.last_login`, /not known/),
  one(
    'degraded',
    'which accounts have no password',
    [['accounts.accounts[password=unknown].length', 2]],
    /not known/,
  ),
  ...each('healthy', ["what is bob's password?", 'tell me the password of ada', 'who is logged in now?'], {
    refuses: true,
    never: [/can log in/],
  }),

  ...each(
    'healthy',
    `
    are all packages intact? | are the files of packages unchanged? | sind alle Pakete unverändert?
    tous les paquets sont-ils intacts ? | ¿están intactos todos los paquetes?`,
    {
      grounds: [
        ['packages.altered.length', 0],
        ['packages.unread.length', 0],
        ['packages.files', 38_114],
        'packages.compared',
      ],
      says: [/as recorded/],
      suggests: ['desk packages'],
    },
  ),
  ...each(
    'hostile',
    `
    which package files were changed? | are all packages intact? | welche Dateien von Paketen wurden geändert?
    quels fichiers de paquets ont été modifiés ? | ¿qué archivos de paquetes han cambiado?`,
    [
      ['packages.altered.length', 2],
      ['packages.groups[0].path', '/usr/bin/passwd'],
    ],
    /2 files differ/,
  ),
  one('degraded', 'are all packages intact?', {
    grounds: [['packages.unread.length', 1]],
    says: [/could be compared/, /could not be compared/],
    never: [/as recorded/],
  }),
  ...each('empty', ['are all packages intact?', 'which package files were changed?'], {
    refuses: true,
    says: [/not been compared yet/],
    never: [/as recorded|no difference/i],
  }),
  one('healthy', 'how many packages are installed?', [['packages.packages', 412]]),
];
