/** Facts of the machine and the site that no table has, or that a word of one would lead away from: connections, the kernel, command lines, bans. */
import { plain } from '../answer-builder.ts';
import { otherNamesOf } from '../families.ts';
import { plainOf } from '../grammar/read.ts';
import { said } from '../grammar/tables.ts';
import type { Query } from '../intent.ts';
import { quoted } from '../paths.ts';
import { type Fact, none, unknown } from './fact.ts';
import { SITE_FACTS } from './site-facts.ts';

const CONNECTION =
  '(?:connections?|(?:netzwerk)?verbindung(?:en)?|conexion(?:es)?|connexions?|established|remote (?:ips?|hosts?|address\\w*|peers?))';
const WHO =
  '(?:who|anyone|anybody|someone|somebody|clients?|ips?|hosts?|users?|peers?|people|wer|jemand|quien|quienes|alguien|clientes?|qui|quelqu un|combien|cuant[oa]s|how many)';
/** Not those who are signed in. */
const REMOTE = '(?:clients?|ips?|hosts?|peers?|clientes?|how many|wie viele|cuant[oa]s|combien)';
const BY = '(?:ssh|sftp|telnet|rdp|vnc|vpn|http|https|tcp|port|puerto)';
/** "Who is connected", "connected to port 22". */
const CONNECTED = `\\b${WHO}\\b.*\\b${BY} (?:connected|verbunden|conectad[oa]s?|connectee?s?)\\b|\\b${WHO}\\b.*\\b(?:connected|verbunden|conectad[oa]s?|connectee?s?) (?:to|with|from|zu|mit|von|al?|con|desde|avec|au|aux)\\b|\\b${REMOTE}\\b.*\\b(?:connected|verbunden|conectad[oa]s?|connectee?s?)\\b|\\b(?:connected|verbunden|conectad[oa]s?|connectee?s?)\\b.*\\b${BY}\\b|\\b(?:on|over|via|per|uber|por|par|en) ssh (?:right now|now|gerade|ahora|maintenant)`;

const TALKS =
  '(?:(?:what|who|whom|which \\w+)\\b.*\\btalk\\w* (?:to|with)|talk\\w* (?:to|with) (?:the )?(?:internet|outside|network|other|servers?|hosts?|ips?)|mit (?:wem|welchen \\w+) (?:redet|spricht|kommuniziert)|con (?:quien|que \\w+) (?:habla|comunica)|avec (?:qui|quels? \\w+) (?:parle|communique)|netstat)';

/** What is said of connections. */
export const NO_CONNECTIONS = said(
  'connections are not recorded: neither who is connected, nor from or to where, nor since when. What listens is known, and of each account the last login; ss shows connections',
  'Verbindungen sind nicht aufgezeichnet: weder wer verbunden ist, noch von oder nach wo, noch seit wann. Bekannt ist, was lauscht, und von jedem Konto die letzte Anmeldung; Verbindungen zeigt ss',
  'las conexiones no se registran: ni quién está conectado, ni desde o hacia dónde, ni desde cuándo. Se conoce lo que escucha y la última entrada de cada cuenta; las conexiones las muestra ss',
  'les connexions ne sont pas enregistrées : ni qui est connecté, ni d’où ou vers où, ni depuis quand. On connaît ce qui écoute, et de chaque compte la dernière connexion ; ss montre les connexions',
);

const CONNECTIONS: Fact = {
  asks: new RegExp(`\\b${CONNECTION}\\b|\\b${TALKS}\\b|${CONNECTED}`),
  // Listeners of ss and netstat, the counters of the kernel, what the desk itself reaches, logins, and how a service is reached.
  not: / -[a-z]*l|\b(?:tentatives?|echou\w*|attempts?|failed|fehlgeschlagen\w*|versuche?|fallid\w*|intentos?|since|seit|boot\w*|arranque|demarrage|accepted|opened|angenommen\w*|aceptad\w*|acceptees?|egress|allowlist|desk|hostess|leave|go out|gehen|out|draussen|aussen|salen|salientes?|sortent|sortantes?|mails?|imap|smtp|findings?|befund\w*|hallazgo\w*|constats?|last|letzte\w*|ultim[oa]s?|derniere?s?|fois|when|wann|cuando|quand|nunca|jamais|never|nie|login|password|passwort|contrasena|passe|wifi|wlan|bluetooth|cameras?|kameras?|devices?|gerate?|usb|monitors?|screens?|tunnel|may|darf|puede[n]?|peut|peuvent|can|what does|mean\w*|today|yesterday|heute|gestern|hoy|ayer|hier|aujourd|ha|han|s est|se sont|s etait|secure|safe|sicher)\b/,
  tell: none(NO_CONNECTIONS, 'desk query listeners', 'desk accounts'),
};

