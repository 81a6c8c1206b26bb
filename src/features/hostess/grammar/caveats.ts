/** Says what an answer does not cover, and what else is to know. */
import { part, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import { Figures } from './figures.ts';
import { ROOT, type Texts } from './sentences.ts';

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

export class Caveats extends Figures {
  /** Where else an account may be. */
  protected sayElsewhere(): void {
    const isNamed = this.plan.table === 'accounts' && this.plan.name !== null;
    if (isNamed)
      this.out
        .say`${this.p('Accounts of a directory service are not listed', 'Konten eines Verzeichnisdienstes sind nicht aufgeführt', 'Las cuentas de un servicio de directorio no figuran', 'Les comptes d’un service d’annuaire ne sont pas listés')}.`;
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
