/** Questions about accounts, SSH, startup, packages and services in many words, of the kinds that people asked and that were answered wrongly. */
import { each, one, type Question } from './question.ts';

const SIGNED_IN = `
  who is logged in right now | who's online | is anna logged in? | any active ssh sessions? | list logged in users | who else is on this box
  wer ist angemeldet | ist gerade jemand eingeloggt? | gibt es offene Sitzungen? | seit wann ist anna angemeldet
  ¿quién está conectado ahora? | sesiones activas | usuarios conectados | ¿está anna conectada?
  qui est connecté en ce moment ? | Y a-t-il quelqu'un de connecté ? | utilisateurs connectés actuellement
`;
const FAILED_LOGINS =
  'how many failed logins today | any brute force attempts on ssh | fehlgeschlagene Anmeldungen per SSH | intentos de entrada fallidos por ssh | tentatives de connexion échouées';
const after = (before: string, ask: string, ...says: readonly RegExp[]): Question => ({
  ...one('workshop', ask, /./, ...says),
  after: before,
});

export const ACCOUNTS: readonly Question[] = [
  ...each('workshop', SIGNED_IN, {
    refuses: true,
    says: [/203\.0\.113\.7/, /not recorded|nicht aufgezeichnet|no está registrado|n’est pas enregistré/],
  }),
  ...each('workshop', FAILED_LOGINS, { refuses: true, says: [/lastb/] }),
  ...each(
    'workshop',
    'where did anna log in from? | from which IP did anna last log in? | von wo hat sich anna zuletzt angemeldet? | ¿desde dónde se conectó anna por última vez? | d’où anna s’est-elle connectée ?',
    { refuses: true, says: [/203\.0\.113\.7/] },
  ),
  after('wer ist angemeldet', 'von welcher IP-Adresse?', /^203\.0\.113\.7/),
  after('who logged in last', 'from where?', /^203\.0\.113\.7/),
  after('qui est connecté', 'depuis quelle adresse ?', /^203\.0\.113\.7/),
  after('quién está conectado', '¿desde qué IP?', /^203\.0\.113\.7/),
  after(
    'who has sudo rights',
    'and which of them logged in this week',
    /^None \(0\): .*rights.*last login was then/,
  ),
  after("qui s'est connecté aujourd'hui", 'et hier ?', /^Aucun \(0\): .*\(hier\)/),
  after('wer hat sudo', 'und wer davon hat sich diese Woche angemeldet?', /^Keine \(0\): .*Rechten/),
  ...each(
    'workshop',
    'lista los usuarios que tienen clave ssh pero no sudo | users with ssh keys but no sudo | Welche Konten haben SSH-Schlüssel aber kein sudo? | quels comptes ont une clé ssh mais pas sudo ?',
    'query.total',
    /^1 .*bert/,
  ),
  ...each(
    'workshop',
    'does anyone besides root have sudo | hat außer root noch jemand sudo? | ¿alguien además de root tiene sudo? | quelqu’un d’autre que root a-t-il sudo ?',
    'query.total',
    /\b1 (?:account|Konto|cuenta|compte) .*anna/,
  ),
  ...each(
    'workshop',
    'does anyone have passwordless sudo | who has sudo without a password? | wer hat sudo ohne Passwort',
    'query.total',
    /^1 .*NOPASSWD/,
  ),
  ...each(
    'workshop',
    '¿Tiene bert contraseña? | est-ce que bert a un mot de passe ? | hat anna ein Passwort gesetzt | is a password set for anna?',
    /^query\./,
    /^(?:Sí|Oui|Ja|Yes): (?:anna|bert)/,
  ),
  ...each(
    'workshop',
    'hat das Konto daemon ein Passwort? | le compte www-data a-t-il un mot de passe ? | does root have a password set?',
    /^query\./,
    /^(?:Nein|Non|No): .*locked/,
  ),
  one('workshop', 'tiene contraseña el usuario nobody', {
    refuses: 'either',
    says: [/^Ninguno \(0\): .*nobody/],
  }),
  one(
    'workshop',
    'when was anna’s password last changed?',
    /password_set/,
    /^anna has a password, set on 2026/,
  ),
  one('workshop', 'Dime la contraseña de backup2', { refuses: true, says: [/^Nunca digo/] }),
  ...each(
    'workshop',
    'can root log in over ssh? | is root login permitted | ist root per ssh erreichbar | ¿puede root entrar por ssh? | root peut-il se connecter en ssh ?',
    /^second\./,
    /^(?:No|Nein|Non): root .*PermitRootLogin/,
  ),
  one('workshop', 'is root login disabled', /^second\./, /^Yes: root/),
  one(
    'workshop',
    'can bert log in via ssh?',
    /^second\./,
    /^Yes, as far as the account goes: bert logs in with 2 SSH keys/,
  ),
  ...each('workshop', 'how many ssh keys does bert have | wie viele ssh-keys hat bert?', /keys$/, /^2 SSH/),
  ...each(
    'workshop',
    'is anna in the sudo group | quels utilisateurs sont dans le groupe sudo ?',
    'query.total',
    /\b1 .*anna/,
  ),
  one('workshop', 'is there another account with uid 0 besides root?', 'query.total', /^Yes, 1 .*backup2/),
  one('workshop', 'does the user anna exist', 'query.total', /^Yes, 1 account called anna/),
  one('workshop', 'is any account expired', 'query.total', /^No \(0\)/),
  ...each(
    'workshop',
    'what is the www-data account used for? | wozu dient der Benutzer www-data | ¿Para qué sirve el usuario www-data? | à quoi sert l’utilisateur www-data ?',
    { refuses: true, says: [/www-data \(uid 33/] },
  ),
  ...each(
    'workshop',
    'what does the process vault do | wofür ist eigentlich der prozess vault da | do I need vault?',
    { refuses: true, says: [/vault \(pid 270/] },
  ),
  one('workshop', 'what is messagebus and do I need it', {
    refuses: true,
    says: [/no account and no process called "messagebus"/],
  }),
  // Startup and services.
  after(
    'list cron jobs',
    'which of those were not there last week',
    /only when its file changed last.*maint/,
  ),
  after('qué tareas cron hay', '¿cuáles son nuevas?', /maint/),
  ...each(
    'workshop',
    'did anything new get added to startup recently | any new cron jobs? | wurde kürzlich etwas zum Autostart hinzugefügt? | ¿se ha añadido algo nuevo al arranque recientemente? | quelque chose de nouveau au démarrage ?',
    /changed$/,
    /(?:not recorded|nicht aufgezeichnet|no está registrado|n’est pas enregistré), .*2026-11-22T10:00:00.*maint/,
  ),
  ...each(
    'workshop',
    'which services start at boot but arent running | welche aktivierten Dienste laufen nicht? | servicios habilitados que no están corriendo | quels services activés ne tournent pas ?',
    /failed_units$/,
    /systemctl list-units/,
  ),
  ...each(
    'workshop',
    'list services | list running services | zeige alle Dienste | muestra los servicios | affiche les services',
    'query.total',
    /systemctl list-units.*\b4 /,
  ),
  ...each(
    'workshop',
    'is the failed unit a real problem or can i ignore it | Combien d’unités systemd sont activées mais en échec ?',
    /failed_units$/,
    /0\.$/,
  ),
  after('any failed units?', 'how do I fix that', /^No: failed units of systemd: 0\.$/),
  after('¿hay unidades fallidas?', '¿cómo lo arreglo?', /^No: unidades fallidas de systemd: 0\.$/),
  ...each(
    'workshop',
    'did any service fail overnight | ¿falló algún servicio durante la noche? | ist über Nacht ein Dienst ausgefallen?',
    /failed_units$/,
    /started again|iniciaron de nuevo|wieder gestartet/,
  ),
  one('workshop', 'units ending in .timer', 'query.total', /^None \(0\)/),
  ...each(
    'workshop',
    'is the cron service running? | ¿Está activo el servicio cron? | le service cron est-il actif ?',
    /^query|^processes/,
    /^(?:No|Non) \(0\): .*cron/,
  ),
  ...each('workshop', 'when did cron start | seit wann läuft cron', { refuses: true, says: [/cron/] }),
  ...each(
    'workshop',
    'has sshd restarted recently | wurde sshd kürzlich neu gestartet | ¿se ha reiniciado sshd recientemente?',
    /start$/,
    /2026-11-21T22:30/,
  ),
  one('workshop', 'did sshd restart today?', /start$/, /^No: sshd/),
  one('workshop', 'was node restarted today', /start$/, /^No: node/),
  ...each(
    'workshop',
    'what is the status of nginx | is the nginx service ok',
    'query.total',
    /^No \(0\): .*nginx/,
  ),
  ...each(
    'workshop',
    'did orderd crash last night | ist orderd abgestürzt?',
    'query.total',
    /(?:not recorded|nicht aufgezeichnet).*orderd \(pid 252\)/,
  ),
  ...each(
    'workshop',
    'when was the last reboot, and was it planned | war der letzte Neustart geplant? | ¿fue planeado el último reinicio? | le dernier redémarrage était-il prévu ? | why did the machine reboot',
    /uptime/,
    /journalctl --list-boots/,
  ),
  one('workshop', 'what runs at 3am', 'query.total', /^1 .*backup-agent/),
  one('workshop', 'which cron job runs every 5 minutes', 'query.total', /^1 .*maint/),
  one('workshop', 'when does the backup job run', 'query.total', /^1 .*15 3 \* \* \*/),
  one('workshop', 'when was /etc/cron.d/maint changed', /changed$/, /2026-11-22T10:00:00/),
  // Packages.
  ...each(
    'workshop',
    'which package owns /usr/bin/passwd | ¿a qué paquete pertenece /usr/bin/passwd?',
    /^second\./,
    /^passwd 1:4\.17/,
  ),
  ...each(
    'workshop',
    'Which package does /usr/bin/python3 belong to? | zu welchem Paket gehört /usr/bin/node | à quel paquet appartient /usr/bin/node ?',
    { refuses: true, says: [/dpkg -S/] },
  ),
  one('workshop', 'which package is sshd from', { refuses: true, says: [/dpkg -S.*openssh-server/] }),
  ...each(
    'workshop',
    'processes not belonging to any package | liste des processus sans paquet | Gibt es Programme ohne Paket? | procesos que no pertenecen a ningún paquete',
    'query.total',
    /(?:not recorded|n’est pas enregistré|nicht aufgezeichnet|no está registrado).*\b3 /,
  ),
  ...each(
    'workshop',
    'Wie viele Pakete sind hier drauf? | how many packages do I have | cuántos paquetes hay | combien de paquets y a-t-il ?',
    'installed.total',
    /^4 /,
  ),
  ...each(
    'workshop',
    'how many packages were updated today | who installed docker | was something installed recently',
    { refuses: true, says: [/not recorded/] },
  ),
  ...each(
    'workshop',
    'which binaries were modified | wurden Systemdateien verändert?',
    /^packages\./,
    /passwd/,
  ),
  // One account as a whole, and accounts by number, shell and home.
  ...each(
    'workshop',
    'who is anna | what rights does anna have | was darf anna? | qué puede hacer anna | tell me about the user anna | what is anna’s uid',
    'query.total',
    /^1 .*anna \(uid 1000; .*sudo/,
  ),
  ...each(
    'workshop',
    'can daemon log in | peut-on se connecter avec le compte daemon ?',
    'query.total',
    /^(?:No|Non) \(0\): .*daemon/,
  ),
  ...each(
    'workshop',
    'who uses zsh | which user has uid 1001 | accounts with uid above 1000',
    'query.total',
    /^1 .*bert/,
  ),
  one('workshop', 'whose home is not in /home', 'query.total', /^3 .*root.*backup2.*www-data/),
  one('workshop', 'is the guest account enabled', 'query.total', /^None \(0\): .*guest/),
  one('workshop', 'why does backup2 have uid 0', 'query.total', /backup2 \(uid 0.*not recorded/),
  one('workshop', 'is there any account without sudo that can log in', 'query.total', /^Yes, 1 .*bert/),
  one('workshop', 'Wer hat hier Adminrechte außer root?', 'query.total', /^2 .*anna.*backup2/),
  one('workshop', 'did backup2 log in this week', 'query.total', /^No \(0\)/),
  ...each('workshop', 'how do I add a user | how do I give bert sudo | wie lege ich einen Benutzer an?', {
    refuses: true,
    says: [/useradd/],
  }),
  ...each('workshop', 'how do I disable root login over ssh | wie deaktiviere ich passwort-login per ssh', {
    refuses: true,
    says: [/sshd_config/],
  }),
  after('which accounts have never logged in', 'which of them can log in', /^2 .*bert.*backup2/),
  after('list cron jobs', 'when do they run', /\*\/5 \* \* \* \* \(when\)/),
  after('which services start at boot', 'are they all running?', /systemctl list-units/),
  after('is sshd running', 'when was it restarted', /^Since 2026-11-21T22:30/),
  after('when was the last reboot', 'was it planned?', /journalctl --list-boots/),
  after('wann war der letzte Neustart', 'war der geplant?', /journalctl --list-boots/),
  ...each(
    'workshop',
    'does every user have a password | haben alle Konten ein Passwort? | ¿todas las cuentas tienen contraseña? | tous les comptes ont-ils un mot de passe ?',
    'query.total',
    /^(?:No|Nein|Non) ?: 3 .*root.*www-data/,
  ),
  one('workshop', 'which users with sudo are logged in right now?', {
    refuses: true,
    says: [/not recorded.*anna/],
  }),
  ...each(
    'workshop',
    'did the backup job run last night | lief der backup job heute nacht?',
    'query.total',
    /(?:not recorded|nicht aufgezeichnet).*backup-agent/,
  ),
  one('workshop', 'any new startup entries of root?', /changed$/, /maint/),
  one('workshop', 'was a new systemd service added today', 'query.total', /None \(0\)/),
  one('workshop', 'how many times did sshd restart', /start$/, /Earlier starts are not recorded/),
  one('workshop', 'how do I restart a failed service', /failed_units$/, /^No: failed units/),
  one(
    'workshop',
    'Welche Konten wurden seit letzter Woche benutzt?',
    'query.total',
    /^Keine \(0\): .*letzte Anmeldung/,
  ),
  ...each(
    'workshop',
    'suspicious cron jobs | verdächtige cronjobs? | tareas cron sospechosas',
    'query.total',
    /^3 .*maint/,
  ),
  one('workshop', 'what starts as root', 'query.total', /^8 startup entries of root/),
  ...each(
    'workshop',
    'are all services up | sind alle dienste ok | ¿están todos los servicios bien? | tous les services sont-ils ok ?',
    /failed_units$/,
    /systemctl list-units/,
  ),
  ...each(
    'workshop',
    'any ssh logins today? | who ssh’d in today',
    'query.total',
    /^Whether a login was by SSH is not recorded.*None \(0\)/,
  ),
  ...each(
    'workshop',
    'letzter login? | when was the last time someone logged in | did anyone log in while I was away',
    { refuses: true, says: [/anna: 2026-01-02/] },
  ),
  ...each('workshop', 'accts w/ ssh keys | wo ist das home von bert', /^query/, /bert/),
  ...each(
    'workshop',
    'how does bert log in | wie meldet sich bert an | ¿cómo entra bert? | comment bert se connecte-t-il ?',
    'query.total',
    /^1 .*bert .*2 SSH keys/,
  ),
  ...each(
    'workshop',
    'does bert’s account expire | is there an account that expires soon | do passwords expire',
    /^query/,
    /chage -l/,
  ),
  ...each(
    'workshop',
    'who created backup2 | when was backup2 created | since when does backup2 exist',
    /changed$/,
    /not recorded/,
  ),
  ...each('workshop', 'accounts with the same uid | duplicate uids?', 'query.total', /^uid 0: 2 accounts/),
  ...each(
    'workshop',
    'list installed packages | liste alle installierten Pakete',
    'installed.total',
    /^4 .*dpkg -l/,
  ),
  ...each(
    'workshop',
    'which accounts are allowed to run sudo | show me everybody with sudo rights | wer darf sudo benutzen | quién puede hacer sudo | who is in the sudoers file',
    { query: ['accounts where rights starts "sudo: "', /^1 .*anna/], never: [/backup2/] },
  ),
  ...each('workshop', 'users with sudo and ssh keys', { grounds: ['query.total'], never: [/No rule/] }),
  ...each(
    'workshop',
    'can anyone but anna log in over ssh | can only anna log in over ssh | nobody but anna can log in right? | kann sich nur anna anmelden',
    'query.total',
    /^(?:Yes|No|Nein), 2 .*bert .*backup2/,
  ),
  ...each(
    'workshop',
    'does only anna have sudo | ist anna die einzige mit sudo | ¿solo anna tiene sudo?',
    'query.total',
    /^(?:Yes|Ja|Sí) \(0\)/,
  ),
  ...each(
    'workshop',
    'which user logged in most recently | welcher benutzer war zuletzt angemeldet | quel utilisateur s’est connecté le plus récemment | último inicio de sesión',
    { grounds: ['query.rows[0].last_login'], says: [/anna/], refuses: 'either' },
  ),
];