/** Not of the release: what the machine does. */
const OF_OTHERS =
  /\b(?:threads?|process\w*|prozess\w*|proces\w*|tasks?|hilos|fils|updates?|actualiz\w+|aktualis\w+|mise|maj|reboot\w*|restart\w*|neustart\w*|reinici\w*|redemarr\w*|modules?|source|support\w*|compat\w*|requires?|run on|works? (?:on|with)|backend|needs?|newer|desk|hostess|listen\w*|ports?|site|names? resolve|findings?|users?|accounts?|konto|benutzer|cuentas?|usuarios?|comptes?|check\w*|feature\w*|ebpf|bpf|lsm|confin\w*|wrap\w*|oom|killed?|packages?|pakete?|paquetes?|paquets?|drives?|disks?|other|dns|missing|resolv\w*)\b/;

const KERNEL: Fact = {
  asks: /\b(?:(?:what|which|whats|welche\w*|was fur|que|cual|quel\w*|version|release|running|running on)\b.*\b(?:kernel|noyau|nucleo|linux|os|operating system|betriebssystem|distro\w*|distribution|distribucion|sistema operativo|systeme d exploitation)|(?:kernel|linux|os|noyau|nucleo|betriebssystem|distro)[ -]?(?:version\w*|release|name)|uname|(?:kernel|linux|os|noyau|nucleo)\b.*\bversion)\b/,
  not: OF_OTHERS,
  tell: none(
    said(
      'no record has the version of the kernel or of the distribution; desk --version prints the release of the kernel',
      'kein Datensatz hat die Version von Kernel oder Distribution; desk --version druckt das Release des Kernels',
      'ningún registro tiene la versión del kernel o de la distribución; desk --version imprime la versión del kernel',
      'aucun relevé n’a la version du noyau ou de la distribution ; desk --version affiche la version du noyau',
    ),
    'desk --version',
  ),
};

const HOST: Fact = {
  asks: /\b(?:host ?names?|hostnamen?|nodename|(?:name|nombre|nom) (?:of|von|der|des|de|du|dieser) (?:this |the |dieser |dieses |la |esta |el |este |cette |ce )?(?:machine|server|host|box|computer|maschine|rechners?|servers|kiste|maquina|servidor|equipo|serveur|ordinateur)|(?:wie heisst|como se llama|comment s appelle) (?:dieser|diese|die|der|das|la|esta|el|este|cette|ce|le) (?:server|rechner|maschine|kiste|computer|maquina|servidor|equipo|ordenador|serveur|machine|ordinateur)|what is (?:this|the) (?:machine|server|host|box) called|(?:what|which) (?:machine|server|host) (?:is this|am i on))\b/,
  not: OF_OTHERS,
  tell: none(
    said(
      'no record has the name of the machine; hostname prints it',
      'kein Datensatz hat den Namen der Maschine; hostname druckt ihn',
      'ningún registro tiene el nombre de la máquina; hostname lo imprime',
      'aucun relevé n’a le nom de la machine ; hostname l’affiche',
    ),
    'desk vitals',
  ),
};

const STARTED =
  '(?:start\\w*|run\\w*|launch\\w*|invok\\w*|gestartet|lauft|aufgeruf\\w*|inici\\w*|lanz\\w*|ejecut\\w*|arranc\\w*|lance\\w*|demarr\\w*|tourne\\w*|process\\w*|prozess\\w*|proces\\w*|pid)';
