/** psutil, from the Python that Debian's package belongs to. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { foreignRound } from '../rounds.ts';
import type { Peer, PeerWork } from './peer.ts';

const PYTHON = '/usr/bin/python3';
const program = fileURLToPath(new URL('psutil_round.py', import.meta.url));

const work = (what: string, does: string): PeerWork => ({
  does,
  form: 'call',
  warmUp: 1,
  round: (passes) => foreignRound(PYTHON, [program, what, passes]),
});

export const psutil: Peer = {
  id: 'psutil',
  slow: false,
  works: ['processes', 'listeners'],
  find() {
    const asked = spawnSync(PYTHON, ['-c', 'import psutil; print(psutil.__version__)'], { encoding: 'utf8' });
    if (asked.status !== 0) return { absent: 'psutil is not installed (Debian package python3-psutil)' };
    return {
      version: asked.stdout.trim(),
      works: {
        processes: work('processes', 'psutil.process_iter(pid, ppid, name, uids, create_time)'),
        listeners: work('listeners', "psutil.net_connections('inet')"),
      },
    };
  },
};
