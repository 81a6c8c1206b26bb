/** Says the answer of a query in two sentences, in the language of the question. It begins with yes, no, the number or the name. */
import { shellWord } from '../../../base/shell-word.ts';
import { type Plain, part, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import { Caveats } from './caveats.ts';
import type { Plan } from './plan.ts';
import { MOST_SHOWN, ROOT } from './sentences.ts';
import { type Asked, TABLES } from './tables.ts';

export class Saying extends Caveats {
  /** False where it is said that the answer is not known. `near`: a name that there is for one that nothing has. */
  say(near: string | null = null): boolean {
    const { kind, unmeasured } = this.plan;
    this.out.suggest(`desk query ${shellWord(this.plan.query)}`);
    if (kind === 'unmeasured') {
      this.sayUnmeasured(unmeasured);
      return false;
    }
    const known = this.kind(kind);
    this.sayUnmeasured(unmeasured);
    this.sayStranger();
    if (near !== null) this.sayNear(near);
    this.sayGaps();
    return known;
  }

  protected kind(kind: Plan['kind']): boolean {
    switch (kind) {
      case 'count':
        this.count();
        return true;
      case 'first':
        return this.first();
      case 'groups':
        return this.groups();
      case 'when':
        return this.when();
      case 'port':
        return this.port();
      case 'port-ever':
        return this.portEver();
      case 'known':
        return this.known();
      case 'judge':
      case 'why':
        return this.judge(kind === 'judge');
      case 'normal':
        return this.normal();
      case 'aggregate':
        return this.aggregate();
      case 'share':
        return this.share();
      case 'compare':
        return this.compare();
      case 'value':
        return this.value();
      case 'certificate':
        return this.certificate();
      case 'distinct':
        return this.distinct();
      case 'measured':
        return this.measured();
      case 'all-up':
        return this.allUp();
      case 'gate':
        return this.gate();
      default:
        this.list(kind === 'whether');
        return true;
    }
  }
  protected count(): void {
    const total = this.totalGround();
    if (this.total === 0) {
      this.out.say`${this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${total}): ${this.noneText()}.`;
      return;
    }
    const of = 'charge.antivirus.spv_pids';
    const isAll =
      this.plan.table === 'processes' && this.plan.conditions.length === 0 && this.plan.moment === null;
    if (isAll && this.out.read(of) !== undefined)
      this.out
        .say`${total} ${this.noun(this.total)}: ${this.out.ground(of)} ${this.p('of user space, the others kernel threads, zombies or dead', 'im User Space, die anderen Kernel-Threads, Zombies oder beendet', 'del espacio de usuario, los demás hilos del kernel, zombis o terminados', 'en espace utilisateur, les autres des threads du noyau, des zombies ou terminés')}.`;
    else this.out.say`${total} ${this.noun(this.total)}${this.conditions()}.`;
  }

  protected list(yesOrNo: boolean): void {
    const total = this.totalGround();
    const isUnread = this.plan.table === 'accounts' && this.record.rows.some(({ login }) => login === null);
    if (yesOrNo && (isUnread || (this.total === 0 && this.record.undecided.rows > 0))) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')} (${total}).`;
      return;
    }
    const [yes, no] = this.heads();
    if (this.total === 0) {
      this.out
        .say`${yesOrNo ? no : this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${total}): ${this.noneText()}.`;
      this.sayElsewhere();
      this.saySudo();
      this.sayRunsAs();
      this.sayLaw();
      return;
    }
    const head = yesOrNo ? part`${yes}, ${total}` : part`${total}`;
    this.out.say`${head} ${this.noun(this.total)}${this.conditions()}: ${this.rows()}.`;
    this.sayBanned();
    this.saySudo();
    this.sayLaw();
    if (this.plan.table === 'blind' && this.has(0, 'cure'))
      this.out
        .say`${this.p('What to do', 'Was zu tun ist', 'Qué hacer', 'Que faire')}: ${this.cell(0, 'cure')}.`;
  }

  /** Rows that are as far in front as the first one, or as many as were asked for. */
  protected leading(column: string): number {
    const { rows } = this.record;
    const { limit } = this.plan;
    if (limit !== null && limit > 1) return Math.min(limit, rows.length);
    const best = rows[0]?.[column];
    const ties = rows.findIndex((row) => row[column] !== best);
    return ties < 0 ? rows.length : ties;
  }

  protected first(): boolean {
    const { column, kind } = this.plan;
    if (this.record.rows.length === 0 || column === null) {
      this.out
        .say`${this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${this.totalGround()}): ${this.noneText()}.`;
      return true;
    }
    const count = this.leading(column);
    const shown = Math.min(count, Math.max(MOST_SHOWN, this.plan.limit ?? 0));
    const rows = Array.from({ length: shown }, (_, at) =>
      this.has(at, column) &&
      column !== this.about.label &&
      !(this.plan.table === 'findings' && column === 'severity')
        ? part`${this.row(at)}, ${this.columnWord(column)} ${this.cell(at, column)}`
        : this.row(at),
    );
    const { rows: read, total } = this.record;
    const more =
      this.plan.limit === 1 && count === read.length && total > read.length
        ? this.t('; and more', '; und weitere', '; y más', ' ; et d’autres')
        : '';
    const list = plain(rows.map(({ text }) => text).join('; ') + more);
    this.out.say`${list}.`;
    if (kind === 'first' && this.plan.table === 'findings' && count === 1 && this.has(0, 'id'))
      this.out.suggest(`desk findings ${String(this.record.rows[0]?.id)}`);
    return true;
  }

  protected groups(): boolean {
    const { column, limit } = this.plan;
    if (this.record.rows.length === 0 || column === null) {
      this.out
        .say`${this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${this.out.ground(`${ROOT}.matched`)}): ${this.plan.name === null ? this.noneText() : plain(this.plan.name)}.`;
      return true;
    }
    const sum = Object.keys(this.record.rows[0] ?? {}).find((name) => /^(?:sum|distinct)\(/.test(name));
    const figure = sum ?? 'count()';
    const all = limit === null;
    const shown = all
      ? Math.min(MOST_SHOWN * 2, this.record.rows.length)
      : Math.min(MOST_SHOWN * 2, this.leading(figure));
    const rows = Array.from({ length: shown }, (_, at) => {
      const value = this.record.rows[at]?.[column];
      const rooted = `${this.steps()}[${column}=${quoted(String(value))}].length`;
      const isThere = this.steps() !== null && typeof value !== 'object' && value !== undefined;
      const count = this.out.ground(
        sum === undefined && isThere && this.out.read(rooted) === this.record.rows[at]?.['count()']
          ? rooted
          : `${ROOT}.rows[${at}].${figure}`,
      );
      const unit =
        sum === undefined
          ? this.noun(Number(count.value))
          : this.columnWord(sum.startsWith('distinct') ? 'ports' : 'threads');
      return part`${this.groupName(at, column)}: ${count} ${unit}`;
    });
    const more =
      all && this.record.rows.length > shown
        ? this.t('; and more', '; und weitere', '; y más', ' ; et d’autres')
        : '';
    this.out.say`${plain(rows.map(({ text }) => text).join('; ') + more)}${this.conditions()}.`;
    return true;
  }

  protected groupName(at: number, column: string): Plain {
    const value = this.record.rows[at]?.[column];
    if (value === undefined || value === null)
      return value === null
        ? this.p('unknown', 'unbekannt', 'desconocido', 'inconnu')
        : this.p('none', 'keine', 'ninguno', 'aucun');
    const rooted = `${this.steps()}[0].${column}`;
    const isOnly = this.record.rows.length === 1 && this.steps() !== null && this.out.read(rooted) === value;
    const ground = this.out.ground(isOnly ? rooted : `${ROOT}.rows[${at}].${column}`);
    if (column !== 'uid') return part`${ground}`;
    return this.userNamed(Number(value), ground);
  }

  protected when(): boolean {
    const { column, name } = this.plan;
    if (this.record.rows.length === 0 && this.plan.table === 'findings' && name !== null) {
      this.out.ground(`${ROOT}.total`);
      this.out
        .say`${this.p('That is not recorded: no finding was ever about port', 'Das ist nicht aufgezeichnet: kein Befund betraf je Port', 'No está registrado: ningún hallazgo trató nunca del puerto', 'Ce n’est pas enregistré : aucun constat n’a jamais concerné le port')} ${plain(name)}, ${this.p('and of other listeners no history is kept', 'und von anderen Listenern gibt es keinen Verlauf', 'y de otros no se guarda historial', 'et des autres aucun historique n’est gardé')}.`;
      return false;
    }
    if (this.record.rows.length === 0 || column === null) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')}: ${this.noneText()}.`;
      this.out.ground(`${ROOT}.total`);
      return false;
    }
    if (!this.has(0, column)) {
      this.out.say`${this.missing(0, column)}: ${this.row(0)}.`;
      return this.record.rows[0]?.[column] !== null;
    }
    const more =
      this.record.total > 1
        ? this.p(
            ', the first of them',
            ', der erste davon',
            ', el primero de ellos',
            ', le premier d’entre eux',
          )
        : plain('');
    const what =
      this.plan.table === 'findings'
        ? part`${this.columnWord(column)}: ${this.row(0)}`
        : part`${this.row(0)}${more}`;
    const since = column === 'start' ? this.p('Since', 'Seit', 'Desde', 'Depuis') : plain('');
    const from =
      column === 'last_login' && this.has(0, 'last_from')
        ? part`, ${this.p('from', 'von', 'desde', 'de')} ${this.cell(0, 'last_from')}`
        : plain('');
    this.out.say`${since.text === '' ? plain('') : part`${since} `}${this.cell(0, column)}${from}: ${what}.`;
    if (name !== null && this.plan.table === 'findings')
      this.out.suggest(`desk findings ${String(this.record.rows[0]?.id)}`);
    return true;
  }

  protected port(): boolean {
    const { name, column } = this.plan;
    if (this.record.rows.length === 0) return false;
    const up = this.record.rows[0]?.up;
    const row = this.row(0);
    const required = this.cell(0, 'required');
    const state = this.cell(0, 'up');
    const needed =
      required.value === true
        ? this.p(
            ', and it is required',
            ', und er ist erforderlich',
            ', y es obligatorio',
            ', et il est obligatoire',
          )
        : plain('');
    if (up === null || up === undefined || name === null) {
      this.out
        .say`${this.p('It is not known whether', 'Es ist nicht bekannt, ob', 'No se sabe si', 'On ne sait pas si')} ${row} ${this.p('is up', 'oben ist', 'está activo', 'est actif')}.`;
      return false;
    }
    const [yes, no] = [this.p('Yes', 'Ja', 'Sí', 'Oui'), this.p('No', 'Nein', 'No', 'Non')];
    const is =
      state.value === true
        ? this.p('is up', 'ist oben', 'está activo', 'est actif')
        : this.p('is down', 'ist unten', 'está caído', 'est arrêté');
    if (column === 'port') {
      this.out.say`${this.cell(0, 'port')}: ${row} ${is}${needed}.`;
      return true;
    }
    if (column === 'when') {
      this.out
        .say`${row} ${is} ${this.p('now', 'jetzt', 'ahora', 'maintenant')}${needed}; ${this.p('since when is not recorded', 'seit wann, ist nicht aufgezeichnet', 'desde cuándo no está registrado', 'depuis quand n’est pas enregistré')}.`;
      return true;
    }
    this.out.say`${(column === 'up') === (state.value === true) ? yes : no}: ${row} ${is}${needed}.`;
    return true;
  }

  protected portEver(): boolean {
    const port = String(this.plan.name);
    const now = `listeners[port=${port}].length`;
    const shut = `detection.shut_down[port=${port}]`;
    if (Number(this.out.read(now)) > 0) {
      this.out
        .say`${this.p('Yes', 'Ja', 'Sí', 'Oui')}: ${this.p('port', 'Port', 'el puerto', 'le port')} ${plain(port)} ${this.p('is up now', 'ist jetzt offen', 'está abierto ahora', 'est ouvert maintenant')} (${this.out.ground(now)}).`;
      return true;
    }
    this.out.ground(now);
    if (Number(this.out.read(`${shut}.length`)) > 0) {
      const get = this.out.at(`${shut}[0]`);
      this.out
        .say`${this.p('Yes', 'Ja', 'Sí', 'Oui')}: ${get('summary')}, ${get('at')}. ${this.p('It is down now', 'Jetzt ist er zu', 'Ahora está cerrado', 'Il est fermé maintenant')}.`;
      return true;
    }
    if (this.record.rows.length > 0) {
      this.out
        .say`${this.p('Yes', 'Ja', 'Sí', 'Oui')}: ${this.cell(0, 'summary')}, ${this.columnWord('first_seen')} ${this.cell(0, 'first_seen')}. ${this.p('It is down now', 'Jetzt ist er zu', 'Ahora está cerrado', 'Il est fermé maintenant')}.`;
      return true;
    }
    this.out.ground(`${ROOT}.total`);
    this.out
      .say`${this.p('That is not known: no finding was about port', 'Das ist nicht bekannt: kein Befund betraf Port', 'No se sabe: ningún hallazgo trató del puerto', 'Ce n’est pas connu : aucun constat ne concernait le port')} ${plain(port)}, ${this.p('and of other listeners no history is kept; it is down now', 'und von anderen Listenern gibt es keinen Verlauf; jetzt ist er zu', 'y de otros no se guarda historial; ahora está cerrado', 'et des autres aucun historique n’est gardé ; il est fermé maintenant')}.`;
    return false;
  }

  protected known(): boolean {
    const added = this.record.rows.length > 0;
    const name = plain(String(this.plan.name));
    if (this.plan.stranger !== null) {
      const total = this.out.ground(`${ROOT}.total`);
      const found = added ? this.out.ground(`${ROOT}.rows[0].text`) : name;
      this.out
        .say`${added ? this.p('Yes', 'Ja', 'Sí', 'Oui') : this.p('No', 'Nein', 'No', 'Non')}: ${found} ${added ? this.p('was learned, and does not run now', 'wurde gelernt und läuft jetzt nicht', 'se aprendió y ahora no se ejecuta', 'a été appris et ne tourne pas maintenant') : this.p('does not run now, and is not among what was learned', 'läuft jetzt nicht und ist nicht unter dem Gelernten', 'no se ejecuta ahora y no está entre lo aprendido', 'ne tourne pas maintenant, et n’est pas parmi ce qui a été appris')} (${total}).`;
      return true;
    }
    if (added) {
      this.out
        .say`${this.p('No', 'Nein', 'No', 'Non')}: ${this.out.ground(`${ROOT}.rows[0].text`)} ${this.p('was not learned', 'wurde nicht gelernt', 'no se ha aprendido', 'n’a pas été appris')}.`;
      return true;
    }
    this.out
      .say`${this.p('Yes', 'Ja', 'Sí', 'Oui')}: ${name} ${this.p('runs, and the baseline does not miss it', 'läuft, und der Baseline fehlt es nicht', 'se ejecuta y no falta en la línea base', 'tourne, et il ne manque pas à la base')} (${this.out.ground(`${ROOT}.total`)} ${this.p('differences', 'Unterschiede', 'diferencias', 'différences')}).`;
    return true;
  }

  /** Whether a finding is bad: its severity, what may make it harmless, what to do. */
  protected judge(asked: boolean): boolean {
    if (this.record.rows.length === 0) {
      this.out
        .say`${this.p('No finding is about that', 'Kein Befund betrifft das', 'Ningún hallazgo trata de eso', 'Aucun constat ne concerne cela')} (${this.out.ground(`${ROOT}.total`)}).`;
      return false;
    }
    const severity = this.cell(0, 'severity');
    const bad = severity.value !== 'low';
    if (!asked) this.out.say`${severity}: ${this.cell(0, 'summary')}.`;
    else
      this.out
        .say`${bad ? this.p('Yes', 'Ja', 'Sí', 'Oui') : this.p('Hardly', 'Kaum', 'Apenas', 'À peine')}: ${this.p('its severity is', 'die Schwere ist', 'su gravedad es', 'sa gravité est')} ${severity}; ${this.cell(0, 'summary')}.`;
    if (this.has(0, 'benign'))
      this.out
        .say`${this.p('It may be harmless', 'Es kann harmlos sein', 'Puede ser inofensivo', 'Cela peut être anodin')}: ${this.cell(0, 'benign')}.`;
    if (this.has(0, 'remedy'))
      this.out
        .say`${this.p('What to do', 'Was zu tun ist', 'Qué hacer', 'Que faire')}: ${this.cell(0, 'remedy')}.`;
    this.out.suggest(`desk findings ${String(this.record.rows[0]?.id)}`);
    return true;
  }

  /** Whether something allows all of the listeners. `heads`: how the answer begins where it is so, and where not. */
  #allowed([yes, no]: readonly [Plain, Plain]): boolean {
    const { rows } = this.record;
    const not = rows.findIndex((_, at) => !this.has(at, 'allowed'));
    if (not < 0) {
      this.out
        .say`${yes}: ${this.row(0)} ${this.p('is allowed, by', 'ist erlaubt, durch', 'está permitido, por', 'est autorisé, par')} ${this.cell(0, 'allowed')}.`;
      return true;
    }
    if (rows[not]?.allowed === null) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')}: ${this.row(not)}.`;
      return false;
    }
    this.cell(not, 'allowed');
    this.out
      .say`${no}: ${this.p('nothing allows', 'nichts erlaubt', 'nada permite', 'rien n’autorise')} ${this.row(not)}.`;
    return true;
  }

  /** Whether a listener or process is as it should be. */
  protected normal(): boolean {
    const { table } = this.plan;
    const [yes, no] = [this.p('Yes', 'Ja', 'Sí', 'Oui'), this.p('No', 'Nein', 'No', 'Non')];
    if (this.record.rows.length === 0) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')} (${this.totalGround()}): ${this.noneText()}.`;
      return false;
    }
    if (table === 'ports') return this.port();
    if (table === 'listeners') {
      return this.#allowed(this.plan.column === 'not-allowed' ? [no, yes] : [yes, no]);
    }
    const findings = this.cell(0, 'findings');
    const count = Number(findings.value);
    this.out
      .say`${count === 0 ? yes : no}: ${findings} ${plain((TABLES.findings as Asked).noun[this.plan.language][count === 1 ? 0 : 1])} ${this.p('about', 'zu', 'sobre', 'sur')} ${this.row(0)}.`;
    return true;
  }
}
