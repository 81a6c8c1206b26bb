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
  ask('was there any downtime this week?', /before 503.*answers 200/),
  ask('war die website gestern mal nicht erreichbar', /kein Ausfall/),
  ask('le site a-t-il été en panne cette semaine ?', /before 503/),
  ask('¿se cayó la web ayer?', /ninguna caída/),
  unknown('Is the redirect from http to https working?', /redirects are not followed/),
  ask('läuft der webserver noch?', /Webserver.*antwortet mit 200/),
  healthy('is the web server up', /nginx \(pid/),
  unknown('quand est-ce que le dernier certificat a été renouvelé', /n’enregistre pas/),
  { ...unknown('will it renew by itself?', /renews no certificate/), after: 'when does the cert expire' },
];
