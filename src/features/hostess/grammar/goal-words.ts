/**
 * Words of goals in English, German, Spanish and French together, by what they mean: what is done, and to what. They are compared with a
 * text without marks and capitals. `*`: any ending, ` … `: other words between, as in "nehme … an".
 */
import { FEATURE_THINGS } from './feature-goals.ts';

const VERBS = {
  disallow: 'stop allow*|no longer allow*|nicht mehr erlaub*|deja* de permit*|ne plus autoris*',
  ban: 'forbid*|ban|bans|banning|disallow*|prohibit*|verbiet*|interdi*|prohib*|untersag*',
  exclude:
    'exempt*|exclud*|exclu*|ausnehm*|nehm* … aus|nimmt … aus|ausschliess*|schliess* … aus|exceptu*|leave … alone|leave out|in ruhe lass*|lass* … in ruhe|whitelist*',
  accept:
    'acknowledg*|ack|dismiss*|quittier*|bestatig*|erledig*|abhak*|hake … ab|reconoc*|descart*|acquitt*|accept*|approv*|whitelist*|tolerat*|excus*|trust*|mark*|akzeptier*|annehm*|nehm* … an|nimmt … an|nehm* … auf|genehmig*|freigeb*|geb* … frei|acept*|aprueb*|aprob*|accepte*|approuv*|tell … ok|tell … fine|tell … normal|tell … good|tell … wanted|tell … purpose',
  allow:
    'allow*|let|lets|permit*|permission*|grant*|give access|erlaub*|zulass*|lass* … zu|berechtig*|zugriff|lesen|lasse|autoriz*|autoris*|permis*|permet*|dejar|dejo|laiss*|acceder|acces|acceso|leer|lire|read',
  off: 'disabl*|turn* off|turn … off|switch* off|switch … off|mute*|muting|silenc*|suppress*|ignor*|skip*|exclud*|exempt*|deaktivier*|abschalt*|ausschalt*|schalt* … ab|schalt* … aus|stell* … ab|stumm*|unterdruck*|ausnehm*|nehm* … aus|nimmt … aus|ausschliess*|schliess* … aus|desactiv*|deshabilit*|apag*|silenci*|exclu*|couper|coupe|tair*|omit*|exclur*',
  on: 'enabl*|turn* on|turn … on|switch* on|activat*|aktivier*|einschalt*|schalt* … ein|activ*|habilit*|encend*',
  quiet:
    'quiet*|mute*|muting|silenc*|snooz*|paus*|hush*|turn* off|turn … off|switch* off|switch … off|disabl*|stop|suspend*|hold back|no alerts|no more alerts|stumm*|ruhig*|stillhalt*|abschalt*|ausschalt*|schalt* … ab|schalt* … aus|stell* … ab|deaktivier*|aussetz*|setz* … aus|ruhe|silenci*|apag*|desactiv*|call*|detener|sourdine|coup*|tair*|fais taire|suspendre|suspend*|taire|met* … en pause',
  unban:
    'unban*|unblock*|un-block*|unforbid*|entsperr*|entbann*|freigeb*|geb* … frei|gib … frei|desbloque*|desprohib*|debloqu*|lift … ban|remov* … bann*|delet* … bann*|take … bann*|nicht mehr verb*|aufheb*|heb* … sperr*',
  silence:
    'mute*|muting|silenc*|snooz*|hush*|shut … up|be quiet|keep quiet|stumm*|sourdine|tair*|fais taire|calla|callar*|callate|pause*|pausier*|pausa*',
  only: 'only|nur|bloss|solo|solamente|unicamente|seulement|uniquement|rien que|at least|mindestens|al menos|au moins',
  test: 'test*|try out|try … out|verify … work*|check … work*|works|ausprob*|probier*|teste*|prob*|prueb*|essai*|essay*|verifi* … fonction*|funktionier*',
  backup:
    'back … up|back up|backup*|backing up|sicher* (?!zu|bist)|sichere|sichern|sicherung*|datensicherung*|sauvegard*|respald*|copia* de seguridad|copia de respaldo|make a copy|copy … data|archive',
  locate:
    'where|location|locate|path|which file|which folder|which directory|which config file|what file|wo|welche datei|welcher datei|welchem ordner|welcher ordner|welches verzeichnis|pfad|speicherort|ablageort|donde|ubicacion|ruta|que archivo|que fichero|que carpeta|ou|emplacement|chemin|quel fichier|quel dossier',
  begin: 'start|starts|starting|launch|boot|starte*|starten|arranc*|inicia*|lanz*|lanc*|demarr*',
  halt: 'stop|stops|stopping|shut … down|shut down|turn off|turn … off|end|kill|stoppe*|anhalt*|halt* … an|beend*|ausschalt*|schalt* … aus|parar|paro|deten*|apag*|arret*|eteind*|eteign*',
  isolate:
    'quarantin*|isolat*|sandbox|isolier*|quarantane|aisl*|cuarentena|poner en cuarentena|isole*|mettre en quarantaine|quarantaine',
  learn:
    'learn*|relearn*|teach*|train*|lern*|anlern*|neu lernen|beibring*|bring* … bei|aprend*|reaprend*|ensen*|apprend*|reapprend*|enseign*|deploy*|rebaseline*|show* up|shows up|reported as unknown',
  forget: 'forget*|unlearn*|vergess*|vergiss*|verlern*|olvid*|oubli*',
  restore:
    'restor*|revert*|roll* back|rollback|go* back|get* back|back to|return to|undo*|bring* back|take back|zuruck*|wiederherstell*|stell* … wieder her|ruckgangig|restaur*|volver|vuelv*|deshac*|deshag*|deshaz*|revenir|reviens|retour*|recuper*|annul*|retablir|defai*',
  add: 'setup|add|adds|adding|creat*|enter|define*|declar*|register*|include|put|set up|monitor*|watch|want … up|mark … required|make … required|require|hinzu*|fug* … hinzu|eintrag*|trag* … ein|anleg*|leg* … an|definier*|einricht*|richt* … ein|uberwach*|agreg*|anad*|crear|creo|defin*|registr*|ajout*|inscri*|surveill*|vigil*|configur*|mach* … pflicht*',
  remove:
    'remov*|take … away|taking … away|delet*|drop|get rid|rid of|take out|no longer|any more|anymore|not be required|stop … requir*|revok*|withdraw*|entfern*|losch*|wegnehm*|nehm* … weg|nicht mehr|kein … mehr|keinen … mehr|keine … mehr|zurucknehm*|nehm* … zuruck|nimm … zuruck|widerruf*|aufheb*|heb* … auf|loswerd*|werd* … los|quit*|elimin*|borr*|retir*|supprim*|enlev*|revoqu*|revoc*|ya no|ne … plus|lift*|end … exception|cancel*|undo*|annul*|deshac*|deshag*|ruckgangig|debarrass*',
  compare:
    'compar*|diff|diffs|difference*|differ|differs|changed between|changes between|what changed|unterschied*|vergleich*|geandert|verander*|diferenci*|difer*|cambi*|ce qui a change|a change entre|change entre',
  show: 'see*|view*|show*|list|lists|listing|look*|where|find*|read*|know|display|filter*|only|seh*|anzeig*|zeig*|find*|erfahr*|nachseh*|einseh*|herausfind*|fin* … heraus|auflist*|ver|veo|vemos|mostr*|muestr*|averigu*|saber|lista|listar|encontr*|consult*|voir|vois|affich*|savoir|trouv*|inspect*|check',
  run: 'run|rerun|trigger*|launch*|execut*|relaunch|force|check now|check right now|check again|check at once|behind|betreib*|hinter|derriere|detras|tourner|recheck*|rescan*|scan|start|by hand|manually|invoke|ausfuhr*|fuhr* … aus|anstoss*|stoss* … an|starte*|laufen lass*|lass* … laufen|lanz*|ejecut*|relanz*|lanc*|relanc*|declench*|refaire|refais|prufe*|uberprufe*|inici*|a mano',
  kill: 'kill*|stop|end|terminat*|clos*|shut*|block*|beend*|tote*|abschiess*|stopp*|schliess*|blockier*|sperr*|mat*|termin*|parar|paro|deten*|cierr*|cerr*|bloque*|tue|tuer|arret*|ferm*|bloqu*',
  export:
    'export*|dump*|output|as json|as csv|in json|json|exportier*|ausgeb*|geb* … aus|guard*|enregistr*|sauvegard*|machine readable|download*|herunterlad*',
  ask: 'ask|asking|query|queries|querying|question*|frag*|abfrag*|abgefragt|pregunt*|interrog*|poser|pose|demand*|consult*',
  change:
    'trag* … ein|eintrag*|saisir|meto|hook*|integrat*|plug in|wire*|einbind*|bind* … ein|anbind*|integr*|branch*|relier|chang*|set|sets|setting|adjust*|configur*|alter|edit|move|more often|less often|often|faster|slower|longer|shorter|limit|ander*|einstell*|stell* … ein|setz*|konfigur*|haufiger|ofter|seltener|cambi*|ajust*|pongo|poner|modific*|regl*|modifi*|plus souvent|mas a menudo|specify|festleg*|leg* … fest|fij*|establec*|defini*|expire*|last|lasts|connect*|point|put|store|hinterleg*|befrist*|mettre|mets|verbind*|use|using|benutz*|nutz*|utilis*|usar|uso',
  make: 'give me an? token|gib mir|dame un|donne moi|i need|we need|ich brauche|necesito|il me faut|j ai besoin|make|making|creat*|generat*|issue|get|obtain|erstell*|erzeug*|mach*|anleg*|leg* … an|bekomm*|crear|creo|gener*|hago|obten*|obteng*|creer|cree|obtenir',
  open: 'greif* … zu|zugreif*|zugriff|open*|access|reach|offn*|aufruf*|ruf* … auf|aufmach*|abr*|ouvr*|connect|log in to|get to|komm* … auf|entr*|acced*',
  install: 'install*|set up|instal*|einricht*|richt* … ein',
  uninstall: 'uninstall*|deinstall*|desinstal*|remove the desk|remove desk|get rid of the desk',
  update: 'updat*|upgrad*|aktualisier*|actualiz*|mettre a jour|mets a jour|mise a jour|newer version',
  explain:
    'explain*|understand*|mean*|detail*|more about|erklar*|versteh*|explic*|entend*|entiend*|expliqu*|comprend*',
  fix: 'fix*|repair*|solv*|deal with|do about|do with|rid of|handle|renew*|clean up|behandel*|beheb*|losen|umgeh*|verlanger*|erneuer*|mach* … mit|tun … wenn|hacer con|hago con|renov*|renuev*|renouvel*|repar*|arregl*|solucion*|corrig*|resol*|tratar|safely|remov*|delet*|entfern*|elimin*|supprim*',
  restart:
    'restart*|reload*|reboot|neu start*|neustart*|start* … neu|neu lad*|lad* … neu|reinici*|recarg*|redemarr*|recharg*',
  vouch: 'vouch*|burg*|garant*|avala*|avalar|respald*',
  alert:
    '(?:e-?)?mail* … when|mail* … wenn|correo … cuando|mail … quand|courriel … quand|alert me|alerts when|alert when|alerted|get alert*|get an alert|receive alert*|send* alert*|notif*|mail me|email me|warn me|tell me when|told when|benachrichtig*|alarmier*|alarm bekomm*|warn* … mich|recib* … avis*|recib* … alert*|avisar|avise|avisa*|prevenir|preveni*|recev* … alert*|envoy* … alert*|mand* … avis*|message me|ping me|slack|informier*',
  hush: 'stop … complain*|stop … report*|stop … warn*|stop … nagging|stop … flagging|nicht mehr meld*|deje de avisar|ne plus signaler',
} as const;

