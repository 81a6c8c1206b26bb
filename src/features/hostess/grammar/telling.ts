/** Says answers about what is recorded of the past, and all others. */
import type { Instant } from '../../../engine/snapshot.ts';
import { offsetTime } from '../../../engine/time.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import type { Queried } from './asking.ts';
import { FollowSaying } from './follow-said.ts';
import type { Plan } from './plan.ts';
import { MOST_SHOWN, ROOT } from './sentences.ts';

export class Telling extends FollowSaying {
  readonly #offsetMin: number;

  constructor(out: AnswerBuilder, queried: Queried, { offsetMin }: Instant) {
    super(out, queried);
    this.#offsetMin = offsetMin;
  }

  protected override kind(kind: Plan['kind']): boolean {
    if (this.isBefore() && kind !== 'then-now') return this.sayNotReached();
    switch (kind) {
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

  /** All of the time that was asked for was before anything was recorded. */
  protected isBefore(): boolean {
    const { moment } = this.plan;
    const { from } = this.record.reach;
    // When an open finding was first seen is kept with it.
    const isOfOpen = this.plan.table === 'findings' && /\bstate = "?open\b/.test(this.plan.query);
    if (moment === null || from === null || this.total > 0 || isOfOpen) return false;
    const end = moment.how === 'ago' || moment.how === 'until' ? moment.ms : moment.untilMs;
    return end !== null && end <= Date.parse(from);
  }

  protected sayNotReached(): boolean {
    this.out
      .say`${this.unknown}: ${this.p('nothing is recorded of that time', 'von dieser Zeit ist nichts aufgezeichnet', 'de ese tiempo no hay nada registrado', 'rien n’est enregistré de ce moment')} (${this.totalGround()}).`;
    return false;
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
    const head = asksEver ? part`${this.yes}: ` : plain('');
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
    this.out.suggest('desk scar check');
    return true;
  }

  protected sample(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) {
      this.out
        .say`${this.unknown}: ${this.p('there is no sample of that time', 'es gibt keinen Messwert für diese Zeit', 'no hay muestra de esa hora', 'il n’y a pas de mesure de cette heure')} (${this.out.ground(`${ROOT}.total`)}).`;
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
      this.out.say`${this.unknown}: ${this.p('now', 'jetzt', 'ahora', 'maintenant')} ${now}.`;
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
        .say`${this.unknown}: ${this.p('no event of a finding names', 'kein Ereignis eines Befunds nennt', 'ningún evento de un hallazgo nombra', 'aucun événement d’un constat ne nomme')} ${plain(String(this.plan.name))} (${this.out.ground(`${ROOT}.total`)}).`;
      return false;
    }
    const closed = rows.findIndex((row) => row.event === 'closed');
    const back = closed >= 0 && rows.slice(closed).some((row) => String(row.event).startsWith('opened'));
    const list = rows.slice(-MOST_SHOWN).map((_, place) => {
      const at = Math.max(0, rows.length - MOST_SHOWN) + place;
      return part`${this.out.ground(`${ROOT}.rows[${at}].event`)} ${this.out.ground(`${ROOT}.rows[${at}].at`)}`;
    });
    this.out
      .say`${back ? this.yes : this.no}: ${plain(list.map(({ text }) => text).join('; '))}: ${this.out.ground(`${ROOT}.rows[0].summary`)}.`;
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
