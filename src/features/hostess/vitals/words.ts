/**
 * Words of questions about the state of the machine and what processes use of it. Of each meaning five lines: its role and name with
 * the English phrases, then German, Spanish and French ones, as `plainOf` has them.
 */
export const VITAL_WORDS = `
q load: load|loads|load average|load averages|load avg|loadavg|load avarage|system load|server load|1 minute load|one minute load|5 minute load|15 minute load
  last|systemlast|serverlast|load|durchschnittslast|lastdurchschnitt|lastwert|lastwerte|rechnerlast
  carga|carga media|carga promedio|carga del sistema|carga de trabajo|load|load average
  charge|charge a t elle|la charge a|charge moyenne|charge systeme|charge du systeme|load|load average
q cpu: cpu|cpus|processor|processors|processor time|cpu time|cpu load|cpu usage|cpu use|cpu utilization|cpu utilisation|processing power|compute
  cpu|prozessor|prozessoren|rechenzeit|prozessorzeit|cpu zeit|prozessorlast|cpu last|cpulast|cpu auslastung|cpuauslastung|prozessorauslastung|rechenleistung|cpu nutzung
  cpu|procesador|procesadores|tiempo de cpu|uso de cpu|uso de la cpu|uso del procesador|carga de la cpu|carga de cpu|carga del procesador|micro
  cpu|processeur|processeurs|proc|temps cpu|temps processeur|charge cpu|charge du cpu|charge processeur|charge du processeur|utilisation du processeur|utilisation cpu|puissance de calcul
q cores: cores|core|cpu cores|cpu count|number of cpus|number of processors|how many cpus|how many processors|how many cpu cores
  kerne|cpu kerne|prozessorkerne|rechenkerne|wie viele cpus|wie viele prozessoren|wieviele prozessoren|wieviele cpus
  nucleos|cores|cuantos procesadores|cuantas cpus|cuantos cpus
  coeurs|cœurs|combien de processeurs|combien de cpu a|combien de cpus
q memory: memory|ram|mem|main memory|physical memory|memory usage|memory use|memory consumption|ram usage|memory footprint|rss
  speicher|arbeitsspeicher|ram|hauptspeicher|speicherverbrauch|speichernutzung|speicherauslastung|ram verbrauch|ram auslastung|speicherbedarf|ram nutzung|memory
  memoria|ram|memoria ram|uso de memoria|uso de la memoria|uso de ram|consumo de memoria
  memoire|ram|memoire vive|ram memoire|utilisation de la memoire|utilisation memoire|consommation memoire|conso memoire|utilisation de la ram
q swap: swap|swap space|swapping|paging|swap memory|swap file|page file
  swap|auslagerung|auslagerungsspeicher|auslagerungsdatei|swapspeicher|swap speicher|swap bereich
  swap|memoria swap|intercambio|memoria de intercambio|espacio de intercambio
  swap|memoire d echange|espace d echange|fichier d echange
q disk: disk|disks|disc|discs|disk space|diskspace|disc space|disk usage|disk use|disk capacity|hard drive|hard drives|hard disk|harddisk|hdd|ssd|drive|drives|storage|storage space|space|file system|file systems|filesystem|filesystems|partition|partitions|volume|volumes|mount|mounts|mount point|mount points|root partition|root disk|root file system|root filesystem|df
  platte|platten|festplatte|festplatten|plattenplatz|festplattenplatz|festplattenspeicher|speicherplatz|plattenspeicher|platz|datentrager|dateisystem|dateisysteme|partition|partitionen|laufwerk|laufwerke|root partition|wurzelpartition|massenspeicher|ssd|hdd|mountpoint|mountpoints|einhangepunkt|einhangepunkte
  disco|discos|disco duro|discos duros|espacio|espacio en disco|espacio en el disco|espacio de disco|espacio en los discos|almacenamiento|particion|particiones|sistema de archivos|sistemas de archivos|sistema de ficheros|sistemas de ficheros|ssd|hdd|uso de disco|uso del disco|unidad|unidades|punto de montaje|puntos de montaje
  disque|disques|disque dur|disques durs|espace|espace disque|espace sur le disque|place|place sur le disque|place disque|stockage|espace de stockage|partition|partitions|systeme de fichiers|systemes de fichiers|ssd|hdd|volume|volumes|point de montage|points de montage
q inodes: inode|inodes|free inodes
  inode|inodes|inodes
  inodo|inodos|inode|inodes
  inode|inodes|i noeuds
q read-only: read only|readonly|mounted read only|turned read only|ro mount|writable|writeable|mounted ro
  schreibgeschutzt|nur lesbar|nur lesend|read only|readonly|beschreibbar
  solo lectura|de solo lectura|modo lectura|read only
  lecture seule|en lecture seule|read only|seulement en lecture
q uptime: uptime|up time|up for|been up|been running|been on|machine up|server up|box up|computer up|system up|host up|machine start|booted|boot time|last boot|last reboot|last restart|last booted|rebooted|restarted|last rebooted|last restarted|start up time|boot up|switched on|turned on|powered on|up since|running since|last start|machine running|server running|box running
  uptime|laufzeit|betriebszeit|hochgefahren|gebootet|letzter neustart|letzten neustart|letzter boot|letzte neustart|neugestartet|neu gestartet|lauft der rechner|lauft die maschine|lauft der server|lauft die kiste|lauft das system|lauft dieser rechner|lauft diese maschine|lauft dieser server|rechner lauft|server lauft|maschine lauft|kiste lauft|server schon|rechner schon|maschine schon|rechner an|maschine an|server an|eingeschaltet|angeschaltet|online
  uptime|encendida|encendido|arrancada|arrancado|se reinicio|reiniciada|ultimo reinicio|ultimo arranque|se arranco|lleva encendido|lleva encendida|lleva funcionando|lleva corriendo|lleva en marcha|tiempo de actividad|tiempo encendido|en marcha|lleva activo|lleva activa|lleva arriba
  uptime|allume|allumee|demarre|demarree|redemarre|redemarree|dernier redemarrage|dernier demarrage|en marche|tourne la machine|tourne le serveur|tourne cette machine|tourne ce serveur|machine tourne t elle|serveur tourne t il|machine tourne|serveur tourne|machine tourne elle|serveur tourne il|temps de fonctionnement|duree de fonctionnement|en route|en ligne
q temperature: temperature|temperatures|temp|degrees|celsius|hot|hotter|warm
  temperatur|temperaturen|grad|heiss|warm|heisser
  temperatura|temperaturas|grados|caliente|calor
  temperature|temperatures|degres|chaud|chaude
q network: network traffic|net traffic|traffic|network|bandwidth|throughput|network usage|network load|network throughput|network speed|network rate|network rates|download rate|upload rate|data rate|bytes per second|network interface|network interfaces|interface|interfaces|nic|nics|dropped packets|packets dropped
  netzwerk|netz|netzverkehr|netzwerkverkehr|datenverkehr|traffic|bandbreite|durchsatz|netzlast|netzwerklast|netzauslastung|netzwerkauslastung|datenrate|netzwerkschnittstelle|netzwerkschnittstellen|schnittstelle|schnittstellen|netzwerkkarte|netzwerkkarten|verworfene pakete
  red|trafico|trafico de red|ancho de banda|uso de red|uso de la red|interfaz|interfaces|interfaz de red|interfaces de red|tarjeta de red|paquetes perdidos|paquetes descartados
  reseau|trafic|trafic reseau|bande passante|debit|debit reseau|interface|interfaces|interface reseau|interfaces reseau|carte reseau|paquets perdus
q pressure: pressure|psi|pressure stall|stall|stalls|stalled|cpu pressure|memory pressure|io pressure|disk pressure|i/o pressure
  druck|psi|pressure|speicherdruck|cpu druck|io druck|ressourcendruck
  presion|psi|presion de memoria|presion de cpu|presion de disco
  pression|psi|pression memoire|pression cpu|pression disque
q iowait: iowait|io wait|i/o wait|wait for disk|wait for disks|waiting for disk|waiting for disks|waiting for io|disk wait
  iowait|io wait|i/o wait|wartezeit auf platten|warten auf die platte|wartet auf die platte
  iowait|espera de disco|espera de e/s|espera por disco|esperando al disco
  iowait|attente disque|attente e/s|attente des disques|attend le disque
q steal: steal|steal time|cpu steal|stolen
  steal|steal zeit|gestohlene zeit|gestohlen|steal time
  steal|tiempo robado|robado
  steal|temps vole|vole
q io: io|i/o|disk io|disk i/o|disk activity|disk traffic|disk reads|disk writes|disk read|disk write|diskio|disk load
  io|i/o|e/a|plattenzugriff|plattenzugriffe|plattenaktivitat|festplattenaktivitat|plattenlast|festplattenlast|disk io|festplattenzugriffe
  io|e/s|entrada salida|actividad de disco|actividad del disco
  io|e/s|es disque|entrees sorties|activite disque|activite du disque|acces disque
w io: reads|writes|reading|writing|read|write|written|writer|writers|reader|readers|hammering|hammers|thrashing|thrashes|pounding
  schreibt|liest|schreiben|lesen|schreib
  escribe|lee|escriben|leen|escritura|lectura|escrituras|lecturas|escribiendo|leyendo
  ecrit|lit|ecrivent|lisent|ecriture|ecritures|lectures
w network: received|receive|receiving|sent|sends|incoming|outgoing|packets
  empfangen|gesendet|empfangt|sendet|eingehend|ausgehend
  recibe|recibidos|envia|enviados|entrante|saliente
  recoit|recus|envoie|envoyes|entrant|sortant
q units: failed unit|failed units|failed service|failed services|services failed|service failed|units failed|unit failed|services have failed|units have failed|service has failed|services are failing|failing services|failing units|services failing|failed systemd units|systemd failures|broken services|broken units|crashed services|services crashed|failed systemd|services down|services broken|failing service|broken service|something crash|something crashed|anything crash|anything crashed|anything crashing|services died|service died|service die|services die|services crash|service crashed|service crash|anything died|anything die|something died
  fehlgeschlagene dienste|fehlgeschlagenen dienste|fehlgeschlagene units|fehlgeschlagenen units|dienste fehlgeschlagen|dienst fehlgeschlagen|units fehlgeschlagen|unit fehlgeschlagen|dienste sind fehlgeschlagen|units sind fehlgeschlagen|dienste sind ausgefallen|dienste ausgefallen|ausgefallene dienste|ausgefallenen dienste|kaputte dienste|gescheiterte dienste|gescheiterte units|dienste abgesturzt|abgesturzte dienste|failed units|fehlerhafte dienste|etwas abgesturzt|was abgesturzt|dienst abgesturzt|dienste gestorben|etwas ausgefallen|was ausgefallen|dienst ausgefallen|fehlgeschlagene systemd units|dienste gescheitert
  unidades fallidas|unidad fallida|servicios fallidos|servicio fallido|servicios han fallado|servicio ha fallado|servicios que han fallado|servicios fallaron|servicios caidos|servicio caido|unidades que han fallado|unidades han fallado|unidades de systemd|unidades fallaron|servicios que fallan|servicios rotos|algo caido|caido algo|caido algun servicio|servicio se ha caido|fallado algo|algo ha fallado|fallado algun servicio
  unites en echec|unite en echec|services en echec|service en echec|services ont echoue|service a echoue|unites ont echoue|services echoues|unites echouees|unites systemd|services plantes|services en panne|services qui ont echoue|services tombes|services sont en echec|unites sont en echec|services sont tombes|services sont en panne|quelque chose a plante|quelque chose plante|service a plante|services ont plante|quelque chose est tombe
q updates: update|updates|pending updates|upgrade|upgrades|upgradable|updatable|package updates|system updates|outdated packages|patches|system up to date|machine up to date|server up to date|box up to date|everything up to date|packages up to date|system updated
  aktualisierung|aktualisierungen|update|updates|upgrades|ausstehende updates|ausstehende aktualisierungen|patches|aktuell gehalten|auf dem neuesten stand|auf dem neusten stand|auf dem aktuellen stand|softwareupdates|veraltete pakete|systemupdates
  actualizacion|actualizaciones|actualizaciones pendientes|actualizado|actualizada|al dia|parches|actualizar
  mise a jour|mises a jour|mises a jour en attente|maj|majs|a jour|correctifs
q security: security update|security updates|security patches|security fixes|security upgrades
  sicherheitsupdate|sicherheitsupdates|sicherheitsaktualisierung|sicherheitsaktualisierungen|sicherheits updates|sicherheitspatches|sicherheitsrelevante updates
  actualizaciones de seguridad|actualizacion de seguridad|parches de seguridad
  mises a jour de securite|mise a jour de securite|correctifs de securite|maj de securite
q reboot: reboot|reboots|reboot needed|reboot required|reboot pending|pending reboot|needs a reboot|need a reboot|need to reboot|have to reboot|needs to be rebooted|restart needed|restart required|need a restart|needs a restart|need to restart|have to restart|should i reboot|must i reboot|rebooting|restart|needs rebooting|be rebooted|be restarted
  neustart|reboot|neustart notig|neustart erforderlich|neu starten|neustarten|rebooten|neu gestartet werden|neugestartet werden|neu booten|durchstarten
  reinicio|reiniciar|reiniciarlo|reiniciarla|reinicio pendiente|reinicio necesario|hay que reiniciar|reboot|reiniciarse|rearrancar
  redemarrage|redemarrer|reboot|rebooter|faut il redemarrer|redemarrage necessaire|relancer la machine
q oom: oom|oom kill|oom kills|oom killer|oomkiller|oom killed|out of memory kill|out of memory kills|killed for memory|killed by the kernel|killed because of memory|ran out of memory|run out of memory|out of memory killer|killed by oom|killed by the oom killer
  oom|oom killer|oom kills|wegen speichermangel beendet|wegen speichermangels beendet|speichermangel|vom kernel beendet|vom kernel getotet|oom kill
  oom|oom killer|muertes por memoria|matado por falta de memoria|matados por falta de memoria|falta de memoria|se quedo sin memoria
  oom|oom killer|tues par manque de memoire|tue par manque de memoire|manque de memoire|a court de memoire|tues par le noyau
q clock: clock|system clock|time sync|time synchronization|time synchronisation|ntp|clock sync|clock synchronized|clock synchronised|clock in sync|time in sync|clock drift|clock error|clock accurate|time synchronised|time synchronized|system time
  uhr|systemuhr|zeitsynchronisation|uhrzeit synchron|ntp|zeit synchronisiert|uhrzeit synchronisiert|systemzeit|zeitabgleich
  reloj|reloj del sistema|sincronizacion horaria|hora sincronizada|ntp|sincronizacion del reloj|hora del sistema
  horloge|horloge systeme|synchronisation de l heure|heure synchronisee|ntp|synchronisation horaire|heure du systeme|heure systeme
q all: vitals|vital signs|machine state|state of the machine|resource usage|system resources|machine resources|resources overall
  vitalwerte|zustand der maschine|zustand des rechners|ressourcenverbrauch|ressourcen|systemressourcen
  signos vitales|estado de la maquina|uso de recursos|recursos del sistema
  signes vitaux|etat de la machine|ressources systeme|utilisation des ressources
a free: free|left|available|remaining|unused|spare|remain|remains|headroom
  frei|freie|freier|freien|freies|ubrig|verfugbar|verfugbare|verfugbarer|verfugbaren|noch platz|restlich|restliche|ubrige
  libre|libres|queda|quedan|disponible|disponibles|sobra|restante|restantes|quedando
  libre|libres|reste|restant|restante|restants|disponible|disponibles|dispo|reste il|reste t il|restent
a used: used|usage|in use|utilization|utilisation|occupied|consumption|utilized|taken
  belegt|belegte|belegter|benutzt|verwendet|genutzt|verbraucht|auslastung|nutzung|verbrauch|belegung|ausgelastet|in benutzung|in gebrauch|in verwendung
  usado|usada|usados|usadas|uso|en uso|ocupado|ocupada|utilizado|utilizada|utilizacion|consumo|utilizando
  utilise|utilisee|utilises|utilisees|utilisation|occupe|occupee|consommation|pris
a total: total|size|installed|in total|overall|have|altogether|capacity|fitted|physical
  gesamt|gesamter|insgesamt|eingebaut|verbaut|groesse|grosse|gross|hat die maschine|hat der rechner|hat der server|hat diese maschine|hat dieser rechner|installiert|kapazitat
  total|tamano|instalada|instalado|tiene la maquina|tiene el servidor|tiene este servidor|tiene esta maquina|capacidad|en total
  total|totale|taille|installee|installe|au total|en tout|capacite
a full: full|fullest|fullness|percent full|percentage full|fill level
  voll|vollste|vollsten|am vollsten|volle|gefullt|fullstand|vollgelaufen|voller
  lleno|llena|mas lleno|mas llena|llenos|llenas|completo
  plein|plus plein|plus rempli|pleine|pleins|pleines|rempli|remplie|sature|saturee|remplissage
k which: which|which ones
  welche|welcher|welches|welchen
  que|cual|cuales
  quel|quelle|quels|quelles|lesquels|lesquelles
k who: who|what|who s|what s|whats|whos
  wer|was
  quien|quienes|que
  qui|qu est ce qui|que
k many: how many|number of|count
  wie viele|wieviele|anzahl
  cuantos|cuantas|numero de
  combien de processus|combien de programmes|nombre de
k why: why|how come|what causes|what is causing|what s causing|reason|reasons|cause|causes|causing|slowing|slows|what makes
  warum|wieso|weshalb|grund|ursache|woran liegt|verursacht|was bremst|ausbremst|bremst
  por que|porque|causa|motivo|a que se debe|provoca
  pourquoi|cause|raison|provoque|d ou vient|ralentit
k mean: mean|means|meaning|explain|definition|what is a|what is an|what are|define|what exactly is|stand for|what does it mean
  bedeutet|heisst|bedeutung|erklare|erklar|was ist ein|was ist eine|was sind|erklaren|was versteht man unter
  significa|que es|que son|explica|explicame|definicion|que quiere decir
  signifie|veut dire|c est quoi|qu est ce que|qu est ce qu|explique|explique moi|definition
k whether: is|are|is there|are there|does|do|has|am i|am|will|did|have i|do i|is it|was there|were there|any|has there
  ist|sind|gibt es|hat|habe ich|muss ich|muss|reicht|lauft|bin ich|sollte ich|gab es|wurde|wurden|braucht|brauche ich|haben wir|ist es|stehen
  hay|esta|estan|necesito|tengo|es|hubo|tiene|debo|tenemos|necesita|ha habido|se ha
  est ce que|est ce qu|y a t il|ai je|dois je|faut il|y a il|est il|est elle|est|sont|a t il|a t elle|avons nous|reste t il assez|faut
k top: top|list|biggest|largest|heaviest|hungriest|greediest|fattest
  top|grossten|grosste|grosster|liste|hungrigsten|schwersten|dicksten
  top|mas grandes|mayores|mayor|lista|mas pesados
  top|plus gros|plus grosses|plus grands|liste|plus gourmands|plus lourds
o most: most|highest|the most|maximum|max|so much|too much|all the|all my|worst|majority
  meisten|meiste|am meisten|hochsten|hochste|hochster|so viel|zu viel|den ganzen|die ganze|am starksten
  mas|la mayor|el mayor|maximo|mas alto|mas alta|tanta|tanto|demasiada|demasiado|toda la|todo el
  plus|le plus|le plus de|la plus|maximum|plus haut|plus haute|tant de|trop de|autant de|toute la|tout le
o least: least|lowest|smallest|minimum|fewest
  wenigsten|am wenigsten|niedrigsten|geringsten|kleinsten
  menos|menor|minimo|mas bajo
  moins|le moins|le moins de|minimum
o more: more than|over|above|greater than|at least|bigger than|larger than|higher than|exceeds|exceed|exceeding|beyond|hotter than|more
  mehr als|uber|oberhalb|mindestens|grosser als|hoher als|mehr|heisser als
  mas de|mas del|mas que|superior a|por encima de|al menos|mayor que|mayor de|supera|superan|mayores de|mas alta que|mas alto que
  plus de|superieur a|superieure a|au dessus de|au moins|depasse|depassent|plus que|plus haut que|plus elevee que
o less: less than|under|below|at most|lower than|smaller than|fewer than|less
  weniger als|unter|unterhalb|hochstens|niedriger als|kleiner als|weniger
  menos de|menos del|menos que|inferior a|por debajo de|como mucho|menor que|menor de
  moins de|inferieur a|inferieure a|en dessous de|au plus|moins que
p process: process|processes|proc|procs|program|programs|programme|programmes|app|apps|application|applications|task|tasks|daemon|daemons|binary|pid|pids|service|services|software|consumer|consumers|hog|hogs|eaters|eater|users of
  prozess|prozesse|prozessen|prozesses|programm|programme|programmen|anwendung|anwendungen|dienst|dienste|app|apps|task|tasks|verbraucher|fresser|speicherfresser
  proceso|procesos|programa|programas|aplicacion|aplicaciones|app|apps|servicio|servicios|tarea|tareas|consumidores|consumidor
  processus|programme|programmes|application|applications|appli|applis|service|services|logiciel|logiciels|tache|taches|consommateurs|consommateur
p they: it|they|them|these|those|its|their|that one|each of them|he|this one
  er|sie|es|diese|davon|deren|sein|ihr|dieser|dieses|der da
  ellos|ellas|estos|esos|lo|ese|este
  il|elle|ils|elles|ceux ci|celui ci|ca
u use: use|uses|using|eat|eats|eating|consume|consumes|consuming|hogging|take|takes|taking|need|needs|burn|burns|burning|chew|chews|chewing|suck|sucks|sucking|gobble|gobbles|gobbling|occupy|occupies|occupying|require|requires|taking up|takes up|eating up|using up|chewing up|allocate|allocates|allocated|hold|holds|holding|demands|guzzle|guzzles|guzzling|doing most|filling|fills
  nutzt|nutzen|benutzt|benutzen|verwendet|verwenden|verbraucht|verbrauchen|braucht|brauchen|frisst|fressen|belegt|belegen|beansprucht|beanspruchen|zieht|schluckt|schlucken|benotigt|benotigen|belastet|saugt|nimmt
  usa|usan|usando|utiliza|utilizan|consume|consumen|consumiendo|come|comen|comiendo|gasta|gastan|gastando|necesita|necesitan|ocupa|ocupan|ocupando|chupa|chupan|zampa|traga|tragan|acapara|devora
  utilise|utilisent|consomme|consomment|mange|mangent|bouffe|bouffent|prend|prennent|occupe|occupent|pompe|pompent|necessite|monopolise|devore|accapare|utilisant|consommant
m machine: machine|raspberry pi|raspberry|raspi|pi|vps|nas box|box|server|computer|system|host|pc|laptop|vm|everything|this thing|desktop|workstation
  maschine|rechner|server|computer|system|kiste|kasten|pc|host|laptop|alles|vm
  maquina|servidor|equipo|ordenador|computadora|computador|sistema|pc|host|portatil|todo
  machine|serveur|ordinateur|ordi|systeme|pc|hote|portable|tout|poste|becane
j slow: slow|sluggish|laggy|lagging|lags|slowly|so slow|crawling|hangs|hanging|unresponsive|freezing|stuttering|slower|dragging|slowed down|performance problem|performance problems|not responding
  langsam|trage|lahm|lahmt|hangt|ruckelt|zah|langsamer|reagiert nicht|schleppend|kriecht|stockt
  lento|lenta|lentos|despacio|va lento|va lenta|se arrastra|atascado|atascada|colgado|colgada|ralentizado
  lent|lente|lents|rame|ramer|rament|lentement|traine|ralenti|ralentie|bloque|lag|lague
j bad: high|busy|overloaded|loaded|heavy|low|short|short on|short of|running out|running low|running out of|out of|too high|under pressure|tight|stressed|maxed out|maxed|pegged|swamped|exhausted|critical|off|wrong|strained|under load|saturated|hammered|struggling|almost full|nearly full|insufficient|spiking
  hoch|hohe|hoher|uberlastet|ausgelastet|knapp|wenig|niedrig|beschaftigt|beansprucht|uberlast|unter last|geht aus|falsch|am anschlag|am limit|fast voll|zu hoch|geht der|geht die|kritisch|unter druck|erschopft
  alta|alto|altas|altos|sobrecargado|sobrecargada|cargado|cargada|saturado|saturada|escasa|escaso|baja|bajo|ocupada|poca|poco|justa|agotado|agotada|al limite|tan alta|tan cargado|casi lleno|casi llena|mal
  eleve|elevee|haute|haut|surcharge|surchargee|charge a|chargee|faible|basse|limite|occupee|insuffisant|insuffisante|a bout|court de|epuise|a fond|presque plein|mauvaise
j good: ok|okay|fine|enough|sufficient|healthy|normal|in sync|synced|synchronised|synchronized|correct|right|good|accurate|plenty|alright|in order|well|working
  ok|okay|genug|genugend|ausreichend|gesund|normal|synchron|synchronisiert|richtig|korrekt|gut|in ordnung|reichlich|stimmt|genau
  ok|bien|suficiente|suficientes|bastante|sano|sana|normal|sincronizado|sincronizada|correcto|correcta|en hora|bueno|buena
  ok|bien|assez|suffisant|suffisante|sain|saine|normal|normale|synchronise|synchronisee|correct|correcte|bon|bonne|juste|suffisamment|a l heure
r together: together|sum|combined|all of them|in sum|collectively|between them|all
  zusammen|zusamen|summe|gemeinsam|in summe|alle|aller|allen
  juntos|juntas|suma|en conjunto|todos|todas|sumados
  ensemble|somme|cumul|cumule|a eux tous|tous|toutes
r resources: resources|resource|resource hungry|resource hog|resource hogs|resource intensive
  ressourcen|ressource
  recursos
  ressources
t past: ago|earlier|before|history|historical|trend|peak|peaked|over time|past|used to be|previously|yesterday s|average over|highest today|maximum today|last week|last night
  frueher|vorher|verlauf|historie|trend|spitze|spitzenwert|hochstwert|damals|zuvor|im laufe|gestrige
  antes|historial|historico|historica|tendencia|pico|anteriormente|pasado|pasada
  avant|historique|tendance|pic|precedemment|auparavant|passe|passee
t was: was|were|had been
  war|waren
  era|fue|estaba|ha sido|habia
  etait|etaient|avait|a ete
t future: tomorrow|next week|next month|will be|until it is full|fill up|fills up|run full
  morgen|nachste woche|nachsten monat|sein wird|wird voll|voll sein|vollaufen|wird die platte voll
  manana|la semana que viene|se llenara|proxima semana|estara
  demain|la semaine prochaine|sera|sera t il|le mois prochain
c compare: compare|comparison|versus|vs|compared|compared to|compared with|difference between
  vergleiche|vergleich|vergleichen|verglichen|gegenuber
  compara|comparar|comparacion|comparado|frente a
  compare|comparer|comparaison|par rapport a
x: sorted|sort|ordered|order|ranked|please|pls|how much|how|what is|much|s|level|levels|value|values|reading|now|right now|at the moment|currently|current|still|much of|amount|amount of|percentage|percent of|percentage of|share of|show me|give me|tell me|quick|info|status|stats|average|per|each|only|mounted|point|in there|going on|happening|needed|required|pending|waiting|security|mine|how s|hows|quickly|often|times|long|since when|when|install|kernel|today|currently running|running|run|runs|time|sync|time service|set|keep|keeps|kept|getting|lately|suddenly|again|really|so|such|very|too|doing|do you know|names|name|because|caused|problem|machine s|server s|the machine s|system s|today s|available to install|through|going through|via|across|across all|tabs|tab|instances|windows|x: if so|if yes|sorted|feels|feel|seems|looks|largest to smallest|from largest to smallest|biggest first|largest first|from most to least|sorted
  sortiert|geordnet|bitte|wie viel|wieviel|wie|aktuell|aktuelle|aktuellen|momentan|gerade|derzeit|jetzt|im moment|wert|werte|stand|menge|anteil|prozentual|zeig|zeig mir|sag mir|gib mir|noch|nach|eigentlich|grad so|notig|erforderlich|ausstehend|ausstehende|ausstehenden|anstehend|verfugbare|seit wann|wie lange|wann|lange|zuletzt|wann zuletzt|schon|platz da|installieren|kernel|heute|alle|von allen|pro|gesamte|status|systemd|ganze|laufenden|laufende|laufender|laufen|starten|gestartet|zu|vor|offen|offene|anstehende|sekunde|ihn|mein|meine|meinen|meinem|meiner|unser|unseren|denn|plotzlich|aktueller|gleich|dringend|wirklich|derzeitige|derzeitigen|momentane|wegen|liegt es|fuhlt sich|wirkt|und wenn ja|wenn ja|vom grossten zum kleinsten|absteigend
  ordenados|ordenado|por favor|cuanto|cuanta|como|ahora|actualmente|en este momento|actual|nivel|valor|muestrame|dime|dame|muestra|todavia|aun|pendientes|pendiente|instalar|necesario|necesaria|hace falta|desde cuando|cuanto tiempo|cuando|tiempo|ahora mismo|kernel|hoy|porcentaje|cantidad|de systemd|por segundo|ultima vez|ultimo|ultima|fallado|mucho|mucha|va|tan|esta tan|reciente|estado|alguna|algun|hay que|uso actual|corriendo|ejecutandose|ocurrido|lleva|parece|de mayor a menor|y si es asi|descendente
  tries|trie|classes|s il vous plait|s il te plait|stp|svp|combien|combien de|combien d|comment|actuellement|en ce moment|maintenant|actuel|actuelle|niveau|valeur|montre moi|dis moi|donne moi|affiche|encore|en attente|a installer|installer|necessaire|besoin|besoin de|depuis quand|depuis combien de temps|quand|temps|noyau|aujourd hui|pourcentage|quantite|par seconde|derniere fois|dernier|derniere|systemd|a quel point|pour l instant|si|tellement|aussi|etat|besoin d|en cours|quelle heure|combien y a t il de|peu|courante|il y a|semble|du plus gros au plus petit|du plus grand au plus petit|decroissant|par ordre decroissant|et si oui
`;
