/** Run by `backends.test.ts` in a separate mount namespace: prints the row of one process from either backend as JSON. */
import { loadNative } from '../../src/engine/native/load.ts';
import { Sweeper } from './rows.ts';

const sweeper = new Sweeper(loadNative().addon);
const pid = Number(process.argv[2]);
process.stdout.write(
  JSON.stringify({
    procfs: sweeper.procfs().get(pid) ?? null,
    bpf: [true, false].map((listed) => sweeper.bpf(listed).get(pid) ?? null),
  }),
);