const OBJECTS = {
  ...FEATURE_THINGS,
  alerts:
    'warnungen|warnung|advertencia*|avertissement*|notified|alerted|alerts|alert|alerting|notifications|notification|pings|messages|benachrichtigung*|meldungen|alarme|alarm|alarmierung|alerts|warnmeldung*|avisos|aviso|alertas|alerta|notificacion*|alertes|alerte|notification*|alerting',
  target:
    'mailadresse*|mail-adresse*|e-mail-adresse*|emailadresse*|adresse mail|adresse e-mail|adresse email|correo electronico|direccion de correo|correo|courriel|slack|discord|telegram|ntfy|teams|matrix|pagerduty|alertmanager|webhook*|apprise|sms|alert target*|target*|phone|handy|movil|telephone|portable|signal|pushover|by mail|by email|per mail|per e-mail|por correo|par mail|par courriel|par e-mail|to my mail|my mailbox|email alert*|mail alert*|e-mail*|email*|mail|mattermost|rocketchat|gotify',
  alert_rule:
    'alert rule*|alerting rule*|own rule*|alarmregel*|eigene* regel*|regla* de alerta*|propia* regla*|regla* propia*|regle* d alerte*|propre* regle*|custom check*|own check*|custom rule*|eigene* prufung*|eigenen check',
  all_data:
    'data|database|db|store|state|everything|baseline|history|desk|config|settings|setup|daten*|datenbank|zustand|alles|datos|base de datos|estado|todo|configuracion|donnees|base de donnees|etat|tout|configuration|konfiguration|dich|you|it|deine*|your',
  config_file:
    'config|configs|config file*|configuration|configuration file|conf|conf file|settings|settings file|desk toml|desk.toml|toml|konfiguration|konfigurationsdatei|konfig|einstellungen|config-datei|configdatei|archivo de configuracion|fichero de configuracion|configuracion|ajustes|fichier de configuration|fichier de config|reglages|parametres',
  state_folder:
    'state folder|state directory|state dir|state|data|your data|data folder|data directory|store|database|database file|db|sqlite|history|baseline|files|statusordner|zustandsordner|zustand|daten|datenordner|datenbank|datenverzeichnis|carpeta de estado|datos|base de datos|estado|dossier d etat|donnees|base de donnees|etat',
  desk_you: 'it|you|yourself|desk|the desk|hostess|dich|es|ihn|den desk|te|lo|el desk|toi|le|le desk|tout',
  desk_itself:
    'desk|the desk|hostess desk|hostess-desk|desk service|desk-dienst|el desk|le desk|service desk',
  nagios:
    'nagios|icinga|icinga2|nrpe|zabbix|checkmk|check_mk|sensu|centreon|monitoring plugin|monitoring-plugin|plugin|naemon',
  csv: 'csv|excel|spreadsheet|tabellenkalkulation|hoja de calculo|tableur|xlsx',
  heartbeat:
    'heartbeat*|dead man*|healthchecks|uptime kuma|gatus|lebenszeichen|latido*|battement*|desk is down|desk stops|desk itself fails',
  digest:
    'digest|daily summary|daily report|daily mail|summary every day|tagesbericht|tageszusammenfassung|tagliche* zusammenfassung|taglichen bericht|resumen diario|informe diario|resume quotidien|rapport quotidien|resume journalier',
  status_page: 'status page|statuspage|statusseite|pagina de estado|page de statut|page d etat',
  changes:
    'what changed|what has changed|changed since|changes|what is new|differences since|was sich geandert|anderungen|was neu|que ha cambiado|que cambio|cambios|ce qui a change|changements|differences',
  rootless:
    'ordinary user|normal user|regular user|non-root|non root|unprivileged|without root|without sudo|rootless|as a user|as user|ohne root|ohne rootrechte|ohne sudo|normaler benutzer|normaler user|als benutzer|als normaler|sin root|sin sudo|usuario normal|usuario corriente|sans root|sans sudo|utilisateur normal|utilisateur ordinaire|simple utilisateur',
  mcp: 'mcp|claude|claude code|claude desktop|cursor|model context protocol',
  machines:
    'another machine|other machine*|another server|other server*|second server|second machine|more machines|several machines|all my servers|other hosts|weiteren server*|anderen server*|anderen rechner|anderer rechner|weiteren rechner*|mehreren servern|weiteren maschine*|otra maquina|otro servidor|otros servidores|otras maquinas|autre machine|autre serveur|autres serveurs|autres machines|elsewhere',
  finding:
    'finding|findings|alert|warning|warnings|befund*|fund|funde|meldung*|hallazgo*|constat|constats|constatation*|alerte|alertes|alerta|alertas',
  exception:
    'exception*|exempt*|acceptance*|accepted|excuse*|ausnahme*|angenommen*|akzeptiert*|excepcion*|aceptad*|derogation*|acceptation*|accepte|acceptee|acceptes|waiver*|excepte*|aceptacion*|annahme',
  baseline:
    'it learned|it has learned|last learning|letztes lernen|letzte lernen|ultimo aprendizaje|dernier apprentissage|baseline*|generation*|generacion*|learned state|learnt state|known good|was learned|you learned|last learn*|gelernt*|referenzstand|grundlinie|linea base|linea de base|lineas base|base de referencia|etat de reference|ligne de base|reference|etat appris|aprendid*|appris*|lernstand',
  generation: 'generation*|generacion*',
  state:
    'current state|present state|state as|everything|all this|as good|as normal|as known|zustand|stand|etat|etat actuel|estado|estado actual|normal|what runs|unknown|unbekannt|desconocid*|inconnu*|new|neu|neue|neuen|neues|nuevo|nueva|nouveau|nouvelle',
  thing:
    'program*|service|services|app|apps|application*|software|daemon*|process|processes|programm*|dienst|dienste|dienstes|anwendung*|prozess*|servicio*|aplicacion*|proceso*|logiciel*|processus|installed|executable*|binary|binaries|ejecutable*|executable',
  port: 'port|ports|listen on|to listen|lauschen|pflichtport*|puerto|puertos|anschluss*|listener*|lauscher*|ecouter|escuchar|escuche',
  required:
    'required|mandatory|must be up|must run|compulsory|essential|pflicht*|erforderlich*|notwendig*|obligator*|requis*|requerid*|obligatoire*|must stay up|has to be up',
  rights:
    'sudo right*|sudo access|sudo privileg*|root right*|admin right*|rights|privileg*|sudo|sudorechte*|sudo-rechte*|rechte|derechos|permisos de sudo|droits|droits sudo',
  desk_port:
    'desk port*|watched port*|monitored port*|port … watched|port … monitor*|uberwach* … port|port … uberwach*|watch … port|monitor … port',
  banned:
    'banned|forbidden|must stay down|stay down|never be open|prohibited|verboten*|gesperrt*|prohibid*|interdit*|unten bleib*',
  token: 'token|tokens|jeton*|zugangstoken*',
  page: 'page|pages|browser|web interface|dashboard|ui|gui|seite|seiten|oberflache*|weboberflache|pagina|paginas|navegador|interfaz|navigateur|interface|bureau',
  elsewhere:
    'another machine|other machine*|another computer|other computer*|another host|another pc|other host*|remotely|remote|laptop|phone|tablet|elsewhere|from outside|from home|outside this machine|anderen rechner|anderer rechner|andere rechner|anderen maschine|anderen computer|anderem rechner|andere* gerat*|anderen gerat*|von aussen|aus der ferne|handy|telefon|otra maquina|otro equipo|otro ordenador|otra computadora|remot*|desde fuera|movil|autre machine|autre ordinateur|autre poste|a distance|distant*|telephone|portable|andern rechner|zuhause',
  group: 'group|groups|gruppe*|grupo*|groupe*',
  reader:
    'colleague*|other users|another user|kolleg*|andere benutzer|anderen benutzern|otros usuarios|autres utilisateurs|collegue*|read without|read access|leserecht*|non root|without root|ohne root|sans root|sin root',
  site: 'site|website|web site|webseite|homepage|sitio|public url|our url',
  password:
    'mailpasswor*|mailkennwort*|password*|passwort*|kennwort*|contrasena*|mot de passe|mots de passe|credential*',
  mail: 'mailpasswor*|mailkennwort*|mail|mails|email|emails|e-mail|smtp|imap|mailbox|postfach|correo*|courriel*|courrier|messagerie|correspond*|maildir',
  person:
    'person|people|correspond*|contact|contacts|sender|personen|kontakt*|absender|persona*|contacto*|gens|personne*|expediteur|remitente*',
  package: 'package|packages|paket*|paquete*|paquet|paquets|rpm|dpkg|deb',
  startup:
    'startup|autostart*|starts by itself|start by itself|starts at boot|at boot|vouch*|burg*|garant*|avala*|unit|cron|startet … selbst|startet … automatisch|arranque|inicio|demarrage|demarre',
  account:
    'account|accounts|konto|konten|benutzerkonto|cuenta*|compte|comptes|uid 0|uid0|can log in|who may log in|sudo',
  gate: 'gate|scar check|hygiene|hygienekontrolle|hygieneprufung|control de higiene|controle d hygiene|porte|puerta|pipeline',
  check:
    'check|checks|prufung*|controle|controles|comprobacion*|verification*|verificacion*|rule|rules|regel*|regla*|regle*',
  path: 'path|paths|folder*|director*|pfad*|ordner*|verzeichnis*|ruta*|carpeta*|dossier*|chemin*|repertoire*|executable|program',
  log: 'log(?! (?:in|on)\\b)|logs|logfile*|journal|protokoll*|registro*|journaux|logging|logausgab*|log level',
  metrics: 'metric*|prometheus|grafana|metrik*|metrique*|kennzahl*|figures for',
  proxy: 'proxy|nginx|caddy|apache|traefik|haproxy',
  container: 'container*|docker|podman|kubernetes|contenedor*|conteneur*',
  certificate: 'certificate*|cert|certs|zertifikat*|certificado*|certificat|certificats|tls',
  theme: 'theme|colour*|color|colors|farbe*|couleur*|logo',
  assistant: 'assistant|language model|llm|ollama|assistent*|asistente|sprachmodell|modele de langage',
  api: 'api|script*|program … ask|rest|http|curl|skript*|automat*|cron job|aus einem programm|desde un programa|depuis un script',
  you: 'you|questions|hostess|dich|dir|fragen|te|preguntas|questions|toi|vous|she|her',
  table:
    'table|tables|tabelle*|tabla*|tableau*|sql|database|column|columns|data|daten|datos|donnees|own question|own query',
  json: 'json|csv|machine readable|file|datei|archivo|fichier',
  list: 'list|table|liste|lista|processes|listeners|findings|ports|prozess*|procesos|processus|befunde|hallazgos|constats',
  period:
    'interval*|period*|often|frequen*|how frequently|haufig*|oft|ofter|takt|intervall*|frecuencia|a menudo|frequence|souvent|recheck|every second|scan schedule|scheduled scan*',
  now: 'now|at once|immediately|jetzt|sofort|ahora|de inmediato|maintenant|tout de suite|recheck*|rescan*|right now|on demand|fresh scan|by hand',
  end: 'end|ends|end date|expir*|until|last|lasts|how long|time limit|temporar*|deadline|ablauf*|enddatum|befrist*|wie lange|gultig|hasta|vence*|caduc*|cuanto dura|fecha|duree|date de fin|combien de temps|jusqu*|limit*',
  time: 'today|yesterday|since|last hour|last day|heute|gestern|seit|hoy|ayer|desde|aujourd hui|hier|depuis|recent|new ones|this week|time',
  severity: 'severity|critical|high|severe|schwer*|kritisch*|grav*|critic*|critique*|serious',
  history:
    'history|past|earlier runs|last runs|verlauf|geschichte|historial|historique|previous runs|log of runs',
  hidden: 'hidden|rootkit*|versteckt*|verborgen*|ocult*|cache|caches|invisible',
  blindness:
    'blind|cannot see|can t see|could not see|not see|nicht sehen|privileg*|missing rights|capabilit*|rechte fehlen',
  quarantine: 'quarantine*|quarantane|cuarentena|quarantaine|set aside',
  config: 'config|configuration|config file|settings|konfiguration*|configuracion|desk toml|desk.toml',
  service: 'hostess|desk|service|daemon|dienst|servicio|itself',
  firewall:
    'firewall|ip|ip address|attacker|ip adresse|direccion ip|adresse ip|cortafuegos|pare feu|internet access',
  command_line:
    'command line*|command lines|kommandozeile*|befehlszeile*|lineas de comando|lignes de commande',
  completion: 'completion|tab|tab completion|autocomplet*|vervollstandig*|zsh|fish shell|bash',
  window: 'window|minutes|half an hour|an hour|stunde|una hora|une heure|lernfenster|fenster|ventana|fenetre',
  files: 'stale file*|residue|leftover*|field dirt|reste|rest|temporary files|dirt',
  remedies: 'remed*|scar|scars|cook*|heilmittel|narbe*|cicatri*|cook off',
  allowed:
    'allowed|permitted|erlaubt*|zugelassen*|permitid*|autorise|autorisee|autorises|autorisees|autorizad*|allowlist|allow list|whitelist*|white list|white-list|positivliste|lista blanca|liste blanche|law|gesetz|loi|ley|without learning',
  speed: 'benchmark|bench|overhead|speed|performance|cost|leistung|rendimiento',
  link: 'link|links|webmail|magazine|magazin',
  owner_of:
    'belong*|owns|comes from|from which package|which package|welchem paket|zu welchem|que paquete|quel paquet|de quel paquet|pertene*|appart*|provided by',
} as const;

