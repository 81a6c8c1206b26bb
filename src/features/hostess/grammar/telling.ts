/** Says answers about what was asked before, and about the past. */
import type { Instant } from '../../../engine/snapshot.ts';
import { offsetTime } from '../../../engine/time.ts';
import type { QueryAnswer } from '../../../records/query.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import type { Queried } from './asking.ts';
import { sayGoal } from './goals.ts';
import type { Plan } from './plan.ts';
import { Saying } from './render.ts';
import { MOST_SHOWN, ROOT, type Texts } from './sentences.ts';

/** The root of the answer of the last query but one, where there were several. */
export const BEFORE = 'before';

const NAMES: Readonly<Record<string, Texts>> = {
  threads: ['threads', 'Threads', 'hilos', 'threads'],
  start: ['since', 'seit', 'desde', 'depuis'],
  pid: ['pid', 'PID', 'pid', 'pid'],
  pids: ['pid', 'PID', 'pid', 'pid'],
  port: ['port', 'Port', 'puerto', 'port'],
  ppid: ['parent pid', 'PID des Elternprozesses', 'pid del proceso padre', 'pid du parent'],
  days: ['days left', 'Tage übrig', 'días restantes', 'jours restants'],
  first_seen: ['first seen', 'zuerst gesehen', 'visto por primera vez', 'vu pour la première fois'],
  learned: ['learned', 'gelernt', 'aprendida', 'apprise'],
  changed: ['changed', 'geändert', 'cambiado', 'modifié'],
  vouched: ['vouched for by', 'verbürgt durch', 'avalado por', 'garanti par'],
  runs: ['runs', 'führt aus', 'ejecuta', 'exécute'],
  executable: ['runs', 'führt aus', 'ejecuta', 'exécute'],
  path: ['path', 'Pfad', 'ruta', 'chemin'],
  severity: ['severity', 'Schwere', 'gravedad', 'gravité'],
  last_login: ['last login', 'letzte Anmeldung', 'último inicio de sesión', 'dernière connexion'],
};
/** Numbers come before their words. */
const COUNTED = new Set(['threads', 'days']);

export class Telling extends Saying {
  readonly #first: QueryAnswer | null;

  readonly #offsetMin: number;

  constructor(out: AnswerBuilder, queried: Queried, { offsetMin }: Instant) {
    const { plan, record, first } = queried;
    super(out, plan, record);
    this.#first = first;
    this.#offsetMin = offsetMin;
    if (first !== null) out.put(BEFORE, first);
  }

  protected override kind(kind: Plan['kind']): boolean {
    // The steps ended early: there was nothing to go on with.
    if (this.record.table !== this.plan.table) return this.sayNotFound();
    if (this.isBefore() && kind !== 'then-now') return this.sayNotReached();
    switch (kind) {
      case 'cells':
        return this.cells();
      case 'user':
        return this.user();
      case 'judged':
        return this.judged();
      case 'cure':
        return this.cure();
      case 'accept':
        return this.accept();
      case 'accepted-of':
        return this.acceptedOf();
      case 'undo':
        return sayGoal(this.out, 'unaccept', this.plan.language);
      case 'learned':
        return this.learned();
      case 'needed':
        return this.needed();
      case 'nth':
      case 'head':
        return this.head(kind === 'nth' && this.plan.limit !== null && this.plan.limit > 1);
      case 'last-up':
        return this.lastUp();
      case 'happened':
        return this.happened();
      case 'runs':
        return this.runs();
      case 'run-last':
        return this.lastRun();
      case 'sample':
        return this.sample();
      case 'then-now':
        return this.thenNow();
      case 'episodes':
        return this.episodes();
      case 'not-kept':
        return this.notKept();
      default:
        return super.kind(kind);
    }
  }

