/** Who vouches for an entry of startup places, in words. */
import type { StartupAnswer } from './startup.ts';

type Entry = StartupAnswer['entries'][number];

interface VouchedWords {
  readonly tone: 'good' | 'calm' | 'warn' | 'bad';
  readonly word: string;
  /** What belongs behind it; "" without one. */
  readonly more: string;
}

/** `show`: what was asked for. A link that no package has is listed among what no package vouches for. */
export function vouchedWords(
  { vouched, package: by, configuration, link }: Entry,
  show: 'unvouched' | 'all',
): VouchedWords {
  switch (vouched) {
    case 'package':
      return show === 'unvouched' && link !== ''
        ? { tone: 'calm', word: 'link', more: `to a file of ${by}` }
        : { tone: 'good', word: 'package', more: by };
    case 'earlier':
      return { tone: 'good', word: 'package', more: `${by}, before the file changed` };
    case 'copy':
      return { tone: 'calm', word: 'copy', more: `of a file of ${by}` };
    case 'changed':
      return { tone: configuration ? 'warn' : 'bad', word: 'changed', more: `not as in ${by}` };
    case 'none':
      // Of a packaged program that runs with rights its package does not have.
      return {
        tone: 'warn',
        word: 'no package',
        more: by === '' ? '' : `gives it these rights, not ${by} either`,
      };
  }
}
