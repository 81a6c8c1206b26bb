/** What is measured of the machine and of processes: the columns of each quantity, and what it means. */
import { type Said, said } from '../grammar/table.ts';
import type { Quantity } from './hear.ts';

/** Columns of the tables `vitals`, `disks`, `interfaces` and `failed_units`, the one that answers first. */
export const COLUMNS: Readonly<Record<Quantity, Readonly<Partial<Record<string, readonly string[]>>>>> = {
  load: { vitals: ['load_one', 'load_five', 'load_fifteen', 'cpus'] },
  cpu: { vitals: ['cpu_percent', 'cpus', 'load_one'] },
  cores: { vitals: ['cpus'] },
  memory: { vitals: ['memory_available_bytes', 'memory_bytes'] },
  swap: { vitals: ['swap_bytes', 'swap_free_bytes'] },
  disk: {
    vitals: ['fullest_disk', 'fullest_disk_free_percent'],
    disks: ['path', 'device', 'type', 'available_percent', 'available_bytes', 'bytes', 'reason'],
  },
  inodes: { disks: ['path', 'free_inodes_percent', 'free_inodes', 'inodes'] },
  'read-only': { disks: ['path', 'read_only', 'turned_read_only'] },
  uptime: { vitals: ['uptime_sec', 'read'] },
  temperature: { vitals: ['temperature_celsius'] },
  network: {
    vitals: ['received_per_sec', 'sent_per_sec'],
    interfaces: [
      ...['name', 'received_per_sec', 'sent_per_sec', 'received_bytes', 'sent_bytes', 'errors', 'dropped'],
    ],
  },
  pressure: {
    vitals: [
      ...['cpu_pressure_percent', 'memory_pressure_percent', 'io_pressure_percent'],
      ...[
        'cpu_pressure_five_min_percent',
        'memory_pressure_five_min_percent',
        'io_pressure_five_min_percent',
      ],
    ],
  },
  iowait: { vitals: ['io_wait_percent'] },
  steal: { vitals: ['steal_percent'] },
  io: { vitals: ['io_wait_percent', 'io_pressure_percent'] },
  units: { vitals: ['failed_units'], failed_units: ['name', 'description'] },
  updates: { vitals: ['updates', 'security_updates', 'updates_as_of'] },
  security: { vitals: ['security_updates', 'updates', 'updates_as_of'] },
  reboot: { vitals: ['reboot_required', 'reboot_reason'] },
  oom: { vitals: ['oom_kills', 'oom_kills_hour'] },
  clock: { vitals: ['clock_synchronised', 'clock_error_ms'] },
  all: {
    vitals: [
      ...[
        'load_one',
        'load_five',
        'load_fifteen',
        'cpus',
        'cpu_percent',
        'memory_available_bytes',
        'memory_bytes',
      ],
      ...['fullest_disk', 'fullest_disk_free_percent'],
    ],
  },
};

/** What is measured of each process, and how it is ordered. */
export const USES = {
  memory: ['resident_bytes'],
  cpu: ['cpu_percent'],
  io: ['read_per_sec', 'written_per_sec'],
} as const;
export type Use = keyof typeof USES;

export const NAMES: Readonly<Record<Quantity, Said>> = {
  load: said('the load', 'die Last', 'la carga', 'la charge'),
  cpu: said('the CPU', 'die CPU', 'la CPU', 'le CPU'),
  cores: said(
    'the number of processors',
    'die Zahl der Prozessoren',
    'el número de procesadores',
    'le nombre de processeurs',
  ),
  memory: said('the memory', 'den Arbeitsspeicher', 'la memoria', 'la mémoire'),
  swap: said('swap', 'den Swap', 'el swap', 'le swap'),
  disk: said('the space on disks', 'den Plattenplatz', 'el espacio en disco', 'l’espace disque'),
  inodes: said('free inodes', 'freie Inodes', 'los inodos libres', 'les inodes libres'),
  'read-only': said(
    'read-only file systems',
    'schreibgeschützte Dateisysteme',
    'los sistemas de archivos de solo lectura',
    'les systèmes de fichiers en lecture seule',
  ),
  uptime: said(
    'how long the machine has been up',
    'wie lange die Maschine läuft',
    'cuánto lleva encendida la máquina',
    'depuis quand la machine tourne',
  ),
  temperature: said('the temperature', 'die Temperatur', 'la temperatura', 'la température'),
  network: said('the network traffic', 'den Netzverkehr', 'el tráfico de red', 'le trafic réseau'),
  pressure: said('the pressure', 'den Druck (PSI)', 'la presión (PSI)', 'la pression (PSI)'),
  iowait: said(
    'the wait for disks',
    'die Wartezeit auf Platten',
    'la espera de disco',
    'l’attente des disques',
  ),
  steal: said('the stolen time', 'die gestohlene Zeit', 'el tiempo robado', 'le temps volé'),
  io: said('the disk activity', 'die Plattenaktivität', 'la actividad de disco', 'l’activité disque'),
  units: said('failed units', 'fehlgeschlagene Units', 'las unidades fallidas', 'les unités en échec'),
  updates: said(
    'pending updates',
    'ausstehende Aktualisierungen',
    'las actualizaciones pendientes',
    'les mises à jour en attente',
  ),
  security: said(
    'pending security updates',
    'ausstehende Sicherheitsupdates',
    'las actualizaciones de seguridad pendientes',
    'les mises à jour de sécurité en attente',
  ),
  reboot: said(
    'whether a reboot is needed',
    'ob ein Neustart nötig ist',
    'si hace falta reiniciar',
    's’il faut redémarrer',
  ),
  oom: said('OOM kills', 'OOM-Kills', 'las muertes por falta de memoria', 'les arrêts par manque de mémoire'),
  clock: said(
    'whether the clock is synchronised',
    'ob die Uhr synchronisiert ist',
    'si el reloj está sincronizado',
    'si l’horloge est synchronisée',
  ),
  all: said(
    'the state of the machine',
    'den Zustand der Maschine',
    'el estado de la máquina',
    'l’état de la machine',
  ),
};

