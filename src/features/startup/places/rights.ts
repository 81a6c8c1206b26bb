/** Programs that run with rights of others. */
import { type Parser, places } from '../place.ts';
import { rightsOf, setsUser } from '../rights.ts';

/** By default, useradd(8). */
const FIRST_SUBORDINATE = 100_000;

const privileged: Parser = ({ path, file }) => {
  const rights = rightsOf(file);
  const when = `when a user runs it (${rights})`;
  return rights === '' ? [] : [{ runs: path, when, ...(!setsUser(file) && { user: 'each user' }) }];
};

export const RIGHTS = places([
  {
    id: 'privileged-program',
    title: 'program that runs with rights of others',
    files: ['/**/*'],
    depth: 'privileged',
    parse: privileged,
    // A package refreshes with each version what it brings in a file system of its own, read-only; and users of containers have such
    // files in ranges of ids that are theirs (subuid(5)).
    expected: (_, { path, file: { uid, capabilities = '' } }) =>
      path.startsWith('/snap/') || (uid >= FIRST_SUBORDINATE && capabilities === ''),
    when: 'when a user runs it',
    user: 'owner',
    severity: 'high',
    benign:
      'Some programs that are installed by hand need it, as those of containers, sandboxes and packet capture.',
    techniques: ['T1548.001', 'T1548'],
    starts: false,
  },
]);
