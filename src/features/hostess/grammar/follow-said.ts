/** Says answers about the rows of the question before. */
import type { QueryAnswer } from '../../../records/query.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import type { Queried } from './asking.ts';
import { sayGoalOf } from './goals.ts';
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
  keys: ['SSH keys', 'SSH-Schlüssel', 'llaves SSH', 'clés SSH'],
  password_set: ['password set', 'Passwort gesetzt', 'contraseña puesta', 'mot de passe défini'],
  when: ['when', 'wann', 'cuándo', 'quand'],
  last_from: ['from', 'von', 'desde', 'depuis'],
  last_login: ['last login', 'letzte Anmeldung', 'último inicio de sesión', 'dernière connexion'],
};
/** Numbers come before their words. */
const COUNTED = new Set(['threads', 'days', 'keys']);

export class FollowSaying extends Saying {
  readonly #first: QueryAnswer | null;

  constructor(out: AnswerBuilder, queried: Queried) {
    const { plan, record, first, second } = queried;
    super(out, plan, record, second);
    this.#first = first;
    if (first !== null) out.put(BEFORE, first);
  }

  protected override kind(kind: Plan['kind']): boolean {
    // The steps ended early: there was nothing to go on with.
    if (this.record.table !== this.plan.table) return this.sayNotFound();
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
        return sayGoalOf(this.out, 'unaccept', this.plan.language);
      case 'learned':
        return this.learned();
      case 'needed':
        return this.needed();
      case 'nth':
      case 'head':
        return this.head(kind === 'nth' && this.plan.limit !== null && this.plan.limit > 1);
      default:
        return super.kind(kind);
    }
  }

  protected get yes(): Plain {
    return this.p('Yes', 'Ja', 'Sí', 'Oui');
  }
  protected get no(): Plain {
    return this.p('No', 'Nein', 'No', 'Non');
  }
  protected get unknown(): Plain {
    return this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu');
  }

  /** The rows of the question before are none, or have nothing that leads on. */
  protected sayNotFound(): boolean {
    const total = this.out.ground(`${ROOT}.total`);
    this.out
      .say`${this.unknown}: ${this.record.total === 0 ? this.#nothing() : this.p('the records do not link them to it', 'die Aufzeichnungen verbinden sie nicht damit', 'los registros no los relacionan con eso', 'les relevés ne les relient pas à cela')} (${total}).`;
    return false;
  }

  #nothing(): Plain {
    switch (this.record.table) {
      case 'listeners':
        return this.p(
          'nothing listens there',
          'dort lauscht nichts',
          'allí no escucha nada',
          'rien n’y écoute',
        );
      case 'processes':
        return this.p(
          'no such process runs',
          'es läuft kein solcher Prozess',
          'no se ejecuta ningún proceso así',
          'aucun processus de ce genre ne tourne',
        );
      default:
        return this.p(
          'there are no such rows',
          'es gibt keine solchen Zeilen',
          'no hay tales filas',
          'il n’y a pas de telles lignes',
        );
    }
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
      if (!this.has(at, column) || [rows[at]?.[column]].flat().length === 0)
        return part`${this.p('none', 'keine', 'ninguno', 'aucun')}: ${row}`;
      const cell = this.cell(at, column);
      const name = plain(this.t(...(NAMES[column] ?? ([column, column, column, column] as Texts))));
      if (COUNTED.has(column)) return part`${cell} ${name}: ${row}`;
      return column === 'start' ? part`${this.sinceWord()} ${cell}: ${row}` : part`${cell} (${name}): ${row}`;
    });
    this.out
      .say`${plain(parts.map(({ text }) => text).join('; '))}${total > shown && this.plan.limit === null ? this.p('; and more', '; und weitere', '; y más', ' ; et d’autres') : plain('')}.`;
    if (column === 'ppid') this.#sayParents(shown);
    return rows.slice(0, shown).some((row) => row[column] !== null);
  }

  /** Names of the parents of the first rows. */
  #sayParents(shown: number): void {
    const { rows } = this.record;
    const parents = rows.slice(0, shown).map((row) => row.ppid);
    const places = parents.flatMap((parent, at) => (parents.indexOf(parent) === at ? [at] : []));
    for (const at of places.slice(0, MOST_SHOWN)) {
      const name = `processes[pid=${String(parents[at])}].comm`;
      if (this.out.read(name) === undefined) continue;
      const is = this.p('is', 'ist', 'es', 'est');
      this.out
        .say`${this.p('Process', 'Prozess', 'El proceso', 'Le processus')} ${this.cell(at, 'ppid')} ${is} ${this.out.ground(name)}.`;
    }
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
        : part`${bad === good ? this.no : good || bad ? this.yes : this.p('Hardly', 'Kaum', 'Apenas', 'À peine')}: `;
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
        .say`${this.plan.name === 'fine' ? this.yes : this.no}: ${none} (${total}); ${this.p('it is allowed, by', 'es ist erlaubt, durch', 'está permitido, por', 'c’est autorisé, par')} ${this.out.ground(`${BEFORE}.rows[0].allowed`)}.`;
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
    else this.out.say`${this.unknown}: ${none} (${total}).`;
    return isKnown && this.plan.name !== 'why';
  }

  protected cure(): boolean {
    if (this.record.rows.length === 0) return this.unjudged();
    if (!this.has(0, 'remedy')) {
      this.out
        .say`${this.unknown}: ${this.p('no remedy is recorded', 'es ist keine Abhilfe aufgezeichnet', 'no hay remedio registrado', 'aucun remède n’est noté')}; ${this.row(0)}.`;
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
    const command = part`desk accept ${id} --why …`;
    this.out.say`${command}: ${this.row(0)}.`;
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
      this.out.say`${this.unknown}: ${row}.`;
      return false;
    }
    if (allowed === 'baseline')
      this.out
        .say`${this.yes}: ${row} ${this.p('is learned', 'ist gelernt', 'está aprendido', 'est appris')} (${this.cell(0, 'allowed')}).`;
    else if (!this.has(0, 'allowed')) {
      this.out.ground(`${ROOT}.total`);
      this.out
        .say`${this.no}: ${row} ${this.p('was never learned, and nothing allows it', 'wurde nie gelernt, und nichts erlaubt es', 'nunca se aprendió y nada lo permite', 'n’a jamais été appris et rien ne l’autorise')}.`;
    } else
      this.out
        .say`${this.no}: ${row} ${this.p('is allowed, by', 'ist erlaubt, durch', 'está permitido, por', 'est autorisé, par')} ${this.cell(0, 'allowed')}.`;
    return true;
  }

  protected needed(): boolean {
    const { rows } = this.record;
    const total = this.out.ground(`${ROOT}.total`);
    if (this.plan.table === 'ports') {
      if (rows.length === 0) return this.none();
      const required = this.cell(0, 'required');
      this.out
        .say`${required.value === true ? this.yes : this.no}: ${this.row(0)} ${required.value === true ? this.p('is required', 'ist erforderlich', 'es obligatorio', 'est obligatoire') : this.p('is not required', 'ist nicht erforderlich', 'no es obligatorio', 'n’est pas obligatoire')}.`;
      return true;
    }
    if (rows.length > 0)
      this.out
        .say`${this.yes}: ${this.out.ground(`${ROOT}.rows[0].text`)} ${this.p('was learned, and does not run now', 'wurde gelernt und läuft jetzt nicht', 'se aprendió y ahora no se ejecuta', 'a été appris et ne tourne pas maintenant')}.`;
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
}
