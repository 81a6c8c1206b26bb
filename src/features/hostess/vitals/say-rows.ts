/** What answers about the machine say of rows: file systems and network interfaces. */
import type { Law } from '../../../policy/law.ts';
import type { Plain } from '../answer-builder.ts';
import type { Said } from '../grammar/table.ts';
import type { VitalAsked } from './asked.ts';
import type { Quantity } from './hear.ts';
import { TEXTS as T } from './machine-texts.ts';
import { NAMES } from './quantities.ts';
import type { Teller, Values } from './say.ts';

export const GIB = 1024 ** 3;
export const MOST_DISKS = 4;
export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** What the value says: a sentence, and whether it is a concern, where that can be said. */
export interface Told {
  readonly text: Plain | string;
  readonly isBad: boolean | null;
  /** What an amount is compared with, by unit. */
  readonly sizes?: Readonly<Partial<Record<'%' | 'bytes' | 'celsius' | '', number>>>;
}

export class RowsTeller {
  protected readonly tell: Teller;
  protected readonly asked: VitalAsked;
  protected readonly limits: Law['vitals'];
  /** Paths of the row of `vitals`, and of the rows of another table. */
  protected readonly row: string;
  protected readonly others: string;
  /** Whether something was known. */
  protected known = false;

  constructor(
    tell: Teller,
    asked: VitalAsked,
    limits: Law['vitals'],
    paths: { readonly row: string; readonly others: string },
  ) {
    this.tell = tell;
    this.asked = asked;
    this.limits = limits;
    this.row = paths.row;
    this.others = paths.others;
  }

  protected unknown(one: Quantity): Told {
    const name = NAMES[one][this.tell.language];
    return { text: this.tell.part(T.unknown, { what: name }), isBad: null };
  }

  protected made(text: Said, values: Values, isBad: boolean | null, sizes: Told['sizes'] = {}): Told {
    this.known = true;
    return { text: this.tell.part(text, values), isBad, sizes };
  }

  /** Of the row of the machine: where several were asked for. */
  protected fullest(): Told {
    const [path, share] = [`${this.row}.fullest_disk`, `${this.row}.fullest_disk_free_percent`];
    if (typeof this.tell.out.read(share) !== 'number') return this.unknown('disk');
    const values = { path: this.tell.out.ground(path), percent: this.tell.out.ground(share) };
    return this.made(T.fullest, values, null);
  }

  protected interfaces(): Told {
    const rows = this.tell.out.rows(this.others, MOST_DISKS);
    if (rows.length === 0) {
      const { place } = this.asked;
      return place === null ? this.unknown('network') : this.made(T.noInterface, { place }, null);
    }
    const texts = rows.map((row) => {
      const get = this.tell.out.at(row);
      const name = String(get('name').value);
      const total = this.tell.part(T.interface, {
        ...{ name: get('name'), errors: get('errors'), dropped: get('dropped') },
        received: this.tell.bytes(`${name}_received`, `${row}.received_bytes`),
        sent: this.tell.bytes(`${name}_sent`, `${row}.sent_bytes`),
      });
      if (typeof this.tell.out.read(`${row}.received_per_sec`) !== 'number') return this.tell.text(total);
      const rate = this.tell.part(T.rate, {
        received: this.tell.bytes(`${name}_in`, `${row}.received_per_sec`),
        sent: this.tell.bytes(`${name}_out`, `${row}.sent_per_sec`),
      });
      return `${this.tell.text(total)}, ${this.tell.text(rate)}`;
    });
    this.known = true;
    return { text: texts.join('; '), isBad: null };
  }