const ARGUMENTS =
  '(?:command ?lines?|cmdlines?|arguments?|args|argv|flags|parameters?|befehlszeilen?|kommandozeilen?|argumente?n?|startparameter|parametern?|linea de comandos?|linea de ordenes|argumentos|parametros|ligne de commande|parametres)';
const NO_COMMANDS = said(
  'I read no command lines: they may have secrets in them. Known of a process are its program, user, parent and start; of a finding’s process, desk findings ID shows the command line, masked',
  'Befehlszeilen lese ich nicht: darin können Geheimnisse sein. Bekannt sind von einem Prozess Programm, Benutzer, Elternprozess und Start; die eines Befundes zeigt desk findings ID, maskiert',
  'No leo líneas de órdenes: pueden contener secretos. De un proceso se conocen el programa, el usuario, el padre y el inicio; la del proceso de un hallazgo la muestra desk findings ID, enmascarada',
  'Je ne lis pas de lignes de commande : elles peuvent contenir des secrets. D’un processus on connaît le programme, l’utilisateur, le parent et le début ; celle du processus d’un constat, desk findings ID la montre, masquée',
);
const PROGRAM = said('Its program', 'Sein Programm', 'Su programa', 'Son programme');

/** Processes of the programs that the question names, as the path of a record. */
const processOf = ({ reading, context }: Query): string | null => {
  for (const { part, value } of reading.slots) {
    if (part !== 'program') continue;
    const [found] = context.processes.named([value]);
    if (found !== undefined) return `processes[${found[0]}=${quoted(found[1])}]`;
  }
  return null;
};

const COMMAND_LINES: Fact = {
  asks: new RegExp(`\\b${ARGUMENTS}\\b.*\\b${STARTED}\\b|\\b${STARTED}\\b.*\\b${ARGUMENTS}\\b`),
  not: /\b(?:desk|hostess|how|wie|como|comment|config\w*|findings?|befund\w*|hallazgo\w*|constats?|startup|cron\w*|boot|from the command ?line|on the command ?line|secrets?|checks?)\b/,
  tell(out, told, asked) {
    out.say`${plain(told(NO_COMMANDS))}.`;
    const row = processOf(asked);
    if (row !== null) out.say`${plain(told(PROGRAM))}: ${out.ground(`${row}.executable`)}.`;
    out.suggest('desk findings');
    return false;
  },
};

export const BANNED =
  '(?:ban|bans|banned|blocked|forbidden|prohibited|gesperrt\\w*|verboten\\w*|blockiert\\w*|gebannt\\w*|verbannt\\w*|bloquead[oa]s?|prohibid[oa]s?|vetad[oa]s?|bloques?|bloquees?|interdite?s?|bannie?s?|prohibes?)';
const BANNABLE =
  '(?:ports?|puertos?|listeners?|programs?|programmes?|programme|programas?|apps?|process\\w*|prozesse?|procesos?|processus|logiciels?|aplicaciones|anwendungen)';
/** Of the ports that were asked for before. */
const WHICH_BANNED = `^[¿ ]*(?:(?:and|und|y|et|but|aber|pero|mais) )?(?:which|what|welche\\w*|die|cuales|que|los|lesquels|quels|les)(?: (?:ones?|are|sind|estan|son|sont|davon))* ${BANNED}(?: (?:sind|ports?))?[?!. ]*$`;
const OF_BANNABLE = new RegExp(`\\b${BANNABLE}\\b`);
export const IS_BANNED = said(
  'The law bans port {port}',
  'Das Gesetz verbietet Port {port}',
  'La ley prohíbe el puerto {port}',
  'La loi interdit le port {port}',
);
const NO_BANS = said(
  'The law bans no port',
  'Das Gesetz verbietet keinen Port',
  'La ley no prohíbe ningún puerto',
  'La loi n’interdit aucun port',
);
export const LISTENING = said(
  'listeners there now',
  'Listener dort jetzt',
  'escuchan allí ahora',
  'écoutent là maintenant',
);
const NO_PROGRAMS = said(
  'Programs are not banned, only ports',
  'Programme werden nicht verboten, nur Ports',
  'No se prohíben programas, solo puertos',
  'Les programmes ne sont pas interdits, seulement des ports',
);
const NO_FIREWALL = said(
  'What a firewall blocks is not read',
  'Was eine Firewall sperrt, wird nicht gelesen',
  'Lo que bloquea un cortafuegos no se lee',
  'Ce qu’un pare-feu bloque n’est pas lu',
);
const OF_PORTS = /\b(?:ports?|puertos?|listeners?)\b/;

