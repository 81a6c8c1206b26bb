import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resident } from './resident.ts';

export const btop: Resident = {
  id: 'btop',
  debianPackage: 'btop',
  does: 'btop, drawing every 1,000 ms on a terminal of 160 by 50, script(1) not counted',
  needs: { btop: 'btop', script: 'bsdutils' },
  version: ['--version'],
  pattern: /version: ([\w.]+)/,
  settleSec: 4,
  run(folder) {
    const config = join(folder, 'btop');
    mkdirSync(config);
    // Older ones have no option for the interval, all have this key.
    writeFileSync(join(config, 'btop.conf'), 'update_ms = 1000\n');
    const pidFile = join(folder, 'pid');
    const inside = `stty cols 160 rows 50; echo $$ > ${pidFile}; exec btop --utf-force`;
    return {
      words: ['script', '-qfc', inside, '/dev/null'],
      env: { XDG_CONFIG_HOME: folder, TERM: 'xterm-256color', SHELL: '/bin/sh' },
      pidFile,
    };
  },
};
