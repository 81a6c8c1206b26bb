/** A farm of idle processes. */
import { type Actors, startActors } from './actor.ts';

/** Starts `count` idle processes; they end with `stop()` or with this process. */
export function startFarm(count: number): Promise<Actors> {
  return startActors([`farm=${count}`]);
}