const BANS: Fact = {
  asks: new RegExp(`\\b${BANNABLE}\\b.*\\b${BANNED}\\b|\\b${BANNED}\\b.*\\b${BANNABLE}\\b|${WHICH_BANNED}`),
  not: /\d|\b(?:keys?|config\w*|schlussel|clave|cle|why|warum|wieso|por que|pourquoi|accounts?|konten|konto|cuentas?|comptes?|users?|benutzer|usuarios?|utilisateurs?|findings?|befund\w*|check\w*|unban|list of ips|ips|addresses|adressen|happens?|passiert|pasa|passe|neither|weder|ni|up|open|running|lauft|laufen|used|waiting|io)\b/,
  where: ({ question, previous }) =>
    question.entities.ports.length === 0 &&
    (OF_BANNABLE.test(plainOf(question.text)) || /^(?:listeners|ports)\b/.test(previous ?? '')),
  tell(out, told, { question, previous }) {
    const banned = out.read<readonly number[]>('law.banned') ?? [];
    if (banned.length === 0) out.say`${plain(told(NO_BANS))} (${out.ground('law.banned.length')}).`;
    for (const [at, port] of banned.entries()) {
      out.ground(`law.banned[${at}]`);
      out.say`${plain(told(IS_BANNED).replace('{port}', String(port)))}; ${plain(told(LISTENING))}: ${out.ground(`listeners[port=${port}].length`)}.`;
    }
    if (previous === null && !OF_PORTS.test(plainOf(question.text))) out.say`${plain(told(NO_PROGRAMS))}.`;
    else out.say`${plain(told(NO_FIREWALL))}.`;
    out.suggest('desk law show');
    return true;
  },
};

const TAKES =
  '(?:eat\\w*|fill\\w*|us(?:es|ing)|tak(?:es?|ing)|hog\\w*|occup\\w*|consum\\w*|belegt|fullt|frisst|verbraucht|braucht|nimmt|llen\\w*|ocupa\\w*|com(?:e|iendo)|gasta\\w*|rempli\\w*|prend|prennent|mange\\w*|bouffe\\w*|utilise\\w*)';
const SPACE =
  '(?:disks?|(?:disk ?)?space|drives?|(?:fest)?platten?(?:platz)?|festplatte|speicherplatz|plattenspeicher|discos?|espacio|disques?|espace|place|stockage|storage)';
const FILE =
  '(?:files?|folders?|director(?:y|ies)|dateien?|ordner|verzeichniss?e?|archivos?|ficheros?|carpetas?|directorios?|fichiers?|dossiers?|repertoires?)';

const OF_PROGRAM =
  /\b(?:process\w*|prozess\w*|proces\w*|programs?|programme?s?|programas?|logiciels?|apps?|users?|benutzer|usuarios?|utilisateurs?)\b/;
const OF_SPACE = /\b(?:\w*space|\w*platz|espacio|espace|place)\b/;

