/** Programs that run with rights of others. */
import { type Parser, places } from '../place.ts';
import { rightsOf, setsUser } from '../rights.ts';

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
    // A package refreshes with each version what it brings in a file system of its own, read-only.
    expected: (_, { path }) => path.startsWith('/snap/'),
    when: 'when a user runs it',
    user: 'owner',
    severity: 'high',
    benign:
      'Some programs that are installed by hand need it, as those of containers, sandboxes and packet capture.',
    techniques: ['T1548.001', 'T1548'],
  },
]);
