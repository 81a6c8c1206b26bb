/** Goals that are known by their thing alone, whatever is done to it: "is there a dark mode", "does it run in docker". */
import { ALERT_TARGET } from './desk-goals.ts';
import { type Goal, row } from './goal.ts';
import { said } from './table.ts';

/** A finding that is accepted until a time, and processes that no check should report. */
export const FIRST_FEATURES: readonly Goal[] = [
  row('accept-while', 'quiet off accept', 'finding while', {
    ...{ lines: ['desk accept {id} --why REASON --expires TIME'], command: 'accept' },
  }),
];

const THRESHOLD: Omit<Goal, 'id' | 'verbs' | 'things'> = {
  ...{ lines: ['desk law show'], command: 'law', more: ['vitals.md', 'What makes a finding'] },
  note: said(
    'Limits for disks, memory, pressure and temperature are thresholds of the law: in law.toml beside the configuration, below [thresholds], such as disk_free_percent or memory_available_percent; what is beyond one becomes a low finding of the check vital-sign, and findings from the severity alerts.least on are sent',
    'Grenzen für Platten, Speicher, Druck und Temperatur sind Schwellen des Gesetzes: in law.toml neben der Konfiguration, unter [thresholds], etwa disk_free_percent oder memory_available_percent; was darüber hinausgeht, wird ein Befund der Schwere low der Prüfung vital-sign, und gesendet werden Befunde ab der Schwere alerts.least',
    'Los límites de discos, memoria, presión y temperatura son umbrales de la ley: en law.toml junto a la configuración, bajo [thresholds], como disk_free_percent o memory_available_percent; lo que los pasa es un hallazgo low de la comprobación vital-sign, y se envían los hallazgos desde la gravedad alerts.least',
    'Les limites des disques, de la mémoire, de la pression et de la température sont des seuils de la loi : dans law.toml à côté de la configuration, sous [thresholds], comme disk_free_percent ou memory_available_percent ; ce qui les dépasse devient un constat low du contrôle vital-sign, et sont envoyés les constats à partir de la gravité alerts.least',
  ),
};

