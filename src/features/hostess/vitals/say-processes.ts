/** Answers about what processes use: rows of `slow`. */
import { SLOW_MS } from '../../../desk/vitals.ts';
import { plain } from '../answer-builder.ts';
import { type Said, said } from '../grammar/table.ts';
import type { VitalAsked } from './asked.ts';
import { USES, type Use } from './quantities.ts';
import type { Teller } from './say.ts';
import { ioColumns } from './special.ts';

const MOST_ROWS = 10;

const T = {
  one: said(
    '{name} (pid {pid}) {use}',
    '{name} (pid {pid}) {use}',
    '{name} (pid {pid}) {use}',
    '{name} (pid {pid}) {use}',
  ),
  memory: said('{size} of memory', '{size} Arbeitsspeicher', '{size} de memoria', '{size} de mémoire'),
  cpu: said('{percent} % CPU', '{percent} % CPU', '{percent} % de CPU', '{percent} % de CPU'),
  io: said(
    'reads {read}/s, writes {written}/s',
    'liest {read}/s, schreibt {written}/s',
    'lee {read}/s, escribe {written}/s',
    'lit {read}/s, écrit {written}/s',
  ),
  together: said(
    '{who}: {uses} ({count} processes)',
    '{who}: {uses} ({count} Prozesse)',
    '{who}: {uses} ({count} procesos)',
    '{who} : {uses} ({count} processus)',
  ),
  mean: said(
    '{who}: {uses} on average ({count} processes)',
    '{who}: im Mittel {uses} ({count} Prozesse)',
    '{who}: {uses} de media ({count} procesos)',
    '{who} : {uses} en moyenne ({count} processus)',
  ),
  alone: said('{who}: {uses}', '{who}: {uses}', '{who}: {uses}', '{who} : {uses}'),
  all: said('All processes', 'Alle Prozesse', 'Todos los procesos', 'Tous les processus'),
  unseen: said('Unknown users', 'Unbekannte Benutzer', 'Usuarios desconocidos', 'Utilisateurs inconnus'),
  these: said('These processes', 'Diese Prozesse', 'Estos procesos', 'Ces processus'),
  rows: said(
    '{count} processes: {list}',
    '{count} Prozesse: {list}',
    '{count} procesos: {list}',
    '{count} processus : {list}',
  ),
  row: said(
    '{count} process: {list}',
    '{count} Prozess: {list}',
    '{count} proceso: {list}',
    '{count} processus : {list}',
  ),
  none: said(
    'None ({zero}): no measured process is like that',
    'Keiner ({zero}): kein gemessener Prozess ist so',
    'Ninguno ({zero}): ningún proceso medido es así',
    'Aucun ({zero}) : aucun processus mesuré n’est ainsi',
  ),
  idle: said(
    'No process used a disk while it was measured',
    'Kein Prozess benutzte während der Messung eine Platte',
    'Ningún proceso usó un disco mientras se medía',
    'Aucun processus n’a utilisé de disque pendant la mesure',
  ),
  stranger: said(
    'Nothing called “{name}” runs, so nothing was measured of it',
    'Nichts namens “{name}” läuft, also wurde davon nichts gemessen',
    'No se ejecuta nada llamado “{name}”, así que no se midió nada',
    'Rien qui s’appelle “{name}” ne tourne, donc rien n’a été mesuré',
  ),
  more: said(
    '{one} uses more: {first}, {second}',
    '{one} braucht mehr: {first}, {second}',
    '{one} usa más: {first}, {second}',
    '{one} utilise plus : {first}, {second}',
  ),
  shared: said(
    'Memory that processes share counts for each of them.',
    'Gemeinsam benutzter Speicher zählt bei jedem.',
    'La memoria compartida cuenta en cada uno.',
    'La mémoire partagée compte pour chacun.',
  ),
  short: said(
    'Measured over {ms} ms; {whole} % is one processor.',
    'Gemessen über {ms} ms; {whole} % ist ein Prozessor.',
    'Medido durante {ms} ms; {whole} % es un procesador.',
    'Mesuré sur {ms} ms ; {whole} % est un processeur.',
  ),
  shortIo: said(
    'Measured over {ms} ms.',
    'Gemessen über {ms} ms.',
    'Medido durante {ms} ms.',
    'Mesuré sur {ms} ms.',
  ),
  unread: said(
    'the use of disks could not be read',
    'die Benutzung von Platten war nicht lesbar',
    'no se pudo leer el uso de discos',
    'l’utilisation des disques n’a pas pu être lue',
  ),
  why: said(
    'The load is {load} on {cpus} processors, the CPU is {cpu} % busy, {free} of {all} memory are available, and disks took {wait} % of the processor time.',
    'Die Last ist {load} auf {cpus} Prozessoren, die CPU ist zu {cpu} % beschäftigt, {free} von {all} Arbeitsspeicher sind verfügbar, und auf Platten warteten {wait} % der Prozessorzeit.',
    'La carga es {load} con {cpus} procesadores, la CPU está ocupada al {cpu} %, quedan {free} de {all} de memoria, y el {wait} % del tiempo de procesador esperó a los discos.',
    'La charge est {load} pour {cpus} processeurs, le CPU est occupé à {cpu} %, {free} de mémoire sur {all} sont disponibles, et {wait} % du temps processeur a attendu les disques.',
  ),
  mostCpu: said(
    'Most CPU now: {list}.',
    'Am meisten CPU jetzt: {list}.',
    'Más CPU ahora: {list}.',
    'Le plus de CPU maintenant : {list}.',
  ),
  mostMemory: said(
    'Most memory now: {list}.',
    'Am meisten Speicher jetzt: {list}.',
    'Más memoria ahora: {list}.',
    'Le plus de mémoire maintenant : {list}.',
  ),
  mostIo: said(
    'Most disk use now: {list}.',
    'Am meisten Plattenzugriffe jetzt: {list}.',
    'Más uso de disco ahora: {list}.',
    'Le plus d’accès disque maintenant : {list}.',
  ),
  unknown: said(
    'I do not know: it could not be measured.',
    'Das weiß ich nicht: es war nicht messbar.',
    'No lo sé: no se pudo medir.',
    'Je ne le sais pas : cela n’a pas pu être mesuré.',
  ),
} as const;