/** What takes the space of a disk. */
const DISK_USE: Fact = {
  asks: new RegExp(
    `^[¿ ]*(?:what|whats|who|which|was|wer|welche\\w*|que|quien|cual\\w*|qui|quoi|qu|quel\\w*|is (?:something|anything))\\b.*\\b${TAKES}\\b.*\\b${SPACE}\\b|\\b${FILE}\\b.*\\b(?:${SPACE}|biggest|largest|grosste\\w*|mas grandes?|plus gros\\w*|size|grosse)\\b|\\b(?:biggest|largest|grosste\\w*) ${FILE}\\b|\\b(?:plus gros|mas grandes)\\b.*\\b${FILE}`,
  ),
  not: /\b(?:io|i\/o|reads?|reading|writ\w*|liest|schreib\w*|lee|escrib\w*|lit|ecrit|activity|memory|ram|cpu|swap|desk|hostess|database|history|findings?|how (?:much|many|full)|percent\w*|quarantine|filesystem|time|packages?|file systems?|ports?|config\w*|when|wann|cuando|quand)\b/,
  // A process that uses a disk reads or writes.
  where: ({ question }) => {
    const asked = plainOf(question.text);
    return !OF_PROGRAM.test(asked) || OF_SPACE.test(asked);
  },
  tell: none(
    said(
      'which files, folders or programs take the space of a disk is not measured, only how full each disk is',
      'welche Dateien, Ordner oder Programme den Platz einer Platte belegen, wird nicht gemessen, nur wie voll jede Platte ist',
      'qué archivos, carpetas o programas ocupan el espacio de un disco no se mide, solo cuán lleno está cada disco',
      'quels fichiers, dossiers ou programmes occupent la place d’un disque n’est pas mesuré, seulement le remplissage de chaque disque',
    ),
    'desk query disks',
    'desk vitals',
  ),
};

/** Of single processes. */
const EACH_PROCESS =
  /\b(?:(?:which|what|per|by|each|top) (?:process\w*|programs?|apps?)|who|whats?|wer|was|welche\w* (?:prozess\w*|programm\w*)|pro prozess|je prozess|quien|que (?:proceso|programa|usa)\w*|por proceso|qui|quels? (?:processus|programmes?)|par processus)\b/;
const SHARES_OF =
  '(?:swap|auslagerung\\w*|intercambio|network|bandwidth|traffic|netz\\w*|bandbreite|datenverkehr|red|trafico|ancho de banda|reseau|trafic|bande passante)';
const USES_MOST =
  '(?:us(?:e|es|ing|age)|most|tak\\w*|hog\\w*|eat\\w*|consum\\w*|by process|per process|per program|braucht|verbraucht|belegt|nutzt|benutzt|frisst|meisten|pro prozess|je prozess|usa\\w*|mas|ocupa|gasta|por proceso|utilis\\w*|consomm\\w*|plus|par processus)';

/** What single processes use of swap and of the network. */
const SHARES: Fact = {
  asks: new RegExp(`\\b${SHARES_OF}\\b.*\\b${USES_MOST}\\b|\\b${USES_MOST}\\b.*\\b${SHARES_OF}\\b`),
  not: /\b(?:listen\w*|ports?|puertos?|how (?:much|many|full|do|to)|wie ?viel\w*|cuant\w+|combien|why|mean\w*|desk|interfaces?|memory|ram|cpu|disk|findings?|machine|server|traffic (?:of|on|through)|eth\d|en[ops]\w*\d|wlan\w*|lo)\b/,
  where: ({ question }) => EACH_PROCESS.test(plainOf(question.text)),
  tell: none(
    said(
      'what single processes use of swap or of the network is not measured, only their CPU, memory and disk use',
      'was einzelne Prozesse an Swap oder Netz benutzen, wird nicht gemessen, nur CPU, Speicher und Plattenzugriffe',
      'qué usa cada proceso de swap o de la red no se mide, solo su CPU, memoria y uso de discos',
      'ce que chaque processus utilise de swap ou de réseau n’est pas mesuré, seulement CPU, mémoire et disques',
    ),
    'desk slow',
  ),
};

