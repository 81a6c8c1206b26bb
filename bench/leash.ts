/** Arguments before a command that must not outlive its starter, or runs as an ordinary user (setpriv(1), util-linux). */
import { ordinaryUser } from '../test/support/require.ts';
import { programPath } from './peers/peer.ts';

const setpriv = programPath('setpriv');

/**
 * The command with the signal that the kernel sends when its starter ends for any reason (PR_SET_PDEATHSIG,
 * prctl(2)). Without setpriv it is started unchanged.
 */
export function leashed(words: readonly string[], signal: 'KILL' | 'TERM' = 'KILL'): string[] {
  return setpriv === undefined ? [...words] : [setpriv, '--pdeathsig', signal, '--', ...words];
}

/** The command as an ordinary user, leashed: changing the user would remove the leash. Only root can; throws where there is no setpriv. */
export function asOrdinary(words: readonly string[], signal: 'KILL' | 'TERM' = 'KILL'): string[] {
  if (setpriv === undefined) throw new Error('setpriv is not installed (Debian package util-linux)');
  const user = [`--reuid=${ordinaryUser.uid}`, `--regid=${ordinaryUser.gid}`, '--clear-groups'];
  return [setpriv, ...user, '--pdeathsig', signal, '--', ...words];
}