export class ProcessTeller {
  readonly #tell: Teller;
  readonly #asked: VitalAsked;
  #figures = 0;

  constructor(tell: Teller, asked: VitalAsked) {
    this.#tell = tell;
    this.#asked = asked;
  }

  /** False where nothing is known. */
  say(): boolean {
    switch (this.#asked.kind) {
      case 'why':
        return this.#why();
      case 'total':
        return this.#total();
      case 'compare':
        return this.#compare();
      case 'users':
        return this.#users();
      default:
        return this.#rows();
    }
  }

  #bytes(path: string): ReturnType<Teller['figure']> {
    this.#figures += 1;
    return this.#tell.bytes(`size_${this.#figures}`, path);
  }

  /** What a row, or a sum, says of one use. */
  #use(row: string, use: Use, isSum: boolean): string {
    const how = this.#asked.isMean ? 'avg' : 'sum';
    const paths = USES[use].map((column) => `${row}.${isSum ? `${how}(${column})` : column}`);
    const [first = '', second = ''] = paths;
    if (paths.some((path) => typeof this.#tell.out.read(path) !== 'number'))
      return T.unread[this.#tell.language];
    const { text, part } = {
      text: (one: Said, values = {}) => this.#tell.text(this.#tell.part(one, values)),
      part: T[use],
    };
    if (use === 'memory') return text(part, { size: this.#bytes(first) });
    if (use === 'io') return text(part, { read: this.#bytes(first), written: this.#bytes(second) });
    const percent = this.#tell.out.ground(first);
    if (!isSum) return text(part, { percent });
    this.#figures += 1;
    return text(part, {
      percent: this.#tell.figure(`percent_${this.#figures}`, Math.round(Number(percent.value) * 10) / 10),
    });
  }

  #line(row: string, uses: readonly Use[]): string {
    const get = this.#tell.out.at(row);
    const use = uses.map((one) => this.#use(row, one, false)).join(', ');
    return this.#tell.text(this.#tell.part(T.one, { name: get('name'), pid: get('pid'), use }));
  }

  /** Of input and output the sum decides, which no query orders by. */
  #chosen(list: string, most: number): readonly string[] {
    const length = this.#tell.out.read<number>(`${list}.length`) ?? 0;
    const rows = this.#tell.out.rows(list, length);
    if (this.#asked.uses[0] !== 'io') return rows.slice(0, most);
    const columns = ioColumns(this.#asked.heard.plain);
    const sum = (row: string): number =>
      columns.reduce((all, column) => all + Number(this.#tell.out.read(`${row}.${column}`) ?? 0), 0);
    return [...rows].sort((a, b) => sum(b) - sum(a)).slice(0, most);
  }

  #sayHow(uses: readonly Use[]): void {
    const ms = (): ReturnType<Teller['figure']> => this.#tell.figure('interval_ms', SLOW_MS);
    if (uses.includes('cpu'))
      this.#tell.say(T.short, { ms: ms(), whole: this.#tell.figure('processor_percent', 100) });
    else if (uses.includes('io')) this.#tell.say(T.shortIo, { ms: ms() });
  }

  #sayNames(): boolean {
    const stranger = this.#asked.names.find((one) => 'runs' in one && one.runs === false);
    if (stranger === undefined) return false;
    this.#tell.out.ground(`query.total`);
    this.#tell.out.say`${plain(this.#tell.text(this.#tell.part(T.stranger, { name: stranger.text })))}.`;
    return true;
  }

  #rows(): boolean {
    const { kind, uses, limit } = this.#asked;
    const total = this.#tell.out.read<number>('query.rows.length') ?? 0;
    if (total === 0) {
      if (this.#sayNames()) return true;
      const zero = this.#tell.out.ground('query.total');
      if (uses[0] === 'io') this.#tell.out.say`${plain(T.idle[this.#tell.language])}.`;
      else this.#tell.out.say`${plain(this.#tell.text(this.#tell.part(T.none, { zero })))}.`;
      this.#sayHow(uses);
      return true;
    }
    const rows = this.#chosen('query.rows', kind === 'top' ? Math.min(limit, 50) : MOST_ROWS);
    const list = rows.map((row) => this.#line(row, uses)).join('; ');
    if (kind === 'top') this.#tell.out.say`${plain(list)}.`;
    else {
      const more = Number(this.#tell.out.read('query.matched') ?? total) > rows.length ? ' …' : '';
      const count = this.#tell.out.ground('query.matched');
      this.#tell.out
        .say`${plain(this.#tell.text(this.#tell.part(count.value === 1 ? T.row : T.rows, { count, list: list + more })))}.`;
    }
    this.#sayHow(uses);
    return true;
  }

  #who(): string {
    const { names } = this.#asked;
    const pid = this.#asked.heard.plain.match(/\b(?:pid|process|prozess|processus|proceso) (\d+)/)?.[1];
    if (names.length === 0 && pid !== undefined) return `pid ${pid}`;
    if (names.length > 0) return names.map(({ text }) => text).join(' ');
    const isAll = !/ where /.test(String(this.#tell.out.read('query.query') ?? ''));
    return (isAll ? T.all : T.these)[this.#tell.language];
  }

  #sum(row: string, who: string): string | null {
    const count = this.#tell.out.ground(`${row}.count()`);
    if (count.value === 0) return null;
    const uses = this.#asked.uses.map((use) => this.#use(row, use, true)).join(', ');
    return this.#tell.text(
      this.#tell.part(count.value === 1 ? T.alone : this.#asked.isMean ? T.mean : T.together, {
        who,
        uses,
        count,
      }),
    );
  }

  #total(): boolean {
    if (this.#tell.out.read('query.rows[0].count()') === undefined) {
      this.#tell.say(T.unknown);
      return false;
    }
    const text = this.#sum('query.rows[0]', this.#who());
    if (text === null) {
      if (this.#sayNames()) return true;
      const zero = this.#tell.out.ground('query.rows[0].count()');
      this.#tell.out.say`${plain(this.#tell.text(this.#tell.part(T.none, { zero })))}.`;
      return true;
    }
    this.#tell.out.say`${plain(text)}.`;
    const isShared =
      this.#asked.uses.includes('memory') && Number(this.#tell.out.value('query.rows[0].count()')) > 1;
    if (this.#asked.uses.includes('cpu') || !isShared) this.#sayHow(this.#asked.uses);
    else this.#tell.say(T.shared);
    return true;
  }

  /** What the processes of each user use together. */
  #users(): boolean {
    const { out } = this.#tell;
    const { uses, limit } = this.#asked;
    const rows = out.rows('query.rows', Number(out.read('query.rows.length') ?? 0)).slice(0, limit);
    const nameOf = (uid: unknown): string =>
      out.read<readonly { name: string; uid: number }[]>('users')?.find((one) => one.uid === uid)?.name ?? '';
    const said = rows.map((row) => {
      const uid = out.ground(`${row}.uid`);
      if (uid.value === null) return this.#sum(row, T.unseen[this.#tell.language]);
      const name = nameOf(uid.value);
      return this.#sum(row, name === '' ? `uid ${uid.value}` : `${name} (uid ${uid.value})`);
    });
    if (said.length === 0) {
      this.#tell.say(T.unknown);
      return false;
    }
    out.say`${plain(said.join('; '))}.`;
    if (uses.includes('memory')) this.#tell.say(T.shared);
    else this.#sayHow(uses);
    return true;
  }

  #compare(): boolean {
    const [one, other] = this.#asked.names;
    const [first, second] = [
      this.#sum('query.rows[0]', one?.text ?? ''),
      this.#sum('second.rows[0]', other?.text ?? ''),
    ];
    const missing = [
      ...(first === null ? [one?.text ?? ''] : []),
      ...(second === null ? [other?.text ?? ''] : []),
    ];
    if (first === null || second === null) {
      for (const text of [first, second]) if (text !== null) this.#tell.out.say`${plain(text)}.`;
      for (const name of missing)
        this.#tell.out.say`${plain(this.#tell.text(this.#tell.part(T.stranger, { name })))}.`;
      return true;
    }
    const [use = 'memory'] = this.#asked.uses;
    const size = (root: string): number =>
      USES[use].reduce(
        (sum, column) => sum + Number(this.#tell.out.read(`${root}.rows[0].sum(${column})`)),
        0,
      );
    const isFirst = size('query') >= size('second');
    const winner = (isFirst ? one : other)?.text ?? '';
    const values = { one: winner, first: isFirst ? first : second, second: isFirst ? second : first };
    this.#tell.out.say`${plain(this.#tell.text(this.#tell.part(T.more, values)))}.`;
    this.#sayHow([use]);
    return true;
  }

  #why(): boolean {
    const { out } = this.#tell;
    const row = 'second.rows[0]';
    const isKnown = ['load_one', 'cpu_percent', 'memory_bytes'].every(
      (column) => typeof out.read(`${row}.${column}`) === 'number',
    );
    if (isKnown)
      this.#tell.say(T.why, {
        ...{ load: out.ground(`${row}.load_one`), cpus: out.ground(`${row}.cpus`) },
        ...{ cpu: out.ground(`${row}.cpu_percent`), wait: out.ground(`${row}.io_wait_percent`) },
        free: this.#bytes(`${row}.memory_available_bytes`),
        all: this.#bytes(`${row}.memory_bytes`),
      });
    const { uses } = this.#asked;
    const [use = 'cpu'] = uses;
    const list = this.#chosen('query.rows', 3)
      .map((one) => this.#line(one, [use]))
      .join('; ');
    const text = use === 'cpu' ? T.mostCpu : use === 'memory' ? T.mostMemory : T.mostIo;
    if (list !== '') this.#tell.say(text, { list });
    if (!isKnown && list === '') this.#tell.say(T.unknown);
    return isKnown || list !== '';
  }
}
