/** Words of questions about accounts, what starts by itself, packages and the certificate, in the form of `words.ts`. */
export const HOST_WORDS = `
table accounts: account|accounts|user account|user accounts|local accounts
  konto|konten|benutzerkonto|benutzerkonten|account|accounts
  cuenta|cuentas|cuentas de usuario
  compte|comptes|comptes utilisateur
trait can-log-in: log in|logs in|login|logins|log on|sign in|can log in|able to log in|may log in|actually log in|still log in|can still log in|can actually log in|it logs in|get in|get into|have a login here|able to login|logs into|log into|log on to|interactive login|can login|sign in to|allowed to log in|allowed to login|log in interactively|permitted to log in|people can log in|people are able to log in|people may log in
  anmelden|sich anmelden|einloggen|sich einloggen|einloggen konnen|anmelden konnen|sich hier anmelden|anmeldung|einloggen darf|einloggen durfen|personen sich anmelden|leute sich anmelden|personen konnen sich anmelden|leute konnen sich anmelden
  iniciar sesion|entrar|conectarse|pueden entrar|iniciar una sesion|acceder|pueden iniciar sesion|puede entrar|pueden acceder|puede iniciar sesion|loguearse|pueda entrar|puedan entrar|pueda iniciar sesion|puedan iniciar sesion|pueda conectarse|puede conectarse|pueden conectarse|personas pueden entrar|personas pueden iniciar sesion|personas pueden conectarse
  se connecter|ouvrir une session|peuvent se connecter|se loguer|se logger|ouvrir de session|peut se connecter|peut ouvrir une session|peuvent ouvrir une session|puisse se connecter|puissent se connecter|se connectent|personnes peuvent se connecter|personnes peuvent ouvrir une session
trait rights: root rights|root access|admin rights|admin|admins|administrators|administrator rights|become root|get root|be root|root privileges|become administrator|become admin|become an admin
  root rechte|root-rechte|adminrechte|admin|admins|root werden|administratoren|administrator werden|admin werden
  derechos de root|permisos de root|permisos de administrador|ser root|hacerse root|administradores|privilegios|ser administrador|hacerse administrador|convertirse en administrador
  droits root|droits d administrateur|devenir root|administrateurs|devenir administrateur|devenir admin|passer root|passer administrateur
trait sudo: sudo|sudo rights|use sudo|using sudo|sudoers
  sudo|sudo rechte|sudo benutzen|sudo nutzen
  sudo|permisos de sudo|derechos de sudo|usar sudo
  sudo|utiliser sudo|droits sudo
trait no-password: no password|without a password|without password|empty password|blank password
  kein passwort|ohne passwort|leeres passwort
  sin contrasena|contrasena vacia
  sans mot de passe|mot de passe vide
trait keys: ssh key|ssh keys|authorized keys|authorized key|ssh authorized keys|authorised keys|public keys|key login
  ssh schlussel|ssh keys|ssh key|autorisierte schlussel|autorisierten schlussel|ssh schlusseln
  llaves ssh|llave ssh|claves ssh|ssh keys|claves ssh autorizadas|clave ssh autorizada|clave ssh|llaves ssh autorizadas|claves autorizadas|llaves autorizadas
  cles ssh|cle ssh|cle ssh autorisee|cles ssh autorisees|cles autorisees|cles publiques
trait login-shell: login shell|a login shell|interactive shell|an interactive shell|a real shell|usable shell
  login shell|interaktive shell|anmeldeshell|echte shell
  shell de inicio de sesion|shell interactiva|shell interactivo|una shell interactiva
  shell interactif|shell de connexion|un shell interactif
trait password-set: usable password|a usable password|password set|a password set|have a password|has a password|with a password set|a password that is set
  ein passwort haben|passwort gesetzt|gesetztes passwort|ein passwort hat
  contrasena puesta|tienen contrasena|contrasena establecida|contrasena utilizable
  mot de passe defini|un mot de passe utilisable|ont un mot de passe
trait service-account: service account|service accounts|system account|system accounts|daemon account|daemon accounts
  dienstkonto|dienstkonten|systemkonto|systemkonten
  cuenta de servicio|cuentas de servicio|cuenta de sistema|cuentas de sistema|cuentas del sistema
  compte de service|comptes de service|compte systeme|comptes systeme
trait never-logged-in: never logged in|have never logged in|has never logged in|never logged on|never signed in|never been used|never used to log in
  nie angemeldet|noch nie angemeldet|nie eingeloggt|noch nie eingeloggt|sich nie angemeldet haben
  nunca han entrado|nunca ha entrado|nunca se ha conectado|nunca se han conectado|nunca iniciaron sesion|nunca ha iniciado sesion|nunca han iniciado sesion
  ne se sont jamais connectes|ne s est jamais connecte|jamais connecte|jamais connectes|ne se sont jamais connectees
trait by-password: with a password|with password|by password|using a password|with their password|password login|use a password
  mit passwort|per passwort|mit einem passwort
  con contrasena|con una contrasena|mediante contrasena|por contrasena
  avec un mot de passe|par mot de passe|avec mot de passe
column last_login: last login|last log in|last logged in|logged in last|last logged on|log in last|last time logged in|last signed in|log in the last time|last seen logged in|last time they logged in|last signed on|most recently logged in|logged in most recently|last access|logged in|logged on|signed in
  zuletzt angemeldet|zuletzt eingeloggt|letzte anmeldung|letzter login|das letzte mal angemeldet|letzter zugang|zuletzt da|letzten login|letzte logins|angemeldet|eingeloggt|angemeldet haben
  ultimo inicio de sesion|ultima sesion|ultimo acceso|ultimo login|se conecto|inicio sesion|entro|inicio sesion por ultima vez|se conecto por ultima vez|entro por ultima vez|ultima conexion|ultima entrada|entraron por ultima vez|se conectaron por ultima vez|ultima vez que entro|ultima vez que entraron|ha entrado|han entrado|se han conectado|se conectaron|se ha conectado|entraron
  derniere connexion|connecte pour la derniere fois|connectee pour la derniere fois|s est connecte|connectee la derniere fois|est elle connectee pour la derniere fois|est il connecte pour la derniere fois|s est elle connectee pour la derniere fois|s est il connecte pour la derniere fois|dernier acces|connectes pour la derniere fois|derniere session|derniere ouverture de session|connecte|connectes|s est connectee|se sont connectes|connectee
trait locked: locked|password locked|disabled|deactivated
  gesperrt|deaktiviert
  bloqueado|bloqueada|bloqueados|bloqueadas|desactivado
  verrouille|verrouilles|bloque|desactive
trait expired-account: expired account|expired accounts
  abgelaufenes konto|abgelaufene konten
  cuenta caducada|cuentas caducadas
  compte expire|comptes expires
column shell: shell|login shell|shells
  shell|login shell|anmeldeshell
  shell|interprete
  shell|interpreteur
column home: home|home directory|home folder
  heimatverzeichnis|home verzeichnis
  directorio personal|carpeta personal
  repertoire personnel|dossier personnel
column groups: groups|group
  gruppen|gruppe
  grupos|grupo
  groupes|groupe
column keys: keys|number of ssh keys|number of keys
  schlussel
  llaves
  cles
column changed: changed|change|modified|altered
  geandert|verandert
  cambio|cambiado|cambiados|modificado|modificados
  change|changes|modifie|modifies
table startup: startup|at startup|startup entry|startup entries|startup place|startup places|startup item|startup items|autostart|autostarts|autostart entries|scheduled jobs|scheduled tasks
  systemstart|beim systemstart|starteintrag|starteintrage|starteintragen|autostart|autostarts|autostarteintrage
  arranque|en el arranque|entrada de inicio|entradas de inicio|entradas de arranque|autoarranque|tareas programadas
  demarrage|au demarrage|entree de demarrage|entrees de demarrage|demarrage automatique|taches planifiees
verb autostart: starts by itself|start by itself|starts by themselves|start by themselves|starts automatically|start automatically|started automatically|starts on its own|start on their own|starts up by itself|set to start|come up by themselves
  startet von selbst|starten von selbst|startet automatisch|starten automatisch|beim systemstart von selbst|von selbst|automatisch|starten selbst|starten beim systemstart|startet beim systemstart|von alleine|von allein
  arranca solo|arrancan solos|arranca por si solo|arranca automaticamente|se inicia solo|automaticamente|arrancan al inicio|arranca al inicio|se inician solos|se inician solas|arrancan solas|arrancan automaticamente|se inician automaticamente|al inicio|inician solos
  demarre tout seul|demarrent tout seuls|demarre automatiquement|demarrent automatiquement|tout seul|se lancent tout seuls|se lance tout seul|demarrent toutes seules|se lancent automatiquement|demarrent seuls|se lancent au demarrage|lances au demarrage|tout seuls|toutes seules
trait cron: cron|cron job|cron jobs|cronjob|cronjobs|crontab|crontabs|cron entry|cron entries|cron file|cron files|cron tasks|scheduled cron jobs|cron run|cron runs
  cron|cronjob|cronjobs|cron jobs|crontab|cron eintrage|cron datei|cron dateien|cron-jobs|cron aufgaben
  cron|tareas cron|tarea cron|trabajos cron|crontab|cron jobs|cronjobs|tareas de cron|trabajos de cron
  cron|taches cron|tache cron|crontab|fichiers cron|cron jobs|cronjobs|taches de cron|jobs cron
trait set-uid: set uid|setuid|suid|set-uid|set user id|setgid|set uid program|set uid programs|setuid program|setuid programs|suid program|suid programs|setuid binaries|suid binaries|setuid file|setuid files|suid files|set-uid program|set-uid programs|set-uid file|set-uid files
  set uid|setuid|suid|set-uid|setuid programme|suid programme|set-uid-programme|setuid-programme|suid-programme|set-uid programme|setuid dateien|suid dateien
  set uid|setuid|suid|set-uid|programas setuid|programas suid|programas set-uid|programa set-uid|archivos setuid|archivos suid
  set uid|setuid|suid|set-uid|programmes setuid|programmes suid|programmes set-uid|programme set-uid|fichiers setuid|fichiers suid
trait systemd: systemd|systemd unit|systemd units|systemd service|systemd services
  systemd|systemd unit|systemd units|systemd dienst|systemd dienste|systemd einheiten
  systemd|unidades systemd|unidades de systemd|unidad systemd|servicios de systemd
  systemd|unite systemd|unites systemd|services systemd
trait vouched: vouched|vouch|vouches|vouched for|voucher|vouchers|package vouches|package vouches for|package vouch for|vouched for by a package|vouches for|who vouches for
  burgt|burgen|paket burgt|verburgt
  responde|avalado|avalada|avaladas|avalados|paquete que responda|respaldado|respaldada|aval
  garant|garants|garanti|garantie|paquet ne repond
trait unvouched: unvouched|unvouched for|not vouched for|no package vouches for|no package vouches|without a voucher|no voucher|doesn t belong to a package|don t belong to a package|doesn t belong to any package|don t belong to any package|not belong to any package|not belong to a package|belong to no package|belongs to no package|not from a package|without a package|not part of a package|aren t part of any package|isn t part of any package|not vouched|no one vouches for|no one vouches|nobody vouches for|nobody vouches|that nobody vouches for|nothing vouches for
  kein paket burgt|zu keinem paket|gehoren zu keinem paket|gehort zu keinem paket|fur das kein paket burgt|fur die kein paket burgt|fur den kein paket burgt|unverburgt|ohne burgen|gehoren keinem paket|gehort keinem paket|aus keinem paket|ohne paket|niemand burgt|fur die niemand burgt|fur das niemand burgt|von keinem paket verburgt
  ningun paquete responde|ningun paquete avala|que ningun paquete avala|sin paquete que responda|sin aval|no pertenecen a ningun paquete|no pertenece a ningun paquete|no vienen de ningun paquete|sin paquete|no viene de ningun paquete|no avala ningun paquete|no estan avalados|no estan avaladas|nadie avala|nadie responde|no pertenezca a un paquete|no pertenezca a ningun paquete|no pertenezcan a ningun paquete
  aucun garant|sans qu aucun paquet ne le garantisse|sans qu aucun paquet ne les garantisse|sans garant|aucun paquet ne garantit|n ont aucun garant|ne sont garantis par aucun paquet|garantis par aucun paquet|garanti par aucun paquet|n appartiennent a aucun paquet|n appartient a aucun paquet|ne viennent d aucun paquet|ne vient d aucun paquet|hors paquet|sans paquet|personne ne garantit|ne sont pas garantis|n appartienne a aucun paquet
table packages: changed package files|altered package files|files that differ from their package|files that differ from their packages
  geanderte paketdateien|veranderte paketdateien|dateien die von ihrem paket abweichen
  archivos de paquetes cambiados|archivos de paquetes alterados
  fichiers de paquets modifies|fichiers de paquets changes
facet package: package|packages
  paket|pakete|paketen
  paquete|paquetes
  paquet|paquets
table certificates: certificate|certificates|cert|certs|tls certificate|certificate of the site|site certificate|site s certificate|certificate of our site|certificate of our website|ssl certificate|ssl cert|tls cert|our ssl cert|our tls cert
  zertifikat|zertifikate|zertifikats|tls zertifikat|zertifikat der seite|zertifikat der webseite|site zertifikat|zertifikat der site
  certificado|certificados|certificado del sitio|certificado tls
  certificat|certificats|certificat du site|certificat tls|certificat de notre site
column valid_to: expire|expires|expiry|expiry date|expiration|expiration date|end|ends|end date|expired|expiring|run out|runs out|going to expire|about to expire|valid until|valid to|renew|last
  ablaufen|ablauf|abgelaufen|ablaufdatum|lauft ab|endet|gultig bis|gultig|lauft bald ab|ab
  caduca|caducara|caducan|vence|vencimiento|expira|fecha de caducidad|termina|caducidad
  expire|expirer|expiration|date d expiration|echeance|se termine|valable jusqu
column verified: valid|still valid|trusted|verified
  gultig
  valido|valida
  valide|valable
column issuer: issuer|issued|signed|signed by|issued by
  aussteller|ausgestellt|unterschrieben|signiert
  emisor|emitio|emitido|firmo|firmado
  emetteur|emis|delivre|signe
column days: days|days left|day|days remaining
  tage|tagen|tag
  dias|dia
  jours|jour
word soon: soon|shortly
  bald|demnachst
  pronto
  bientot
filler: for the last time
  zum letzten mal
  por ultima vez
  pour la derniere fois
table excused: excused|excused fails|exempted
  entschuldigt|entschuldigte
  excusado|excusados
  excuse|excuses
`;