export const FEATURES: readonly Goal[] = [
  row('script', '', 'script', {
    ...{ lines: ['desk status', 'desk status --json', 'desk check'], command: 'check' },
    note: said(
      'The exit code of desk status is 0 when the desk is well, 1 when not, 3 when the service does not answer; every command takes --json',
      'Der Exit-Code von desk status ist 0, wenn der Desk in Ordnung ist, sonst 1, und 3, wenn der Dienst nicht antwortet; jeder Befehl nimmt --json',
      'El código de salida de desk status es 0 si el desk está bien, 1 si no, y 3 si el servicio no responde; todos los comandos aceptan --json',
      'Le code de sortie de desk status est 0 si le desk va bien, 1 sinon, et 3 si le service ne répond pas ; chaque commande prend --json',
    ),
  }),
  row('threshold', '', 'threshold resource', THRESHOLD),
  row('alert-threshold', '', 'alerts/alert_me resource', THRESHOLD),
  row('dark', '', 'dark', {
    ...{ keys: ['theme.dark', 'theme'], more: ['pages.md', 'Theme'] },
    note: said(
      'Yes: all pages follow the system for light and dark; these keys give the themed page colours of its own',
      'Ja: alle Seiten folgen dem System bei hell und dunkel; diese Schlüssel geben der Seite themed eigene Farben',
      'Sí: todas las páginas siguen al sistema en claro y oscuro; estas claves dan a la página themed colores propios',
      'Oui : toutes les pages suivent le système, clair ou sombre ; ces clés donnent à la page themed ses propres couleurs',
    ),
  }),
  row('completion', '', 'completions', { lines: ['desk completion bash'], command: 'completion' }),
  row('sql', '', 'sql', {
    ...{ lines: ['desk query --tables'], command: 'query', more: ['query.md', 'Grammar'] },
    note: said(
      'It is a language of its own, not SQL: a table with select, where, group by, order by and limit',
      'Es ist eine eigene Sprache, kein SQL: eine Tabelle mit select, where, group by, order by und limit',
      'Es un lenguaje propio, no SQL: una tabla con select, where, group by, order by y limit',
      'C’est un langage à part, pas du SQL : une table avec select, where, group by, order by et limit',
    ),
  }),
  row('metrics', '', 'dashboards', { endpoint: 'GET /metrics', more: ['metrics.md', 'Dashboards'] }),
  row('mcp', '', 'mcp', {
    ...{ lines: ['desk mcp'], command: 'mcp', more: ['mcp.md', 'Tools for assistants of others'] },
  }),
  row('assistant', '', 'language_model', {
    ...{ keys: ['assistant.base_url', 'assistant.model'], more: ['assistant.md', 'On this machine'] },
  }),
  row('container', '', 'container', {
    ...{ lines: ['desk doctor'], command: 'doctor' },
    more: ['container.md', 'In a container'],
    note: said(
      'Start it with --pid=host and --network=host, or it sees the container alone',
      'Starten Sie ihn mit --pid=host und --network=host, sonst sieht er nur den Container',
      'Inícielo con --pid=host y --network=host, o solo verá el contenedor',
      'Lancez-le avec --pid=host et --network=host, sinon il ne voit que le conteneur',
    ),
  }),
  row('sites', '', 'several_sites', {
    ...{ keys: ['sites.name', 'sites.url', 'egress.allow'], more: ['sites.md', 'Sites'] },
    note: said(
      'Yes: a table [[sites]] for each, with name and url, and its host in egress.allow',
      'Ja: je eine Tabelle [[sites]] mit name und url, und der Host in egress.allow',
      'Sí: una tabla [[sites]] para cada uno, con name y url, y su host en egress.allow',
      'Oui : une table [[sites]] pour chacun, avec name et url, et son hôte dans egress.allow',
    ),
  }),
  row('period', '', 'how_often looks', {
    ...{ keys: ['loop.recheck_ms', 'slow.every_sec'], more: ['engine.md', 'How old a fact can be'] },
  }),
  row('rootless', '', 'needs_root/rootless', {
    ...{ lines: ['desk install --user --yes'], command: 'install' },
    more: ['privileges.md', 'With fewer privileges'],
    note: said(
      'No, but without root it sees less: desk doctor shows what',
      'Nein, aber ohne root sieht er weniger: desk doctor zeigt, was fehlt',
      'No, pero sin root ve menos: desk doctor muestra qué falta',
      'Non, mais sans root il voit moins : desk doctor montre ce qui manque',
    ),
  }),
  row('heartbeat', '', 'heartbeat', {
    ...{ keys: ['heartbeat.url', 'heartbeat.every_sec'], more: ['alerts.md', 'Heartbeats'] },
  }),
  row('digest', '', 'digest', {
    ...{ keys: ['alerts.digest.to', 'alerts.digest.at'], more: ['alerts.md', 'The daily digest'] },
  }),
  row('nagios', '', 'nagios', {
    ...{ lines: ['desk check', 'desk check --warn low --crit critical'], command: 'check' },
    more: ['metrics.md', 'Nagios, Icinga and other users of monitoring plugins'],
  }),
  row('csv', '', 'csv', { lines: ['desk query processes --json'], command: 'query' }),
  row('status-page', '', 'status_page', {
    ...{ keys: ['status_page.enabled', 'status_page.sites'], more: ['sites.md', 'The status page'] },
  }),
  row('alert-target', '', 'messengers', ALERT_TARGET),
  row('other-port', '', 'other_port', {
    ...{ keys: ['listen.office.port', 'listen.control.port', 'listen.remote.port'] },
    more: ['configuration.md', 'Every key'],
  }),
  row('access', '', 'page who_may', {
    ...{ keys: ['access.group'], more: ['security.md', 'Access to the service'] },
  }),
  row('api', '', 'interface_api', {
    ...{ endpoint: 'GET /openapi.json', more: ['operations.md', 'Operations'] },
  }),
  row('egress', '', 'sent_out', {
    ...{ keys: ['egress.allow', 'egress.private'], more: ['security.md', 'What leaves this machine'] },
    note: said(
      'The desk connects only to the hosts and ports that this key lists',
      'Der Desk verbindet sich nur mit den Hosts und Ports, die dieser Schlüssel nennt',
      'El desk solo se conecta a los hosts y puertos que esta clave nombra',
      'Le desk ne se connecte qu’aux hôtes et ports que cette clé nomme',
    ),
  }),
];

