/** More words of tables and conditions, in the form of `words.ts`: startup, accounts, alerts, accepted findings, deleted files. */
export const MORE_WORDS = `
verb autostart: on startup|at system startup|launch at startup|launched at startup|launches at startup|auto start|auto starts|auto started|autostarted|autostarting|start up automatically|starts up automatically|launched automatically|launches automatically|run automatically|runs automatically|begin automatically|start with the system|starts with the system
  beim start der maschine|automatisch gestartet|automatisch mit|mit dem system|fahrt automatisch hoch
  al iniciar|al iniciar el sistema|al inicio del sistema|en el inicio|con el sistema|se lanzan al inicio|se ejecutan al inicio|de forma automatica
  automatiquement|avec le systeme|avec la machine|lances automatiquement|lancees automatiquement
table startup: startup program|startup programs|startup service|startup services|startup list|autostart program|autostart programs|boot service|boot services|boot time services
  startprogramme|autostartprogramme|autostart programme|autostart eintrage|startdienste|startliste
  programas de inicio|servicios de inicio|programas de arranque|servicios de arranque|elementos de inicio
  programmes de demarrage|programmes au demarrage|services de demarrage|elements de demarrage
trait cron: by cron|from cron|via cron|through cron|with cron|in cron|in crontab|in the crontab|started by cron|run by cron|launched by cron|executed by cron|cron starts|does cron run|does cron start|scheduled by cron|scheduled with cron|periodic jobs|recurring jobs
  von cron|durch cron|uber cron|per cron|mit cron|in der crontab|cron gestartet|von cron gestartet|durch cron gestartet|cronjobs|zeitgesteuerte aufgaben|geplante aufgaben|geplanten aufgaben
  por cron|desde cron|mediante cron|con cron|via cron|en cron|en el crontab|en crontab|iniciado por cron|lanzado por cron|ejecutado por cron|tareas periodicas|tareas programadas de cron
  par cron|via cron|depuis cron|avec cron|dans cron|dans la crontab|lance par cron|lances par cron|execute par cron|executes par cron|demarre par cron|taches periodiques|taches recurrentes
trait timer: timer|timers|systemd timer|systemd timers|timer unit|timer units
  timer|timers|systemd timer|systemd timers|timer units|zeitgeber
  timer|timers|temporizador|temporizadores|temporizadores de systemd|timers de systemd
  timer|timers|minuteur|minuteurs|minuterie|minuteries|timers systemd|timers de systemd
trait systemd: systemd unit file|systemd unit files|unit file|unit files|units of systemd|service unit|service units|services of systemd|system services
  systemd einheit|systemd-units|systemd-dienste|unit dateien|systemdienste|dienste von systemd|units von systemd
  unidad de systemd|archivos de unidad|servicios systemd|servicios del sistema
  unites de systemd|services de systemd|fichiers d unite
table accounts: system user|system users|user list|list of users|user names on this machine|unix users|linux users|local users|local user|posix accounts
  nutzerkonto|nutzerkonten|systembenutzer|lokale benutzer|lokalen benutzer|benutzerliste|accounts|zugange|logins
  cuenta de usuario|usuarios locales|usuarios del sistema|usuario del sistema|lista de usuarios
  compte utilisateur|comptes d utilisateur|utilisateurs locaux|utilisateurs du systeme|comptes locaux|liste des utilisateurs
trait login-shell: with a shell|has a shell|have a shell|having a shell|a shell|a working shell|valid shell|a valid shell|shell access|any shell|got a shell|a proper shell|real shell|bash shell
  shell zugang|shell-zugang|eine shell|eine gultige shell|gultige shell|mit shell|shellzugang|eine richtige shell|eine login shell|mit login shell|eine echte shell
  tienen shell|tiene shell|una shell|una shell valida|shell valida|con shell|acceso a shell|acceso shell|shell de login|una shell de login|shell real
  un shell|un shell valide|shell valide|avec un shell|un acces shell|acces shell|shell de login|un shell de login|un vrai shell
trait rights: elevated rights|elevated privileges|superuser|superusers|superuser rights|privileged|privileges|administrative rights|administrative access|root permissions|root permission|with root
  administratorrechte|admin rechte|rootrechte|rechte von root|erhohte rechte|superuser|root zugriff|root-zugriff
  permisos root|derechos root|acceso root|acceso de root|superusuario|superusuarios|privilegios de root|privilegios de administrador|permisos elevados
  droits de root|acces root|les droits root|les droits de root|privileges root|les droits d administrateur|super utilisateur|superutilisateur|privileges|droits administrateur|les droits administrateur
trait sudo: may use sudo|can use sudo|can sudo|sudo access|sudo privileges|sudo permissions
  sudo-rechte|sudorechte|sudo zugriff
  permisos sudo|acceso sudo|usar el sudo
  droits sudo|les droits sudo|acces sudo
trait no-password: password is empty|with an empty password|an empty password|password less|passwordless|empty passwords|no passwords
  passwortlos|mit leerem passwort|leeren passwort|ein leeres passwort|keine passworter|leere passworter
  contrasena esta vacia|una contrasena vacia|contrasenas vacias|sin clave|clave vacia|sin contrasenas
  un mot de passe vide|mots de passe vides|sans mots de passe|pas de mot de passe
trait accepted: acknowledged|acknowledge|acked|ack ed|dismissed|waived|signed off|approved by me|already accepted|already acknowledged
  quittiert|quittierte|quittierten|bestatigt|bestatigte|bestatigten|abgenommen|abgesegnet|hingenommen|zur kenntnis genommen
  reconocido|reconocidos|reconocida|reconocidas|descartado|descartados|confirmado|confirmados|dado por bueno|dados por buenos
  acquitte|acquittes|acquittee|acquittees|valide|valides|validee|validees|ecarte|ecartes|pris en compte
trait unaccepted: unacknowledged|unhandled|untreated|unattended|unresolved|pending|outstanding|not handled|not dealt with|not yet handled|still unhandled
  unbearbeitet|unbearbeitete|unbearbeiteten|nicht bearbeitet|unerledigt|unerledigte|unerledigten|unquittiert|unquittierte|ausstehend|ausstehende|noch nicht bearbeitet
  sin tratar|sin resolver|sin atender|pendiente|pendientes|no tratada|no tratadas|no tratado|no tratados|sin revisar|sin reconocer
  non traite|non traites|non traitee|non traitees|en attente|en suspens|non resolu|non resolus|non resolues|pas traitees|pas traites|pas encore traitees|pas encore traites|a traiter
trait deleted: without executable on disk|without an executable on disk|without a file on disk|without executable|without binary|without a binary on disk|deleted file|a deleted file|deleted files|from a deleted file|out of a deleted file|from deleted files|out of deleted files|file that was deleted|file that has been deleted|file that no longer exists|file that is gone|file no longer exists|binary no longer exists|executable no longer exists|executable that no longer exists|no longer on disk|not on disk any more|not on disk anymore|removed from disk|removed binary|removed binaries|removed executable|removed executables|removed file|executable is missing|binary is missing|binary was removed|executable was removed|program file was deleted|exe was deleted|exe is deleted|deleted exe|unlinked executable
  ohne datei auf der platte|ohne programmdatei|geloschten datei|geloschter datei|geloschte datei|geloschten dateien|einer geloschten datei|aus geloschten dateien|aus einer geloschten datei|geloschten binary|geloschten executable|geloschtem executable|geloschten programmdatei|geloschter programmdatei|programmdatei nicht mehr existiert|programmdatei fehlt|datei nicht mehr gibt|nicht mehr auf der platte|nicht mehr auf platte|datei entfernt wurde|exe geloscht
  sin ejecutable en disco|sin archivo en disco|sin ejecutable|un archivo borrado|archivo eliminado|un archivo eliminado|archivos borrados|archivos eliminados|fichero eliminado|ficheros borrados|ejecutables borrados|ejecutables eliminados|binarios borrados|binario que ya no existe|archivo que ya no existe|ya no existe en disco|ya no esta en el disco|ejecutable ya no esta
  sans executable sur le disque|sans fichier sur le disque|sans executable|un fichier supprime|fichiers supprimes|fichier efface|fichiers effaces|un fichier efface|un executable supprime|executables supprimes|binaires supprimes|binaire efface|fichier n existe plus|binaire n existe plus|plus sur le disque|n est plus sur le disque|fichier qui n existe plus
word startedby: started by|launched by|spawned by|begun by|started from
  gestartet von|gestartet durch|gestartet vom
  iniciados por|iniciado por|lanzados por|lanzado por|arrancados por|arrancado por|ejecutados por
  lances par|lance par|lancees par|demarres par|demarre par|executes par|execute par
verb run: owned by user|run by user|run by|executed by|running as|run as|runs as|run under|running under|runs under
  laufen als|lauft als|laufen unter|lauft unter|ausgefuhrt von|ausgefuhrt als
  ejecutado por|corren como|corre como|se ejecutan como|se ejecuta como|corriendo como|ejecutandose como
  tournent sous|tourne sous|tournant sous|tournent comme
trait loopback: only on localhost|on localhost only|only local|local only|localhost only|not reachable from outside|on the loopback interface|only on loopback
  nur lokal|nur auf localhost|ausschliesslich lokal|nur von hier erreichbar
  solo en localhost|solo local|solo locales|unicamente locales|solo en local
  uniquement sur localhost|seulement sur localhost|uniquement en local|seulement en local|uniquement locaux
column start: spawned|launch time|came up|been started|got started|were started|has been started|have been started|were launched|was launched|were spawned
  gestartet wurden|gestartet wurde|gestartet worden|angelaufen|angefangen|hochgekommen
  se iniciaron|se han iniciado|se lanzaron|se arrancaron|fueron iniciados|han arrancado|han empezado|lanzados|comenzaron
  ont ete lances|ont ete demarres|ont demarre|se sont lances|se sont lancees|ont commence|ont ete lancees
table findings: alarm|alarms|alert message|alert messages|notification|notifications
  alarm|alarme|alarmen|alarmmeldung|alarmmeldungen|warnung|warnungen|benachrichtigung|benachrichtigungen|alert|alerts
  alarma|alarmas|aviso|avisos|notificacion|notificaciones|mensajes de alerta
  alarme|alarmes|avertissement|avertissements|notification|notifications|messages d alerte
table findings: incident|incidents|anomaly|anomalies|security issue|security issues|unusual things|warning|warnings
  auffalligkeit|auffalligkeiten|vorfall|vorfalle|anomalie|anomalien|sicherheitsproblem|sicherheitsprobleme|probleme|problem|warnmeldung|warnmeldungen
  incidente|incidentes|incidencia|incidencias|anomalia|anomalias|problemas de seguridad
  incident|incidents|anomalie|anomalies|problemes|probleme|problemes de securite
trait closed: fixed|been fixed|were fixed|solved|been resolved|were resolved|was resolved|been solved
  gelost|geloste|gelosten|wurden behoben|wurden gelost|behobene|behobenen|erledigte|erledigten
  solucionado|solucionados|solucionada|solucionadas|arreglado|arreglados|se resolvieron|se han resuelto|se resolvio
  resolue|resolues|regle|regles|corrige|corriges|ont ete resolus|ont ete corriges
verb run: up and running|in operation|still alive|is up and running
  in betrieb|am laufen|am leben
  en marcha|en funcionamiento|funcionando|sigue vivo|esta vivo
  en marche|en cours d execution|en fonctionnement|en vie
trait public: on every interface|on all addresses|on any address|on every address|on any interface
  auf allen schnittstellen|auf allen interfaces|auf allen adressen|alle schnittstellen|allen schnittstellen|auf jeder schnittstelle
  en todas las interfaces|todas las interfaces|en todas las direcciones|en cualquier interfaz
  sur toutes les interfaces|toutes les interfaces|sur toutes les adresses|sur chaque interface
trait boot: when this server boots|when this machine boots|when this box boots|when the box boots|when the computer boots|when the computer starts|when this server starts|when this machine starts|when my server boots|when the pi boots|along with the server|with the server|with the machine
  mit dem server|mit der maschine|mit dem rechner|wenn der server startet|wenn die maschine startet|wenn die kiste startet|beim start des servers|beim serverstart|beim start der maschine
  con el servidor|con la maquina|cuando arranca el servidor|cuando se inicia el servidor|cuando arranca el equipo|cuando enciendo el servidor
  avec le serveur|avec la machine|demarrent avec le serveur|demarrent avec la machine|demarre avec le serveur|se lancent avec le serveur|lances avec le serveur|demarrent avec le systeme|quand le serveur boote|au demarrage du serveur|lors du demarrage|lors du demarrage du serveur
`;
