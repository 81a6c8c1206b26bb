/** Goals: what is done to what, and the commands, keys and endpoints for it. A row may be named only if its commands and keys exist. */

import { ALERT_TARGET, DESK_GOALS, LAST_GOALS } from './desk-goals.ts';
import { FEATURES, FIRST_FEATURES } from './feature-goals.ts';
import { type Goal, row } from './goal.ts';
import { CLOSE_FINDING, MACHINE_GOALS } from './machine-goals.ts';
import { type Said, said } from './tables.ts';

export type { Goal } from './goal.ts';

const LAW = (en: string, de: string, es: string, fr: string): Said =>
  said(
    `${en}, in law.toml beside the configuration; check it with desk law check`,
    `${de}, in law.toml neben der Konfiguration; desk law check prüft es`,
    `${es}, en law.toml junto a la configuración; compruébelo con desk law check`,
    `${fr}, dans law.toml à côté de la configuration ; vérifiez avec desk law check`,
  );

const EXCLUDED = LAW(
  'An entry [[except]] with check, executable or path (an end of * is a prefix) and why',
  'Ein Eintrag [[except]] mit check, executable oder path (ein * am Ende ist ein Präfix) und why',
  'Una entrada [[except]] con check, executable o path (un * final es un prefijo) y why',
  'Une entrée [[except]] avec check, executable ou path (un * final est un préfixe) et why',
);

const ALLOW_PORT = (verbs: string, things: string): Goal =>
  row('allow-port', verbs, things, {
    ...{ command: 'law', more: ['law.md', 'The files'] },
    note: LAW(
      'What may listen is allowed by an entry [[listen]] with port = {port} and why',
      'Was lauschen darf, erlaubt ein Eintrag [[listen]] mit port = {port} und why',
      'Lo que puede escuchar se permite con una entrada [[listen]] con port = {port} y why',
      'Ce qui peut écouter est autorisé par une entrée [[listen]] avec port = {port} et why',
    ),
  });

const BANNED = {
  keys: ['banned.also', 'banned.shut_down'],
  note: said(
    'Under [banned], also = [{port}] bans a port',
    'Unter [banned] verbietet also = [{port}] einen Port',
    'Bajo [banned], also = [{port}] prohíbe un puerto',
    'Sous [banned], also = [{port}] interdit un port',
  ),
};