  protected disks(one: 'disk' | 'inodes' | 'read-only'): Told {
    const list = this.others;
    const all = this.tell.out.read<number>(`${list}.length`) ?? 0;
    const { place, heard } = this.asked;
    if (all === 0) return place === null ? this.unknown(one) : this.made(T.noDisk, { place }, null);
    const rows = this.tell.out.rows(list, all);
    const above = this.above(one, place, rows);
    if (above !== null) return above;
    const read = (row: string, key: string): unknown => this.tell.out.read(`${row}.${key}`);
    if (one === 'read-only') return this.readOnly(rows, all);
    const share = one === 'disk' ? 'available_percent' : 'free_inodes_percent';
    const isWritten = (row: string): boolean => read(row, 'read_only') !== true || place !== null;
    const amount = this.asked.amount;
    const isKnown = (row: string): boolean => typeof read(row, share) === 'number';
    const sizeOf = (row: string): number | null => {
      const percent = Number(read(row, share));
      const free = heard.has('a:free') || one === 'inodes';
      if (amount?.unit === '%' || amount?.unit === '') return free ? percent : 100 - percent;
      const [left, size] = [Number(read(row, 'available_bytes')), Number(read(row, 'bytes'))];
      return free ? left : heard.has('a:used', 'a:full') ? size - left : heard.has('a:total') ? size : left;
    };
    const writable = rows.filter((row) => isWritten(row) && isKnown(row));
    const isList = amount !== null && !this.asked.isWhether;
    const compared = (row: string): boolean =>
      amount === null ||
      (amount.compare === '>' ? Number(sizeOf(row)) > amount.value : Number(sizeOf(row)) < amount.value);
    const chosen = isList ? writable.filter(compared) : writable;
    if (isList && chosen.length === 0)
      return this.made(T.noneSuch, { count: this.tell.figure('file_systems', all) }, null);
    const texts = (chosen.length > 0 ? chosen : rows).slice(0, MOST_DISKS).map((row) => this.disk(row, one));
    const isBad = writable.some((row) => this.isFull(row, one));
    const sizes = writable.map(sizeOf).filter((size) => size !== null);
    const worst =
      sizes.length === 0 ? undefined : amount?.compare === '<' ? Math.min(...sizes) : Math.max(...sizes);
    const unit = amount?.unit ?? '%';
    const more = chosen.length > MOST_DISKS ? ' …' : '';
    this.known ||= writable.length > 0;
    return {
      text: texts.join('; ') + more,
      isBad: writable.length === 0 ? null : isBad,
      sizes: worst === undefined ? {} : { [unit]: worst },
    };
  }

  /** Of a folder that is no mount point: the file system above it, unless one in between was not asked. */
  protected above(
    one: 'disk' | 'inodes' | 'read-only',
    place: string | null,
    [row = '']: readonly string[],
  ): Told | null {
    const path = this.tell.out.read(`${row}.path`);
    const asked = place?.replace(/(?<=.)\/$/, '') ?? null;
    if (asked === null || (!asked.startsWith('/dev/shm') && asked.startsWith('/dev/'))) return null;
    if (!asked.startsWith('/') || path === asked || one === 'read-only') return null;
    const none = this.made(T.noDisk, { place: asked }, null);
    const holder = this.disk(row, one);
    return { ...none, text: this.tell.part(T.above, { none: this.tell.text(none.text as Plain), holder }) };
  }

  protected isFull(row: string, one: 'disk' | 'inodes'): boolean {
    const at = (key: string): number => Number(this.tell.out.read(`${row}.${key}`));
    if (one === 'inodes') return at('free_inodes_percent') < this.limits.inodesFreePercent;
    return (
      at('available_percent') < this.limits.diskFreePercent &&
      at('available_bytes') < this.limits.diskFreeGib * GIB
    );
  }

  protected disk(row: string, one: 'disk' | 'inodes'): string {
    const get = this.tell.out.at(row);
    const path = get('path');
    const name = String(path.value);
    const share = one === 'disk' ? 'available_percent' : 'free_inodes_percent';
    if (typeof this.tell.out.read(`${row}.${share}`) !== 'number') {
      const reason = this.tell.out.read(`${row}.reason`);
      if (one === 'inodes') return this.tell.text(this.tell.part(T.noInodes, { path }));
      const why = typeof reason === 'string' ? get('reason') : '?';
      return this.tell.text(this.tell.part(T.unread, { path, reason: why }));
    }
    if (one === 'inodes')
      return this.tell.text(
        this.tell.part(T.inodes, {
          path,
          percent: get(share),
          free: get('free_inodes'),
          all: get('inodes'),
        }),
      );
    const free = get('available_percent');
    return this.tell.text(
      this.tell.part(T.disk, {
        path,
        full: this.tell.figure(`${name}_full`, rounded(100 - Number(free.value))),
        free: this.tell.bytes(`${name}_free`, `${row}.available_bytes`),
        all: this.tell.bytes(`${name}_size`, `${row}.bytes`),
      }),
    );
  }

  protected readOnly(rows: readonly string[], all: number): Told {
    const found = rows.filter((row) => this.tell.out.read(`${row}.read_only`) === true);
    this.known = true;
    if (found.length === 0) {
      for (const row of rows.slice(0, MOST_DISKS)) {
        this.tell.out.ground(`${row}.read_only`);
        this.tell.out.ground(`${row}.turned_read_only`);
      }
      return this.made(T.noneReadOnly, { count: this.tell.figure('file_systems', all) }, false);
    }
    const texts = found.slice(0, MOST_DISKS).map((row) => {
      const get = this.tell.out.at(row);
      return this.tell.text(
        this.tell.part(T.readOnly, { path: get('path'), turned: get('turned_read_only') }),
      );
    });
    return { text: texts.join('; '), isBad: true };
  }
}
