/** Programs with set-user-ID, set-group-ID or file capabilities. */
import { type Parser, type PlacedFile, places } from '../place.ts';
import { capabilityNames, rightsOf, setsGroup, setsUser } from '../rights.ts';

/** By default, useradd(8). */
const FIRST_SUBORDINATE = 100_000;

const privileged: Parser = ({ path, file }) => {
  const rights = rightsOf(file);
  const when = `when a user runs it (${rights})`;
  return rights === '' ? [] : [{ runs: path, when, ...(!setsUser(file) && { user: 'each user' }) }];
};

/** Users of containers have such files in ranges of ids that are theirs (subuid(5)). */
function isOfContainer({ file }: PlacedFile): boolean {
  const ids = [...(setsUser(file) ? [file.uid] : []), ...(setsGroup(file) ? [file.gid] : [])];
  return (
    ids.length > 0 &&
    ids.every((id) => id >= FIRST_SUBORDINATE) &&
    capabilityNames(file.capabilities ?? '').length === 0
  );
}

/** yp-tools.postinst has dpkg-statoverride(1) do so: passwords of NIS need root. */
const isOfNis = ({ path, file: { mode, uid, md5, owners = [] } }: PlacedFile): boolean =>
  path === '/usr/sbin/unix_chkpwd' &&
  mode === 0o4755 &&
  uid === 0 &&
  owners.some((owner) => owner.name === 'libpam-modules-bin' && owner.digest !== '' && owner.digest === md5);

export const RIGHTS = places([
  {
    id: 'privileged-program',
    title: 'program with set-user-ID, set-group-ID or capabilities',
    files: ['/**/*'],
    depth: 'privileged',
    parse: privileged,
    // A package refreshes with each version what it brings in a file system of its own, read-only.
    expected: (_, placed) => placed.path.startsWith('/snap/') || isOfContainer(placed) || isOfNis(placed),
    when: 'when a user runs it',
    user: 'owner',
    severity: 'high',
    benign:
      'Some programs that are installed by hand need it, as those of containers, sandboxes and packet capture.',
    techniques: ['T1548.001', 'T1548'],
    starts: false,
  },
]);
