/** Comparisons of one of our sides with a peer or a floor, or the reason why they cannot be measured. */
import type { Ready } from '../peers/index.ts';
import { alternate, type Round } from '../rounds.ts';
import { CannotRun, type Comparison, type Goal, type Options } from './case.ts';

/** One side of a comparison. */
export interface Side {
  readonly does: string;
  /** Calls left out at the start of each round. */
  readonly warmUp: number;
  round(passes: number): Round;
}

/** A case's own side with the facts of its newest round. */
interface OwnSide extends Side {
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Stores the facts that rounds report. */
export function ownSide(does: string, warmUp: number, round: (passes: number) => Round): OwnSide {
  let facts: Round['facts'] = {};
  return {
    does,
    warmUp,
    get facts() {
      return facts;
    },
    round: (passes) => {
      const done = round(passes);
      facts = done.facts;
      return done;
    },
  };
}

/** Conversion of µs; per second where a share is reported. */
const UNITS = { µs: 1, ms: 1e-3, '% of a core': 1e-4 } as const;
type Unit = keyof typeof UNITS;

interface Asked {
  readonly name: string;
  readonly unit?: Unit;
  readonly goals?: readonly Goal[];
  /** Passes per round of B where it is much slower than A. */
  readonly passesB?: number;
}

const inUnit = (us: readonly number[], unit: Unit): number[] => us.map((each) => each * UNITS[unit]);

/** Measures A and B in turns, or A alone. */
export async function against(
  { name, unit = 'µs', goals = [], passesB }: Asked,
  a: Side,
  b: Side | null,
  { rounds, passes }: Options,
): Promise<Comparison> {
  try {
    const sides = [() => inUnit(a.round(passes).us, unit)];
    if (b !== null) sides.push(() => inUnit(b.round(passesB ?? passes).us, unit));
    const [rawA = [], rawB] = await alternate(rounds, sides);
    const measured = { name, goals, a: a.does, unit, rawA, warmUp: a.warmUp };
    return b === null || rawB === undefined ? measured : { ...measured, b: b.does, rawB };
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    return { name, goals, unit, notRun: error.message };
  }
}

/** One of our forms in a grid. */
export interface Form {
  /** The name of the comparison of the form alone, and put before those with rivals. */
  readonly name: string;
  readonly side: Side;
  /** Goals of the form alone. */
  readonly goals: readonly Goal[];
  /** Goals by the peer's name. */
  readonly against: Readonly<Record<string, readonly Goal[]>>;
}

/** What all forms are compared with. */
export interface Rival {
  /** `ps`, `our procfs backend`. */
  readonly name: string;
  readonly side: Side;
  readonly passes: number;
}

/** Peers as rivals, and those that are absent, with the reason. */
export function rivals(
  peers: readonly Ready[],
  { passes }: Options,
): (Rival | { name: string; absent: string })[] {
  return peers.map((peer) => {
    if ('absent' in peer) return { name: peer.peer, absent: peer.absent };
    const form = peer.form === 'call' ? 'a call in its process' : 'a whole run';
    const side: Side = { ...peer, does: `${peer.does}, ${form} (${peer.peer} ${peer.version})` };
    // Few calls are enough if each takes tens of milliseconds or more.
    return { name: peer.peer, side, passes: peer.slow ? 1 : Math.max(2, Math.ceil(passes / 5)) };
  });
}

type Raw = readonly (readonly number[])[];

/** A side's rounds, or why it does not run. */
interface Taken {
  readonly side: Side;
  readonly raw: number[][];
  notRun: string;
}

/**
 * Measures every form beside every rival: each side once per round, in turns, so that a form and a rival of one round were
 * neighbours. A comparison per form alone, when it has goals of its own, and per pair.
 */
export async function grid(
  forms: readonly Form[],
  all: readonly (Rival | { readonly name: string; readonly absent: string })[],
  { rounds, passes }: Options,
  unit: Unit = 'µs',
): Promise<Comparison[]> {
  const take = (side: Side): Taken => ({ side, raw: [], notRun: '' });
  const ours = forms.map((form) => ({ ...form, ...take(form.side), passes }));
  const theirs = all.map((rival) => ('absent' in rival ? rival : { ...rival, ...take(rival.side) }));
  for (let round = 0; round < rounds; round += 1) {
    for (const taken of [...ours, ...theirs]) {
      if ('absent' in taken || taken.notRun !== '') continue;
      try {
        taken.raw.push(inUnit(taken.side.round(taken.passes).us, unit));
      } catch (error) {
        if (!(error instanceof CannotRun)) throw error;
        taken.notRun = error.message;
      }
    }
  }
  return ours.flatMap((form): Comparison[] => {
    if (form.notRun !== '') {
      const goals = [...form.goals, ...Object.values(form.against).flat()];
      return [{ name: form.name, goals, unit, notRun: form.notRun }];
    }
    const { does, warmUp } = form.side;
    const measured = { a: does, unit, rawA: form.raw as Raw, warmUp };
    const alone = form.goals.length === 0 ? [] : [{ ...measured, name: form.name, goals: form.goals }];
    const pairs = theirs.flatMap((rival): Comparison[] => {
      const name = `${form.name} against ${rival.name}`;
      const goals = form.against[rival.name] ?? [];
      const notRun = 'absent' in rival ? rival.absent : rival.notRun;
      if (!('absent' in rival) && notRun === '')
        return [{ ...measured, name, goals, b: rival.side.does, rawB: rival.raw }];
      // The reason for a missing rival is reported once, and for each goal that it leaves open.
      return goals.length === 0 && form !== ours[0] ? [] : [{ name, goals, notRun }];
    });
    return [...alone, ...pairs];
  });
}
