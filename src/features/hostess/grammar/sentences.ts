/** What answers of queries are said with. */
import type { QueryAnswer } from '../../../records/query.ts';
import { type AnswerBuilder, type Plain, part, plain } from '../answer-builder.ts';
import { quoted } from '../paths.ts';
import type { Plan } from './plan.ts';
import { type Asked, TABLES } from './tables.ts';
import type { Language } from './vocabulary.ts';

/** The root of the answer of the query. */
export const ROOT = 'query';
export const MOST_SHOWN = 5;

export type Texts = readonly [en: string, de: string, es: string, fr: string];
const AT: Readonly<Record<Language, number>> = { en: 0, de: 1, es: 2, fr: 3 };

/** Words, names of rows and grounds of an answer, in the language of the question. */
export class Sentences {
  protected readonly out: AnswerBuilder;
  protected readonly plan: Plan;
  protected readonly record: QueryAnswer;
  protected readonly about: Asked;
  /** The answer that this one is compared with. */
  protected readonly second: QueryAnswer | null;

  constructor(out: AnswerBuilder, plan: Plan, record: QueryAnswer, second: QueryAnswer | null = null) {
    this.second = second;
    this.out = out;
    this.plan = plan;
    this.record = record;
    this.about = TABLES[plan.table] as Asked;
    out.put(ROOT, record);
  }
  protected t(...texts: Texts): string {
    return texts[AT[this.plan.language]] as string;
  }

  protected p(...texts: Texts): Plain {
    return plain(this.t(...texts));
  }

  /** How the conditions read, with a blank before. */
  protected conditions(): Plain {
    const words = this.plan.conditions
      .map((one) => one.words[this.plan.language])
      .filter((text) => text !== '')
      .map((text) => ` ${text}`);
    return plain(words.join(''));
  }

  protected noun(count: number): Plain {
    const [one, many] = this.about.noun[this.plan.language];
    return plain(count === 1 ? one : many);
  }

  protected get total(): number {
    return this.record.rows[0]?.['count()'] === undefined || this.record.rows.length > 1
      ? this.record.total
      : Number(this.record.rows[0]['count()']);
  }

  /** The path of the rows in a record that has them; null where the conditions cannot be said there. */
  protected steps(): string | null {
    const { root } = this.about;
    const steps = this.plan.conditions.map(({ step }) => step);
    return root !== null && steps.every((step) => step !== null) ? `${root[0]}${steps.join('')}` : null;
  }

  /** The ground of the number of rows: in the record that has them where that can be said as a path. */
  protected totalGround() {
    const isUp = this.plan.table === 'ports' && this.plan.conditions.every(({ query }) => query === 'up');
    if (isUp && this.plan.conditions.length === 1 && this.out.read('status.ports_up') === this.total)
      return this.out.ground('status.ports_up');
    const path = `${this.steps()}.length`;
    if (this.steps() !== null && this.out.read(path) === this.total) return this.out.ground(path);
    return this.out.ground(
      this.record.rows.length === 1 && this.record.rows[0]?.['count()'] !== undefined
        ? `${ROOT}.rows[0].count()`
        : `${ROOT}.total`,
    );
  }

  /** The ground of a cell of a row. */
  protected cell(at: number, column: string) {
    const { root, rooted } = this.about;
    const row = this.record.rows[at] as Readonly<Record<string, unknown>>;
    const own = `${ROOT}.rows[${at}].${column}`;
    const closed = `findings/${String(row.id)}.finding.${column}`;
    if (row.state === 'closed' && this.out.read(closed) === row[column]) return this.out.ground(closed);
    if (root === null || !rooted.includes(column.replace('[0]', ''))) return this.out.ground(own);
    // Rows in the order of the table.
    const isOne = this.plan.conditions.some(({ query }) => query.startsWith(`${root[1]} = `));
    const steps = this.plan.kind === 'first' || isOne ? null : this.steps();
    const label = `${steps}[${at}].${this.about.label}`;
    if (steps !== null && steps !== root[0] && this.out.read(label) === row[this.about.label])
      return this.out.ground(`${steps}[${at}].${column}`);
    const [name, key] = root;
    const path = `${name}[${key}=${quoted(String(row[key]))}].${column}`;
    return row[key] !== undefined && this.out.read(path) !== undefined
      ? this.out.ground(path)
      : this.out.ground(own);
  }

  protected has(at: number, column: string): boolean {
    const value = this.record.rows[at]?.[column];
    return value !== undefined && value !== null && value !== '';
  }

  protected join(parts: readonly Plain[], more: boolean): Plain {
    const and = this.t('and', 'und', 'y', 'et');
    const texts = parts.map(({ text }) => text);
    if (more)
      return plain(`${texts.join(', ')} ${this.t('and more', 'und weitere', 'y más', 'et d’autres')}`);
    return plain(
      texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} ${and} ${texts.at(-1)}`,
    );
  }

  protected noneText(): Plain {
    const { stranger } = this.plan;
    const noun = this.noun(2);
    const none = this.p('there are no', 'es gibt keine', 'no hay', 'il n’y a pas de');
    const open = this.isOpen
      ? this.p(' that are known of', ', soweit bekannt', ', que se sepa', ', à ce qui est connu')
      : plain('');
    if (stranger === null || this.plan.table === 'startup')
      return part`${none} ${noun}${this.conditions()}${open}`;
    return part`${none} ${noun}${this.conditions()}${open}; ${this.p('nothing called', 'nichts mit dem Namen', 'nada llamado', 'rien du nom de')} "${plain(stranger)}" ${this.p('runs here', 'läuft hier', 'se ejecuta aquí', 'ne tourne ici')}`;
  }

  protected get isOpen(): boolean {
    return this.record.undecided.rows > 0 || this.record.reach.gaps.length > 0;
  }

  protected columnWord(column: string): Plain {
    switch (column) {
      case 'last_login':
        return this.p('last login', 'letzte Anmeldung', 'último inicio de sesión', 'dernière connexion');
      case 'changed':
        return this.p('changed', 'geändert', 'cambiado', 'modifié');
      case 'threads':
        return this.p('threads', 'Threads', 'hilos', 'threads');
      case 'ports':
        return this.p('ports', 'Ports', 'puertos', 'ports');
      case 'start':
        return this.p('started', 'gestartet', 'iniciado', 'démarré');
      case 'first_seen':
        return this.p('first seen', 'zuerst gesehen', 'visto por primera vez', 'vu pour la première fois');
      case 'last_seen':
        return this.p('last seen', 'zuletzt gesehen', 'visto por última vez', 'vu pour la dernière fois');
      case 'learned':
        return this.p('learned', 'gelernt', 'aprendida', 'apprise');
      case 'accepted':
        return this.p('accepted', 'angenommen', 'aceptado', 'accepté');
      default:
        return plain(column);
    }
  }
}