/** What the numbers mean; null where the name says it. */
export const MEANINGS: Readonly<Partial<Record<Quantity, Said>>> = {
  load: said(
    'The load is how many tasks run or wait for a processor or a disk, on average over one, five and fifteen minutes: more than there are processors means that some wait.',
    'Die Last ist, wie viele Tasks im Mittel über eine, fünf und fünfzehn Minuten rechnen oder auf Prozessor oder Platte warten: mehr als Prozessoren da sind heißt, dass welche warten.',
    'La carga es cuántas tareas se ejecutan o esperan un procesador o un disco, en promedio de uno, cinco y quince minutos: más que procesadores significa que algunas esperan.',
    'La charge est le nombre de tâches qui tournent ou attendent un processeur ou un disque, en moyenne sur une, cinq et quinze minutes : plus que de processeurs veut dire que certaines attendent.',
  ),
  cpu: said(
    'It is the share of the time of all processors in which they were busy.',
    'Das ist der Anteil der Zeit aller Prozessoren, in dem sie beschäftigt waren.',
    'Es la parte del tiempo de todos los procesadores en la que estaban ocupados.',
    'C’est la part du temps de tous les processeurs pendant laquelle ils étaient occupés.',
  ),
  memory: said(
    'Available is what programs can still get without swapping; caches count as available.',
    'Verfügbar ist, was Programme ohne Auslagern noch bekommen können; Zwischenspeicher zählen als verfügbar.',
    'Disponible es lo que los programas aún pueden obtener sin usar swap; las cachés cuentan como disponibles.',
    'Disponible est ce que les programmes peuvent encore obtenir sans échange ; les caches comptent comme disponibles.',
  ),
  swap: said(
    'Swap is room on a disk to which the kernel moves memory that is seldom used.',
    'Swap ist Platz auf einer Platte, auf den der Kernel selten benutzten Speicher auslagert.',
    'El swap es espacio en disco al que el kernel mueve memoria poco usada.',
    'Le swap est une place sur disque où le noyau déplace la mémoire peu utilisée.',
  ),
  inodes: said(
    'Each file needs an inode: without a free one no file can be made, whatever space is left.',
    'Jede Datei braucht einen Inode: ohne freien lässt sich keine anlegen, auch wenn Platz da ist.',
    'Cada archivo necesita un inodo: sin uno libre no se puede crear ninguno, aunque quede espacio.',
    'Chaque fichier a besoin d’un inode : sans inode libre, aucun ne peut être créé, même s’il reste de la place.',
  ),
  pressure: said(
    'Pressure is the share of time in which tasks waited: some of them for a processor, all of them for memory or disks.',
    'Druck ist der Anteil der Zeit, in dem Tasks warteten: einige auf einen Prozessor, alle auf Speicher oder Platten.',
    'La presión es la parte del tiempo en que las tareas esperaban: algunas un procesador, todas memoria o discos.',
    'La pression est la part du temps pendant laquelle des tâches attendaient : certaines un processeur, toutes la mémoire ou les disques.',
  ),
  iowait: said(
    'It is the share of processor time that was idle because tasks waited for disks.',
    'Das ist der Anteil der Prozessorzeit, der ruhte, weil Tasks auf Platten warteten.',
    'Es la parte del tiempo de procesador sin uso porque las tareas esperaban a los discos.',
    'C’est la part du temps processeur inoccupée parce que des tâches attendaient les disques.',
  ),
  steal: said(
    'It is the share that the host of a virtual machine gave to others.',
    'Das ist der Anteil, den der Wirt einer virtuellen Maschine anderen gab.',
    'Es la parte que el anfitrión de una máquina virtual dio a otras.',
    'C’est la part que l’hôte d’une machine virtuelle a donnée à d’autres.',
  ),
  units: said(
    'A failed unit is a service or other unit of systemd that ended with an error.',
    'Eine fehlgeschlagene Unit ist ein Dienst oder eine andere Unit von systemd, die mit einem Fehler endete.',
    'Una unidad fallida es un servicio u otra unidad de systemd que terminó con un error.',
    'Une unité en échec est un service ou une autre unité de systemd qui s’est terminé par une erreur.',
  ),
  oom: said(
    'An OOM kill is a process that the kernel ended because memory was short.',
    'Ein OOM-Kill ist ein Prozess, den der Kernel beendete, weil der Speicher knapp war.',
    'Es un proceso que el kernel terminó porque faltaba memoria.',
    'C’est un processus que le noyau a arrêté parce que la mémoire manquait.',
  ),
};