/** What is not recorded of a process. */
const DETAILS: Fact = {
  asks: /\b(?:file descriptors?|open (?:files|file handles)|nice (?:value|level)|niceness|scheduling priority|environment variables?|working director(?:y|ies)|cwd|ulimits?|cgroups?|process tree|pstree|dateideskriptor\w*|umgebungsvariablen?|arbeitsverzeichnis\w*|prozessbaum|descriptores de archivos?|variables de entorno|directorio de trabajo|arbol de procesos|descripteurs de fichiers?|variables d environnement|repertoire de travail|arbre des processus)\b/,
  not: /\b(?:desk|hostess|how (?:do|can|to)|check\w*|findings?|preload|DESK|config\w*|service|own)\b/,
  tell: none(
    said(
      'of a process are recorded its program, user, parent, state, start, threads and confinement, and not its open files, priority, environment, limits or folder',
      'von einem Prozess sind Programm, Benutzer, Elternprozess, Zustand, Start, Threads und Confinement aufgezeichnet, und nicht offene Dateien, Priorität, Umgebung, Grenzen oder Ordner',
      'de un proceso se registran programa, usuario, padre, estado, inicio, hilos y confinamiento, y no sus archivos abiertos, prioridad, entorno, límites o carpeta',
      'd’un processus sont enregistrés programme, utilisateur, parent, état, début, threads et confinement, et non ses fichiers ouverts, priorité, environnement, limites ou dossier',
    ),
    "desk query 'processes select pid, ppid, uid, comm, state, start, threads'",
  ),
};

const RAN =
  /\b(?:was|were|did|ran|lief|liefen|war|waren|gelaufen|estaba|estuvo|estaban|corria|corrio|funcionaba|ejecutaba|ha estado|etait|etaient|tournait|tournaient|a tourne|fonctionnait)\b/;
const NO_PAST = said(
  'of the past of processes nothing is recorded, only what runs now',
  'von der Vergangenheit der Prozesse ist nichts aufgezeichnet, nur was jetzt läuft',
  'del pasado de los procesos no hay nada registrado, solo lo que se ejecuta ahora',
  'rien n’est enregistré du passé des processus, seulement ce qui tourne maintenant',
);
const NOW_OF = said('Now of {name}', 'Jetzt von {name}', 'Ahora de {name}', 'Maintenant de {name}');
const SINCE = said('since', 'seit', 'desde', 'depuis');
const OTHER_TIME =
  /\b(?:start\w*|gestartet|when|wann|cuando|quand|inici\w*|arranc\w*|lanz\w*|demarr\w*|lance\w*|listen\w*|ports?|puertos?|log(?:ged|in)?\w*|findings?|befund\w*|restart\w*|memory|cpu|ram|install\w*|changed|alert\w*)\b/;

/** "Was git running yesterday": a program at a time that is over. */
const RAN_THEN: Fact = {
  asks: RAN,
  not: OTHER_TIME,
  where: ({ reading }) => {
    const { moment, slots } = reading;
    const told = slots.filter(({ part }) => part !== 'filler');
    const names = told.filter(({ part }) => part === 'program' || part === 'stranger');
    const fits = told.every(
      ({ part, value, text }) =>
        names.some((one) => one.text === text) ||
        part === 'time' ||
        part === 'kind' ||
        (part === 'verb' && value === 'run') ||
        (part === 'trait' && value === 'up') ||
        (part === 'word' && value === 'machine') ||
        (part === 'table' && value === 'processes') ||
        (part === 'facet' && value === 'program') ||
        RAN.test(plainOf(text)),
    );
    return moment !== null && moment.how !== 'since' && names.length === 1 && fits;
  },
  tell(out, told, { reading, context }) {
    const name = reading.slots.find(({ part }) => part === 'program' || part === 'stranger')?.value ?? '';
    const found = [name, ...otherNamesOf(name)].flatMap((one) => context.processes.named([one]));
    const [column, value] = found[0] ?? ['comm', name];
    const rows = `processes[${column}=${quoted(value)}]`;
    out.say`${plain(unknown(told, NO_PAST))}.`;
    const count = out.ground(`${rows}.length`);
    const start = Number(count.value) > 0 ? out.ground(`${rows}.start`) : null;
    const head = plain(told(NOW_OF).replace('{name}', name));
    if (start === null) out.say`${head}: ${count}.`;
    else out.say`${head}: ${count}, ${plain(told(SINCE))} ${start}.`;
    out.suggest(`desk query ${JSON.stringify(`processes where ${column} = ${value}`)}`);
    return false;
  },
};

export const MACHINE_FACTS: readonly Fact[] = [
  CONNECTIONS,
  KERNEL,
  HOST,
  COMMAND_LINES,
  BANS,
  DISK_USE,
  SHARES,
  DETAILS,
  RAN_THEN,
  ...SITE_FACTS,
];
