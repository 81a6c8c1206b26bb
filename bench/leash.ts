/** Words before a command: what must not outlive its starter, and what runs as an ordinary user (setpriv(1), util-linux). */
import { ordinaryUser } from '../test/support/require.ts';
import { programPath } from './peers/peer.ts';

const setpriv = programPath('setpriv');

/**
 * The command with the signal that the kernel sends it when whoever started it ends, however that ends (PR_SET_PDEATHSIG,
 * prctl(2)). Without setpriv it is started as it is.
 */
export function leashed(words: readonly string[], signal: 'KILL' | 'TERM' = 'KILL'): string[] {
  return setpriv === undefined ? [...words] : [setpriv, '--pdeathsig', signal, '--', ...words];
}

/** The command as an ordinary user, leashed: a change of user unties it. Only root can; throws where there is no setpriv. */
export function asOrdinary(words: readonly string[], signal: 'KILL' | 'TERM' = 'KILL'): string[] {
  if (setpriv === undefined) throw new Error('setpriv is not installed (Debian package util-linux)');
  const user = [`--reuid=${ordinaryUser.uid}`, `--regid=${ordinaryUser.gid}`, '--clear-groups'];
  return [setpriv, ...user, '--pdeathsig', signal, '--', ...words];
}
