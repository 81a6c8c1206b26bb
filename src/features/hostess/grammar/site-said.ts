/** Says answers about the sites that are watched. */
import { type Plain, part, plain } from '../answer-builder.ts';
import { HostTelling } from './host-said.ts';
import type { Plan } from './plan.ts';
import { MOST_SHOWN, ROOT, type Texts } from './sentences.ts';
import type { SiteSpan } from './site-asked.ts';

const SECOND = 'second';
const SPANS: Readonly<Record<SiteSpan, Texts>> = {
  day: ['the last day', 'des letzten Tages', 'el último día', 'du dernier jour'],
  week: [
    'the last seven days',
    'der letzten sieben Tage',
    'los últimos siete días',
    'des sept derniers jours',
  ],
  month: [
    'the last thirty days',
    'der letzten dreißig Tage',
    'los últimos treinta días',
    'des trente derniers jours',
  ],
  quarter: [
    'the last ninety days',
    'der letzten neunzig Tage',
    'los últimos noventa días',
    'des quatre-vingt-dix derniers jours',
  ],
};

export class SiteTelling extends HostTelling {
  protected override kind(kind: Plan['kind']): boolean {
    switch (kind) {
      case 'site-uptime':
        return this.#uptime(ROOT, this.record.rows);
      case 'site-downs':
        return this.#downs();
      case 'site-speed':
        return this.#speed();
      case 'site-state':
        return this.#state();
      default:
        return super.kind(kind);
    }
  }

  #none(): boolean {
    this.out
      .say`${this.unknown}: ${this.p('no site is watched', 'keine Site wird beobachtet', 'no se vigila ningún sitio', 'aucun site n’est surveillé')} (${this.out.ground(`${ROOT}.total`)}).`;
    this.out.suggest('desk sites');
    return false;
  }

  /** How much of the span each site was up, of how much that is known. */
  #uptime(root: string, rows: readonly Readonly<Record<string, unknown>>[]): boolean {
    this.out.suggest('desk sites');
    if (rows.length === 0) return this.#none();
    const span = this.plan.column as SiteSpan;
    const words = this.p(...SPANS[span]);
    const texts = rows.slice(0, MOST_SHOWN).map((row, at) => {
      const name = this.out.ground(`${root}.rows[${at}].name`);
      if (typeof row[`up_${span}`] !== 'number')
        return part`${name} ${this.p('not known', 'nicht bekannt', 'no se sabe', 'inconnu')}`;
      const of = (what: 'up' | 'known') => this.out.ground(`${root}.rows[${at}].${what}_${span}`);
      return part`${name} ${of('up')} % (${this.p('known', 'bekannt', 'conocido', 'connu')}: ${of('known')} %)`;
    });
    this.out
      .say`${this.p('Up in', 'Erreichbar in der Zeit', 'Disponible en', 'Disponibilité')} ${words}: ${this.join(texts, rows.length > MOST_SHOWN)}.`;
    return rows.some((row) => typeof row[`up_${span}`] === 'number');
  }

  #downs(): boolean {
    const { rows, total } = this.record;
    const sites = this.second?.rows ?? [];
    this.out.put(SECOND, this.second);
    if (sites.length === 0 && total === 0) return this.#none();
    const count = this.out.ground(`${ROOT}.total`);
    const seconds = rows.map((row) => Number(row.seconds));
    const at = (place: number, column: string): Plain =>
      part`${this.out.ground(`${ROOT}.rows[${place}].${column}`)}`;
    const line = (place: number): Plain => {
      const until =
        rows[place]?.to === null ? this.p('now', 'jetzt', 'ahora', 'maintenant') : at(place, 'to');
      return part`${at(place, 'site')} ${at(place, 'from')} – ${until} (${at(place, 'seconds')} s): ${at(place, 'reason')}`;
    };
    if (total === 0)
      this.out
        .say`${this.p('No downtime is recorded', 'Kein Ausfall ist aufgezeichnet', 'No hay ninguna caída registrada', 'Aucune panne n’est enregistrée')}${this.conditions()} (${count}).`;
    else {
      const shown = rows.slice(0, MOST_SHOWN).map((_, place) => line(place).text);
      const longest = seconds.indexOf(Math.max(...seconds));
      const most =
        total > 1
          ? part`; ${this.p('the longest', 'der längste', 'la más larga', 'la plus longue')}: ${at(longest, 'seconds')} s`
          : plain('');
      this.out
        .say`${count} ${total === 1 ? this.p('downtime', 'Ausfall', 'caída', 'panne') : this.p('downtimes', 'Ausfälle', 'caídas', 'pannes')}${this.conditions()}${most}: ${plain(shown.join('; '))}.`;
    }
    this.#uptime(SECOND, sites);
    return true;
  }

  #speed(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) return this.#none();
    const texts = rows.slice(0, MOST_SHOWN).map((row, at) => {
      const name = this.out.ground(`${ROOT}.rows[${at}].name`);
      return typeof row.ms === 'number'
        ? part`${name} ${this.out.ground(`${ROOT}.rows[${at}].ms`)} ms`
        : part`${name} ${this.p('not probed yet', 'noch nicht geprüft', 'aún no sondeado', 'pas encore sondé')}`;
    });
    this.out
      .say`${this.p('The last probe took', 'Die letzte Prüfung dauerte', 'El último sondeo tardó', 'La dernière sonde a pris')}: ${this.join(texts, rows.length > MOST_SHOWN)}.`;
    if (this.plan.moment !== null)
      this.out
        .say`${this.p('Averages of earlier probes are not kept', 'Mittelwerte früherer Prüfungen werden nicht gehalten', 'No se guardan medias de sondeos anteriores', 'Les moyennes des sondes précédentes ne sont pas gardées')}.`;
    this.out.suggest('desk sites');
    return true;
  }

  #state(): boolean {
    const { rows } = this.record;
    if (rows.length === 0) return this.#none();
    const at = (column: string): Plain => part`${this.out.ground(`${ROOT}.rows[0].${column}`)}`;
    const since = this.has(0, 'since')
      ? part`, ${this.p('since', 'seit', 'desde', 'depuis')} ${at('since')}`
      : plain('');
    const head = rows[0]?.state === 'up' ? this.yes : rows[0]?.state === 'down' ? this.no : this.unknown;
    this.out.say`${head}: ${at('name')} ${this.p('is', 'ist', 'está', 'est')} ${at('state')}${since}.`;
    return this.#uptime(ROOT, rows);
  }
}