export const GOALS: readonly Goal[] = [
  CLOSE_FINDING,
  ALLOW_PORT('allow accept add change make exclude open', 'port allowed'),
  ...FIRST_FEATURES,
  row('exclude', 'exclude', 'thing check', {
    ...{ lines: ['desk law show'], command: 'law' },
    note: EXCLUDED,
  }),
  row('exclude', 'exclude', 'thing', { ...{ lines: ['desk law show'], command: 'law' }, note: EXCLUDED }),
  row('exclude', 'exclude', 'check', { ...{ lines: ['desk law show'], command: 'law' }, note: EXCLUDED }),
  row('unban', 'unban', 'port/banned', {
    keys: ['banned.also'],
    note: said(
      'A port is closed by the desk only where it is banned: take {port} out of this list. The desk has no firewall: what another program blocks, nftables or ufw opens',
      'Der Desk schließt einen Port nur, wenn er verboten ist: Nehmen Sie {port} aus dieser Liste. Eine Firewall hat der Desk nicht: was ein anderes Programm sperrt, öffnet nftables oder ufw',
      'El desk solo cierra un puerto si está prohibido: quite {port} de esta lista. El desk no tiene cortafuegos: lo que bloquea otro programa lo abre nftables o ufw',
      'Le desk ne ferme un port que s’il est interdit : retirez {port} de cette liste. Le desk n’a pas de pare-feu : ce qu’un autre programme bloque, nftables ou ufw l’ouvre',
    ),
  }),
  row('ban', 'ban', 'port', BANNED),
  row('disallow-port', 'disallow', 'port', {
    ...{ command: 'law', more: ['law.md', 'The files'] },
    note: said(
      'Remove the entry [[listen]] with port = {port} from law.toml; what the baseline has learned stays known, until desk baseline restore goes back to a generation without it',
      'Entfernen Sie den Eintrag [[listen]] mit port = {port} aus law.toml; was die Baseline gelernt hat, bleibt bekannt, bis desk baseline restore zu einer Generation ohne ihn zurückgeht',
      'Quite la entrada [[listen]] con port = {port} de law.toml; lo que la línea base aprendió sigue conocido hasta que desk baseline restore vuelva a una generación sin él',
      'Retirez l’entrée [[listen]] avec port = {port} de law.toml ; ce que la référence a appris reste connu, jusqu’à ce que desk baseline restore revienne à une génération sans lui',
    ),
  }),
  ...DESK_GOALS,
  row('end-exception', 'change add make accept show', 'exception end', {
    ...{ lines: ['desk accept {id} --why REASON --expires TIME'], command: 'accept' },
    note: said(
      'Without --expires an exception has no end; its class of finding stays accepted until you take it back with desk accept --undo ID',
      'Ohne --expires hat eine Ausnahme kein Ende; sie gilt, bis Sie sie mit desk accept --undo ID zurücknehmen',
      'Sin --expires una excepción no tiene fin; vale hasta que la retire con desk accept --undo ID',
      'Sans --expires une exception n’a pas de fin ; elle vaut jusqu’à ce que vous la retiriez avec desk accept --undo ID',
    ),
  }),
  row('unaccept', 'remove restore forget off', 'exception', {
    ...{ lines: ['desk accept --list', 'desk accept --undo ID'], command: 'accept' },
    note: said(
      'The list has the id; an exception of law.toml is removed in that file',
      'Die Liste hat die Kennung; eine Ausnahme in law.toml entfernen Sie in dieser Datei',
      'La lista tiene el id; una excepción de law.toml se quita en ese archivo',
      'La liste donne l’identifiant ; une exception de law.toml se retire dans ce fichier',
    ),
  }),
  row('list-exceptions', 'show', 'exception', { lines: ['desk accept --list'], command: 'accept' }),
  row('accept', 'accept add off allow make', 'exception', {
    lines: ['desk accept {id} --why REASON'],
    command: 'accept',
  }),
  row('accept', 'accept off', 'finding', { lines: ['desk accept {id} --why REASON'], command: 'accept' }),
  row('accept', 'accept add off allow make', 'finding exception', {
    lines: ['desk accept {id} --why REASON'],
    command: 'accept',
  }),
  row('compare', 'compare', 'baseline', {
    lines: ['desk baseline diff', 'desk baseline diff {before} {held}'],
    command: 'baseline',
  }),
  row('compare', 'compare', 'generation', {
    lines: ['desk baseline diff {before} {held}', 'desk baseline list'],
    command: 'baseline',
  }),
  row('restore', 'restore', 'baseline', { lines: ['desk baseline restore {before}'], command: 'baseline' }),
  row('forget', 'forget remove', 'baseline', {
    ...{ lines: ['desk baseline restore {before}'], command: 'baseline' },
    note: said(
      'One identity alone cannot be forgotten: you go back to a generation that did not have it',
      'Eine einzelne Identität lässt sich nicht vergessen: Sie gehen zu einer Generation zurück, die sie nicht hatte',
      'Una identidad sola no se puede olvidar: se vuelve a una generación que no la tenía',
      'Une identité seule ne peut être oubliée : on revient à une génération qui ne l’avait pas',
    ),
  }),
  row('list-baseline', 'show', 'generation', { lines: ['desk baseline list'], command: 'baseline' }),
  row('window', 'learn open add make', 'window', {
    lines: ['desk secure learn once --window MINUTES'],
    command: 'secure learn',
  }),
  row('learn', 'learn', 'state', { lines: ['desk secure learn once'], command: 'secure learn' }),
  row('learn', 'learn add make', 'baseline', { lines: ['desk secure learn once'], command: 'secure learn' }),
  row('learn', 'learn accept', 'thing', { lines: ['desk secure learn once'], command: 'secure learn' }),
  row('learn', 'learn', 'port', { lines: ['desk secure learn once'], command: 'secure learn' }),
  row('require', 'add on change make', 'port required', {
    ...{ keys: ['ports.name', 'ports.port', 'ports.required'] },
    note: said(
      'Add a table [[ports]] with name, port and required = true',
      'Fügen Sie eine Tabelle [[ports]] mit name, port und required = true hinzu',
      'Añada una tabla [[ports]] con name, port y required = true',
      'Ajoutez une table [[ports]] avec name, port et required = true',
    ),
  }),
  row('unrequire', 'remove off', 'port required', {
    ...{ keys: ['ports', 'ports.required'] },
    note: said(
      'Set required = false in its table [[ports]], or remove the table',
      'Setzen Sie in seiner Tabelle [[ports]] required = false, oder entfernen Sie die Tabelle',
      'Ponga required = false en su tabla [[ports]], o quite la tabla',
      'Mettez required = false dans sa table [[ports]], ou retirez la table',
    ),
  }),
  row('watch-port', 'add', 'desk_port', {
    ...{ keys: ['ports.name', 'ports.port', 'ports.required'] },
    note: said(
      'Add a table [[ports]] with name and port',
      'Fügen Sie eine Tabelle [[ports]] mit name und port hinzu',
      'Añada una tabla [[ports]] con name y port',
      'Ajoutez une table [[ports]] avec name et port',
    ),
  }),
  row('watch-port', 'add', 'port', {
    ...{ keys: ['ports.name', 'ports.port', 'ports.required'] },
    note: said(
      'Add a table [[ports]] with name and port; with required = false it is no issue when it is down',
      'Fügen Sie eine Tabelle [[ports]] mit name und port hinzu; mit required = false ist es kein Problem, wenn er unten ist',
      'Añada una tabla [[ports]] con name y port; con required = false no es un problema que esté caído',
      'Ajoutez une table [[ports]] avec name et port ; avec required = false, un port arrêté n’est pas un problème',
    ),
  }),
  row('ban', 'add kill change', 'port banned', BANNED),
  ALLOW_PORT('allow accept open', 'port'),
  row('off-check', 'off remove', 'check', {
    ...{ lines: ['desk law show'], command: 'law' },
    note: LAW(
      'A check is not turned off as a whole; an entry [[except]] with check and one more condition excepts what you name',
      'Eine Prüfung wird nicht ganz abgeschaltet; ein Eintrag [[except]] mit check und why nimmt aus, was er nennt',
      'Una comprobación no se apaga entera; una entrada [[except]] con check y why exceptúa lo que nombra',
      'Un contrôle ne se coupe pas entièrement ; une entrée [[except]] avec check et why excepte ce qu’elle nomme',
    ),
  }),
  row('accept', 'hush', '', { lines: ['desk accept {id} --why REASON'], command: 'accept' }),
  row('exclude', 'off accept', 'check path', {
    ...{ lines: ['desk law show'], command: 'law' },
    note: EXCLUDED,
  }),
  row('exclude', 'off accept', 'path', {
    ...{ lines: ['desk law show'], command: 'law' },
    note: EXCLUDED,
  }),
  row('period', 'change', 'period', { keys: ['loop.recheck_ms', 'slow.every_sec'] }),
  row('gate', 'run', 'gate', { lines: ['desk scar check'], command: 'scar check' }),
  row('gate-history', 'show', 'gate history', { lines: ['desk history'], command: 'history' }),
  row('recheck', 'run', 'now', { lines: ['desk scar check'], command: 'scar check' }),
  row('cook', 'fix run', 'remedies', { lines: ['desk scar cook check'], command: 'scar cook' }),
  row('findings-time', 'show', 'finding time', {
    lines: ['desk findings --since today'],
    command: 'findings',
  }),
  row('findings-severity', 'show', 'finding severity', {
    lines: ['desk findings --severity high'],
    command: 'findings',
  }),
  row('findings-history', 'show', 'finding history', {
    lines: ['desk history --since yesterday'],
    command: 'history',
  }),
  row('explain', 'explain', 'finding', { lines: ['desk findings {id}'], command: 'findings' }),
  row('export-people', 'export', 'person', { lines: ['desk people export vcard'], command: 'people' }),
  row('export-findings', 'export', 'finding', { lines: ['desk findings --json'], command: 'findings' }),
  row('export', 'export', 'list', {
    ...{ lines: ['desk query processes --json'], command: 'query', endpoint: 'GET /h7/processes' },
  }),
  row('export', 'export', 'thing', {
    ...{ lines: ['desk query processes --json'], command: 'query', endpoint: 'GET /h7/processes' },
  }),
  row('export', 'export', 'json', {
    ...{ lines: ['desk status --json'], command: 'status' },
    note: said(
      'Every command takes --json',
      'Jeder Befehl nimmt --json',
      'Todos los comandos aceptan --json',
      'Chaque commande accepte --json',
    ),
  }),
  row('findings', 'show', 'finding', { lines: ['desk findings'], command: 'findings' }),
  row('query', 'ask', 'table', { lines: ['desk query --tables'], command: 'query' }),
  row('ask', 'ask', 'api', {
    lines: ['desk ask QUESTION'],
    command: 'ask',
    endpoint: 'POST /h7/think',
  }),
  row('ask', 'ask', 'you', { lines: ['desk ask QUESTION'], command: 'ask' }),
  row('revoke-token', 'remove kill', 'token', { lines: ['desk token revoke NAME'], command: 'token' }),
  row('list-tokens', 'show', 'token', { lines: ['desk token list'], command: 'token' }),
  row('token', 'make add', 'token machines/elsewhere', {
    lines: ['desk token make NAME'],
    command: 'token',
  }),
  row('token', 'make add', 'token', { lines: ['desk token make NAME'], command: 'token' }),
  row('remote', 'show open allow on make', 'elsewhere', {
    ...{
      keys: ['listen.remote', 'listen.remote.enabled'],
      lines: ['desk token make NAME'],
      command: 'token',
    },
  }),
  row('open', 'open show', 'page', { lines: ['desk open'], command: 'open' }),
  row('group', 'allow add change', 'group', { keys: ['access.group'] }),
  row('group', 'allow', 'reader', { keys: ['access.group'] }),
  row('uninstall', 'uninstall', '', {
    lines: ['desk uninstall', 'desk uninstall --yes'],
    command: 'uninstall',
  }),
  row('update', 'update', 'service', {
    ...{ lines: ['desk install --yes'], command: 'install' },
    note: said(
      'Install the new version of the package first',
      'Installieren Sie zuerst die neue Version des Pakets',
      'Instale primero la nueva versión del paquete',
      'Installez d’abord la nouvelle version du paquet',
    ),
  }),
  row('install', 'install', 'service', { lines: ['desk install', 'desk install --yes'], command: 'install' }),
  row('alerts', 'alert', '', ALERT_TARGET),
  row('logs', 'show change open make locate', 'log', {
    ...{ outside: true, lines: ['desk history'], command: 'history' },
    note: said(
      'The service writes its log to stderr, under systemd to the journal: journalctl -u desk; DESK_LOG_LEVEL=debug shows more. What happened on the machine is in the history',
      'Der Dienst schreibt sein Log nach stderr, unter systemd ins Journal: journalctl -u desk; DESK_LOG_LEVEL=debug zeigt mehr. Was auf der Maschine geschah, hat der Verlauf',
      'El servicio escribe su registro en stderr, con systemd en el journal: journalctl -u desk; DESK_LOG_LEVEL=debug muestra más. Lo ocurrido en la máquina está en el historial',
      'Le service écrit son journal sur stderr, sous systemd dans le journal : journalctl -u desk ; DESK_LOG_LEVEL=debug en montre plus. Ce qui s’est passé est dans l’historique',
    ),
  }),
  row('mail-password', 'change add', 'mail password', { keys: ['mail.password_file'] }),
  row('mail-source', 'change add on', 'mail', { keys: ['mail.sources', 'identity'] }),
  row('forget-person', 'forget remove', 'person', {
    lines: ['desk people forget ADDRESS'],
    command: 'people',
  }),
  row('permission', 'allow add', 'person mail', {
    ...{ outside: true, lines: ['desk people'], command: 'people' },
    note: said(
      'There are no permissions of correspondents: the ledger only notes with whom there was mail',
      'Berechtigungen für Korrespondenten gibt es nicht: das Verzeichnis hält nur fest, mit wem es Mail gab',
      'No hay permisos para corresponsales: el registro solo anota con quién hubo correo',
      'Il n’y a pas d’autorisations de correspondants : le registre note seulement avec qui il y a eu du courrier',
    ),
  }),
  row('site', 'add change make on', 'site', { keys: ['site.public_url', 'egress.allow'] }),
  row('proxy', 'change run add install', 'proxy', {
    keys: ['listen.remote.trusted_proxies', 'listen.remote.tls'],
  }),
  row('container', 'run install change add', 'container', {
    ...{ lines: ['desk doctor'], command: 'doctor' },
    note: said(
      'Start it with --pid=host and --network=host, or it sees the container alone; docs/container.md has the whole command',
      'Starten Sie ihn mit --pid=host und --network=host, sonst sieht er nur den Container; docs/container.md hat den ganzen Befehl',
      'Inícielo con --pid=host y --network=host, o solo verá el contenedor; docs/container.md tiene la orden completa',
      'Lancez-le avec --pid=host et --network=host, sinon il ne voit que le conteneur ; docs/container.md donne la commande entière',
    ),
  }),
  row('metrics', 'make show export open change ask run', 'metrics', {
    endpoint: 'GET /metrics',
    more: ['metrics.md', 'Prometheus'],
  }),
  ...MACHINE_GOALS,
  row('unquarantine', 'restore', 'quarantine', {
    lines: ['desk quarantine list', 'desk quarantine restore ID'],
    command: 'quarantine',
  }),
  row('quarantine', 'show remove', 'quarantine', { lines: ['desk quarantine list'], command: 'quarantine' }),
  row('theme', 'change', 'theme', { keys: ['theme', 'theme.accent'] }),
  row('assistant', 'change add on', 'assistant', { keys: ['assistant.base_url', 'assistant.model'] }),
  row('completion', 'on add install make', 'completion', {
    lines: ['desk completion bash'],
    command: 'completion',
  }),
  row('command-lines', 'off change show', 'command_line', { keys: ['privacy.command_lines'] }),
  row('config-check', 'show run', 'config', { lines: ['desk config check'], command: 'config check' }),
  row('restart', 'restart', 'config/service', {
    ...{ outside: true, lines: ['desk config check'], command: 'config check' },
    note: said(
      'systemctl reload desk reads the configuration again (SIGHUP), systemctl restart desk starts the service anew',
      'systemctl reload desk liest die Konfiguration neu (SIGHUP), systemctl restart desk startet den Dienst neu',
      'systemctl reload desk vuelve a leer la configuración (SIGHUP), systemctl restart desk reinicia el servicio',
      'systemctl reload desk relit la configuration (SIGHUP), systemctl restart desk redémarre le service',
    ),
  }),
  row('hidden', 'show run', 'hidden', { lines: ['desk hidden pid', 'desk hidden port'], command: 'hidden' }),
  row('blindness', 'show fix', 'blindness', { lines: ['desk doctor'], command: 'doctor' }),
  row('files', 'fix remove', 'files', { lines: ['desk field clear soft'], command: 'field clear' }),
  row('bench', 'run show', 'speed', { lines: ['desk bench'], command: 'bench' }),
  row('review', 'show', 'baseline', {
    lines: ['desk baseline list', 'desk baseline review'],
    command: 'baseline',
  }),
  ...LAST_GOALS,
  ...FEATURES,
];