/** What names a feature, beside the things of other goals. */
export const FEATURE_THINGS = {
  while:
    'for a while|for a bit|for a day|for a week|for an hour|for now|temporar*|until|till|for \\d+ \\p{L}+|vorubergehend|zeitweise|eine zeit lang|zeitlang|fur \\d+ \\p{L}+|fur eine (?:stunde|woche)|bis|por un rato|por un tiempo|temporal*|hasta|un moment|pour un temps|jusqu*',
  script:
    'script|scripts|scripting|shell script*|bash script*|skript*|exit code*|exitcode*|exit-code*|exit status*|return code*|return value*|ruckgabewert*|ruckgabecode*|codigo* de salida|codigo* de retorno|code* de sortie|code* de retour|code* retour|ci pipeline|ci|ci/cd|guion|programmatically|automatisier*|automatiz*|automatis*|automate',
  threshold:
    'threshold*|limit|limits|schwell*|schwellwert*|schwellenwert*|grenzwert*|grenze|grenzen|umbral*|limite*|seuil*|warn level*|when … full|when … fills|when … runs out|when … low|when … high|wenn … voll|wenn … knapp|cuando … llen*|quand … plein*|quand … sature*',
  alert_me:
    'alert me|alert us|warn me|warn us|notify me|notify us|tell me when|ping me|mail me|email me|warne mich|benachrichtig* mich|sag* … bescheid|avisame|avisa* … cuando|alertame|previens moi|prevenez moi|avertis moi|alerte moi|be alerted|be warned|get alerted|get warned|einen alarm|una alerta|une alerte|an alert',
  resource:
    'disk*|hard drive*|drive|memory|ram|cpu|load|swap|space|inode*|temperature*|diskspace|festplatte*|platte|platten|plattenplatz|speicher*|arbeitsspeicher*|auslastung|temperatur*|disco*|memoria|carga|espacio|temperatura|disque*|memoire|charge|espace|vital*',
  dark: 'light mode|light theme|helles? (?:design|theme|thema|modus)|modo claro|theme clair|mode clair|dark mode|dark theme|dark design|dark page*|dark ui|page* … dark|it dark|it … dark|darkmode|night mode|dunkel*|dunkl*|nachtmodus|modo oscuro|tema oscuro|oscur*|mode sombre|theme sombre|sombre*|mode nuit|modo noche|modo nocturno',
  completions:
    'completion|completions|tab complet*|shell complet*|autocomplet*|auto-complet*|vervollstandig*|autovervollstandig*|autocompletad*|completado|autocompletion',
  sql: 'sql|sql-like|sql-artig*|own queries|custom quer*|ad hoc quer*|ad-hoc quer*|eigene abfragen|abfragesprache|query language|consultas propias|lenguaje de consulta*|requetes|langage de requete*',
  dashboards: 'grafana|grafana dashboard*|prometheus|openmetrics|metrics endpoint',
  language_model:
    'ai assistant|language model|llm|ollama|openai|chatgpt|ki-assistent*|ki assistent*|ki-modell*|sprachmodell*|modelo de lenguaje|asistente de ia|modele de langage|assistant ia|local model*|lokales modell',
  several_sites:
    '(?:several|multiple|many|two|three|further|more|other|additional) (?:web)?sites|(?:several|multiple|many|more|two|three) (?:web ?sites|domains|urls|pages)|(?:a second|another|one more) (?:web)? ?site|more than one (?:web)?site|(?:mehrere|weitere|viele|zwei) (?:web)?(?:seiten|sites)|mehr als eine (?:web)?(?:seite|site)|(?:eine )?(?:zweite|weitere|andere) (?:web)?(?:seite|site)|otra (?:web|pagina)|otro sitio|segund[oa] (?:sitio|web|pagina)|un (?:autre|deuxieme|second) site|(?:varios|mas|otros) sitios|(?:varias|mas|otras) (?:webs|paginas)|mas de un sitio|plusieurs (?:sites|pages)|d autres sites|plus d un site',
  how_often:
    'how often|how frequently|at what interval|wie oft|wie haufig|in welchem abstand|cada cuanto|con que frecuencia|a quelle frequence|tous les combien|combien de fois|combien de temps entre',
  looks:
    'do you check|it checks?|does it … check|check|checks|scan|scans|look|looks|sweep|sweeps|poll|polls|recheck|pruf*|schau*|scann*|nachseh*|siehst|comprueb*|revis*|mira|escane*|verifi*|controle|controles|analys*|regarde*|scanne*',
  other_port:
    'another port|a different port|anderen port|anderer port|otro puerto|autre port|port other than',
  who_may:
    'who can|who may|wer kann|wer darf|quien puede|qui peut|several people|multiple users|several users|more than one person|mehrere leute|mehrere benutzer|mehrere personen|varias personas|varios usuarios|plusieurs personnes|plusieurs utilisateurs',
  interface_api:
    'api|rest api|http api|rest-api|http-api|openapi|rest interface|rest-schnittstelle|schnittstelle|swagger',
  sent_out:
    'sent anywhere|data … sent|data … shared|daten … gesendet|daten … weitergegeben|daten … verschickt|datos … enviados|se envian datos|donnees … envoyees|phone home|phones home|phoning home|call home|telemetry|send data|sends data|send any data|send … my data|send … data to|share … data|upload … data|send anything|send … outside|send … internet|leaves this machine|leave this machine|leave the machine|data leave*|nach hause telefonier*|nach hause|telemetrie|daten verschick*|schickt … daten|schickst … daten|sendest … daten|sendet … daten|daten … internet|telemetria|envia datos|enviar datos|manda datos|datos … fuera|envoie … donnees|envoyer … donnees|donnees … exterieur',
  needs_root:
    '(?:need|needs|require|requires|requiring) (?:root|sudo|to be root|root rights|root privileges|to run as root)|(?:have|has) to (?:be|run as) root|must (?:i|it) (?:be|run as) root|(?:brauche?|braucht|benotig\\p{L}*) … (?:root|sudo)|muss … root|(?:necesit\\p{L}*|hace falta|requiere) … root|(?:besoin|faut il) … root|root (?:needed|required|notig|necesario|necessaire)',
  messengers:
    'slack|discord|telegram|ntfy|pagerduty|alertmanager|mattermost|rocketchat|gotify|pushover|matrix|microsoft teams',
} as const;

