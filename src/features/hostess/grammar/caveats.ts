/** Says what an answer does not cover, and what else is to know. */
import { type Plain, part, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import { Figures } from './figures.ts';
import { ROOT, type Texts } from './sentences.ts';
import { TABLES } from './tables.ts';

const UNMEASURED: Readonly<Record<string, Texts>> = {
  memory: ['Memory', 'Speicher', 'La memoria', 'La mémoire'],
  cpu: ['Processor time', 'Rechenzeit', 'El tiempo de procesador', 'Le temps de processeur'],
  traffic: ['Traffic', 'Datenverkehr', 'El tráfico', 'Le trafic'],
  services: [
    'The state of services of systemd',
    'Der Zustand von Diensten von systemd',
    'El estado de los servicios de systemd',
    'L’état des services de systemd',
  ],
  disk: ['Disk space', 'Plattenplatz', 'El espacio en disco', 'L’espace disque'],
};
const NOT_MEASURED: Texts = [
  'is not measured for that, so I do not know',
  'wird dafür nicht gemessen, das weiß ich also nicht',
  'no se mide para eso, así que no lo sé',
  'n’est pas mesuré pour cela, je ne le sais donc pas',
];
const NOT_HERE: Texts = [
  'is known only as it is now: ask for it alone',
  'ist nur bekannt, wie es jetzt ist: frage danach allein',
  'solo se conoce tal como está ahora: pregúntalo solo',
  'n’est connu que tel qu’il est maintenant : demande-le seul',
];
const BLIND = /^(\d+) checks? could not judge everything/;
const ONE_BLIND: Texts = [
  'check could not judge everything',
  'Prüfung konnte nicht alles beurteilen',
  'comprobación no pudo juzgarlo todo',
  'contrôle n’a pas pu tout juger',
];
const MANY_BLIND: Texts = [
  'checks could not judge everything',
  'Prüfungen konnten nicht alles beurteilen',
  'comprobaciones no pudieron juzgarlo todo',
  'contrôles n’ont pas pu tout juger',
];

const SUDO = TABLES.accounts?.traits.sudo?.query ?? '';

const MOST_ROWS = 100;
const ALLOWED = TABLES.listeners?.traits.allowed?.query ?? '';

export class Caveats extends Figures {
  /** How an answer begins where there are such rows, and where there are none. */
  protected heads(): readonly [Plain, Plain] {
    const [yes, no] = [this.p('Yes', 'Ja', 'Sí', 'Oui'), this.p('No', 'Nein', 'No', 'Non')];
    return this.plan.denied ? [no, yes] : [yes, no];
  }

  /** Where else an account may be. */
  protected sayElsewhere(): void {
    const isNamed = this.plan.table === 'accounts' && this.plan.name !== null;
    if (isNamed)
      this.out
        .say`${this.p('Accounts of a directory service are not listed', 'Konten eines Verzeichnisdienstes sind nicht aufgeführt', 'Las cuentas de un servicio de directorio no figuran', 'Les comptes d’un service d’annuaire ne sont pas listés')}.`;
  }

  /** Of an account that is root, which needs no sudo, and where no rule gives it. */
  protected saySudo(): void {
    const [first, ...more] = this.plan.conditions.map(({ query }) => query);
    const name = /^name = "([\w.-]+)"$/.exec(first ?? '')?.[1];
    const isRoot = name !== undefined && this.out.read(`users[name=${quoted(name)}].uid`) === 0;
    const isAlone = more.length === 0 && first === SUDO;
    if (this.plan.table !== 'accounts' || !(isAlone || (isRoot && more.includes(SUDO)))) return;
    if (isAlone && this.total === 0 && this.record.undecided.rows === 0)
      this.out
        .say`${this.p('No rule of sudoers that was read gives them', 'Keine gelesene Regel in sudoers gibt sie', 'Ninguna regla leída de sudoers los da', 'Aucune règle lue de sudoers ne les donne')}.`;
    this.out
      .say`${this.p('Accounts that are root need no sudo', 'Konten, die root sind, brauchen kein sudo', 'Las cuentas que son root no necesitan sudo', 'Les comptes qui sont root n’ont pas besoin de sudo')}.`;
  }

  /** As whom a program runs, where it is not the user that was asked for. */
  protected sayRunsAs(): void {
    const [one, two, ...more] = this.plan.conditions.map(({ query }) => query);
    const name = [one, two].map((query) => /^comm = "([\w.@:+-]+)"$/.exec(query ?? '')?.[1]).find(Boolean);
    const isOfUser = [one, two].some((query) => /^uid = \d+$/.test(query ?? ''));
    if (this.plan.table !== 'processes' || more.length > 0 || name === undefined || !isOfUser) return;
    const list = `processes[comm=${quoted(name)}]`;
    const uids = new Set(this.out.rows(list, MOST_ROWS).map((row) => this.out.read(`${row}.uid`)));
    const [uid] = uids;
    if (uids.size !== 1 || typeof uid !== 'number') return;
    this.out
      .say`${plain(name)} ${this.p('runs as', 'läuft als', 'se ejecuta como', 'tourne en tant que')} ${this.userNamed(uid, this.out.ground(`${list}.uid`))}.`;
  }

  /** What may listen by the law, where it does not. */
  protected sayLaw(): void {
    const [first, ...more] = this.plan.conditions.map(({ query }) => query);
    if (this.plan.table !== 'listeners' || first !== ALLOWED || more.length > 0) return;
    const list = this.out
      .items('law.listen', MOST_ROWS)
      .map((get) => part`${get('protocol')} ${get('ports')} (${get('why')})`);
    if (list.length > 0)
      this.out
        .say`${this.p('Allowed by the law, whether or not anything listens', 'Durch das Gesetz erlaubt, ob etwas lauscht oder nicht', 'Permitidos por la ley, escuche algo o no', 'Autorisés par la loi, que quelque chose écoute ou non')}: ${this.join(list, false)}.`;
  }

  /** Of a port that must stay down. */
  protected sayBanned(): void {
    const [port, is] = ['page.banned.port', 'av.datacenter_port_8766'];
    const isAsked = this.plan.conditions.some(({ query }) => query === `port = ${this.out.read(port)}`);
    if (!isAsked || this.plan.table !== 'listeners' || this.out.read(`${is}.up`) !== true) return;
    this.out.ground(`${is}.up`);
    this.out
      .say`${this.p('Port', 'Port', 'El puerto', 'Le port')} ${this.out.ground(port)} ${this.p('must stay down', 'muss zu bleiben', 'debe permanecer cerrado', 'doit rester fermé')}.`;
  }

  protected sayNear(near: string): void {
    const path = `processes[comm=${quoted(near)}].length`;
    const count = this.out.read(path) ? part` (${this.out.ground(path)})` : plain('');
    this.out
      .say`${this.p('Did you mean', 'Meinten Sie', '¿Quiso decir', 'Vouliez-vous dire')} ${plain(near)}${count}?`;
  }

  /** A name that nothing has, beside others that something has. */
  protected sayStranger(): void {
    const { stranger } = this.plan;
    if (stranger !== null && this.total > 0 && this.plan.table !== 'startup')
      this.out
        .say`${this.p('Nothing called', 'Nichts mit dem Namen', 'Nada llamado', 'Rien du nom de')} "${plain(stranger)}" ${this.p('runs here', 'läuft hier', 'se ejecuta aquí', 'ne tourne ici')}.`;
  }

  protected sayUnmeasured(what: readonly string[]): void {
    for (const one of what)
      this.out
        .say`${this.p(...(UNMEASURED[one] as Texts))} ${this.p(...(one === 'traffic' ? NOT_MEASURED : NOT_HERE))}.`;
  }

  /** What the answer does not cover. */
  protected sayGaps(): void {
    const { undecided, reach } = this.record;
    const { moment } = this.plan;
    if (undecided.rows > 0)
      this.out
        .say`${this.p('For', 'Bei', 'De', 'Pour')} ${this.out.ground(`${ROOT}.undecided.rows`)} ${this.p('more it is not known: it could not be read', 'weiteren ist es nicht bekannt: es war nicht lesbar', 'más no se sabe: no se pudo leer', 'de plus ce n’est pas connu : cela n’a pas pu être lu')}.`;
    if (moment !== null && reach.from !== null && Date.parse(reach.from) > moment.ms)
      this.out
        .say`${this.p('The history begins at', 'Die Aufzeichnung beginnt', 'El historial empieza en', 'L’historique commence à')} ${this.out.ground(`${ROOT}.reach.from`)}: ${this.p('what was before is not known', 'was davor war, ist nicht bekannt', 'lo anterior no se conoce', 'ce qui précède n’est pas connu')}.`;
    if (
      moment === null &&
      this.record.matched === 0 &&
      reach.gaps.length === 0 &&
      reach.notes.length > 0 &&
      this.plan.table === 'findings'
    )
      this.#sayNote();
    if (reach.gaps.length > 0)
      this.out
        .say`${this.p('Some may be missing', 'Es können welche fehlen', 'Pueden faltar algunos', 'Il peut en manquer')}: ${this.out.ground(`${ROOT}.reach.gaps[0]`)}.`;
  }

  /** A note of the query, which is English but for the one that is known. */
  #sayNote(): void {
    const note = this.out.ground(`${ROOT}.reach.notes[0]`);
    const blind = BLIND.exec(String(note.value))?.[1];
    if (blind === undefined || this.out.language === 'en')
      this.out.say`${this.p('But', 'Aber (englisch)', 'Pero (en inglés)', 'Mais (en anglais)')}: ${note}.`;
    else
      this.out
        .say`${this.p('But', 'Aber', 'Pero', 'Mais')}: ${plain(blind)} ${this.p(...(blind === '1' ? ONE_BLIND : MANY_BLIND))}.`;
  }
}
