/** Answers about the machine itself: the row of `vitals`, and rows of `disks`, `interfaces` and `failed_units`. */

import type { Ground } from '../../../records/talk.ts';
import { uptimeText } from '../../../records/vitals-words.ts';
import { type Plain, plain } from '../answer-builder.ts';
import { type Said, said } from '../grammar/table.ts';
import type { Quantity } from './hear.ts';
import { TEXTS as T } from './machine-texts.ts';
import { COLUMNS, MEANINGS } from './quantities.ts';
import type { Values } from './say.ts';
import { GIB, RowsTeller, rounded, type Told } from './say-rows.ts';

const YES = said('Yes', 'Ja', 'Sí', 'Oui');
const NO = said('No', 'Nein', 'No', 'Non');
/** Above it processors are called busy. */
const BUSY_PERCENT = 90;
/** Of these any is asked for. */
const COUNTED: ReadonlySet<Quantity> = new Set(['updates', 'security', 'units', 'oom']);
const DONE_UPDATES: ReadonlySet<Quantity> = new Set(['updates', 'security']);
/** Which packages they are is not read. */
const KERNEL = /\b(?:kernel|noyau|nucleo)\b/;
const SUFFICES =
  /\b(?:reicht|reichen|suffit|suffisent|alcanza|basta|system up to date|(?:machine|server|box|everything|packages) up to date|auf dem neuesten stand|al dia|est (?:il |elle )?a jour)\b/;

