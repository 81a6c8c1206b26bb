/** Goals that are about the desk itself: its alerts, files, ports and service, and other programs that use it. */
import { type Goal, row } from './goal.ts';
import { said } from './table.ts';

export const ALERT_TARGET: Omit<Goal, 'id' | 'verbs' | 'things'> = {
  keys: ['alerts.to.kind', 'alerts.to.url', 'alerts.to.address', 'alerts.least'],
  more: ['alerts.md', 'Targets'],
  note: said(
    'Add a table [[alerts.to]] with name, kind and url, and its host to egress.allow; desk alert test sends a test',
    'Fügen Sie eine Tabelle [[alerts.to]] mit name, kind und url hinzu, und den Host in egress.allow; desk alert test sendet eine Probe',
    'Añada una tabla [[alerts.to]] con name, kind y url, y su host en egress.allow; desk alert test envía una prueba',
    'Ajoutez une table [[alerts.to]] avec name, kind et url, et son hôte dans egress.allow ; desk alert test envoie un essai',
  ),
};

const QUIET: Omit<Goal, 'id' | 'verbs' | 'things'> = {
  ...{ lines: ['desk quiet {span} --why REASON'], command: 'quiet' },
  more: ['alerts.md', 'Quiet time'],
  note: said(
    'Critical findings alert all the same; one finding alone is accepted with desk accept ID --why REASON',
    'Kritische Befunde melden sich trotzdem; einen einzelnen Befund nehmen Sie mit desk accept ID --why REASON an',
    'Los hallazgos críticos avisan de todos modos; un solo hallazgo se acepta con desk accept ID --why REASON',
    'Les constats critiques alertent quand même ; un seul constat s’accepte avec desk accept ID --why REASON',
  ),
};

const SYSTEMCTL = said(
  'Under systemd: systemctl stop desk ends the service, systemctl start desk starts it again; the desk answers nothing while it is off',
  'Unter systemd: systemctl stop desk beendet den Dienst, systemctl start desk startet ihn wieder; solange er aus ist, antwortet der Desk nicht',
  'Con systemd: systemctl stop desk detiene el servicio, systemctl start desk lo inicia de nuevo; mientras está parado, el desk no responde',
  'Sous systemd : systemctl stop desk arrête le service, systemctl start desk le relance ; arrêté, le desk ne répond pas',
);