export type Verb = keyof typeof VERBS;
export type Thing = keyof typeof OBJECTS;

const patternOf = (text: string): RegExp => {
  const ways = text
    .split('|')
    .map((way) =>
      way.replaceAll('.', '\\.').replaceAll('*', '[\\p{L}\\d]*').replaceAll(' … ', '\\b.{1,60}?\\b'),
    );
  return new RegExp(`(?<![\\p{L}\\d])(?:${ways.join('|')})(?![\\p{L}\\d])`, 'u');
};
const compiled = <T extends string>(words: Readonly<Record<T, string>>): readonly (readonly [T, RegExp])[] =>
  Object.entries<string>(words).map(([name, text]) => [name as T, patternOf(text)]);

const VERB_PATTERNS = compiled<Verb>(VERBS);
const OBJECT_PATTERNS = compiled<Thing>(OBJECTS);

const found = <T>(patterns: readonly (readonly [T, RegExp])[], plain: string): ReadonlySet<T> =>
  new Set(patterns.flatMap(([name, pattern]) => (pattern.test(plain) ? [name] : [])));

/** What a text says that is done. */
export const verbsIn = (plain: string): ReadonlySet<Verb> => found(VERB_PATTERNS, plain);
/** What a text says that it is done to. */
export const thingsIn = (plain: string): ReadonlySet<Thing> => found(OBJECT_PATTERNS, plain);

/** The phrases of a text that say what is done, and to what. */
export const spentIn = (plain: string): readonly string[] =>
  [...VERB_PATTERNS, ...OBJECT_PATTERNS].flatMap(([, pattern]) =>
    [...plain.matchAll(new RegExp(pattern.source, 'gu'))].map(([phrase]) => phrase),
  );
