/** A question about the state of the machine, or about what processes use of it, as queries. Pure. */
import type { Instant } from '../../../engine/snapshot.ts';
import { parse } from '../../../query/parse.ts';
import type { Plan } from '../grammar/plan.ts';
import type { Language } from '../grammar/vocabulary.ts';
import { isFrequent } from '../lexicon.ts';
import type { VitalAsked } from './asked.ts';
import { type Build, nthPlan, otherProgram, type Tools, usesFollowing } from './follow.ts';
import { type Heard, hear, type Known, type Named, type Quantity } from './hear.ts';
import { isLoadSpan, limitsOf, machineQueries, meantOf } from './machine-queries.ts';
import { ownUse } from './own.ts';
import {
  ASKS_A_VALUE,
  ASKS_MORE,
  asksWhenFull,
  BARE_WHAT,
  BY_USER,
  CAN_BE_HIGH,
  EACH,
  IT,
  isNameLike,
  isOfTrend,
  LISTS_PROCESSES,
  MEANS,
  MOST_LISTED,
  NEEDS_REBOOT,
  namesHost,
  OF_COUNTS,
  PID,
  parsed,
  RUNS,
  SAYS_BOOT,
  SAYS_MACHINE,
  SAYS_SPACE,
  SHORT,
  SINCE,
  SOME_PROCESS,
  TIMELESS,
  TOGETHER,
  TREND,
  unusedIn,
} from './patterns.ts';
import { COLUMNS, MEANINGS, USES, type Use } from './quantities.ts';
import { asksWhoReads, ioColumns, specialOf } from './special.ts';
import { OF_OTHER_PARTS } from './unmeasured.ts';
import { isMachine } from './vocabulary.ts';

interface Asking {
  readonly message: string;
  readonly now: Instant;
  readonly known: Known;
  readonly language: Language;
  readonly previous: string | null;
}

/** What can run out. */
const FILLED: ReadonlySet<Quantity> = new Set(['disk', 'memory', 'swap', 'inodes']);

const whereClause = (parts: readonly string[]): string =>
  parts.length === 0 ? '' : ` where ${parts.join(' and ')}`;

class Planner {
  readonly #asking: Asking;
  readonly #heard: Heard;

  constructor(asking: Asking) {
    this.#asking = asking;
    this.#heard = hear(asking.message, asking.now, asking.known, asking.language);
  }

