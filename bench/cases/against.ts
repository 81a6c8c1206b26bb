/** Comparisons of one side of ours with a peer or a floor, with what stands in the way told in their place. */
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
export interface OwnSide extends Side {
  readonly facts: Readonly<Record<string, string | number>>;
}

/** Remembers the facts that rounds tell. */
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

interface Asked {
  readonly name: string;
  readonly unit?: 'µs' | 'ms';
  readonly goals?: readonly Goal[];
  /** Passes per round of B where it is much slower than A. */
  readonly passesB?: number;
}

const inUnit = (us: readonly number[], unit: string): number[] =>
  unit === 'µs' ? [...us] : us.map((each) => each / 1000);

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

/** Measures A against each peer; `goals` by the peer's id. Whole runs of programs take as few passes as calls of slow ones. */
export async function againstPeers(
  peers: readonly Ready[],
  a: Side,
  goals: Readonly<Record<string, readonly Goal[]>>,
  options: Options,
): Promise<Comparison[]> {
  const found: Comparison[] = [];
  for (const peer of peers) {
    const asked = goals[peer.peer] ?? [];
    if ('absent' in peer) {
      found.push({ name: `against ${peer.peer}`, goals: asked, notRun: peer.absent });
      continue;
    }
    const form = peer.form === 'call' ? 'a call in its process' : 'a whole run';
    const side: Side = { ...peer, does: `${peer.does}, ${form} (${peer.peer} ${peer.version})` };
    const passesB = Math.max(2, Math.ceil(options.passes / 5));
    found.push(await against({ name: `against ${peer.peer}`, goals: asked, passesB }, a, side, options));
  }
  return found;
}
