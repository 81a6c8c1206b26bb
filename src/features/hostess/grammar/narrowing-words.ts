/** Words that narrow and order: start at boot, address families, names in part, children of a process, order; in the form of `words.ts`. */
export const NARROWING_WORDS = `
trait boot: starts at boot|start at boot|starts on boot|start on boot|launched at boot|run at boot|runs at boot|started at boot|launch at boot|come up at boot|at boot|on boot|at boot time|during boot|after a reboot|after reboot|after a restart of the machine|when the machine boots|when the machine starts|when the system starts|when the server boots|when the server starts|comes up at boot|come up on boot|launch on boot|when i boot|when i turn it on|when i switch it on|when it boots|when the server reboots|when the machine reboots|on every boot|at every boot|on each boot|with the boot|at power on|after booting|after boot|once booted|during startup of the machine|starts up at boot|boot time|at bootup|on bootup|at boot up
  beim booten|starten beim booten|beim hochfahren|beim hochfahren automatisch|automatisch beim hochfahren|beim boot|beim rechnerstart|beim start des rechners|beim start des systems|nach dem hochfahren|nach dem booten|nach einem neustart|nach dem neustart|wenn der rechner hochfahrt|wenn das system startet|wenn der server hochfahrt|wenn ich den server starte|wenn der rechner startet|beim hochstarten|bei jedem boot|bei jedem start|beim einschalten|nach dem booten automatisch|beim reboot|nach dem boot|nach dem einschalten
  al arrancar|al encender|al encenderse|al arrancar el sistema|al arrancar la maquina|tras reiniciar|tras un reinicio|despues de reiniciar|al bootear|al prender|se inician al arrancar|se lanzan al arrancar|se ejecutan al arrancar|cuando arranca la maquina|en el boot|en cada arranque|durante el arranque|tras el arranque|despues de arrancar|al encender la maquina|al encender el servidor|al encender el equipo|al arrancar el servidor|al arrancar el equipo
  au boot|a l allumage|au lancement du systeme|au demarrage du systeme|au demarrage de la machine|apres un redemarrage|apres le redemarrage|demarrent au boot|se lancent au boot|quand le systeme demarre|quand j allume|quand la machine demarre|a chaque demarrage|a chaque boot|au reboot|apres le boot|pendant le boot|quand le serveur demarre|a la mise sous tension|quand je demarre la machine|quand je demarre le serveur
trait enabled: enabled|activated|set to start|enabled in systemd|enabled at boot|enabled on boot|enabled at startup|enabled at boot time|enabled services|enabled units|units are enabled|services are enabled|systemd services are enabled|systemd units are enabled|enabled unit|enabled service|units enabled|services enabled
  aktiviert|aktivierte|aktivierten|eingeschaltet|enabled|aktivierte dienste|aktivierte units|dienste aktiviert|dienste sind aktiviert|units sind aktiviert|aktivierten units|aktivierten dienste|units sind enabled|dienste sind enabled
  habilitado|habilitada|habilitados|habilitadas|activado|activados|activada|activadas|servicios habilitados|unidades habilitadas|servicios estan activados|servicios estan habilitados|unidades estan activadas|unidades estan habilitadas|unidades activadas|servicios activados
  active|actives|activee|activees|services actives|unites activees|services sont actives|unites sont activees
trait ipv6: ipv6|ip v6|ip6|v6|inet6
  ipv6|ip v6|ip6|v6|inet6
  ipv6|ip v6|ip6|v6|inet6
  ipv6|ip v6|ip6|v6|inet6
trait ipv4: ipv4|ip v4|ip4|v4|inet4
  ipv4|ip v4|ip4|v4|inet4
  ipv4|ip v4|ip4|v4|inet4
  ipv4|ip v4|ip4|v4|inet4
trait can-log-in: can log in via ssh|can log in by ssh|can log in over ssh|can log in with ssh|can login via ssh|can login with ssh|may log in via ssh|allowed to log in via ssh|can ssh in|can ssh into|log in via ssh|log in by ssh|log in over ssh|log in with ssh|log in through ssh|login via ssh|login by ssh|login over ssh|login with ssh|ssh in|ssh into|ssh to|connect via ssh|connect by ssh|connect over ssh|ssh access|access via ssh
  sich per ssh anmelden|per ssh anmelden|per ssh einloggen|sich per ssh einloggen|uber ssh anmelden|sich uber ssh anmelden|mit ssh anmelden|via ssh einloggen|ssh zugang|ssh-zugang|per ssh rein|per ssh
  entrar por ssh|acceder por ssh|conectarse por ssh|pueden entrar por ssh|puede entrar por ssh|acceso ssh|acceso por ssh|iniciar sesion por ssh|entrar con ssh
  se connecter en ssh|se connecter par ssh|se connecter via ssh|peut se connecter en ssh|peuvent se connecter en ssh|acces ssh|acces en ssh|connexion ssh|se loguer en ssh
trait at-login: at login|on login|at logon|when i log in|when someone logs in|when a user logs in|when users log in|at every login|after login|upon login|at user login
  beim anmelden|beim login|bei der anmeldung|bei jeder anmeldung|nach dem login|nach dem anmelden|beim einloggen
  al iniciar sesion|al entrar|en cada inicio de sesion|al hacer login|tras iniciar sesion
  a la connexion|au login|a l ouverture de session|a chaque connexion|a l ouverture d une session|apres la connexion
word sorted: sorted by|sort by|ordered by|order by|in order of|ranked by|sorted|ordered|arranged by|sort them by
  sortiert nach|geordnet nach|sortiert|geordnet|sortiere nach|sortieren nach|in der reihenfolge
  ordenados por|ordenado por|ordenadas por|ordenada por|por orden de|ordena por|ordenar por|segun
  tries par|trie par|triees par|classes par|classees par|par ordre de|trier par|ordonnes par|ranges par
word starts: starting with|starts with|start with|beginning with|begins with|begin with
  beginnt mit|beginnen mit|anfangen mit|anfangt mit|beginnend mit
  empieza por|empiezan por|empieza con|empiezan con|comienza por|comienzan por|comienza con|comienzan con|empiecen por|empiece por
  commence par|commencent par|commencant par|debute par|debutent par
word ends: ending in|ending with|ends with|end with|ends in|end in
  endet auf|enden auf|endend auf|endet mit|enden mit
  termina en|terminan en|acaba en|acaban en|termine en|terminen en
  finit par|finissent par|finissant par|se termine par|se terminent par|termine par|terminant par
word contains: contains|contain|containing|that contains|that contain|includes the word|has the word|matching|that match
  enthalt|enthalten|beinhaltet|beinhalten|enthaltend
  contiene|contienen|contenga|contengan|que contiene|que contengan
  contient|contiennent|contenant|comporte|comportent
word name: whose name|whose names|with a name|with names|in the name|in their name|in their names|in its name|name|names
  deren name|deren namen|dessen name|im namen|namen|name|mit dem namen
  cuyo nombre|cuyos nombres|en el nombre|con el nombre|nombre|nombres
  dont le nom|dont les noms|dans le nom|dans leur nom|au nom|nom|noms
word children: children|child|child processes of|child process of|child processes|child process|subprocesses|subprocess|sub processes|descendants
  kinder|kind|kindprozesse|kindprozess|unterprozesse|unterprozess|kindprozessen|subprozesse
  hijos|hijo|procesos hijo|procesos hijos|subprocesos|proceso hijo
  enfants|enfant|processus fils|processus enfants|sous processus|fils|processus enfant
column start: start time|starting time|start date|time they started|time of start|age
  startzeit|startzeitpunkt|startdatum|alter
  hora de inicio|fecha de inicio|hora de arranque|antiguedad
  heure de demarrage|date de demarrage|heure de lancement|anciennete
`;