  get #yes(): Plain {
    return this.p('Yes', 'Ja', 'Sí', 'Oui');
  }
  get #no(): Plain {
    return this.p('No', 'Nein', 'No', 'Non');
  }
  get #unknown(): Plain {
    return this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu');
  }

  /** All of the time that was asked for was before anything was recorded. */
  protected isBefore(): boolean {
    const { moment } = this.plan;
    const { from } = this.record.reach;
    if (moment === null || from === null || this.total > 0) return false;
    const end = moment.how === 'ago' || moment.how === 'until' ? moment.ms : moment.untilMs;
    return end !== null && end <= Date.parse(from);
  }

  protected sayNotReached(): boolean {
    this.out
      .say`${this.#unknown}: ${this.p('nothing is recorded of that time', 'von dieser Zeit ist nichts aufgezeichnet', 'de ese tiempo no hay nada registrado', 'rien n’est enregistré de ce moment')} (${this.totalGround()}).`;
    return false;
  }

  /** The rows of the question before are none, or have nothing that leads on. */
  protected sayNotFound(): boolean {
    const total = this.out.ground(`${ROOT}.total`);
    this.out
      .say`${this.#unknown}: ${this.record.total === 0 ? this.p('there are no such rows', 'es gibt keine solchen Zeilen', 'no hay tales filas', 'il n’y a pas de telles lignes') : this.p('the records do not link them to it', 'die Aufzeichnungen verbinden sie nicht damit', 'los registros no los relacionan con eso', 'les relevés ne les relient pas à cela')} (${total}).`;
    return false;
  }

  protected none(): boolean {
    this.out
      .say`${this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${this.out.ground(`${ROOT}.total`)}): ${this.noneText()}.`;
    return true;
  }

  protected cells(): boolean {
    const { rows, total } = this.record;
    const column = this.plan.column as string;
    if (rows.length === 0) return this.none();
    const shown = Math.min(MOST_SHOWN * 2, rows.length);
    const values = rows.map((row) => JSON.stringify(row[column]));
    // One value of several rows is said once.
    const places = Array.from({ length: shown }, (_, at) => at).filter(
      (at) => !['pids', 'executable', 'pid'].includes(column) || values.indexOf(values[at] as string) === at,
    );
    const parts = places.map((at): Plain => {
      const row = this.plan.table === 'generations' ? part`${this.noun(1)} ${this.row(at)}` : this.row(at);
      if (rows[at]?.[column] === null)
        return part`${this.p('unknown', 'unbekannt', 'desconocido', 'inconnu')}: ${row}`;
      if (
        !this.has(at, column) ||
        [rows[at]?.[column]].flat().length === 0
      )
        return part`${this.p('none', 'keine', 'ninguno', 'aucun')}: ${row}`;
      const cell = this.cell(at, column);
      const name = plain(this.t(...(NAMES[column] ?? ([column, column, column, column] as Texts))));
      if (COUNTED.has(column)) return part`${cell} ${name}: ${row}`;
      return column === 'start' ? part`${this.sinceWord()} ${cell}: ${row}` : part`${cell} (${name}): ${row}`;
    });
    this.out
      .say`${plain(parts.map(({ text }) => text).join('; '))}${total > shown && this.plan.limit === null ? this.p('; and more', '; und weitere', '; y más', ' ; et d’autres') : plain('')}.`;
    return rows.slice(0, shown).some((row) => row[column] !== null);
  }

  protected sinceWord(): Plain {
    return this.p('Since', 'Seit', 'Desde', 'Depuis');
  }

  protected user(): boolean {
    const { rows } = this.record;
    const first = this.#first;
    if (first === null) return this.sayNotFound();
    const uids = [...new Set(first.rows.map((row) => row.uid).filter((uid) => typeof uid === 'number'))];
    if (uids.length === 0) return this.sayNotFound();
    const named = uids.slice(0, MOST_SHOWN).map((uid): Plain => {
      const at = rows.findIndex((row) => row.uid === uid);
      const of = first.rows.flatMap((row, place) => (row.uid === uid ? [place] : []));
      const one = part`${this.out.ground(`${BEFORE}.rows[${of[0] ?? 0}].uid`)}`;
      const label = ['comm', 'executable'].find(
        (column) => typeof first.rows[of[0] ?? 0]?.[column] === 'string',
      );
      const example =
        label === undefined
          ? plain('')
          : part`: ${this.out.ground(`${BEFORE}.rows[${of[0] ?? 0}].${label}`)}`;
      const more = of.length > 1 ? plain(` …`) : plain('');
      return at < 0
        ? part`uid ${one} (${this.p('no account has it', 'kein Konto hat sie', 'ninguna cuenta lo tiene', 'aucun compte ne l’a')})${example}${more}`
        : part`${this.out.ground(`${ROOT}.rows[${at}].name`)} (uid ${one})${example}${more}`;
    });
    this.out.say`${plain(named.map(({ text }) => text).join('; '))}.`;
    return true;
  }

  protected judged(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) return this.unjudged();
    const good = this.plan.name === 'fine';
    const severity = this.cell(0, 'severity');
    const bad = severity.value !== 'low';
    const closed = rows[0]?.state === 'closed';
    const head =
      this.plan.name === 'why'
        ? plain('')
        : part`${bad === good ? this.#no : good || bad ? this.#yes : this.p('Hardly', 'Kaum', 'Apenas', 'À peine')}: `;
    const over = closed ? this.p(' (closed)', ' (geschlossen)', ' (cerrado)', ' (fermé)') : plain('');
    const more =
      rows.length > 1 ? part` (${this.out.ground(`${ROOT}.total`)} ${this.noun(rows.length)})` : plain('');
    this.out.say`${head}${severity}: ${this.cell(0, 'summary')}${over}${more}.`;
    const hint = this.has(0, 'remedy')
      ? part`${this.p('what to do', 'was zu tun ist', 'qué hacer', 'que faire')}: ${this.cell(0, 'remedy')}`
      : null;
    if (this.has(0, 'benign'))
      this.out
        .say`${this.p('It may be harmless', 'Es kann harmlos sein', 'Puede ser inofensivo', 'Cela peut être anodin')}: ${this.cell(0, 'benign')}${hint === null ? plain('') : part`; ${hint}`}.`;
    else if (hint !== null) this.out.say`${hint}.`;
    this.out.suggest(`desk findings ${String(rows[0]?.id)}`);
    return true;
  }

  /** No finding is about the rows before. */
  protected unjudged(): boolean {
    const first = this.#first;
    const total = this.out.ground(`${ROOT}.total`);
    const none = this.p(
      'no finding is about that',
      'kein Befund betrifft das',
      'ningún hallazgo trata de eso',
      'aucun constat ne concerne cela',
    );
    const allowed = first?.rows[0]?.allowed;
    if (first !== null && first.rows.length > 0 && typeof allowed === 'string' && allowed !== '') {
      this.out
        .say`${this.plan.name === 'fine' ? this.#yes : this.#no}: ${none} (${total}); ${this.p('it is allowed, by', 'es ist erlaubt, durch', 'está permitido, por', 'c’est autorisé, par')} ${this.out.ground(`${BEFORE}.rows[0].allowed`)}.`;
      return true;
    }
    const isKnown = first !== null && first.rows.length > 0 && this.record.reach.gaps.length === 0;
    const may = this.p(
      'what no check looks for is not judged',
      'wonach keine Prüfung sucht, wird nicht beurteilt',
      'lo que ninguna comprobación busca no se juzga',
      'ce qu’aucun contrôle ne cherche n’est pas jugé',
    );
    if (isKnown && this.plan.name !== 'why')
      this.out
        .say`${this.p('The records name no reason for worry', 'Die Aufzeichnungen nennen keinen Grund zur Sorge', 'Los registros no dan motivo de preocupación', 'Les relevés ne donnent pas de raison de s’inquiéter')}: ${none} (${total}); ${may}.`;
    else this.out.say`${this.#unknown}: ${none} (${total}).`;
    return isKnown && this.plan.name !== 'why';
  }

  protected cure(): boolean {
    if (this.record.rows.length === 0) return this.unjudged();
    if (!this.has(0, 'remedy')) {
      this.out
        .say`${this.#unknown}: ${this.p('no remedy is recorded', 'es ist keine Abhilfe aufgezeichnet', 'no hay remedio registrado', 'aucun remède n’est noté')}; ${this.row(0)}.`;
      return false;
    }
    this.out.say`${this.cell(0, 'remedy')}: ${this.row(0)}.`;
    this.out.suggest(`desk findings ${String(this.record.rows[0]?.id)}`);
    return true;
  }

  protected accept(): boolean {
    if (this.record.rows.length === 0) return this.unjudged();
    this.out.ground('commands[name=accept].summary');
    const id = this.cell(0, 'id');
    this.out.say`desk accept ${id} --why …: ${this.row(0)}.`;
    this.out.suggest(`desk accept ${String(id.value)} --why "why it is fine"`, 'desk help accept');
    return true;
  }

  /** Of open findings none is accepted: those are excused. */
  protected acceptedOf(): boolean {
    const count = this.out.ground(`${ROOT}.total`);
    const rows = this.record.rows.length === 0 ? plain('') : part`: ${this.rows()}`;
    this.out
      .say`${this.p('None of them: what is accepted is not open any more', 'Keiner davon: was angenommen ist, ist nicht mehr offen', 'Ninguno de ellos: lo aceptado ya no está abierto', 'Aucun d’entre eux : ce qui est accepté n’est plus ouvert')}. ${count} ${this.noun(Number(count.value))}${rows}.`;
    return true;
  }

  protected learned(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) return this.none();
    const allowed = rows[0]?.allowed;
    const row = this.row(0);
    if (allowed === null) {
      this.out.say`${this.#unknown}: ${row}.`;
      return false;
    }
    if (allowed === 'baseline')
      this.out
        .say`${this.#yes}: ${row} ${this.p('is learned', 'ist gelernt', 'está aprendido', 'est appris')} (${this.cell(0, 'allowed')}).`;
    else if (!this.has(0, 'allowed')) {
      this.out.ground(`${ROOT}.total`);
      this.out
        .say`${this.#no}: ${row} ${this.p('was never learned, and nothing allows it', 'wurde nie gelernt, und nichts erlaubt es', 'nunca se aprendió y nada lo permite', 'n’a jamais été appris et rien ne l’autorise')}.`;
    } else
      this.out
        .say`${this.#no}: ${row} ${this.p('is allowed, by', 'ist erlaubt, durch', 'está permitido, por', 'est autorisé, par')} ${this.cell(0, 'allowed')}.`;
    return true;
  }

  protected needed(): boolean {
    const { rows } = this.record;
    const total = this.out.ground(`${ROOT}.total`);
    if (this.plan.table === 'ports') {
      if (rows.length === 0) return this.none();
      const required = this.cell(0, 'required');
      this.out
        .say`${required.value === true ? this.#yes : this.#no}: ${this.row(0)} ${required.value === true ? this.p('is required', 'ist erforderlich', 'es obligatorio', 'est obligatoire') : this.p('is not required', 'ist nicht erforderlich', 'no es obligatorio', 'n’est pas obligatoire')}.`;
      return true;
    }
    if (rows.length > 0)
      this.out
        .say`${this.#yes}: ${this.out.ground(`${ROOT}.rows[0].text`)} ${this.p('was learned, and does not run now', 'wurde gelernt und läuft jetzt nicht', 'se aprendió y ahora no se ejecuta', 'a été appris et ne tourne pas maintenant')}.`;
    else
      this.out
        .say`${this.p('No record requires it', 'Keine Aufzeichnung verlangt es', 'Ningún registro lo exige', 'Aucun relevé ne l’exige')}: ${this.p('of what was learned it is not missing', 'unter dem Gelernten fehlt es nicht', 'no falta entre lo aprendido', 'il ne manque pas parmi ce qui a été appris')} (${total}).`;
    return true;
  }

  /** Rows by their order: only the last of them, or all. */
  protected head(onlyLast: boolean): boolean {
    const { rows } = this.record;
    const { column, limit } = this.plan;
    if (rows.length === 0) return this.none();
    if (onlyLast && limit !== null && rows.length < limit) {
      this.out
        .say`${this.p('There are only', 'Es gibt nur', 'Solo hay', 'Il n’y a que')} ${this.out.ground(`${ROOT}.total`)}.`;
      return true;
    }
    const from = onlyLast ? rows.length - 1 : 0;
    const list = rows.slice(from, from + 10).map((_, place): Plain => {
      const at = from + place;
      return column !== null &&
        this.has(at, column) &&
        !(this.plan.table === 'findings' && column === 'severity')
        ? part`${this.row(at)}, ${this.columnWord(column)} ${this.cell(at, column)}`
        : this.row(at);
    });
    const conditions = this.conditions();
    const of =
      conditions.text === ''
        ? plain('')
        : part`${plain(String(list.length))} ${this.noun(list.length)}${conditions}: `;
    if (of.text !== '') this.out.ground(`${ROOT}.rows.length`);
    this.out.say`${of}${plain(list.map(({ text }) => text).join('; '))}.`;
    return true;
  }

  protected lastUp(): boolean {
    const port = plain(String(this.plan.name));
    const now = `listeners[port=${port.text}].length`;
    const isUp = Number(this.out.read(now)) > 0;
    const open = this.out.ground(now);
    const shut = `detection.shut_down[port=${port.text}]`;
    const { rows } = this.record;
    const asksEver = this.plan.column === 'ever';
    const name = part`${this.p('port', 'Port', 'el puerto', 'le port')} ${port}`;
    const head = asksEver ? part`${this.#yes}: ` : plain('');
    if (isUp) {
      const seen =
        rows.length > 0
          ? part`; ${this.columnWord('first_seen')} ${this.cell(rows.length - 1, 'first_seen')}`
          : plain('');
      this.out
        .say`${asksEver ? head : this.p('Now: ', 'Jetzt: ', 'Ahora: ', 'Maintenant : ')}${name} ${this.p('is up', 'ist offen', 'está abierto', 'est ouvert')} (${open})${seen}.`;
      return true;
    }
    const down = part`${this.p('It is down now', 'Jetzt ist er zu', 'Ahora está cerrado', 'Il est fermé maintenant')} (${open})`;
    const times =
      rows.length > 1 && asksEver
        ? part`; ${this.out.ground(`${ROOT}.total`)} ${this.noun(rows.length)}`
        : plain('');
    if (Number(this.out.read(`${shut}.length`)) > 0) {
      const get = this.out.at(`${shut}[0]`);
      this.out.say`${head}${get('at')}: ${get('summary')}${times}. ${down}.`;
      return true;
    }
    if (rows.length > 0) {
      this.out.say`${head}${this.cell(0, 'last_seen')}: ${this.cell(0, 'summary')}${times}. ${down}.`;
      return true;
    }
    this.out.ground(`${ROOT}.total`);
    this.out
      .say`${this.p('That is not recorded: no finding was about port', 'Das ist nicht aufgezeichnet: kein Befund betraf Port', 'No está registrado: ningún hallazgo trató del puerto', 'Ce n’est pas enregistré : aucun constat ne concernait le port')} ${port}, ${this.p('and of other listeners no history is kept', 'und von anderen Listenern gibt es keinen Verlauf', 'y de otros no se guarda historial', 'et des autres aucun historique n’est gardé')}. ${down}.`;
    return false;
  }

  #time(ms: number): string {
    return offsetTime({ epochMs: ms, offsetMin: this.#offsetMin });
  }

  /** Counts of a record of the context within the time of the plan. */
  protected within(root: string, key: string): Plain | null {
    const { moment } = this.plan;
    if (moment === null) return null;
    const from = moment.how === 'until' ? '' : `[${key}>=${this.#time(moment.ms)}]`;
    const untilMs = moment.how === 'until' ? moment.ms : moment.untilMs;
    const path = `${root}${from}${untilMs === null ? '' : `[${key}<${this.#time(untilMs)}]`}.length`;
    return this.out.read(path) === undefined ? null : part`${this.out.ground(path)}`;
  }

  /** The time that was understood. */
  protected span(): Plain {
    const { moment } = this.plan;
    if (moment === null) return plain('');
    const [from, until] = [
      this.#time(moment.ms),
      moment.untilMs === null ? null : this.#time(moment.untilMs),
    ];
    if (moment.how === 'until') {
      this.out.put('asked', { until: from });
      return part` ${this.p('until', 'bis', 'hasta', 'jusqu’à')} ${this.out.ground('asked.until')}`;
    }
    this.out.put('asked', until === null ? { since: from } : { since: from, until });
    const begin = part` ${this.p('from', 'ab', 'desde', 'depuis')} ${this.out.ground('asked.since')}`;
    return until === null
      ? begin
      : part`${begin} ${this.p('until', 'bis', 'hasta', 'jusqu’à')} ${this.out.ground('asked.until')}`;
  }

  protected happened(): boolean {
    const { rows, total } = this.record;
    const count = this.out.ground(`${ROOT}.total`);
    const shown = rows
      .slice(0, MOST_SHOWN)
      .map((_, at) => part`${this.cell(at, 'at')} ${this.cell(at, 'event')}: ${this.cell(at, 'summary')}`);
    const list =
      shown.length === 0
        ? plain('')
        : plain(
            `: ${shown.map(({ text }) => text).join('; ')}${total > shown.length ? this.t('; and more', '; und weitere', '; y más', ' ; et d’autres') : ''}`,
          );
    this.out.say`${count} ${this.noun(total)}${this.span()}${list}.`;
    const runs = this.within('gate_runs', 'at');
    const learned = this.within('generations', 'learned_at');
    if (runs !== null && learned !== null)
      this.out
        .say`${this.p('Runs of the gate', 'Läufe des Gates', 'Ejecuciones del gate', 'Passages du gate')}: ${runs}; ${this.p('learned generations', 'gelernte Generationen', 'generaciones aprendidas', 'générations apprises')}: ${learned}; ${this.p('of processes no history is kept', 'von Prozessen gibt es keinen Verlauf', 'de los procesos no se guarda historial', 'des processus aucun historique n’est gardé')}.`;
    return true;
  }

  protected run(at: number): Plain {
    return part`${this.cell(at, 'at')} ${this.cell(at, 'gate')} (${this.cell(at, 'scar_count')} scars)`;
  }

  protected runs(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) return this.none();
    const { limit } = this.plan;
    const few =
      limit !== null && limit > rows.length && this.plan.moment === null
        ? part`${this.p('Only', 'Nur', 'Solo', 'Seulement')} ${this.out.ground(`${ROOT}.total`)}: `
        : plain('');
    this.out.say`${few}${plain(
      rows
        .slice(0, limit ?? 10)
        .map((_, at) => this.run(at).text)
        .join('; '),
    )}.`;
    return true;
  }

  protected lastRun(): boolean {
    if (this.record.rows.length === 0) return this.none();
    if (this.plan.name !== 'why') {
      this.out.say`${this.run(0)}.`;
      return true;
    }
    const failed = this.record.rows[0]?.gate === 'fail';
    if (!failed) {
      this.out
        .say`${this.p('It did not fail', 'Es ist nicht gescheitert', 'No falló', 'Il n’a pas échoué')}: ${this.run(0)}.`;
      return true;
    }
    const reasons = this.out
      .rows('detection.findings[scar=true]', 3)
      .map((row) => part`${this.out.ground(`${row}.summary`)}`);
    const now =
      reasons.length === 0
        ? plain('')
        : part` ${this.p('Scars now', 'Scars jetzt', 'Scars ahora', 'Scars actuels')}: ${plain(reasons.map(({ text }) => text).join('; '))}.`;
    this.out.say`${this.run(0)}.${now}`;
    this.out.suggest('desk scar');
    return true;
  }

  protected sample(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) {
      this.out
        .say`${this.#unknown}: ${this.p('there is no sample of that time', 'es gibt keinen Messwert für diese Zeit', 'no hay muestra de esa hora', 'il n’y a pas de mesure de cette heure')} (${this.out.ground(`${ROOT}.total`)}).`;
      return false;
    }
    const noun =
      this.plan.name === 'processes'
        ? this.p(
            'processes of user space',
            'Prozesse im User Space',
            'procesos de espacio de usuario',
            'processus en espace utilisateur',
          )
        : this.p('listeners', 'Listener', 'sockets a la escucha', 'sockets en écoute');
    const values = (this.plan.column as string)
      .split(', ')
      .map((column) => part`${this.out.ground(`${ROOT}.rows[0].${column}`)}`);
    const [one, two] = values as [Plain, Plain | undefined];
    const amount =
      two === undefined
        ? one
        : part`${one} ${this.p('public and', 'öffentliche und', 'públicos y', 'publics et')} ${two} ${this.p('local', 'lokale', 'locales', 'locaux')}`;
    this.out
      .say`${amount} ${noun}, ${this.p('sampled at', 'gemessen um', 'medidos a las', 'mesurés à')} ${this.out.ground(`${ROOT}.rows[0].at`)}.`;
    return true;
  }

  protected thenNow(): boolean {
    const was = this.out.ground(
      this.record.rows[0]?.['count()'] === undefined ? `${ROOT}.total` : `${ROOT}.rows[0].count()`,
    );
    const now = this.out.ground('detection.findings.length');
    const { from } = this.record.reach;
    const { moment } = this.plan;
    if (moment !== null && (from === null || Date.parse(from) > moment.ms)) {
      this.out.say`${this.#unknown}: ${this.p('now', 'jetzt', 'ahora', 'maintenant')} ${now}.`;
      if (from === null)
        this.out
          .say`${this.p('Nothing is recorded of that time', 'Von damals ist nichts aufgezeichnet', 'No hay nada registrado de entonces', 'Rien n’est enregistré de cette époque')}.`;
      return false;
    }
    const [then, here] = [Number(was.value), Number(now.value)];
    const word =
      here > then
        ? this.p('More', 'Mehr', 'Más', 'Plus')
        : here < then
          ? this.p('Fewer', 'Weniger', 'Menos', 'Moins')
          : this.p('As many', 'Gleich viele', 'Los mismos', 'Autant');
    this.out
      .say`${word}: ${now} ${this.p('now', 'jetzt', 'ahora', 'maintenant')}, ${was} ${this.p('then', 'damals', 'entonces', 'alors')}${this.conditions()}.`;
    return true;
  }

  protected episodes(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) {
      this.out
        .say`${this.#unknown}: ${this.p('no event of a finding names', 'kein Ereignis eines Befunds nennt', 'ningún evento de un hallazgo nombra', 'aucun événement d’un constat ne nomme')} ${plain(String(this.plan.name))} (${this.out.ground(`${ROOT}.total`)}).`;
      return false;
    }
    const closed = rows.findIndex((row) => row.event === 'closed');
    const back = closed >= 0 && rows.slice(closed).some((row) => String(row.event).startsWith('opened'));
    const list = rows.slice(-MOST_SHOWN).map((_, place) => {
      const at = Math.max(0, rows.length - MOST_SHOWN) + place;
      return part`${this.out.ground(`${ROOT}.rows[${at}].event`)} ${this.out.ground(`${ROOT}.rows[${at}].at`)}`;
    });
    this.out
      .say`${back ? this.#yes : this.#no}: ${plain(list.map(({ text }) => text).join('; '))}: ${this.out.ground(`${ROOT}.rows[0].summary`)}.`;
    return true;
  }

  protected notKept(): boolean {
    this.out
      .say`${this.p('That is not recorded: of single processes no history is kept', 'Das ist nicht aufgezeichnet: von einzelnen Prozessen gibt es keinen Verlauf', 'No está registrado: de procesos sueltos no se guarda historial', 'Ce n’est pas enregistré : des processus aucun historique n’est gardé')}.`;
    if (this.record.rows.length > 0)
      this.out
        .say`${this.p('Now', 'Jetzt', 'Ahora', 'Maintenant')}: ${this.cell(0, 'threads')} threads, ${this.row(0)}.`;
    else this.out.ground(`${ROOT}.total`);
    return false;
  }
}