export const DESK_GOALS: readonly Goal[] = [
  // Named twice: before what only says that someone is alerted.
  row('quiet', 'quiet off', 'alerts alerts', QUIET),
  row('unquiet', 'on restore', 'alerts', {
    ...{ lines: ['desk quiet end'], command: 'quiet', more: ['alerts.md', 'Quiet time'] },
  }),
  row('unaccept', 'remove restore forget', 'finding exception', {
    ...{
      lines: ['desk accept --list', 'desk accept --undo ID'],
      command: 'accept',
      more: ['law.md', 'The law'],
    },
  }),
  row('group', 'allow', 'reader page', { keys: ['access.group'] }),
  row('alert-test', 'test', 'alerts/target', {
    ...{ lines: ['desk alert test'], command: 'alert', more: ['alerts.md', 'Targets'] },
  }),
  row('alert-level', 'change off only', 'alerts/alert_me severity', {
    ...{ keys: ['alerts.least', 'alerts.to.least'], more: ['alerts.md', 'What is sent, and when'] },
  }),
  row('alert-target', 'add change on make alert export allow', 'target alerts', ALERT_TARGET),
  row('alert-rule', 'add make change allow', 'alert_rule', {
    ...{ ...ALERT_TARGET, outside: true, keys: ['alerts.least', 'alerts.to.least'] },
    note: said(
      'There are no alert rules of your own: which findings alert is decided by least, in [alerts] or of a target [[alerts.to]]',
      'Eigene Alarmregeln gibt es nicht: Welche Befunde gemeldet werden, bestimmt least, in [alerts] oder bei einem Ziel [[alerts.to]]',
      'No hay reglas de alerta propias: qué hallazgos avisan lo decide least, en [alerts] o en un destino [[alerts.to]]',
      'Il n’y a pas de règles d’alerte propres : least décide quels constats alertent, dans [alerts] ou d’une cible [[alerts.to]]',
    ),
  }),
  row('alert-list', 'show locate', 'alerts', { lines: ['desk alert'], command: 'alert' }),
  row('digest', 'add on make change alert show off', 'digest', {
    ...{ keys: ['alerts.digest.to', 'alerts.digest.at'], more: ['alerts.md', 'The daily digest'] },
  }),
  row('heartbeat', 'add on make change alert show', 'heartbeat', {
    ...{ keys: ['heartbeat.url', 'heartbeat.every_sec'], more: ['alerts.md', 'Heartbeats'] },
  }),
  row('backup', 'backup', 'all_data', {
    ...{ outside: true, word: 'state folder', more: ['configuration.md', 'The state folder'] },
    note: said(
      'No command makes a backup: stop the service and copy its state folder, /var/lib/desk of a system service, and the folder of desk.toml; baseline.key belongs beside desk.db',
      'Kein Befehl macht ein Backup: Halten Sie den Dienst an und kopieren Sie seinen Zustandsordner, /var/lib/desk bei einem Systemdienst, und den Ordner von desk.toml; baseline.key gehört neben desk.db',
      'Ninguna orden hace copias: detenga el servicio y copie su carpeta de estado, /var/lib/desk en un servicio del sistema, y la de desk.toml; baseline.key va junto a desk.db',
      'Aucune commande ne fait de sauvegarde : arrêtez le service et copiez son dossier d’état, /var/lib/desk pour un service système, et celui de desk.toml ; baseline.key va à côté de desk.db',
    ),
  }),
  row('config-file', 'locate', 'config_file', {
    ...{ lines: ['desk config check'], command: 'config check', outside: true, word: 'configuration file' },
    more: ['configuration.md', 'Search order'],
    note: said(
      'The first that exists is read: the file of $DESK_CONFIG, ~/.config/desk/desk.toml, /etc/desk/desk.toml; desk config check shows which. Without a file the defaults apply',
      'Gelesen wird die erste, die es gibt: die Datei von $DESK_CONFIG, ~/.config/desk/desk.toml, /etc/desk/desk.toml; desk config check zeigt, welche. Ohne Datei gelten die Vorgaben',
      'Se lee el primero que existe: el archivo de $DESK_CONFIG, ~/.config/desk/desk.toml, /etc/desk/desk.toml; desk config check muestra cuál. Sin archivo valen los valores por defecto',
      'Le premier qui existe est lu : le fichier de $DESK_CONFIG, ~/.config/desk/desk.toml, /etc/desk/desk.toml ; desk config check montre lequel. Sans fichier, les valeurs par défaut valent',
    ),
  }),
  row('state-folder', 'locate', 'state_folder', {
    ...{ outside: true, word: 'state folder', more: ['configuration.md', 'The state folder'] },
    note: said(
      'Everything is in the state folder: that of $DESK_STATE, /var/lib/desk of a system service, else ~/.local/state/desk; the database is desk.db in it',
      'Alles liegt im Zustandsordner: dem von $DESK_STATE, /var/lib/desk bei einem Systemdienst, sonst ~/.local/state/desk; die Datenbank darin ist desk.db',
      'Todo está en la carpeta de estado: la de $DESK_STATE, /var/lib/desk en un servicio del sistema, si no ~/.local/state/desk; la base de datos es desk.db',
      'Tout est dans le dossier d’état : celui de $DESK_STATE, /var/lib/desk pour un service système, sinon ~/.local/state/desk ; la base de données est desk.db',
    ),
  }),
  row('rootless', 'run install begin make', 'rootless', {
    ...{ lines: ['desk install --user --yes'], command: 'install' },
    more: ['privileges.md', 'With fewer privileges'],
  }),
  row('install-elsewhere', 'install run add', 'machines', {
    ...{ lines: ['desk install', 'desk install --yes'], command: 'install' },
    more: ['install.md', 'Installing the service'],
    note: said(
      'Install the package on that machine first: each desk watches only its own machine',
      'Installieren Sie zuerst das Paket auf dieser Maschine: Jeder Desk überwacht nur seine eigene',
      'Instale primero el paquete en esa máquina: cada desk vigila solo la suya',
      'Installez d’abord le paquet sur cette machine : chaque desk ne surveille que la sienne',
    ),
  }),
  row('stop-service', 'halt', 'desk_itself', {
    ...{ outside: true, note: SYSTEMCTL, more: ['install.md', 'Installing the service'] },
  }),
  row('nagios', 'run make add change show allow open install export on', 'nagios', {
    ...{ lines: ['desk check', 'desk check --warn low --crit critical'], command: 'check' },
    more: ['metrics.md', 'Nagios, Icinga and other users of monitoring plugins'],
  }),
  row('csv', 'export show make allow', 'csv history', {
    ...{ lines: ['desk history --json'], command: 'history' },
    note: said(
      'There is no CSV: every command prints JSON with --json',
      'CSV gibt es nicht: Jeder Befehl gibt mit --json JSON aus',
      'No hay CSV: todas las órdenes dan JSON con --json',
      'Il n’y a pas de CSV : chaque commande donne du JSON avec --json',
    ),
  }),
  row('csv', 'export show make allow', 'csv', {
    ...{ lines: ['desk query processes --json'], command: 'query' },
    note: said(
      'There is no CSV: every command prints JSON with --json',
      'CSV gibt es nicht: Jeder Befehl gibt mit --json JSON aus',
      'No hay CSV: todas las órdenes dan JSON con --json',
      'Il n’y a pas de CSV : chaque commande donne du JSON avec --json',
    ),
  }),
  row('export-history', 'export', 'history', { lines: ['desk history --json'], command: 'history' }),
  row('changes', 'show compare', 'changes', {
    ...{
      lines: ['desk diff yesterday', 'desk diff'],
      command: 'diff',
      more: ['diff.md', 'What has changed'],
    },
  }),
  row('status-page', 'on make show add open', 'status_page', {
    ...{ keys: ['status_page.enabled', 'status_page.sites'], more: ['sites.md', 'The status page'] },
  }),
  row('sites', 'add', 'site', {
    ...{ keys: ['sites.name', 'sites.url', 'egress.allow'], more: ['sites.md', 'Sites'] },
    note: said(
      'Add a table [[sites]] with name and url, and its host and port to egress.allow',
      'Fügen Sie eine Tabelle [[sites]] mit name und url hinzu, und Host und Port in egress.allow',
      'Añada una tabla [[sites]] con name y url, y su host y puerto en egress.allow',
      'Ajoutez une table [[sites]] avec name et url, et son hôte et son port dans egress.allow',
    ),
  }),
  row('isolate', 'isolate', 'thing', {
    ...{ outside: true, lines: ['desk quarantine list'], command: 'quarantine' },
    more: ['remedies.md', 'Remedies: what the desk changes'],
    note: said(
      'The desk isolates no programs; its quarantine is for stale files of its own. End the program yourself: systemctl stop NAME, or kill PID',
      'Der Desk isoliert keine Programme; seine Quarantäne ist für eigene veraltete Dateien. Beenden Sie das Programm selbst: systemctl stop NAME oder kill PID',
      'El desk no aísla programas; su cuarentena es para archivos propios obsoletos. Termine el programa usted: systemctl stop NOMBRE o kill PID',
      'Le desk n’isole aucun programme ; sa quarantaine est pour ses propres fichiers périmés. Arrêtez le programme vous-même : systemctl stop NOM ou kill PID',
    ),
  }),
  row('mcp', 'run make add on open change ask', 'mcp', {
    ...{ lines: ['desk mcp'], command: 'mcp', more: ['mcp.md', 'Tools for assistants of others'] },
  }),
];

/** Those that a goal of more common words goes before. */
export const LAST_GOALS: readonly Goal[] = [
  row('quiet', 'silence', 'desk_you', QUIET),
  row('history', 'show open', 'history', { lines: ['desk history'], command: 'history' }),
  row('start-service', 'begin', 'desk_itself', {
    ...{
      lines: ['desk boot'],
      command: 'boot',
      note: SYSTEMCTL,
      more: ['install.md', 'Installing the service'],
    },
  }),
  row('listen-port', 'change', 'port', {
    ...{ keys: ['listen.office.port', 'listen.control.port', 'listen.remote.port'] },
    more: ['configuration.md', 'Every key'],
  }),
];
