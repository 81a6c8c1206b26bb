/** Questions about processes, listeners, connections, ports, vital signs and the site, of classes that were answered wrongly when they were first asked. */
import { one, type Question } from './question.ts';

type Wanted = Parameters<typeof one>[2];
const ask = (text: string, says: RegExp, wanted: Wanted = /./): Question =>
  one('workshop', text, wanted, says);
const healthy = (text: string, says: RegExp): Question => one('healthy', text, /./, says);
const after = (before: string, text: string, says: RegExp): Question => ({
  ...ask(text, says),
  after: before,
});
/** It says that it is not known. */
const unknown = (text: string, says: RegExp): Question =>
  one('workshop', text, { refuses: true, says: [says] });

const NO_CONNECTIONS =
  /connections are not recorded|Verbindungen sind nicht aufgezeichnet|conexiones no se registran|connexions ne sont pas enregistrées/;

export const RUNNING: readonly Question[] = [
  // Connections are in no table.
  ...[
    'count of connections per remote ip',
    "established connections on 22 please, sorted by how long they've been open",
    'how many connections to port 443',
    'cuantas conexiones entrantes tenemos en el 443',
    '¿Quién está conectado ahora mismo por ssh?',
    'liste des processus sans paquet qui ont une connexion réseau',
    'Gibt es gerade eine Verbindung ins Ausland?',
    'wer ist gerade per ssh verbunden?',
    'who is connected via ssh',
    'qui est connecté en ssh',
  ].map((text) => unknown(text, NO_CONNECTIONS)),
  ask('which connections go out', /1 connection/),
  // The kernel, the host, command lines.
  unknown('what kernel are we on', /version of the kernel/),
  unknown('welche kernelversion läuft hier', /Version von Kernel/),
  unknown('¿qué versión de linux es esta máquina?', /versión del kernel/),
  unknown('hostname?', /name of the machine/),
  ask('which kernel threads are running', /^None \(0\)/),
  unknown('what command line was node started with', /no command lines.*\/usr\/bin\/node/),
  unknown('con qué argumentos se inició node', /líneas de órdenes/),
  // Bans.
  ask('welche ports sind gesperrt?', /verbietet Port 8766/),
  ask('which ports are blocked', /bans port 8766.*firewall/),
  ask('puertos bloqueados', /prohíbe el puerto 8766/),
  ask('wich programs are banned', /Programs are not banned/),
  // What ran.
  unknown('was git running yesterday afternoon', /nothing is recorded.*git: 0/),
  unknown('lief gestern nginx?', /nichts aufgezeichnet.*nginx: 0/),
  unknown('¿estaba corriendo node ayer?', /Ahora de node: 2/),
  // The site.
  ask('was there any downtime this week?', /503/),
  ask('war die website gestern mal nicht erreichbar', /Kein Ausfall/),
  ask('le site a-t-il été en panne cette semaine ?', /503/),
  ask('¿se cayó la web ayer?', /ninguna caída/),
  unknown('Is the redirect from http to https working?', /redirects are not followed/),
  ask('läuft der webserver noch?', /Kein Programm.*antwortet mit 200/),
  healthy('is the web server up', /nginx \(pid/),
  unknown('quand est-ce que le dernier certificat a été renouvelé', /n’enregistre pas/),
  { ...unknown('will it renew by itself?', /renews no certificate/), after: 'when does the cert expire' },
  // What processes use, and how values change.
  ask('los 10 procesos que más cpu consumen', /^vault \(pid 270\) 70 % de CPU;.*part306/),
  ask('anything using over 1 gb of ram?', /^None \(0\): no measured process/),
  ask('irgendwas über 700 MB RAM?', /^5 Prozesse: sleep/),
  ask('¿hay algo usando más de 700 MB de memoria?', /^5 procesos: sleep/),
  ask('quelque chose qui utilise plus de 700 Mo de mémoire ?', /^5 processus : sleep/),
  ask('is memory above 50%?', /^No: 4 GiB/),
  ask(
    'which process eats the most cpu',
    /^vault \(pid 270\) 70 % CPU\. Measured over 500 ms; 100 % is one processor\.$/,
  ),
  healthy(
    "what's the average cpu use across all chromium tabs",
    /^chromium: 42\.6 % CPU on average \(5 processes\)/,
  ),
  ask('durchschnittlicher RAM-Verbrauch von node', /^node: im Mittel 601 MiB/),
  after('is node running', 'how much cpu does it take all together', /^node: 1 % CPU \(2 processes\)/),
  ask('how fast is the disk filling up? when will it be full', /^What it will be is not known.*free\.$/),
  ask('wann ist die Platte voll?', /^Wie es sein wird, ist nicht bekannt/),
  ask('has the memory usage gone up over the past few days', /^Past values of it are not kept.*\(50 %\)\.$/),
  ask('¿ha aumentado el uso de memoria?', /^No se guardan/),
  ask('is there a swap and is it being used', /^0 GiB of 1\.0 GiB swap/),
  ask('is swap used?', /^No: 0 GiB/),
  unknown("what's eating my disk space", /not measured/),
  unknown('was belegt den meisten Plattenplatz?', /nicht gemessen/),
  // Parents, numbers and paths of processes that are described.
  healthy(
    "what's the parent of the chromium processes",
    /^1 \(parent pid\): chromium \(pid 1310\);.*Process 1310 is chromium/,
  ),
  ask(
    'how many sleep processes are hanging around, and who is their parent',
    /^1 \(parent pid\): sleep.*Process 1 is systemd/,
  ),
  ask('padre del proceso 520', /^1 \(pid del proceso padre\): sshd.*es systemd/),
  ask('wer ist der Elternprozess von sshd', /^1 \(PID des Elternprozesses\).*ist systemd/),
  ask('quel est le parent de sshd ?', /^1 \(pid du parent\).*est systemd/),
  ask('pid of dockerd?', /^None \(0\): .*"dockerd" runs here/),
  ask('where is the executable of node', /^\/usr\/bin\/node/),
  ask('¿dónde está el ejecutable de sshd?', /^\/usr\/sbin\/sshd/),
  ask('where is the executable of that bash process running as nobody', /no accounts called "nobody"/),
  // Who and when.
  ask(
    'python3 processes started in the last hour by someone other than root',
    /^1 process not of root of python3/,
  ),
  ask('which processes appeared in the last 25 minutes', /^1 process that started .*less/),
  ask('show me programs whose executable was deleted but still running', /^None \(0\): [^"]*$/),
  ask('wat prozesses run as root', /^13 processes of root/),
  // Listeners by user, number, address.
  ask('list all processes run by root that listen on a network port', /^4 listeners of root/),
  ask(
    'all listening ports above 1024 that are not bound to localhost',
    /^2 listeners above port 1024 reachable/,
  ),
  ask(
    '¿Qué programas escuchan en más de un puerto?',
    /^\/usr\/local\/bin\/orderd: 3 puertos; \/usr\/bin\/node: 3 puertos/,
  ),
  ask('welche Programme lauschen auf mehreren Ports', /orderd: 3 Ports; /),
  ask("quels programmes écoutent sur plus d'un port ?", /orderd: 3 ports ; |orderd: 3 ports; /),
  ask('which users run more than 5 processes', /^root: 13 processes/),
  ask('which programs have more than one process', /^node: 2 processes/),
  ask(
    'welche dienste lauschen auf 0.0.0.0 und gehören nicht root',
    /^1 Listener auf 0\.0\.0\.0 nicht von root/,
  ),
  ask(
    'is port 5432 reachable from outside or only from localhost?',
    /^None \(0\): there are no listeners on port 5432\.$/,
  ),
  ask('ist port 22 von außen oder nur lokal erreichbar', /^1 Listener auf Port 22: .*von außen erreichbar/),
  // A time of day.
  ask('what happened around 7:30', /^2 events .*06:30.*until .*08:30/),
  unknown('what happened around 3 am', /nothing is recorded of that time/),
  { ...unknown('and who started it?', /nothing listens there/), after: 'what is on port 80' },
  after('who holds port 22?', '¿y de qué usuario es?', /^root/),
  // Two questions in one, more wordings.
  healthy('is sshd running? since when?', /^Since 2026-11-13T09:21:12\S+: sshd/),
  healthy('läuft sshd und seit wann?', /^Seit 2026-11-13T09:21:12\S+: sshd \(pid 520\)\.$/),
  healthy('who listens on 443 and as which user', /^root \(uid 0\)/),
  healthy('is mongodb running and since when', /^No \(0\): .*runs here\.$/),
  healthy('welcher Prozess hat nginx gestartet?', /^1 \(PID des Elternprozesses\): nginx/),
  healthy('quel processus a lancé nginx ?', /^1 \(pid du parent\): nginx/),
  healthy('hay algún proceso usando más del 50% de cpu', /^5 procesos: chromium/),
  healthy('processes using between 500 and 700 MB', /^6 processes: postgres/),
  healthy('welche Prozesse brauchen zwischen 1 und 2 GB', /^7 Prozesse: vim/),
  healthy('¿qué procesos empezaron hace menos de una hora?', /^1 proceso .*vim/),
  healthy('processes started less than 2 hours ago', /^6 processes .*vim/),
  unknown('a qué direcciones se conecta chromium', NO_CONNECTIONS),
  unknown('what is node talking to', NO_CONNECTIONS),
  unknown('are we connected to 8.8.8.8', NO_CONNECTIONS),
  // State, places, top groups, interfaces, kinds of programs, the site's time up.
  healthy('which processes are in D state', /^None \(0\): .*wait for a disk/),
  healthy('are there sleeping processes', /^Yes, 33 processes that sleep/),
  healthy('processes running from home directories', /^None \(0\): .*from \/home/),
  healthy('top 3 users by number of processes', /^root: 14 processes; ada: 14 processes; uid 101/),
  healthy('how much traffic is going through eth0', /^eth0: /),
  healthy('traffic on eth0', /^eth0: /),
  healthy('is / nearly full', /^No: \/ is 40 % full/),
  healthy('ist der server ausgelastet', /^Nein: die Last/),
  healthy('quel est le temps de fonctionnement', /^La machine tourne/),
  healthy('are any databases running', /^Running: postgres/),
  healthy('welche Datenbanken laufen?', /^Es laufen: postgres/),
  healthy('is https working', /nginx.*answers 200/),
  healthy('how long does the site take to answer', /41\.3 ms/),
  healthy('site availability this week in percent', /99\.9 %/),
  healthy('qué disponibilidad tiene el sitio', /99\.9 %/),
  // Findings of processes, neither of two, who runs, what is exposed.
  healthy('processes with 24 threads', /^1 process with 24 threads: chromium/),
  ask('which processes have findings', /^2 processes with findings: helper \(pid 710\) and less/),
  ask('processes without findings', /^18 processes without findings/),
  healthy('when was port 22 opened', /^Since 2026-11-13/),
  healthy('which processes run as neither root nor ada', /^5 processes not of root not of ada/),
  healthy('ports opened by node', /^3 listeners of node/),
  healthy('who runs postgres', /^uid 105: 1 process/),
  healthy("is anything exposed that shouldn't be", /^No \(0\): .*that nothing allows/),
  healthy('welche Dienste sind aus dem Netz erreichbar', /^3 Listener von außen erreichbar/),
  // Not taken for downtime, connections or bans.
  healthy('how long is the site certificate valid', /61 days/),
  healthy('what percent of the site names resolve', /3 of 3 names resolve/),
  healthy('is imap connected', /^Mail is read/),
  healthy('which key bans ports', /banned is a key/),
  // What single processes do not have; commands of a shell; what another program started.
  unknown("what's using all the swap", /not measured/),
  unknown('welcher Prozess braucht die meiste Bandbreite', /nicht gemessen/),
  unknown('how many file descriptors does node have', /not its open files/),
  healthy('ps aux', /^33 processes/),
  healthy('netstat -tulpn', /^10 listeners/),
  healthy('df -h', /^\/ is 40 % full/),
  healthy('which processes were started by chromium', /^4 processes started by chromium/),
  healthy('which processes were started by cron', /^None \(0\): .*started by cron/),
  healthy('processes that run longer than a week', /^24 processes/),
];