  /** With a name that nothing has: it may be that of a program that does not run. */
  get #programs(): Heard['programs'] {
    const { programs, unused } = this.#heard;
    return [
      ...programs,
      ...unused
        .filter(isNameLike)
        .map((text) => ({ text, where: `name = ${JSON.stringify(text)}`, runs: false })),
    ];
  }

  get #tools(): Tools {
    return {
      ...{ heard: this.#heard, programs: this.#programs, previous: this.#asking.previous },
      isShort: this.#isShort(),
      top: (...parts) => this.#top(...parts),
      total: (...parts) => this.#total(...parts),
      built: (parts) => this.#built(parts),
    };
  }

  plan(): Plan | null {
    const heard = this.#heard;
    const own = ownUse(this.#heard, this.#uses(), this.#asking.known.self);
    if (own !== null) return this.#built(own);
    const nth = nthPlan(this.#tools);
    if (nth !== null) return nth;
    const special = specialOf(heard);
    if (special !== null) return this.#built(special);
    if (heard.isElsewhere || OF_OTHER_PARTS.test(heard.plain) || namesHost(heard)) return null;
    // A common word that has no part here makes it a question about something else.
    const isTrend = TREND.test(heard.plain) || asksWhenFull(heard.plain);
    const unused = heard.unused.filter((word) => !(isTrend && isOfTrend(word)));
    if (unused.length > 1 || unused.some((word) => isFrequent(word.toLowerCase()))) return null;
    if (LISTS_PROCESSES.test(heard.plain) || (heard.users.length === 0 && BY_USER.test(heard.plain)))
      return null;
    return otherProgram(this.#tools) ?? this.#why() ?? this.#ofProcesses() ?? this.#ofMachine();
  }

  /** Why it is slow, or a value is high. */
  #why(): Plan | null {
    const { quantities, programs, places } = this.#heard;
    const has = this.#heard.has.bind(this.#heard);
    const slow = has('j:slow');
    if (slow && programs.length > 0) return null;
    const asksSlow =
      slow && this.#heard.unused.length === 0 && (has('m:machine') || has('k:why') || this.#isShort());
    const asksWhy = has('k:why') && quantities.some((one) => CAN_BE_HIGH.has(one));
    const asksBusy = has('k:why') && has('j:bad', 'a:used') && has('m:machine');
    if (!asksSlow && !asksWhy && !asksBusy) return null;
    if (places.length > 0 || programs.length > 0) return null;
    const use: Use =
      quantities.includes('memory') || quantities.includes('swap')
        ? 'memory'
        : quantities.includes('io') || quantities.includes('iowait')
          ? 'io'
          : 'cpu';
    return this.#built({
      kind: 'why',
      uses: [use],
      query: this.#topQuery(use, [], 3),
      second: `vitals select ${[...(COLUMNS.all.vitals ?? []), ...(COLUMNS.pressure.vitals ?? []), 'load_five', 'swap_bytes', 'swap_free_bytes', 'io_wait_percent', 'read'].join(', ')}`,
    });
  }

  #isShort(): boolean {
    return this.#heard.plain.split(' ').length <= SHORT;
  }

  #uses(): readonly Use[] {
    const { quantities } = this.#heard;
    const found = quantities.flatMap((one): Use[] =>
      one === 'memory'
        ? ['memory']
        : one === 'cpu' || one === 'load'
          ? ['cpu']
          : one === 'io' || one === 'disk'
            ? ['io']
            : [],
    );
    if (found.length > 0) return [...new Set(found)];
    const has = this.#heard.has.bind(this.#heard);
    if (has('r:resources')) return ['cpu', 'memory'];
    const isTop = has('p:process') && has('k:top') && !has('o:least') && !OF_COUNTS.test(this.#heard.plain);
    return isTop && quantities.length === 0 && this.#heard.unused.length === 0 ? ['memory'] : [];
  }

  #ofProcesses(): Plan | null {
    const heard = this.#heard;
    const has = heard.has.bind(heard);
    const { previous } = this.#asking;
    const byUnit = heard.amounts.flatMap(({ unit }): Use[] =>
      unit === 'bytes' ? ['memory'] : unit === '%' ? ['cpu'] : [],
    );
    const named = this.#uses();
    const isProcess = has('p:process');
    const uses = [...new Set([...named, ...(isProcess || this.#programs.length > 0 ? byUnit : [])])];
    if (
      uses.length === 0 ||
      heard.quantities.some((one) => !['memory', 'cpu', 'load', 'io', 'disk'].includes(one))
    )
      return null;
    // Nothing measures which program has filled a disk, or the load of one.
    const asksSpace = heard.quantities.includes('disk') && SAYS_SPACE.test(heard.plain);
    const pid = PID.exec(heard.plain)?.[1];
    const names: readonly Named[] = [...this.#programs, ...heard.users];
    const before = parsed(previous);
    const isTopOnly =
      heard.places.length === 0 &&
      !heard.quantities.includes('disk') &&
      (/\btop\b/.test(heard.plain) || (has('k:top') && heard.amounts.length > 0));
    const who = asksWhoReads(heard) || (has('k:who') && has('u:use') && !has('m:machine'));
    const isSome =
      heard.amounts.some(({ unit, compare }) => compare !== null && unit !== '') &&
      SOME_PROCESS.test(heard.plain) &&
      !has('m:machine', 'a:free', 'a:total', 'a:full');
    const hasSubject = pid !== undefined || names.length > 0 || isProcess || who || isTopOnly || isSome;
    if (asksSpace) return null;
    if (heard.places.length > 0 || heard.moment !== null || ASKS_MORE.test(heard.plain)) return null;
    if (has('t:past') || has('t:future')) return null;
    if (!hasSubject) return before === null ? null : usesFollowing(this.#tools, before, uses);
    const conditions = [
      ...(pid === undefined ? [] : [`pid = ${pid}`]),
      ...(this.#programs.length === 1 || heard.users.length > 0
        ? names
            .slice(0, this.#programs.length === 1 ? names.length : heard.users.length)
            .map(({ where }) => where)
        : []),
    ];
    if (this.#programs.length > 2 || heard.users.length > 1) return null;
    if (this.#programs.length === 2) return this.#comparison(this.#programs, uses[0] as Use);
    const limits = limitsOf(heard.amounts, uses, pid);
    if (limits === null) return null;
    const all = [...conditions, ...limits];
    const isTop = has('o:most', 'o:least', 'k:top') || (who && !has('k:many') && limits.length === 0);
    const isRows = limits.length > 0;
    if (isRows)
      return this.#built({
        kind: 'rows',
        uses,
        query: `slow select ${EACH}${whereClause(all)} order by ${this.#order(uses[0] as Use)}`,
        names,
      });
    const isTotal =
      (conditions.length > 0 && TOGETHER.test(heard.plain)) ||
      (!isTop &&
        (conditions.length > 0 ||
          (isProcess && (has('r:together', 'a:total') || MEANS.test(heard.plain)) && !has('k:which'))));
    if (isTotal) return this.#total(all, uses, names);
    if (!isTop && !has('k:which', 'k:who', 'u:use') && conditions.length === 0) {
      if (!isProcess) return null;
      if (!has('a:used', 'k:top') && heard.plain.split(' ').length > SHORT) return null;
    }
    return this.#top(all, uses, this.#limit(), names);
  }

  #total(conditions: readonly string[], uses: readonly Use[], names: readonly Named[]): Plan {
    const isMean = MEANS.test(this.#heard.plain);
    const sums = uses.flatMap((use) => USES[use].map((column) => `${isMean ? 'avg' : 'sum'}(${column})`));
    return this.#built({
      kind: 'total',
      ...{ uses, isMean },
      query: `slow select count(), ${sums.join(', ')}${whereClause(conditions)}`,
      names,
    });
  }

  #top(
    conditions: readonly string[],
    uses: readonly Use[],
    limit: number,
    names: readonly Named[] = [],
  ): Plan {
    const [use = 'memory'] = uses;
    return this.#built({ kind: 'top', uses, query: this.#topQuery(use, conditions, limit), limit, names });
  }

  /** How many rows were asked for. */
  #limit(): number {
    const { amounts } = this.#heard;
    const number = amounts.find(({ unit, compare }) => unit === '' && compare === null)?.value;
    if (number !== undefined && number >= 1) return Math.min(Math.round(number), MOST_LISTED);
    const many =
      this.#heard.has('k:top') ||
      /\b(?:processes|programs|programmes|apps|applications|tasks|prozessen?|programme|anwendungen|procesos|programas|aplicaciones|processus|quels|les|ones)\b/.test(
        this.#heard.plain,
      );
    return many &&
      !/\b(?:which|what|quel|que|welcher) (?:process|program|app|programm|prozess|processus|programme|proceso|programa)\b/.test(
        this.#heard.plain,
      )
      ? 5
      : 1;
  }

  #order(use: Use): string {
    const sign = this.#heard.has('o:least') ? '' : '-';
    return USES[use].map((column) => `${sign}${column}`).join(', ');
  }

  #topQuery(use: Use, conditions: readonly string[], limit: number): string {
    // No query orders by a sum: the answer does.
    if (use === 'io') {
      const columns = ioColumns(this.#heard.plain);
      const some = `(${columns.map((column) => `${column} > 0`).join(' or ')})`;
      return `slow select ${EACH}${whereClause([...conditions, some])} order by ${columns.map((one) => `-${one}`).join(', ')} limit 200`;
    }
    return `slow select ${EACH}${whereClause(conditions)} order by ${this.#order(use)}, pid limit ${limit}`;
  }

  #comparison([one, other]: Heard['programs'], use: Use): Plan {
    const of = ({ where }: Named): string =>
      `slow select count(), ${USES[use].map((column) => `sum(${column})`).join(', ')} where ${where}`;
    return this.#built({
      kind: 'compare',
      uses: [use],
      query: of(one as Named),
      second: of(other as Named),
      names: [one as Named, other as Named],
    });
  }

  #ofMachine(): Plan | null {
    const heard = this.#heard;
    const has = heard.has.bind(heard);
    const { programs, users, places, plain, moment } = heard;
    let { quantities } = heard;
    const before = parsed(this.#asking.previous);
    if (quantities.length === 0 && places.length === 1 && before !== null && this.#isShort()) {
      if (before.from.text === 'disks') quantities = ['disk'];
      if (before.from.text === 'interfaces') quantities = ['network'];
    }
    if (
      quantities.length === 0 &&
      places.some((one) => one.startsWith('/')) &&
      has('a:full', 'a:free', 'j:bad')
    )
      quantities = ['disk'];
    if (
      quantities.length === 0 &&
      has('m:machine') &&
      has('j:bad', 'a:used') &&
      /overload|uberlast|ausgelastet|surcharg|sobrecarg|under load|unter last|cargad[oa]|busy|stress|hammer|beschaftigt/.test(
        plain,
      )
    )
      quantities = ['load'];
    const ofMachine = plain.split(/[^a-z]+/).some(isMachine);
    if (quantities.length === 0 && ofMachine && SINCE.test(plain) && RUNS.test(plain))
      quantities = ['uptime'];
    if (quantities.length === 0 || programs.length > 0 || users.length > 0) return null;
    // "It" is what the answer before was about, and not the machine.
    const isOfRows =
      before !== null && COLUMNS.all[before.from.text] === undefined && before.from.text !== 'disks';
    if (isOfRows && IT.test(plain) && !has('m:machine')) return null;
    if (
      has('k:who') &&
      has('u:use') &&
      !has('m:machine') &&
      !/\b(?:what|was|que) (?:is|ist|es)\b/.test(plain)
    )
      return null;
    if (has('p:process') && quantities.some((one) => one !== 'units' && one !== 'oom')) return null;
    quantities = meantOf(quantities, plain);
    if (quantities.includes('reboot') && !NEEDS_REBOOT.test(plain) && heard.plain.split(' ').length > 2)
      return null;
    if (
      quantities.includes('reboot') &&
      /^(?:please |bitte |now )*(?:reboot|restart|starte?|reinicia|redemarre)\b/.test(plain) &&
      !/\?/.test(this.#asking.message)
    )
      return null;
    const amount = heard.amounts.find(({ compare }) => compare !== null) ?? null;
    const isPast =
      (moment !== null &&
        !isLoadSpan(heard) &&
        !quantities.some((one) => TIMELESS.has(one)) &&
        !has('k:now')) ||
      has('t:past') ||
      TREND.test(plain) ||
      (has('t:was') && !quantities.some((one) => TIMELESS.has(one)));
    if (quantities.length === 1 && quantities[0] === 'temperature' && (amount === null || isPast))
      return null;
    if (quantities.length > 4) return null;
    const isOfMachine =
      heard.unused.length === 0 && (ofMachine || SAYS_BOOT.test(plain) || SAYS_MACHINE.test(plain));
    if (quantities.includes('uptime') && !isOfMachine) return null;
    const isMeaning =
      (has('k:mean') || BARE_WHAT.test(plain.replace(/[?.!]+$/, ''))) &&
      quantities.some((one) => MEANINGS[one] !== undefined);
    if (has('k:mean') && !isMeaning) return null;
    if (isMeaning && heard.unused.length > 0) return null;
    const asked = {
      kind: 'values' as const,
      uses: [],
      quantities,
      amount,
      isPast,
      isFuture: has('t:future') || (asksWhenFull(plain) && quantities.some((one) => FILLED.has(one))),
      isMeaning,
      place: places[0] ?? null,
    };
    return this.#built({ ...asked, ...machineQueries(heard, quantities, places[0] ?? null) });
  }

  #built({ query, second, ...parts }: Build): Plan {
    const heard = this.#heard;
    const { has } = heard;
    const vital: VitalAsked = {
      ...{ heard, quantities: heard.quantities, amount: null, place: null, names: [], limit: 1 },
      isWhether:
        has('k:whether') && !has('k:why') && !has('k:which', 'k:many') && !ASKS_A_VALUE.test(heard.plain),
      isMeaning: false,
      isPast: false,
      isFuture: has('t:future'),
      isCount: has('k:many'),
      least: has('o:least'),
      unused: unusedIn(heard, parts),
      ...parts,
    };
    const base: Plan = {
      ...{ kind: 'vital', language: heard.language, table: parse(query).from.text, query, conditions: [] },
      ...{ column: null, limit: null, moment: null, stranger: null, name: null, unmeasured: [], vital },
    };
    return second === undefined ? base : { ...base, second: { ...base, query: second } };
  }
}

/** The plan of such a question; null for another one. */
export const vitalPlan = (asking: Asking): Plan | null => new Planner(asking).plan();
