/** Says what happened in a span of time, and of what no time is kept. */
import { part, plain } from '../answer-builder.ts';
import type { Plan } from './plan.ts';
import { ROOT } from './sentences.ts';
import { LAST_ONLY } from './spans.ts';
import { Telling } from './telling.ts';

export class SpanTelling extends Telling {
  override say(near: string | null = null): boolean {
    const known = super.say(near);
    const { table, moment, conditions, language } = this.plan;
    if (
      table === 'accounts' &&
      moment !== null &&
      conditions.some(({ query }) => query.startsWith('last_login '))
    )
      this.out.say`${plain(LAST_ONLY[language])}.`;
    if (table === 'alerts' && this.total === 0)
      this.out
        .say`${this.p('Open findings', 'Offene Befunde', 'Hallazgos abiertos', 'Constats ouverts')}: ${this.out.ground('detection.findings.length')}.`;
    return known;
  }

  protected override kind(kind: Plan['kind']): boolean {
    switch (kind) {
      case 'since-events':
        return this.#sinceEvents();
      case 'account-files':
        return this.#accountFiles();
      case 'unkept':
        return this.#unkept();
      case 'reach':
        return this.#reach();
      default:
        return super.kind(kind);
    }
  }

  /** Listeners have no time of their own: what was found about ports has one. */
  #sinceEvents(): boolean {
    const total = this.out.ground(`${ROOT}.total`);
    const head = this.p(
      'When a port was opened is not recorded; findings about ports that were first seen in that time',
      'Wann ein Port geöffnet wurde, ist nicht aufgezeichnet; Befunde zu Ports, die in dieser Zeit zuerst gesehen wurden',
      'Cuándo se abrió un puerto no está registrado; hallazgos sobre puertos vistos por primera vez en ese tiempo',
      'Quand un port a été ouvert n’est pas enregistré ; constats sur des ports vus pour la première fois dans ce temps',
    );
    const list = this.total === 0 ? plain('') : part`: ${this.rows()}`;
    this.out.say`${head}: ${total}${this.conditions()}${list}.`;
    return this.total > 0;
  }

  /** When an account was made is in no file: the files themselves have a time. */
  #accountFiles(): boolean {
    const head = this.p(
      'When an account was created or changed is not recorded',
      'Wann ein Konto angelegt oder geändert wurde, ist nicht aufgezeichnet',
      'Cuándo se creó o cambió una cuenta no está registrado',
      'Quand un compte a été créé ou modifié n’est pas enregistré',
    );
    if (!this.has(0, 'changed')) {
      this.out.say`${head} (${this.out.ground(`${ROOT}.total`)}).`;
      return false;
    }
    const { moment } = this.plan;
    const changed = this.cell(0, 'changed');
    // Without the file that names them all nothing can be excluded.
    const isRead =
      this.record.rows.some(({ place }) => place === 'passwd') && this.record.reach.gaps.length === 0;
    const isBefore = moment !== null && Date.parse(String(changed.value)) < moment.ms;
    if (isRead && isBefore) this.out.say`${this.p('No', 'Nein', 'No', 'Non')}.`;
    this.out
      .say`${this.p('The files of accounts changed last at', 'Die Dateien der Konten änderten sich zuletzt', 'Los archivos de cuentas cambiaron por última vez en', 'Les fichiers des comptes ont changé pour la dernière fois à')} ${changed} (${this.cell(0, 'path')}). ${head}.`;
    return true;
  }

  #unkept(): boolean {
    this.out
      .say`${this.unknown}: ${this.p('of processes that have ended nothing is kept', 'von beendeten Prozessen wird nichts aufbewahrt', 'de los procesos terminados no se guarda nada', 'des processus terminés rien n’est gardé')} (${this.out.ground('processes.length')} ${this.p('exist now', 'gibt es jetzt', 'existen ahora', 'existent maintenant')}).`;
    return false;
  }

  #reach(): boolean {
    const [events, samples] = [this.record.reach.from, this.second?.reach.from ?? null];
    const never = this.p('nothing yet', 'noch nichts', 'nada todavía', 'rien encore');
    const from = (path: string, at: string | null) => (at === null ? never : part`${this.out.ground(path)}`);
    if (this.second !== null) this.out.put('second', this.second);
    this.out.ground(`${ROOT}.total`);
    this.out
      .say`${this.p('The history of findings begins at', 'Die Aufzeichnung der Befunde beginnt', 'El historial de hallazgos empieza en', 'L’historique des constats commence à')} ${from(`${ROOT}.reach.from`, events)}; ${this.p('figures over time begin at', 'Messwerte über die Zeit beginnen', 'las cifras en el tiempo empiezan en', 'les mesures dans le temps commencent à')} ${from('second.reach.from', samples)}.`;
    return events !== null || samples !== null;
  }
}
