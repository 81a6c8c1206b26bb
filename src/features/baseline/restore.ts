/** Which generations can be held again. */
import { DeskError } from '../../desk.ts';
import type { GuardedStore } from '../../store/guarded.ts';
import { storeFails } from './refusals.ts';
import type { Generation } from './rows.ts';

const LIST = 'List them with "desk baseline list".';

/** @throws DeskError when there is no such generation, when its digest does not verify, or when it is the held one. */
export function restorable(store: GuardedStore, number: number): Generation {
  const from = store.generations().find((generation) => generation.number === number);
  if (from === undefined) throw new DeskError('not-found', `There is no generation ${number}.`, LIST);
  const sound = store.verify(number);
  if (sound === null) throw storeFails(store);
  if (sound.state !== 'sound')
    throw new DeskError(
      'refused',
      `Generation ${number} cannot be restored: ${sound.detail}.`,
      'Take one that "desk baseline list" shows as sound; generation 0 is empty.',
    );
  if (number === store.standing().baseline.generation)
    throw new DeskError('refused', `Generation ${number} is the held one.`, LIST);
  return from;
}
