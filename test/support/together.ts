/**
 * Scenes that mostly wait: all of a suite start with the first one, at most `atOnce` at a time, and each is reported as a
 * separate test. They must not share anything that one of them changes; a hook of each test would end what another one uses.
 */
type Scene<C> = (context: C) => Promise<void>;

/** `const beside = together<Context>()`, then `test('…', beside(async (context) => { … }))`. */
export function together<C>(atOnce = Number.POSITIVE_INFINITY): (scene: Scene<C>) => Scene<C> {
  const scenes: Scene<C>[] = [];
  let ends: readonly Promise<PromiseSettledResult<void>>[] | null = null;
  return (scene) => {
    const number = scenes.push(scene) - 1;
    return async (context) => {
      ends ??= started(scenes, context, atOnce);
      const end = await ends[number];
      if (end?.status === 'rejected') throw end.reason;
    };
  };
}

/** Each scene of a lane begins when the one before it has ended. */
function started<C>(
  scenes: readonly Scene<C>[],
  context: C,
  atOnce: number,
): Promise<PromiseSettledResult<void>>[] {
  const ends: Promise<PromiseSettledResult<void>>[] = [];
  for (const [number, scene] of scenes.entries())
    ends.push(
      (async () => {
        await ends[number - atOnce];
        return (await Promise.allSettled([scene(context)]))[0];
      })(),
    );
  return ends;
}
