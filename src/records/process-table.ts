/** `GET /h7/processes` (`H7_PROCESSES`): the process table as columns of equal length, one place per process. */
import { z } from 'zod';
import { count, type RecordOf, wordsFor } from './define.ts';
import { TIME } from './finding.ts';
import type { Moment } from './moment.ts';
import { offsetTime } from './time.ts';

const KINDS = ['process', 'kernel', 'fried'] as const;
export type ProcessKind = (typeof KINDS)[number];
const WRAPS = ['free', 'wrapped', 'blind', 'none'] as const;
export type ProcessWrap = (typeof WRAPS)[number];

const text = z.string();

/** Each column with the type of its values and its meaning. */
const COLUMNS = {
  pid: [count, 'process'],
  ppid: [count.nullable(), 'its parent, 0 for none; null where its stat file could not be read'],
  uid: [count.nullable(), 'real user; null where its status file could not be read'],
  comm: [text, 'name; bytes that are no UTF-8 as U+FFFD, here and below'],
  executable: [text, 'path of what it runs; "" without one or unread'],
  state: [text, 'letter of proc_pid_stat(5); ? where it could not be read'],
  kind: [z.enum(KINDS), 'a process, a kernel thread, or (fried) a zombie or dead one'],
  wrap: [z.enum(WRAPS), 'its confinement; none: there is nothing to confine'],
  by: [text, 'of a wrapped one what confines it, of a blind one what was refused; else ""'],
  start: [text.nullable(), 'when it started, RFC 3339 to the second; null where that is unread'],
  threads: [count.nullable(), 'its threads; null where its stat file could not be read'],
  own: [z.int().min(0).max(1), '1: the desk itself or a process of its tree'],
  findings: [count, 'open findings about it'],
} as const;
type Columns = typeof COLUMNS;

/** Lists of equal length, by pid. */
export type ProcessesAsked = { readonly moment: Moment } & {
  readonly [K in keyof Columns]: z.output<Columns[K][0]>[];
};

const { field, constant, record } = wordsFor<ProcessesAsked>();

const column = <K extends keyof Columns>(key: K) => {
  const [type, meaning] = COLUMNS[key] as Columns[K];
  return field(z.array(type as Columns[K][0]), meaning, (asked) => asked[key] as never);
};

export const processTable = record(
  'ProcessTable',
  'The processes of a snapshot: lists of equal length, one place per process, by pid',
  {
    ts: field(text, TIME, ({ moment }) => offsetTime(moment.snapshot.at)),
    word: constant('H7_PROCESSES', 'name of this answer'),
    generation: field(
      count,
      'generation of the snapshot; while it is the same, nothing but ts differs',
      ({ moment }) => moment.snapshot.generation,
    ),
    total: field(count, 'processes: the length of every list', ({ pid }) => pid.length),
    pid: column('pid'),
    ppid: column('ppid'),
    uid: column('uid'),
    comm: column('comm'),
    executable: column('executable'),
    state: column('state'),
    kind: column('kind'),
    wrap: column('wrap'),
    by: column('by'),
    start: column('start'),
    threads: column('threads'),
    own: column('own'),
    findings: column('findings'),
  },
);
export type ProcessTable = RecordOf<typeof processTable>;
