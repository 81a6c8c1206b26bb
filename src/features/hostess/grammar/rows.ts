/** Names rows in a sentence: each by its name, with what tells it from others. */
import type { Ground } from '../../../records/talk.ts';
import { type Plain, part, plain } from '../answer-builder.ts';
import { MOST_SHOWN, Sentences } from './sentences.ts';
import { whenIn } from './startup-when.ts';

/** A schedule, as it is in every language: cron times and the names of cron, such as @daily. */
const SCHEDULE = /^[\d*@]/;

export class Rows extends Sentences {
  protected row(at: number): Plain {
    const unknown = this.p(
      'an unknown program',
      'ein unbekanntes Programm',
      'un programa desconocido',
      'un programme inconnu',
    );
    const cell = (column: string) => (this.has(at, column) ? this.cell(at, column) : unknown);
    switch (this.plan.table) {
      case 'processes':
        return part`${cell('comm')} (pid ${this.cell(at, 'pid')}${this.plan.withUser ? part`, ${this.userOf(at)}` : plain('')})`;
      case 'listeners':
        return part`${cell('executable')}${this.has(at, 'pids') ? part` (pid ${this.cell(at, 'pids[0]')})` : plain('')} ${this.p('on', 'auf', 'en', 'sur')} ${cell('protocol')} ${this.has(at, 'address') ? part`${this.cell(at, 'address')} ` : plain('')}${this.p('port', 'Port', 'puerto', 'port')} ${cell('port')}${this.#reach(at)}${this.#allowance(at)}`;
      case 'findings':
        return part`${cell('severity')}: ${cell('summary')}`;
      case 'ports':
        return part`${cell('name')} (${cell('port')}${this.#whyDown(at)})`;
      case 'accepted':
        return part`${cell('covers')} (${cell('why')})`;
      case 'blind':
        return part`${cell('check')}: ${cell('reason')}`;
      case 'accounts':
        return part`${cell('name')} (${plain(this.accountFacts(at))})`;
      case 'startup':
        return this.#starts(at);
      case 'packages':
        return part`${cell('path')} (${cell('package')} ${cell('version')})`;
      case 'alerts':
        return part`${cell('at')} ${cell('title')}`;
      case 'gate_runs':
        return part`${cell('at')}: ${cell('gate')}`;
      case 'generations':
        return part`${cell('number')} (${cell('how')}${this.has(at, 'learned') ? part`, ${cell('learned')}` : plain('')})`;
      default:
        return part`${cell(this.about.label)}`;
    }
  }

  protected rows(most = MOST_SHOWN): Plain {
    const count = Math.min(most, this.record.rows.length);
    // Findings and the like are phrases of their own.
    return this.join(
      Array.from({ length: count }, (_, at) => this.row(at)),
      this.record.total > count,
    );
  }

