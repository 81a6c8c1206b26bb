/** The state of the machine and what processes use: a few of each class and language, in the scene of `workshop.ts`. */
import { one, type Question } from './question.ts';

const ask = (text: string, path: string | RegExp, ...says: readonly RegExp[]): Question =>
  one('workshop', text, path, ...says);
const after = (
  before: string,
  text: string,
  path: string | RegExp,
  ...says: readonly RegExp[]
): Question => ({
  ...ask(text, path, ...says),
  after: before,
});
const unknown = (text: string): Question => one('workshop', text, { refuses: true });

export const VITAL_QUESTIONS: readonly Question[] = [
  // Values.
  ask('load average please', 'query.rows[0].load_one', /^The load is 0\.5 on 4/),
  ask('how long has this box been up', 'query.rows[0].uptime_sec', /^The machine has been up for 1 d 2 h/),
  ask('Depuis quand la machine est-elle allumée ?', 'query.rows[0].uptime_sec', /1 d 2 h/),
  ask('Wie voll ist die Festplatte?', 'query.rows[0].available_bytes', /^\/ ist zu 40 % voll/),
  ask('Plattenauslastung?', 'query.rows[0].available_bytes', /40 %/),
  ask("Combien d'espace disque reste-t-il ?", 'query.rows[0].available_bytes', /60\.0 GiB/),
  ask('¿Cuánta memoria libre queda?', 'query.rows[0].memory_available_bytes', /^Quedan disponibles 4\.0 GiB/),
  after('how much swap is used', 'and ram?', 'query.rows[0].memory_available_bytes', /4\.0 GiB/),
  // Yes or no.
  ask('is the disk full?', 'query.rows[0].available_percent', /^No: /),
  ask('Reicht der Speicher noch?', 'query.rows[0].memory_bytes', /^Ja: /),
  ask('Sind Updates verfügbar?', 'query.rows[0].updates', /^Ja: /),
  ask('do I need to reboot', 'query.rows[0].reboot_required', /^No: /),
  ask('is the load above 4?', 'query.rows[0].load_one', /^No: /),
  ask('is the machine overloaded?', 'query.rows[0].load_one', /^No: /),
  ask('is my clock in sync?', 'query.rows[0].clock_synchronised', /^Yes: /),
  // The past and the future.
  ask('what was the highest load today and when', 'query.rows[0].load_one', /^Past values .* not kept/),
  ask('when was the last reboot', 'query.rows[0].uptime_sec', /^The machine has been up/),
  // Meaning and why.
  ask(
    'what does load average of 12 mean on 2 cores',
    'computed.each',
    /^The load is how many tasks .*6 for each/,
  ),
  ask('why is the machine so slow', 'second.rows[0].load_one', /Most CPU now: vault/),
  ask('¿Por qué está el sistema tan cargado?', 'second.rows[0].load_one', /vault/),
  // Processes.
  ask('wich proces is useing the most ram', 'query.rows[0].resident_bytes', /^sleep \(pid 811\) 811 MiB/),
  ask('give me the 5 processes with the highest cpu', 'query.rows[4].cpu_percent', /^vault .*500 ms/),
  after('Quel processus consomme le plus de mémoire ?', 'et de CPU ?', 'query.rows[0].cpu_percent', /^vault/),
  after('top 5 by memory', 'and by cpu?', 'query.rows[4].cpu_percent', /^vault/),
  after(
    'who holds port 48790?',
    'how much memory does it use',
    'query.rows[0].sum(resident_bytes)',
    /700 MiB/,
  ),
  ask(
    'Wieviel RAM brauchen alle node-Prozesse zusamen?',
    'query.rows[0].sum(resident_bytes)',
    /^node: 1\.2 GiB/,
  ),
  ask('compare memory of node and python3', 'second.rows[0].sum(resident_bytes)', /^node uses more/),
  ask('how much memory does nginx use', 'query.total', /^Nothing called “nginx” runs/),
  ask('processes using more than 100 MB but less than 10% cpu', 'query.matched', /^12 processes/),
  ask('Muéstrame los procesos de root que usan más de 50 MB', 'query.matched', /^12 procesos/),
  // What is not measured.
  ...['gpu memory usage', 'fan speed?', 'how full is the battery'].map(unknown),
  // By user, reads and writes, services that died.
  ask('which user eats the most memory', 'query.rows[0].sum(resident_bytes)', /^root \(uid 0\): /),
  ask('quel utilisateur consomme le plus de cpu', 'query.rows[0].sum(cpu_percent)', /^root \(uid 0\)/),
  ask('who reads most from disk', 'query.rows[0].read_per_sec', /^part302 /),
  ask('Wer schreibt am meisten auf die Platte?', 'query.rows[0].written_per_sec', /schreibt 12\.0 KiB/),
  ask(
    'did any service die in the last hour?',
    'query.rows[0].failed_units',
    /not recorded\. Now: failed units/,
  ),
  ask('¿Se cayó algún servicio?', 'query.rows[0].failed_units'),
  ask('which packages were upgraded today?', 'query.rows[0].updates', /^Which updates .* not recorded/),
  ask('is there a kernel update', 'query.rows[0].updates', /^Whether the kernel is among/),
  // Single facts.
  ask('how many packages are installed?', 'installed.total', /^4 packages are installed/),
  ask('¿Cuántos paquetes hay instalados?', 'installed.total', /^4 paquetes/),
  ask('which alert rules are configured?', 'page.alerts.targets.length', /^No alerts are sent/),
  ask('who accepted the baseline?', 'scar.a.learned', /generation 7.*Which person did it is not recorded/),
  ask('Wie alt ist die Baseline?', 'computed.days_old', /vor 3 Tagen/),
  ask('explain the most serious finding', /summary$/, /^high: Process 720/),
  ask('any startup entries that are new?', 'query.rows[0].changed', /cron\.d\/maint/),
  ask('site latency', 'query.rows[0].ms', /^The last probe took: desk\.example 41\.27 ms/),
  unknown('SMART status der platten'),
  unknown('is something mining crypto on here?'),
];
