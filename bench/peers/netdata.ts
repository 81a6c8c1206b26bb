import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Resident } from './resident.ts';

export const netdata: Resident = {
  id: 'netdata',
  debianPackage: 'netdata',
  does: 'netdata, default configuration with apps.plugin, as root, bound to loopback, private folders',
  needs: { netdata: 'netdata' },
  version: ['-V'],
  pattern: /netdata v?([\w.-]+)/,
  settleSec: 20,
  run(folder, port) {
    const [cache, lib, log] = ['cache', 'lib', 'log'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const one of [cache, lib, log]) mkdirSync(one);
    const file = join(folder, 'netdata.conf');
    // A change of user would remove the leash, so it stays root.
    writeFileSync(
      file,
      [
        '[global]\nrun as user = root',
        `[directories]\ncache = ${cache}\nlib = ${lib}\nlog = ${log}`,
        `[web]\nbind to = 127.0.0.1:${port}\n`,
      ].join('\n'),
    );
    return {
      words: ['netdata', '-D', '-c', file, '-P', join(folder, 'pid')],
      // It sends nothing to its makers.
      env: { DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1' },
    };
  },
};
