/** Run by `backends.test.ts` as another user: prints the reported state of the bpf backend as JSON. */
import { chooseBackend } from '../../src/engine/native/backend.ts';
import { loadNative } from '../../src/engine/native/load.ts';

const { addon } = loadNative();
let forced = '';
try {
  chooseBackend(addon, 'bpf');
} catch (error) {
  forced = (error as Error).message;
}
process.stdout.write(JSON.stringify({ state: addon.bpfState(), choice: chooseBackend(addon, ''), forced }));