/** Asks whether the desk has or does something. */
export const ASKS_FEATURE =
  /^(?:(?:so|and|but|und|aber|y|pero|et|mais) )?(?:(?:is|are|do|does) (?:my |any |our |the |your )*(?:data|information|telemetry)\b|werden (?:meine |irgendwelche )?daten\b|se envian|mes donnees|is there (?:also |even )?(?:an? |any |some )?|are there (?:any )?|(?:does|can|could|will) (?:it|this|this thing|this tool|the desk|desk|hostess|hostess desk|you|she)\b|do (?:i|we) (?:need|have|must|also)|do you (?:support|have|offer|know|do|speak|integrate|work)|(?:is it|would it be) possible|possible to|what(?: are| is| s)? (?:the )?(?:exit|return)|what (?:do|would|will) (?:i|we) (?:lose|miss)|who (?:can|may) (?:open|see|access|read|use)|wer (?:kann|darf)|quien puede|qui peut|was verliere ich|que pierdo|que perd|which (?:exit|return)|how often|how frequently|must (?:i|it)|gibt es|hat (?:er|es|das|der desk)|(?:kann|konnte) (?:er|es|das|der desk|desk|man|ich|du)\b|geht (?:das|es|auch)|(?:brauche|brauch|benotige|muss) (?:ich|man)?|(?:braucht|unterstutzt|kannst|lauft) (?:er|es|das|man|du|der desk|desk)?|wie oft|wie haufig|welche[nr]? (?:exit|ruckgabe)|hay|tiene|existe|se puede|puede|puedo|soporta|necesito|necesita|hace falta|es posible|cada cuanto|con que frecuencia|que codigo|que codigos|funciona|y a t il|il y a|est ce (?:qu il|qu elle|que (?:le )?desk|qu on|que ca|que c est|possible)|peut (?:il|on|elle)|puis je|existe t il|a t il|gere t il|faut il|ai je besoin|a quelle frequence|tous les combien|quels? codes?|quel code|c est possible|on peut|ca marche|ca tourne)/u;
