/** Says sums and means, shares, comparisons, single values, and how long the certificate lasts. The figure or name is first. */
import type { Ground } from '../../../records/talk.ts';
import { type Plain, part, plain } from '../answer-builder.ts';
import { Rows } from './rows.ts';
import { ROOT, type Texts } from './sentences.ts';

/** The root of the answer of the query that another one is compared with. */
const SECOND = 'second';
/** The root of what is computed from two numbers. */
const COMPUTED = 'computed';

/** The figure of an answer of one row: its first cell. */
const figurePath = (
  root: string,
  row: Readonly<Record<string, unknown>> | undefined,
  column: string | null,
): string => `${root}.rows[0].${column !== null && row !== undefined && column in row ? column : 'count()'}`;

export class Figures extends Rows {
  /** The conditions of a plan, or its noun where it has none. */
  #named(plan: typeof this.plan): string {
    const words = plan.conditions.map((one) => one.words[this.plan.language]).filter((text) => text !== '');
    return words.join(' ');
  }

  protected aggregate(): boolean {
    const { column } = this.plan;
    const [row] = this.record.rows;
    const count = this.out.ground(`${ROOT}.rows[0].count()`);
    if (column === null || row?.[column] === undefined || row[column] === null) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')} (${count}): ${this.noneText()}.`;
      return false;
    }
    const isMean = column.startsWith('avg');
    const what = this.columnWord(/\((\w+)\)/.exec(column)?.[1] ?? '');
    const figure = isMean
      ? this.#rounded(Number(row[column]), `${ROOT}.rows[0].${column}`)
      : this.out.ground(`${ROOT}.rows[0].${column}`);
    const how = isMean
      ? this.p('on average', 'im Durchschnitt', 'de media', 'en moyenne')
      : this.p('in total', 'insgesamt', 'en total', 'au total');
    this.out.say`${figure} ${what} ${how}: ${count} ${this.noun(Number(count.value))}${this.conditions()}.`;
    return true;
  }

  /** How many different values a column has. */
  protected distinct(): boolean {
    const { column, name } = this.plan;
    if (column === null) return false;
    const figure = this.out.ground(`${ROOT}.rows[0].${column}`);
    const count = this.out.ground(`${ROOT}.rows[0].count()`);
    const many = Number(figure.value) !== 1;
    const [en, de, es, fr] = FACETS[name ?? '']?.[many ? 1 : 0] ?? ['values', 'Werte', 'valores', 'valeurs'];
    const different = many
      ? this.p('different', 'verschiedene', 'diferentes', 'différents')
      : this.p('different', 'verschiedener', 'diferente', 'différent');
    const what =
      this.plan.language === 'es' || this.plan.language === 'fr'
        ? part`${this.p(en, de, es, fr)} ${different}`
        : part`${different} ${this.p(en, de, es, fr)}`;
    this.out.say`${figure} ${what}: ${count} ${this.noun(Number(count.value))}${this.conditions()}.`;
    return true;
  }

  /** The greatest, least or mean figure of the samples that are kept. */
  protected measured(): boolean {
    const { column } = this.plan;
    const count = this.out.ground(`${ROOT}.rows[0].count()`);
    if (column === null || count.value === 0 || this.record.rows[0]?.[column] == null) {
      this.out
        .say`${this.p('That is not known: no samples are kept', 'Das ist nicht bekannt: es sind keine Messwerte aufgezeichnet', 'No se sabe: no hay muestras guardadas', 'Ce n’est pas connu : aucune mesure n’est gardée')} (${count})${this.conditions()}.`;
      return false;
    }
    const isTime = column.includes('recheck');
    const figure = column.startsWith('avg')
      ? this.#rounded(Number(this.record.rows[0][column]), `${ROOT}.rows[0].${column}`)
      : this.out.ground(`${ROOT}.rows[0].${column}`);
    const what = isTime
      ? this.p('µs for a recheck', 'µs für eine Nachprüfung', 'µs por comprobación', 'µs par vérification')
      : column.includes('pids')
        ? this.p('processes', 'Prozesse', 'procesos', 'processus')
        : column.includes('findings')
          ? this.p('open findings', 'offene Befunde', 'hallazgos abiertos', 'constats ouverts')
          : this.p('public listeners', 'öffentliche Listener', 'sockets públicos', 'écoutes publiques');
    const how = column.startsWith('avg')
      ? this.p('on average', 'im Durchschnitt', 'de media', 'en moyenne')
      : column.startsWith('min')
        ? this.p('at least', 'mindestens', 'como mínimo', 'au moins')
        : this.p('at most', 'höchstens', 'como máximo', 'au plus');
    const since =
      this.record.reach.from === null
        ? plain('')
        : part`, ${this.p('since', 'seit', 'desde', 'depuis')} ${this.out.ground(`${ROOT}.reach.from`)}`;
    this.out
      .say`${figure} ${what} ${how}${this.conditions()}: ${count} ${this.noun(Number(count.value))}${since}.`;
    return true;
  }

  /** A mean or share to two digits, with the value that it is of as a ground. */
  #rounded(value: number, of: string): Ground {
    this.out.ground(of);
    this.out.put(COMPUTED, { figure: Math.round(value * 100) / 100 });
    return this.out.ground(`${COMPUTED}.figure`);
  }

  protected share(): boolean {
    const whole = this.second;
    if (whole === null) return false;
    this.out.put(SECOND, whole);
    const [part, all] = [
      this.out.ground(`${ROOT}.rows[0].count()`),
      this.out.ground(`${SECOND}.rows[0].count()`),
    ];
    const noun = this.noun(Number(all.value));
    if (Number(all.value) === 0) {
      this.out
        .say`${this.p('That is not known: there are no', 'Das ist nicht bekannt: es gibt keine', 'No se sabe: no hay', 'Ce n’est pas connu : il n’y a pas de')} ${noun} (${all}).`;
      return false;
    }
    this.out.put(COMPUTED, { figure: Math.round((1000 * Number(part.value)) / Number(all.value)) / 10 });
    const figure = this.out.ground(`${COMPUTED}.figure`);
    this.out
      .say`${figure} %: ${part} ${this.p('of', 'von', 'de', 'sur')} ${all} ${noun}${this.conditions()}.`;
    return true;
  }

  protected compare(): boolean {
    const { second } = this.plan;
    const other = this.second;
    if (second === undefined || second === null || other === null) return false;
    this.out.put(SECOND, other);
    const column = second.kind === 'count' ? null : firstColumn(second.column, other.rows[0]);
    const [a, b] = [
      this.out.ground(figurePath(ROOT, this.record.rows[0], column)),
      this.out.ground(figurePath(SECOND, other.rows[0], column)),
    ];
    const [first, last] = [Number(a.value ?? Number.NaN), Number(b.value ?? Number.NaN)];
    const unit = column === null ? this.noun(2) : this.columnWord(/\((\w+)\)/.exec(column)?.[1] ?? column);
    const [nameA, nameB] = [plain(this.#named(this.plan)), plain(this.#named(second))];
    const both = part`${a} ${unit} ${nameA}, ${b} ${nameB}`;
    if (Number.isNaN(first) || Number.isNaN(last)) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')}: ${both}.`;
      return false;
    }
    this.out.say`${this.#verdict(first, last, nameA, nameB)}: ${both}.`;
    return true;
  }

  #verdict(first: number, last: number, nameA: Plain, nameB: Plain): Plain {
    const { column } = this.plan;
    if (first === last) {
      const equal = this.p('equally many', 'gleich viele', 'la misma cantidad', 'autant');
      return column === 'which' ? equal : part`${this.p('No', 'Nein', 'No', 'Non')}, ${equal}`;
    }
    if (column !== 'which')
      return first > last === (column === 'most')
        ? this.p('Yes', 'Ja', 'Sí', 'Oui')
        : this.p('No', 'Nein', 'No', 'Non');
    const most = first > last ? nameA : nameB;
    return part`${this.p('More', 'Mehr', 'Más', 'Plus')} ${most}`;
  }

  /** The value of a column for each row, the value first. */
  protected value(): boolean {
    const { column, table } = this.plan;
    if (column === null || this.record.rows.length === 0) {
      this.out
        .say`${this.p('None', 'Keine', 'Ninguno', 'Aucun')} (${this.totalGround()}): ${this.noneText()}.`;
      return true;
    }
    const one = (at: number): Plain =>
      this.has(at, column)
        ? part`${this.cellOf(at, column)}${this.#unit(column)}${this.#from(at, column)}: ${this.row(at)}`
        : part`${this.missing(at, column)}: ${this.row(at)}`;
    const rows = Array.from({ length: Math.min(MOST_VALUES, this.record.rows.length) }, (_, at) => one(at));
    const more =
      this.record.total > rows.length
        ? this.t('; and more', '; und weitere', '; y más', ' ; et d’autres')
        : '';
    this.out.say`${plain(rows.map(({ text }) => text).join('; ') + more)}.`;
    return table !== '';
  }

  #unit(column: string): Plain {
    return column === 'threads' ? part` ${this.columnWord(column)}` : plain('');
  }

  /** From where the last login was. */
  #from(at: number, column: string): Plain {
    return column === 'last_login' && this.has(at, 'last_from')
      ? part`, ${this.p('from', 'von', 'desde', 'de')} ${this.cell(at, 'last_from')}`
      : plain('');
  }

  /** A cell, a user by its name. */
  protected cellOf(at: number, column: string): Ground | Plain {
    return column === 'uid' ? this.userOf(at) : this.cell(at, column);
  }

  /** "None is recorded", or "not known" where it could not be read. */
  protected missing(at: number, column: string): Plain {
    this.out.ground(`${ROOT}.total`);
    return this.record.rows[at]?.[column] === null
      ? this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')
      : part`${capital(this.columnWord(column))}: ${this.p('none is recorded', 'nichts aufgezeichnet', 'nada registrado', 'rien d’enregistré')}`;
  }

  /** Whether all desk ports are up. */
  protected allUp(): boolean {
    const { rows } = this.record;
    const [up, all] = [this.out.ground('status.ports_up'), this.out.ground('status.ports_n')];
    const down = rows.flatMap((row, at) => (row.up === true ? [] : [at]));
    const isOpen = down.some((at) => rows[at]?.up !== false);
    const head = down.length === 0 ? this.p('Yes', 'Ja', 'Sí', 'Oui') : this.p('No', 'Nein', 'No', 'Non');
    const are = part`${up} ${this.p('of', 'von', 'de', 'sur')} ${all} ${this.noun(2)} ${this.p('are up', 'sind oben', 'están activos', 'sont actifs')}`;
    if (isOpen) {
      this.out
        .say`${this.p('That is not known', 'Das ist nicht bekannt', 'No se sabe', 'Ce n’est pas connu')}: ${are}.`;
      return false;
    }
    const named = this.join(
      down.map((at) => this.row(at)),
      false,
    );
    const others =
      down.length === 0 ? plain('') : part`; ${this.p('down', 'unten', 'caídos', 'arrêtés')}: ${named}`;
    this.out.say`${head}: ${are}${others}.`;
    return true;
  }

  /** How the gate is now. */
  protected gate(): boolean {
    const asked = this.plan.column;
    const [state, scars] = [this.out.ground('scar.gate'), this.out.ground('scar.scar_count')];
    const [yes, no] = [this.p('Yes', 'Ja', 'Sí', 'Oui'), this.p('No', 'Nein', 'No', 'Non')];
    const isAsked = state.value === (asked === 'failed' ? 'fail' : 'pass');
    const gate = this.p('the gate is at', 'das Gate steht auf', 'el gate está en', 'le gate est à');
    const head = asked === null ? capital(gate) : part`${isAsked ? yes : no}: ${gate}`;
    const noun =
      scars.value === 1 ? this.p('scar', 'Scar', 'scar', 'scar') : this.p('scars', 'Scars', 'scars', 'scars');
    const worst = this.out.read('scar.c[0].summary') === undefined ? plain('') : this.#worstScar();
    this.out.say`${head} ${state}, ${scars} ${noun}${worst}.`;
    if (this.out.read('scar.last.at') !== undefined)
      this.out
        .say`${this.p('It ran last at', 'Zuletzt lief es', 'Se ejecutó por última vez', 'Dernier passage :')} ${this.out.ground('scar.last.at')}.`;
    this.out.suggest('desk scar check', ...(scars.value === 0 ? [] : ['desk findings']));
    return true;
  }

  #worstScar(): Plain {
    const get = this.out.at('scar.c[0]');
    return part`; ${get('severity')}: ${get('summary')}`;
  }

  protected certificate(): boolean {
    if (this.out.read('site.configured') === false) {
      this.out.ground('site.configured');
      this.out
        .say`${this.p('No site is configured, so no certificate is checked', 'Es ist keine Site konfiguriert, also wird kein Zertifikat geprüft', 'No hay ningún sitio configurado, así que no se comprueba ningún certificado', 'Aucun site n’est configuré, donc aucun certificat n’est contrôlé')}.`;
      return false;
    }
    if (this.record.rows.length === 0) {
      const note =
        this.record.reach.gaps.length > 0 ? part`: ${this.out.ground(`${ROOT}.reach.gaps[0]`)}` : plain('');
      this.out
        .say`${this.p('No certificate of the site was seen', 'Kein Zertifikat der Site wurde gesehen', 'No se ha visto ningún certificado del sitio', 'Aucun certificat du site n’a été vu')} (${this.out.ground(`${ROOT}.total`)})${note}.`;
      return false;
    }
    const { limit, column } = this.plan;
    const get = (column: string): Ground => {
      const path = `site.certificate.${column}`;
      return this.out.read(path) === undefined ? this.cell(0, column) : this.out.ground(path);
    };
    const [days, end, subject] = [get('days'), get('valid_to'), get('subject')];
    get('verified');
    const until = part`${this.p('the certificate of', 'das Zertifikat von', 'el certificado de', 'le certificat de')} ${subject} ${this.p('ends', 'endet', 'termina', 'se termine')} ${end}, ${this.p('in', 'in', 'en', 'dans')} ${days} ${this.p('days', 'Tagen', 'días', 'jours')}`;
    if (column === 'issuer') {
      if (!this.has(0, 'issuer')) this.out.say`${this.missing(0, 'issuer')}; ${until}.`;
      else
        this.out
          .say`${get('issuer')} ${this.p('signed it', 'hat es ausgestellt', 'lo emitió', 'l’a délivré')}: ${until}.`;
      return true;
    }
    if (column === 'verified') {
      const [verified, problem] = [get('verified'), get('problem')];
      const isValid = verified.value === true && Number(days.value) >= 0;
      const why = !isValid && this.has(0, 'problem') ? part` (${problem})` : plain('');
      this.out
        .say`${isValid ? this.p('Yes', 'Ja', 'Sí', 'Oui') : this.p('No', 'Nein', 'No', 'Non')}${why}: ${until}.`;
      return true;
    }
    if (limit === null) {
      this.out.say`${column === 'days' ? days : end}: ${until}.`;
      return true;
    }
    const is = Number(days.value) <= limit;
    const within = part`${this.p('within', 'innerhalb von', 'en menos de', 'sous')} ${plain(String(limit))} ${this.p('days', 'Tagen', 'días', 'jours')}`;
    this.out
      .say`${is ? this.p('Yes', 'Ja', 'Sí', 'Oui') : this.p('No, not', 'Nein, nicht', 'No, no', 'Non, pas')} ${within}: ${until}.`;
    return true;
  }
}

