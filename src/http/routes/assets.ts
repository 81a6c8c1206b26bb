/** What the pages load, for the public listener too: this file reaches nothing that controls the desk. */
import { asset } from '../assets.ts';
import type { Reply } from '../endpoint.ts';
import { Problem } from '../errors.ts';

/** `may` says which names this listener serves. */
export const assetRoute =
  (may: (name: string) => boolean = () => true) =>
  ({ params: { name } }: { readonly params: { readonly name: string } }): Reply => {
    const found = may(name) ? asset(name) : undefined;
    if (found === undefined)
      throw new Problem(
        'not-found',
        'The pages load no file of this name. After an upgrade, reload the page.',
      );
    return { asset: found };
  };
