/**
 * Scenes that wait more than they work: all of a suite begin with its first one, and each is told as a test of its own. They share
 * nothing that one of them changes; a hook of each test would end what belongs to another.
 */
type Scene<C> = (context: C) => Promise<void>;

/** `const beside = together<Context>()`, then `test('…', beside(async (context) => { … }))`. */
export function together<C>(): (scene: Scene<C>) => Scene<C> {
  const scenes: Scene<C>[] = [];
  let ends: readonly Promise<PromiseSettledResult<void>>[] | null = null;
  return (scene) => {
    const number = scenes.push(scene) - 1;
    return async (context) => {
      ends ??= scenes.map(async (one) => (await Promise.allSettled([one(context)]))[0]);
      const end = await ends[number];
      if (end?.status === 'rejected') throw end.reason;
    };
  };
}