const MOST_VALUES = 10;

/** One and several, in each language. */
const FACETS: Readonly<Record<string, readonly [one: Texts, many: Texts]>> = {
  user: [
    ['user', 'Benutzer', 'usuario', 'utilisateur'],
    ['users', 'Benutzer', 'usuarios', 'utilisateurs'],
  ],
  program: [
    ['program', 'Programm', 'programa', 'programme'],
    ['programs', 'Programme', 'programas', 'programmes'],
  ],
  check: [
    ['check', 'Prüfung', 'comprobación', 'contrôle'],
    ['checks', 'Prüfungen', 'comprobaciones', 'contrôles'],
  ],
  shell: [
    ['shell', 'Shell', 'shell', 'shell'],
    ['shells', 'Shells', 'shells', 'shells'],
  ],
  package: [
    ['package', 'Paket', 'paquete', 'paquet'],
    ['packages', 'Pakete', 'paquetes', 'paquets'],
  ],
};

const capital = ({ text }: Plain): Plain => plain(text.charAt(0).toUpperCase() + text.slice(1));

/** The column of a figure as the row has it. */
const firstColumn = (
  column: string | null,
  row: Readonly<Record<string, unknown>> | undefined,
): string | null =>
  column !== null && row !== undefined && column in row ? column : (Object.keys(row ?? {})[0] ?? null);
