/**
 * The words of questions: what each phrase contributes to a query, with its phrases in English, and below in German, Spanish and
 * French, separated by `|`, without marks and capitals; apostrophes are blanks.
 */
export const WORDS = `
kind count: how many|number of|the number of|count of|count|amount of
  wie viele|wieviele|wie viel|wieviel|anzahl der|anzahl|zahl der
  cuantos|cuantas|numero de|el numero de|cantidad de
  combien de|combien d|combien y a t il de|combien|nombre de|le nombre de
kind list: which|what|list|show|show me|list all|give me|tell me|name|what are|which of|what s|whats|let me see|name every|give me the|i d like to see|i need|list every|names of|why is there a|why is there an|why are there
  welche|welcher|welches|welchen|was|liste|zeige|zeig|zeige mir|zeig mir|nenne|nenne mir|was fur|welchem|gib|sag|listet|liste mir|zeig ma|warum gibt es|wieso gibt es
  que|cual|cuales|cual es|cuales son|lista|muestra|muestrame|dime|enumera|ensename|listame|decime|dame|por que hay
  quel|quelle|quels|quelles|lesquels|lesquelles|lequel|laquelle|quel est|quelle est|quels sont|quelles sont|que|liste|montre|montre moi|affiche|donne moi|donnez moi|donne|affiche moi|cite|dis moi|indique|montrez moi|pourquoi y a t il|pourquoi existe t il
kind who: who|whom
  wer|wen|wem|wessen
  quien|quienes
  qui|qui est ce qui
kind when: when|at what time|what time|start time|start time of|started when|time of start|last restart of|last restart
  wann|um wie viel uhr|startzeit|startzeit von|startzeitpunkt|letzter neustart|letzter neustart von
  cuando|a que hora|hora de inicio|hora de arranque|ultimo reinicio
  quand|a quelle heure|heure de demarrage|dernier redemarrage|dernier redemarrage de
kind since: since when|how long|for how long
  seit wann|wie lange|wie lange schon
  desde cuando|cuanto tiempo|desde hace cuanto|cuanto tiempo lleva
  depuis quand|depuis combien de temps|combien de temps
kind where: where
  wo
  donde
  ou
kind whether: is there|are there|is there any|are there any|any|is|are|was|were|does|do|did|has|have|do we have|do i have|is anything|is any|are any|anything|can
  gibt es|gibt s|ist|sind|war|waren|hat|haben|lauft|laufen|haben wir|habe ich|wird|existiert
  hay|hay algun|hay alguna|es|son|esta|estan|tiene|tienen|existe|existen|tenemos
  y a t il|existe t il|est ce que|est ce qu|est|sont|a t il|ont ils|est ce qu il y a|avons nous|il y a
word ever: ever|at any time
  jemals|je|schon einmal|schon mal
  alguna vez|jamas
  jamais|deja
word still: still|so far|yet|as of now|at the moment|right now|now|currently|at present|rn|atm|these days|presently
  noch|derzeit|gerade|jetzt|momentan|aktuell|im moment|zurzeit
  todavia|aun|ahora|ahora mismo|actualmente|en este momento
  encore|toujours|maintenant|actuellement|en ce moment|a present
table processes: process|processes|procs|task|tasks|running processes|daemon|daemons|executables running|binaries running|running executables|running binaries
  prozess|prozesse|prozessen|prozesses|daemon|daemons
  proceso|procesos|demonio|demonios
  processus|demon|demons
facet program: program|programs|programme|programmes|app|apps|application|applications|binary|binaries|executable|executables|service|services
  programm|programme|programmen|programms|anwendung|anwendungen|dienst|dienste|diensten
  programa|programas|aplicacion|aplicaciones|servicio|servicios
  programme|programmes|application|applications|logiciel|logiciels|service|services
facet user: user|users|uid|uids
  benutzer|benutzern|nutzer|anwender|uid|user
  usuario|usuarios|uid
  utilisateur|utilisateurs|uid
facet check: check|checks
  prufung|prufungen|check|checks
  comprobacion|comprobaciones|control|controles
  controle|controles|verification|verifications
facet avenue: avenue|avenues
  avenue|avenues
  avenida|avenidas
  avenue|avenues
facet severity: severity|severities
  schweregrad|schwere
  gravedad
  gravite|severite
facet protocol: protocol|protocols
  protokoll|protokolle
  protocolo|protocolos
  protocole|protocoles
table listeners: listener|listeners|listening socket|listening sockets|socket|sockets|open port|open ports|listening port|listening ports|ports open|ports in use
  listener|listenern|lauscher|socket|sockets|offene ports|offenen ports|offener port|ports offen|offene port|offenen port
  listener|listeners|socket|sockets|puertos abiertos|puerto abierto|puertos a la escucha|puertos en escucha
  listener|listeners|socket|sockets|ports ouverts|port ouvert|ports en ecoute|ports ecoutes
verb listen: listen|listens|listening|listened
  lauscht|lauschen|hort|horcht
  escucha|escuchan|escuchando
  ecoute|ecoutent|a l ecoute|en ecoute
word port: port|ports|network port|network ports
  port|ports|netzwerkport|netzwerkports
  puerto|puertos|puerto de red|puertos de red
  port|ports|port reseau|ports reseau
table ports: desk port|desk ports|watched port|watched ports|required ports
  desk ports|pflichtport|pflichtports
  puertos del desk
  ports du desk
table findings: finding|findings|alert|alerts
  befund|befunde|befunden|fund|funde|meldungen
  hallazgo|hallazgos|alerta|alertas
  constat|constats|alerte|alertes|trouvaille|trouvailles
table generations: generation|generations
  generation|generationen
  generacion|generaciones
  generation|generations
table gate_runs: gate run|gate runs|runs of the gate
  gate laufe|laufe des gates
  ejecuciones del gate
  passages de la porte
table blind: could not run|couldn t run|could not be run|could not judge|couldn t judge|could not be judged|couldn t be judged|are blind|is blind|blind checks|blind check|were blind|unable to run|did not run|didn t run|not be judged|not judged|could not be seen|couldn t be seen|counts as blind
  nicht laufen konnten|konnten nicht laufen|nicht prufen konnten|blinde prufungen|sind blind|nicht beurteilt werden konnten|nicht beurteilt werden konnte|nicht beurteilen konnte|nicht beurteilen konntest|nicht gepruft werden konnte
  no pudieron ejecutarse|no se pudieron ejecutar|comprobaciones ciegas|no se pudo juzgar|no pudo juzgarse|no se ha podido juzgar|no pudo ser juzgado|no se pudieron juzgar|no pudieron juzgarse
  n ont pas pu tourner|n ont pas pu etre executes|controles aveugles|sont aveugles|n a pas pu etre juge|n ont pas pu etre juges|pas pu etre juge|n a pas pu etre controle
trait accepted: accepted|accept|approved
  angenommen|akzeptiert|akzeptierten|angenommenen
  aceptado|aceptada|aceptados|aceptadas|acepte|aceptamos
  accepte|acceptes|acceptee|acceptees|ai je accepte
column threads: thread|threads|number of threads
  thread|threads|faden
  hilo|hilos|threads
  thread|threads|fils d execution
column port: port number
  portnummer
  numero de puerto
  numero de port
column first_seen: first show up|first showed up|first seen|first appear|first appeared|first found|first noticed|show up|showed up|show up first|appear first|first come up|come up first|begin|began|first detected
  zuerst gesehen|zum ersten mal gesehen|erstmals gesehen|aufgetaucht|zuerst aufgetaucht|zum ersten mal aufgetaucht|tauchte auf
  visto por primera vez|aparecio|aparecio por primera vez|primera vez
  vu pour la premiere fois|apparu|apparue|apparu pour la premiere fois|premiere fois
column last_seen: last seen|last show up|last appear|last appeared
  zuletzt gesehen
  visto por ultima vez|ultima vez
  vu pour la derniere fois|derniere fois
column start: start|started|starts|begin running|launched|been running|start running|was started|be started
  gestartet|startete|starten|startet
  empezo|arranco|arranca|arrancan|inicia|inician|inicio|iniciado|iniciados|arrancado|arrancados|lleva ejecutandose|empezaron|arrancaron|iniciaron
  demarre|demarres|lance|lances|commence
order most: most|highest|largest|greatest|biggest|maximum|max|the most
  meisten|meiste|die meisten|den meisten|hochste|hochsten|grosste|grossten|maximal
  mas|mayor|maximo|mayores
  plus|le plus|le plus de|la plus|les plus|plus de|plus grand|maximum
order least: least|fewest|lowest|smallest|minimum|min|the fewest
  wenigsten|die wenigsten|am wenigsten|niedrigste|niedrigsten|kleinste|kleinsten|minimal
  menos|menor|minimo|menores
  moins|le moins|le moins de|moins de|minimum
order oldest: oldest|earliest|longest running|longest|running longest|running the longest
  alteste|altesten|altester|langsten|am langsten|fruheste
  mas antiguo|mas antigua|mas antiguos|mas viejo|mas vieja|mas tiempo
  plus ancien|plus ancienne|plus anciens|plus vieux|plus vieille|plus longtemps|le plus ancien|la plus ancienne|les plus anciens|le plus vieux|la plus vieille|les plus vieux
order newest: newest|latest|youngest|most recent|most recently|last
  neueste|neuesten|neuester|jungste|jungsten|letzte|letzten|zuletzt
  mas reciente|mas recientes|mas nuevo|mas nueva|ultimo|ultima|ultimos|ultimas
  plus recent|plus recente|plus recents|dernier|derniere|derniers|dernieres|le plus recent|la plus recente|les plus recents|les plus recentes
order worst: worst|most severe|severest|most serious|gravest|most dangerous|most critical
  schlimmste|schlimmsten|schwerste|schwersten|gefahrlichste
  peor|peores|mas grave|mas graves|mas critico
  pire|pires|plus grave|plus graves|plus critique|le plus grave|la plus grave|les plus graves|le pire|les pires
operator >: more than|over|above|greater than|higher than|exceeding|bigger than|larger than
  mehr als|uber|oberhalb von|grosser als|hoher als
  mas de|mas del|mas que|por encima de|por encima del|superior a|superiores a|mayor que|mayores que
  plus de|plus que|au dessus de|superieur a|superieurs a|au dela de
operator <: less than|fewer than|below|lower than|smaller than|under
  weniger als|unter|unterhalb von|kleiner als
  menos de|menos del|menos que|por debajo de|por debajo del|inferior a|inferiores a
  moins de|moins que|en dessous de|inferieur a|inferieurs a
operator >=: at least|no less than|no fewer than|minimum of
  mindestens|wenigstens
  al menos|como minimo|por lo menos
  au moins
operator <=: at most|no more than|up to
  hochstens|maximal|nicht mehr als
  como maximo|como mucho|a lo sumo
  au plus|au maximum
operator =: exactly|precisely
  genau
  exactamente
  exactement
word only: only|just|what about|how about|and what about
  nur|bloss|und was ist mit|was ist mit
  solo|solamente|unicamente|y que hay de
  seulement|uniquement|et pour|rien que
word bad: bad|dangerous|harmful|a problem|serious|worrying|is that bad|harmless|benign|safe|ok|okay|fine|normal
  schlimm|gefahrlich|ein problem|bedenklich|harmlos|in ordnung|normal
  malo|mala|peligroso|peligrosa|un problema|inofensivo|normal
  mauvais|dangereux|dangereuse|un probleme|anodin|normal|grave
word know: something you know|known to you|you know|do you know|learned by you|do you recognize|do you recognise
  dir bekannt|etwas das du kennst|kennst du|von dir gelernt
  algo que conoces|conocido por ti|lo conoces|conoces
  connu de toi|connu de vous|quelque chose que tu connais|tu connais|connais tu
word top: top
  top
  top|principales
  top
word per: per|by|for each|each|grouped by
  pro|je|nach
  por|por cada|cada
  par|pour chaque|chaque
word not: not|isn t|aren t|wasn t|doesn t|don t|without|no|cannot|can t|can not|couldn t|never
  nicht|kein|keine|keinen|keiner|ohne|konnen nicht|nie|niemals
  no|sin|ningun|ninguna|nunca|no pueden|no puede
  pas|sans|aucun|aucune|n est pas|ne sont pas|jamais|ne peuvent pas|ne peut pas
trait public: public|publicly|exposed|outside|the outside|on the outside|from outside|from the outside|beyond loopback|external|externally|to the internet|from the internet|on the internet|to the network|on the network|all interfaces|reachable from outside|reachable|to the outside|to the world|reachable from the network|facing the internet|internet facing|exposed to the network|exposed to the internet|from the network|from anywhere
  offentlich|offentliche|offentlichen|von aussen|nach aussen|aussen|von aussen erreichbar|erreichbar|extern|externe|aus dem internet|im netz|offentlicher|aus dem netz
  publico|publicos|publica|publicas|desde fuera|hacia fuera|fuera|expuesto|expuestos|desde internet|accesibles desde fuera|accesible desde fuera|al exterior|en el exterior|expuesta|a la red|en la red
  joignable|joignables|joignable de l exterieur|joignables de l exterieur|public|publics|publique|publiques|de l exterieur|depuis l exterieur|vers l exterieur|exposes|expose|depuis internet|accessibles de l exterieur|a l exterieur|exposee|sur le reseau
trait loopback: loopback|local|locally|localhost|only local|on loopback
  lokal|lokale|lokalen|loopback
  local|locales|loopback
  local|locaux|locales|loopback
trait tcp: tcp
  tcp
  tcp
  tcp
trait udp: udp
  udp
  udp
  udp
trait unlearned: unlearned|never learned|not learned|unknown|unexpected|not allowed|unauthorized|unauthorised|that shouldn t be|that should not be|that shouldn t|that should not|shouldn t be|shouldn t be there|not supposed to be|not supposed to|that isn t supposed to|should not be|you don t know|you do not know|unfamiliar|not known|that you don t know|new
  ungelernt|ungelernte|ungelernten|nicht gelernt|nie gelernt|unbekannt|unbekannte|unbekannten|nicht erlaubt|unerlaubt|nicht sein sollte|nicht sein sollten|nicht sollte|nicht sollten|nicht durfte|nicht hingehort|nicht hingehoren|neu|neue|neuen
  desconocido|desconocidos|desconocida|desconocidas|no aprendido|no aprendidos|no permitido|no permitidos|que no deberia|que no deberian|que no deberia estar|que no deberian estar|que no deberia haber|nuevo|nuevos
  inconnu|inconnus|inconnue|inconnues|non appris|jamais appris|non autorise|non autorises|qui ne devrait pas|qui ne devraient pas|qui ne devrait pas etre la|qui n a rien a faire la|nouveau|nouveaux
trait allowed: allowed|permitted|learned|known
  erlaubt|erlaubte|erlaubten|gelernt|gelernte|bekannt|bekannte
  permitido|permitidos|aprendido|aprendidos|conocido|conocidos
  autorise|autorises|appris|connu|connus
trait wrapped: wrapped|confined|sandboxed
  eingesperrt|eingesperrte|gewrappt|abgeschottet
  confinado|confinados|aislado|aislados
  confine|confines|isole|isoles
trait free: unwrapped|unconfined|unsandboxed|not wrapped|not confined|aren t wrapped|are not wrapped|without confinement
  nicht eingesperrt|ungeschutzt|nicht gewrappt|nicht abgeschottet
  sin confinar|no confinados|sin aislar
  non confines|pas confines|non isoles
trait deleted: whose executable was deleted|whose executable has been deleted|executable has been deleted|executable was deleted|executable was deleted from disk|executable has been deleted from disk|deleted executable|deleted executables|deleted binary|deleted binaries|deleted from disk|a deleted executable|a deleted binary|deleted program|deleted programs|executable is gone|binary was deleted|binary has been deleted|executable is deleted|binary is gone|file has been deleted|file was deleted|file is gone|file was removed
  programmdatei geloscht|programmdatei geloscht wurde|geloschte programmdatei|geloschtes executable|geloschte programme|geloschten programmen|binary geloscht|executable geloscht|executable geloscht wurde|datei geloscht|geloscht|geloscht wurde|vom datentrager geloscht|von der platte geloscht|vom datentrager geloscht wurde|datei inzwischen vom datentrager geloscht wurde|datei nicht mehr existiert
  ejecutable borrado|ejecutable eliminado|ejecutable ha sido borrado|ejecutable ha sido eliminado|ejecutable fue borrado|ejecutable fue eliminado|binario borrado|binario eliminado|ejecutable ya no existe|ejecutable se borro|archivo borrado|archivo ha sido borrado|fichero borrado
  executable a ete supprime|executable supprime|executable a ete supprime du disque|executable efface|binaire supprime|executable n existe plus|binaire a ete supprime|fichier supprime|fichier a ete supprime|fichier a disparu
trait seccomp: seccomp|by seccomp|under seccomp|with seccomp|seccomp filter|a seccomp filter|confined by seccomp|use seccomp|using seccomp
  seccomp|mit seccomp|durch seccomp|unter seccomp|seccomp filter
  seccomp|con seccomp|por seccomp|bajo seccomp|filtro seccomp
  seccomp|avec seccomp|par seccomp|sous seccomp|filtre seccomp
trait lsm: apparmor|selinux|by apparmor|by selinux|under apparmor|confined by apparmor|apparmor profile|an apparmor profile
  apparmor|selinux|mit apparmor|durch apparmor|unter apparmor
  apparmor|selinux|con apparmor|por apparmor|bajo apparmor
  apparmor|selinux|avec apparmor|par apparmor|sous apparmor
trait sleeping: sleeping|asleep|in state s|in s state
  schlafend|schlafende|schlafenden|schlafen|im zustand s
  durmiendo|dormidos|dormido|en estado s
  dormants|endormis|en sommeil|dans l etat s
trait stopped: stopped|paused|suspended|in state t|in t state
  angehalten|angehaltene|angehaltenen|pausiert|gestoppt|gestoppte|im zustand t
  detenidos|detenido|parados|pausados|suspendidos|en estado t
  arretes|suspendus|en pause|dans l etat t
trait in-wait: in d state|in state d|uninterruptible|in uninterruptible sleep|waiting for a disk|waiting for disk|stuck in d state
  im zustand d|d zustand|im d zustand|ununterbrechbar|ununterbrechbare
  en estado d|ininterrumpibles|ininterrumpible
  dans l etat d|en etat d|ininterruptibles|ininterruptible
trait zombie: zombie|zombies|defunct|dead|zombie processes|zombified|defunct processes
  zombie|zombies|tot|tote|zombieprozesse|zombie prozesse
  zombi|zombis|zombie|zombies|muertos|procesos zombi|procesos zombis|procesos zombie
  zombie|zombies|morts|processus zombies|processus zombie|zombis
trait kernel: kernel thread|kernel threads|kernel|kernel processes|kernel tasks
  kernel thread|kernel threads|kernelthreads|kernel|kernel prozesse|kernelprozesse|kernel-threads
  hilos del kernel|kernel|procesos del kernel|hilos de kernel|procesos del nucleo|hilos del nucleo
  threads du noyau|noyau|threads noyau|threads kernel|fils du noyau|processus du noyau|processus noyau
trait user-space: user space|user space processes|userspace|ordinary
  user space
  espacio de usuario
  espace utilisateur
trait own: of the desk|the desk s own|desk s own|of the desk itself|of desk|your own
  des desks|deine eigenen|vom desk
  del desk|propios
  du desk|propres
trait critical: critical
  kritisch|kritische|kritischen|kritischer|kritischer schwere|mit kritischer schwere|schwere kritisch|schweregrad kritisch
  critico|criticos|critica|criticas
  critique|critiques
trait high: high|high severity|severity high|of high severity|with high severity|with severity high
  hohe|hohen|hoher|hoch|hoher schwere|mit hoher schwere|mit schwere hoch|schwere hoch|hoher schweregrad|mit hohem schweregrad|schweregrad hoch
  alto|altos|alta|altas|graves|de gravedad alta|gravedad alta|de alta gravedad
  eleve|eleves|elevee|elevees|hauts|de gravite elevee|gravite elevee|de haute gravite
trait medium: medium|medium severity
  mittel|mittlere|mittleren|mittlerer schwere|mit mittlerer schwere|schwere mittel|schweregrad mittel
  medio|medios|media|medias
  moyen|moyens|moyenne|moyennes
trait low: low|low severity
  niedrig|niedrige|niedrigen|niedriger schwere|mit niedriger schwere|schwere niedrig|schweregrad niedrig
  bajo|bajos|baja|bajas
  faible|faibles|bas
word andworse: or worse|or higher|or above|or more severe|and above|and worse
  oder schlimmer|oder hoher|und hoher|und schlimmer
  o peor|o superior|o mas
  ou pire|ou plus|et plus
trait open: open
  offen|offene|offenen|offener
  abierto|abiertos|abierta|abiertas
  ouvert|ouverts|ouverte|ouvertes
trait closed: closed|resolved|gone away|went away|been closed|were closed|was closed
  geschlossen|geschlossene|geschlossenen|erledigt|behoben
  cerrado|cerrados|cerrada|cerradas|resuelto|resueltos|se cerraron|se han cerrado
  ferme|fermes|fermee|fermees|resolu|resolus|ont ete fermes|clos
trait opened: opened|found|detected|appeared|were found|came up|were opened|were detected|reported
  gefunden|entdeckt|aufgetreten|geoffnet
  encontrado|encontrados|detectado|detectados|aparecieron|se encontraron|se abrieron
  trouve|trouves|detecte|detectes|apparus|ont ete trouves|ont ete ouverts
trait required: required|mandatory
  erforderlich|erforderliche|erforderlichen|vorgeschrieben|vorgeschriebene
  requerido|requeridos|obligatorio|obligatorios
  requis|obligatoire|obligatoires|exige|exiges
trait up: up
  oben|erreichbar
  arriba|activo|en marcha
  en marche|actif
trait down: down|go down|went down|gone down|offline|goes down
  unten|ausgefallen|ausgefallene|ausgefallenen|offline|nicht erreichbar|down
  caido|caidos|abajo|cayo|se cayo
  en panne|tombe|arrete|arretes|hors ligne|tombes
trait held: held|in force|current
  gehalten|gehaltene|gultige|aktuelle
  vigente|retenida
  retenue|en vigueur
trait failed: failed|fail|failing|red
  rot|gescheitert|gescheiterte|fehlgeschlagen|fehlgeschlagene
  rojo|fallado|fallidas|fallaron
  rouge|echoue|echoues|rate|rates
word machine: machine|computer|server|host|box|system
  rechner|maschine|server|system|computer|im system
  maquina|ordenador|servidor|sistema|equipo
  machine|ordinateur|serveur|systeme
user root: root|by root|as root|of root|under root|root s|from root|for root
  root|von root|als root|unter root|roots|fur root
  root|de root|como root|por root|para root|bajo root
  root|de root|en root|par root|pour root|sous root|comme root|en tant que root
verb run: run|runs|running|ran|execute|executes|executing|launch|alive|active|exist|exists
  lauft|laufen|lief|ausgefuhrt|ausfuhrt|fuhrt|fuhren|laufenden|laufende|liefen|betreibt|aktiv|an oder aus
  ejecuta|ejecutan|ejecutando|corre|corren|en ejecucion|se ejecutan|funcionan|corriendo|hay corriendo|encendido|encendida|levantado|levantada|prendido|se ejecute|se ejecuten|corra|corran
  tourne|tournent|execute|executent|s executent|fonctionnent|en cours|lancent|fait tourner|est la|allume|lance
verb hold: holds|hold|own|owns|belong|belongs|occupy|occupies|sits|sit|sits on|belonging|belonging to|belongs to|owned by|owned|holding|occupying
  halt|halten|gehort|gehoren|belegt|gehoren zu|gehort zu|besitzt|besitzen
  tiene|ocupa|pertenece|usa|pertenecen|pertenecen a|pertenece a|posee|ocupan|ocupando
  tient|occupe|appartient|detient|appartiennent|appartiennent a|appartient a|possede|occupent|detiennent|utilise
unmeasured memory: memory|ram|memory does it use|much memory|how much memory|most memory
  speicher|arbeitsspeicher|ram|wie viel speicher|wieviel speicher|viel speicher|speicherverbrauch
  memoria|ram|cuanta memoria|cuanta ram
  memoire|ram|combien de memoire|memoire vive
unmeasured services: services failed|failed services|failed units|service failed|units failed|services have failed|services are failing
  dienste sind fehlgeschlagen|fehlgeschlagene dienste|fehlgeschlagenen dienste|dienste fehlgeschlagen|dienste sind ausgefallen
  servicios fallaron|servicios fallidos|servicios han fallado
  services ont echoue|services en echec|services echoues
unmeasured cpu: cpu|processor|processor time|cpu time|load|much cpu|how much cpu
  cpu|prozessor|rechenzeit|last|prozessorzeit|wie viel cpu
  cpu|procesador|carga|cuanta cpu
  cpu|processeur|charge|combien de cpu
unmeasured traffic: visitors|visits|hits|traffic|bandwidth|network traffic|data sent
  besucher|besuche|datenverkehr|bandbreite|netzverkehr
  visitantes|visitas|trafico|ancho de banda
  visiteurs|visites|trafic|bande passante
unmeasured disk: disk|disk space|disk io|io|disk usage
  festplatte|plattenplatz|speicherplatz
  disco|espacio en disco
  disque|espace disque
filler: the|a|an|of|on|in|at|for|to|from|that|those|these|this|there|here|my|our|your|desk|please|me|i|you|we|us|it|they|them|be|been|being|have|has|had|got|with|use|uses|using|used|all|of them|total|in total|altogether|overall|and|or|as|is|are|was|were|do|does|did|one|ones|thing|things|currently|so|exactly|hey|hello|ok|okay|time|times|its|their|s|re|ve|ll|d|t|any|some|there are|there is|out|also|who|which|time|see|seen|today s|happen|happened|get|gets|go|can|could|many|much|hostess|does it|by now|with the|having|called|named|number|id|pids|pid|owned|anywhere|somewhere|somewhere here|out there|in there|for me|actually|really|configured|set up|defined|present|too|then|well|quickly|full|complete|existing|by what means|and how|by name|any of|many of|at least one|at least a|about|concerning|regarding|related to|if any|atm|folks|guys|the machine s|bound to|bound|but|although|hanging around|sitting around|lying around|around|someone|somebody|anyone|anybody
  der|die|das|den|dem|des|ein|eine|einen|einem|einer|von|vom|auf|in|im|an|am|fur|zu|zum|zur|bei|mit|mein|meine|meinem|dieser|diese|dieses|diesem|desk|bitte|mir|ich|du|wir|uns|es|sie|haben|hat|habe|hast|benutzt|nutzt|verwendet|verbraucht|braucht|alle|aller|insgesamt|und|oder|als|ist|sind|war|waren|hier|da|dort|gibt|gibt es|gerade|denn|eigentlich|so|bis|aktiv|wurde|wurden|worden|um|uhr|sich|hallo|zeit|gab|gab es|viele|viel|laufenden|kannst|kann|sagen|sag|stehen|eingerichtet|konfiguriert|vorhanden|hinterlegt|irgendwo|genau|jetzt|uberhaupt|komplett|vollstandig|auf welche weise|und wie|dieser maschine|dieser kiste|mindestens ein|mindestens einen|mindestens eine|bezuglich|betreffend|mal eben|eben|sachen|dinge|gebunden an|gebunden|aber|jemand|jemandem|irgendein|irgendeine|irgendeinen|irgendwelche
  el|la|los|las|un|una|unos|unas|de|del|en|a|al|para|por|con|mi|mis|nuestro|esta|este|estos|estas|desk|por favor|me|yo|tu|nosotros|lo|le|se|hay|tiene|tienen|ha|han|he|hemos|usa|usan|utiliza|consume|consumen|todos|todas|total|en total|y|o|como|es|son|esta|estan|aqui|ahi|que|quien|cada|hubo|habia|hola|cosa|fueron|fue|configurados|configuradas|definidos|definidas|en esta maquina|en algun sitio|en algun lado|exactamente|ahora mismo|completo|completa|y como|de que manera|existentes|al menos un|al menos uno|al menos una|sobre|acerca de|relacionados con|relacionado con|cosas|cuando enciendo el servidor|cuando enciendo|me puedes decir|puedes decirme|en mi maquina|en mi servidor|alguna|alguno|algunas|algunos|algun|pero|aunque|alguien|enlazados a|enlazado a
  le|la|les|l|un|une|des|de|du|d|en|a|au|aux|pour|par|avec|dans|sur|mon|ma|mes|notre|cette|ce|ces|cet|desk|s il te plait|s il vous plait|moi|je|tu|nous|on|il|elle|ils|elles|se|y a t il|il y a|y|t|a|ont|ai|avons|utilise|utilisent|consomme|consomment|tous|toutes|total|au total|en tout|et|ou|comme|est|sont|ici|que|qui|qu|c|n|ne|bonjour|chose|ete|ont ete|etaient|etait|avait|j|configures|configurees|definis|installes|sur cette machine|quelque part|exactement|par quel moyen|et comment|existants|complete|au moins un|au moins une|concernant|a propos de|au sujet de|concernent|concerne|choses|trucs|sur ma machine|sur mon serveur|tu peux me dire|peux tu me dire|mais|quelqu un|lies a|lie a
`;