  /** From where a listener can be reached, where the question asks which. */
  #reach(at: number): Plain {
    if (this.plan.column !== 'scope' || this.plan.kind !== 'list') return plain('');
    const { value } = this.cell(at, 'scope');
    return value === 'public'
      ? this.p(
          ', reachable from outside',
          ', von außen erreichbar',
          ', accesible desde fuera',
          ', joignable de l’extérieur',
        )
      : this.p(', on loopback only', ', nur auf Loopback', ', solo en loopback', ', en loopback seulement');
  }

  /** What allows a listener, where the question is about a port or about that. */
  #allowance(at: number): Plain {
    const isAsked =
      this.plan.kind !== 'normal' &&
      this.plan.conditions.some(({ query }) => /^(?:\(?port = |allowed )/.test(query));
    if (!isAsked || this.record.rows[at]?.allowed === null) return plain('');
    const by = this.p('allowed by', 'erlaubt durch', 'permitido por', 'autorisé par');
    return this.has(at, 'allowed')
      ? part`, ${by} ${this.cell(at, 'allowed')}`
      : part`, ${this.p('allowed by nothing', 'durch nichts erlaubt', 'sin nada que lo permita', 'que rien n’autorise')}`;
  }

  #whyDown(at: number): Plain {
    const reason = `page.ports[port=${this.record.rows[at]?.port}].reason`;
    const isDown = this.record.rows[at]?.up === false;
    return isDown && this.out.read(reason) ? part`; ${this.out.ground(reason)}` : plain('');
  }

  /** What would run, as whom, when, from which file, and who vouches for that. */
  #starts(at: number): Plain {
    const runs = this.has(at, 'runs') ? part`${this.cell(at, 'runs')} ` : plain('');
    const user = this.has(at, 'user')
      ? part`${this.p('as', 'als', 'como', 'en tant que')} ${this.cell(at, 'user')}, `
      : plain('');
    const isSaid =
      this.has(at, 'when') &&
      (this.plan.language === 'en' || SCHEDULE.test(String(this.record.rows[at]?.when)));
    const own =
      this.plan.language === 'en' || !this.has(at, 'when')
        ? null
        : whenIn(this.record.rows[at]?.when, this.plan.language);
    if (own !== null) this.cell(at, 'when');
    const when = own !== null ? plain(`${own}, `) : isSaid ? part`${this.cell(at, 'when')}, ` : plain('');
    return part`${runs}${user}${when}${this.p('in', 'in', 'en', 'dans')} ${this.cell(at, 'path')} (${this.#voucher(at)})`;
  }

  #voucher(at: number): Plain {
    const vouched = this.record.rows[at]?.vouched;
    if (!this.has(at, 'package') || vouched === 'none')
      return this.p(
        'no package vouches for it',
        'kein Paket bürgt dafür',
        'ningún paquete responde de ello',
        'aucun paquet n’en répond',
      );
    this.cell(at, 'vouched');
    const by = this.cell(at, 'package');
    switch (vouched) {
      case 'package':
        return part`${this.p('as in', 'wie in', 'como en', 'comme dans')} ${by}`;
      case 'earlier':
        return part`${this.p('before the file changed it was in', 'vor der Änderung der Datei war es in', 'antes de cambiar el archivo estaba en', 'avant le changement du fichier, c’était dans')} ${by}`;
      case 'copy':
        return part`${this.p('a copy of a file of', 'Kopie einer Datei von', 'copia de un archivo de', 'copie d’un fichier de')} ${by}`;
      default:
        return part`${this.p('not as in', 'nicht wie in', 'no como en', 'pas comme dans')} ${by}`;
    }
  }

  /** The user of a row, by its name where the machine has one. */
  protected userOf(at: number): Plain {
    const uid = this.record.rows[at]?.uid;
    if (typeof uid !== 'number')
      return this.p('user unknown', 'Benutzer unbekannt', 'usuario desconocido', 'utilisateur inconnu');
    return this.userNamed(uid, this.cell(at, 'uid'));
  }

  protected userNamed(uid: number, ground: Ground): Plain {
    if (uid === 0) return plain('root');
    const path = `users[uid=${uid}].name`;
    return this.out.read(path) === undefined ? part`uid ${ground}` : part`${this.out.ground(path)}`;
  }

  protected accountFacts(at: number): string {
    const some = (column: string): boolean => {
      const value = this.record.rows[at]?.[column];
      return Array.isArray(value) && value.length > 0;
    };
    const [login, rights] = [some('login'), some('rights')];
    const parts = [
      part`uid ${this.cell(at, 'uid')}`,
      login
        ? part`${this.p('logs in with', 'Anmeldung mit', 'entra con', 'se connecte avec')} ${this.cell(at, 'login')}`
        : this.record.rows[at]?.login === null
          ? this.p(
              'login not known',
              'Anmeldung nicht bekannt',
              'inicio de sesión desconocido',
              'connexion inconnue',
            )
          : this.p('cannot log in', 'keine Anmeldung', 'no puede entrar', 'ne peut pas se connecter'),
      ...(rights ? [part`${this.cell(at, 'rights')}`] : []),
      ...(this.record.rows[at]?.rights === null
        ? [this.p('rights not known', 'Rechte nicht bekannt', 'derechos desconocidos', 'droits inconnus')]
        : []),
    ];
    return parts.map(({ text }) => text).join('; ');
  }
}