const TWO_IN_ONE = /\b(?:and|und|y|et) (?:is|are|does|how|wird|ist|wie|se|esta|si|est|s|il|cuanto|combien)\b/;

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export class MachineTeller extends RowsTeller {
  /** False where nothing of it is known. */
  say(): boolean {
    const { quantities, isPast, isFuture, isMeaning } = this.asked;
    const all = quantities.flatMap((one) =>
      one === 'all' ? (['load', 'cpu', 'memory', 'disk'] as const) : [one],
    );
    const told = all.map((one) => ({ one, ...this.#told(one) }));
    const meant = quantities.find((one) => MEANINGS[one] !== undefined);
    if (isMeaning && meant !== undefined) {
      this.tell.say(MEANINGS[meant] as Said);
      this.#sayEach(meant);
      for (const { text } of told.slice(0, 1)) this.#sentence(text);
      return true;
    }
    const [first] = told;
    const judged =
      told.length === 1 && first !== undefined && !isPast && !isFuture
        ? this.#judged(first.one, first)
        : null;
    if (isFuture && this.known) this.tell.say(T.future);
    else if (isPast && this.known)
      this.tell.say(
        quantities.some((one) => DONE_UPDATES.has(one))
          ? T.pastUpdates
          : quantities.includes('units')
            ? T.pastUnits
            : T.past,
      );
    const lead =
      judged === null
        ? ''
        : `${(judged ? YES : NO)[this.tell.language]}${this.tell.language === 'fr' ? ' ' : ''}: `;
    const texts = told.map(({ text }) => (typeof text === 'string' ? text : this.tell.text(text)));
    const timed = isPast || isFuture ? `${T.now[this.tell.language]}: ` : '';
    const whole = `${lead}${timed}${texts.join('; ')}`;
    this.tell.out.say`${plain(quantities.includes('network') && this.others !== '' ? whole : upper(whole))}.`;
    return this.known;
  }

  #sentence(text: Plain | string): void {
    this.tell.out.say`${plain(upper(typeof text === 'string' ? text : this.tell.text(text)))}.`;
  }

  /** "A load of 12 on 2 processors". */
  #sayEach(meant: Quantity): void {
    const [load, cpus] = this.asked.heard.amounts.filter(({ unit }) => unit === '').map(({ value }) => value);
    if (meant !== 'load' || load === undefined) return;
    const count = cpus ?? this.tell.out.read<number>(`${this.row}.cpus`);
    if (typeof count !== 'number' || count === 0) return;
    const each = this.tell.figure('each', rounded(load / count));
    const values = { given: String(load), count: this.tell.figure('processors', count), each };
    this.#sentence(this.tell.part(T.each, values));
  }

  /** Whether the answer begins with yes; null where it begins with the value. */
  #judged(one: Quantity, { isBad, sizes }: Told): boolean | null {
    const { amount, isWhether, heard } = this.asked;
    if (amount !== null) {
      const value = sizes?.[amount.unit];
      if (value === undefined || amount.compare === null || !isWhether) return null;
      return amount.compare === '>' ? value > amount.value : value < amount.value;
    }
    if (isBad && DONE_UPDATES.has(one) && KERNEL.test(heard.plain)) return null;
    const has = heard.has.bind(heard);
    const asksBad = has('j:bad', 'a:full', 'j:slow');
    const asksGood = has('j:good') || SUFFICES.test(heard.plain);
    if (COUNTED.has(one) && (isWhether || asksGood)) return asksGood ? !isBad : isBad;
    const always = one === 'reboot' || (one === 'clock' && !has('k:which'));
    const short = heard.plain.split(' ').length < 4 && (asksBad || asksGood);
    if (isBad === null || !(isWhether || always || short)) return null;
    // Whether there is one, and whether it is used.
    if (one === 'swap' && has('a:used') && TWO_IN_ONE.test(heard.plain)) return null;
    if (one === 'swap' && has('a:used') && !asksGood) return (sizes?.bytes ?? 0) > 0;
    if (
      /\b(?:mount\w*|hay|gibt|there|have|habe|tengo|tiene|hat|has)\b.* swap\b/.test(heard.plain) &&
      one === 'swap'
    )
      return (sizes?.[''] ?? 0) > 0;
    const isClock = one === 'clock';
    const good = asksGood || (isClock && !asksBad) || (!asksBad && has('a:free'));
    if (one === 'read-only' && /\bwrit(?:e)?able|beschreibbar/.test(heard.plain)) return !isBad;
    return good ? !isBad : isBad;
  }

  #number(column: string): number | null {
    const value = this.tell.out.read(`${this.row}.${column}`);
    return typeof value === 'number' ? value : null;
  }

  #at(column: string): Ground {
    return this.tell.out.ground(`${this.row}.${column}`);
  }

  #told(one: Quantity): Told {
    if (one === 'disk' || one === 'inodes' || one === 'read-only')
      return this.others === '' ? this.fullest() : this.disks(one);
    if (one === 'network' && this.others !== '') return this.interfaces();
    const [first = ''] = COLUMNS[one].vitals ?? [];
    const value = this.tell.out.read(`${this.row}.${first}`);
    if (value === null || value === undefined) return this.unknown(one);
    return this.#values(one);
  }

  #values(one: Quantity): Told {
    const at = this.#at.bind(this);
    const number = (column: string): number => this.#number(column) ?? 0;
    switch (one) {
      case 'load':
        return this.made(
          T.load,
          { one: at('load_one'), cpus: at('cpus'), five: at('load_five'), fifteen: at('load_fifteen') },
          number('load_one') > number('cpus'),
          { '': number('load_one') },
        );
      case 'cpu':
        return this.made(
          T.cpu,
          { cpu: at('cpu_percent'), cpus: at('cpus'), one: at('load_one') },
          number('cpu_percent') >= BUSY_PERCENT,
          { '%': number('cpu_percent'), '': number('cpu_percent') },
        );
      case 'cores':
        return this.made(T.cores, { cpus: at('cpus') }, null, { '': number('cpus') });
      case 'memory':
        return this.#memory();
      case 'swap':
        return this.#swap();
      case 'uptime': {
        const sec = number('uptime_sec');
        at('uptime_sec');
        const since = Date.parse(String(this.tell.out.value(`${this.row}.read`))) - sec * 1000;
        const values = {
          up: this.tell.figure('uptime', uptimeText(sec)),
          since: this.tell.figure('since', `${new Date(since).toISOString().slice(0, 16)}Z`),
        };
        return this.made(T.uptime, values, null);
      }
      case 'temperature':
        return this.made(
          T.temperature,
          { celsius: at('temperature_celsius') },
          this.limits.temperatureCelsius > 0 &&
            number('temperature_celsius') >= this.limits.temperatureCelsius,
          { celsius: number('temperature_celsius'), '': number('temperature_celsius') },
        );
      case 'network':
        return this.made(
          T.network,
          {
            received: this.tell.bytes('received', `${this.row}.received_per_sec`),
            sent: this.tell.bytes('sent', `${this.row}.sent_per_sec`),
          },
          null,
        );
      case 'pressure': {
        const of = (name: string) => at(`${name}_pressure_percent`);
        const five = (name: string) => at(`${name}_pressure_five_min_percent`);
        const limits = [
          ['memory', this.limits.memoryPressurePercent],
          ['io', this.limits.ioPressurePercent],
          ['cpu', this.limits.cpuPressurePercent],
        ] as const;
        return this.made(
          T.pressure,
          {
            ...{ cpu: of('cpu'), memory: of('memory'), io: of('io') },
            ...{ cpu5: five('cpu'), memory5: five('memory'), io5: five('io') },
          },
          limits.some(([name, limit]) => limit > 0 && number(`${name}_pressure_five_min_percent`) >= limit),
        );
      }
      case 'iowait':
      case 'io':
        return this.made(T.iowait, { wait: at('io_wait_percent') }, null, {
          '%': number('io_wait_percent'),
        });
      case 'steal':
        return this.made(T.steal, { steal: at('steal_percent') }, null, { '%': number('steal_percent') });
      case 'units':
        return this.#units();
      case 'updates':
      case 'security': {
        const values = { all: at('updates'), security: at('security_updates'), asOf: at('updates_as_of') };
        const count = number(one === 'updates' ? 'updates' : 'security_updates');
        return this.made(KERNEL.test(this.asked.heard.plain) ? T.kernel : T[one], values, count > 0, {
          '': count,
        });
      }
      case 'reboot': {
        const needed = at('reboot_required').value === true;
        const values: Values = needed ? { reason: at('reboot_reason') } : {};
        return this.made(needed ? T.reboot : T.noReboot, values, needed);
      }
      case 'oom':
        return this.made(
          T.oom,
          { all: at('oom_kills'), hour: at('oom_kills_hour') },
          number('oom_kills') > 0,
          { '': number('oom_kills') },
        );
      case 'clock': {
        const isKept = at('clock_synchronised').value === true;
        const values: Values = isKept ? { error: at('clock_error_ms') } : {};
        return this.made(isKept ? T.clock : T.noClock, values, !isKept);
      }
      default:
        return this.unknown(one);
    }
  }

  #memory(): Told {
    const [all, free] = [this.#number('memory_bytes') ?? 0, this.#number('memory_available_bytes') ?? 0];
    const used = all - free;
    const { heard } = this.asked;
    const share = (part: number): number => (all === 0 ? 0 : Math.round((100 * part) / all));
    const asksUsed = heard.has('a:used', 'a:full', 'u:use') || this.asked.amount?.unit === '%';
    const isTotal = heard.has('a:total') && !heard.has('a:free') && !asksUsed;
    const values = {
      free: this.tell.bytes('memory_available', `${this.row}.memory_available_bytes`),
      all: this.tell.bytes('memory', `${this.row}.memory_bytes`),
      used: this.tell.figure('memory_used', this.#sizeText(used)),
      percent: this.tell.figure('memory_percent', share(asksUsed ? used : free)),
    };
    const text = isTotal ? T.memoryTotal : asksUsed && !heard.has('a:free') ? T.memoryUsed : T.memory;
    const size = heard.has('a:free') ? free : isTotal ? all : used;
    return this.made(text, values, share(free) < this.limits.memoryAvailablePercent, {
      '%': share(size),
      bytes: size,
    });
  }

  #swap(): Told {
    const [all, free] = [this.#number('swap_bytes') ?? 0, this.#number('swap_free_bytes') ?? 0];
    if (all === 0) return this.made(T.noSwap, { zero: this.#at('swap_bytes') }, false, { bytes: 0, '': 0 });
    const values = {
      used: this.tell.figure('swap_used', this.#sizeText(all - free)),
      all: this.tell.bytes('swap', `${this.row}.swap_bytes`),
      free: this.tell.bytes('swap_free', `${this.row}.swap_free_bytes`),
    };
    return this.made(T.swap, values, free < all / 10, {
      bytes: all - free,
      '%': (100 * (all - free)) / all,
      '': all,
    });
  }

  #sizeText(bytes: number): string {
    const [value, unit] = [bytes / GIB, 'GiB'];
    return value >= 1 || bytes === 0 ? `${rounded(value)} ${unit}` : `${Math.round(bytes / 1024 ** 2)} MiB`;
  }

  #units(): Told {
    const told = this.made(
      T.units,
      { count: this.#at('failed_units') },
      (this.#number('failed_units') ?? 0) > 0,
      {
        '': this.#number('failed_units') ?? 0,
      },
    );
    const names = this.others === '' ? [] : this.tell.out.items(this.others, 6).map((get) => get('name'));
    if (names.length === 0) return told;
    const list = this.tell.out.join(names, this.tell.out.read(`${this.others}.length`));
    return { ...told, text: `${this.tell.text(told.text as Plain)} (${list.text})` };
  }
}
