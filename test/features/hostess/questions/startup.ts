/** What starts by itself, accounts and packages, in four languages. */
import { each, one, type Question } from './question.ts';

const NGINX = {
  grounds: [
    /^startup_all\.entries\[\d+\]\.runs$/,
    /^startup_all\.entries\[\d+\]\.path$/,
    /^startup_all\.entries\[\d+\]\.user$/,
  ],
  query: [
    'startup where runs contains "nginx" or path contains "nginx"',
    /\/usr\/sbin\/nginx/,
    /multi-user\.target\.wants/,
    /nginx 1\.26/,
  ],
  says: [/\/usr\/sbin\/nginx/, /multi-user\.target\.wants/],
  suggests: ['desk startup --all'],
} as const;

export const STARTUP: readonly Question[] = [
  ...each(
    'healthy',
    `
    what starts automatically? | what starts by itself? | which programs start at boot?
    was startet beim Systemstart von selbst? | ¿qué arranca automáticamente?`,
    {
      query: ['startup', /^8\b/, /no package vouches for it|kein Paket bürgt dafür|ningún paquete responde/],
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
      query: [
        'startup where user = "root" and vouched in ("none", "changed")',
        /^2\b/,
        /\/etc\/cron\.d\/backup/,
      ],
    },
  ),
  one('healthy', 'what starts automatically as ada?', {
    query: ['startup where user = "ada"', /^1\b/, /sync-notes as ada, \*\/10 \* \* \* \*/],
  }),
  one('healthy', 'what starts automatically as mallory?', {
    query: ['accounts where name = "mallory"', /^None\b/, /no accounts called "mallory"/],
  }),
  ...each(
    'healthy',
    `
    what starts nginx? | where is nginx started? | does nginx start at boot? | WHAT STARTS NGINX
    was startet nginx? | wo wird nginx gestartet?
    qu'est-ce qui démarre nginx ? | où nginx est-il démarré ? | ¿qué inicia nginx? | ¿dónde se inicia nginx?`,
    NGINX,
  ),
  one(
    'healthy',
    'where is frobnicatord started?',
    'query.total',
    /^None\b.*no startup entries of frobnicatord/,
  ),
  one('healthy', 'what starts cron?', {
    grounds: ['query.total'],
    says: [/\/usr\/sbin\/cron -f/],
  }),
  one('healthy', 'which cron jobs are there?', /^query\.rows\[\d+\]\.when$/, /^3\b/, /15 3 \* \* \*/),
  ...each(
    'healthy',
    `
    what changed at startup since yesterday? | was hat sich beim Systemstart seit gestern geändert?
    qu'est-ce qui a changé au démarrage depuis hier ? | ¿qué cambió en el arranque desde ayer?`,
    {
      grounds: ['query.total', /^query\.rows\[0\]\.path$/],
      says: [/sync-notes/],
      never: [/backup-agent/],
    },
  ),
  ...each(
    'degraded',
    ['what starts nginx?', 'what changed at startup since yesterday?'],
    'query.reach.gaps[0]',
    /Some may be missing/,
    /EACCES/,
  ),
  one('degraded', 'what starts automatically?', 'query.reach.gaps[0]', /Some may be missing/, /EACCES/),
  one('hostile', 'what starts by itself?', ['query.total'], /"curl -s/),
  one('empty', 'what starts automatically', ['query.total'], /^4\b/),

  ...each(
    'healthy',
    `
    who can log in? | which accounts can log in?`,
    {
      query: [
        'accounts where login is not none',
        /^2\b/,
        /ada \(uid 1000; logs in with password, 2 SSH keys/,
        /bob \(/,
      ],
      never: [/www-data/],
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
    query: ['accounts where name = "mallory"', /^No\b.*no accounts called "mallory"/, /directory service/],
  }),
  ...each(
    'healthy',
    `
    who has root rights? | wer hat Root-Rechte?`,
    {
      query: ['accounts where rights is not none', /^2\b/, /root \(/, /ada \(.*sudo: %sudo/],
      never: [/bob/],
    },
  ),
  ...each(
    'healthy',
    `
    when did ada log in last? | last login of ada
    quand ada s'est-elle connectée pour la dernière fois ? | ¿cuándo inició sesión ada por última vez?`,
    [/\.last_login$/, /\.last_from$/],
    /2026-01-02T\S+, .*203\.0\.113\.7/,
  ),
  one('healthy', 'when did bob log in last', 'query.total', /^Last login: none is recorded: bob/),
  ...each(
    'healthy',
    'who has sudo? | wer hat sudo? | qui a sudo ? | ¿quién tiene sudo? | list all users who can use sudo',
    {
      query: ['accounts where rights starts "sudo: "', /^1\b/, /ada \(.*sudo: %sudo/],
      never: [/root \(/, /bob/],
    },
  ),
  ...each('healthy', 'qui a des droits root ? | ¿quién tiene permisos de root?', {
    grounds: ['query.total', 'query.rows[0].rights'],
    says: [/^2 .*root .*ada .*sudo/],
    never: [/bob/],
  }),
  one('healthy', 'wann hat sich ada zuletzt angemeldet?', 'query.rows[0].last_login', /ada/),
  one('healthy', 'who logged in last?', 'query.rows[0].last_login', /^ada\b/),
  one('healthy', 'which accounts have no password?', 'query.total', /^None\b/),
  one('hostile', 'which accounts have no password?', 'query.total', /^1\b/),
  one('healthy', 'who has ssh keys?', 'query.total', /^1 .*ada .*2 SSH keys/),
  one('healthy', 'how many accounts are there?', 'query.rows[0].count()', /^4 accounts/),
  // Its rights have words as of another answer: they are quoted.
  one('hostile', 'who has root rights?', ['query.total'], /"sudo: <img/),
  one('degraded', 'can bob log in?', {
    grounds: ['query.total'],
    says: [/^That is not known/],
    never: [/^(?:Yes|No)\b/],
    refuses: 'either',
  }),
  ...each('degraded', ['who can log in?'], {
    grounds: ['query.total', 'query.undecided.rows'],
    says: [/^1 .*ada/, /For 1 more it is not known/],
    never: [/bob/],
  }),
  one('degraded', 'when did bob log in last?', {
    refuses: 'either',
    grounds: ['query.total'],
    says: [/^That is not known/],
  }),
  one('degraded', 'which accounts have no password', ['query.undecided.rows'], /For 2 more it is not known/),
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
