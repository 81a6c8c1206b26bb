/** The thread that reads ahead: it gets paths of message files, and gives their facts as a parcel. */
import { workerData } from 'node:worker_threads';
import { MessageFiles, readStretch } from './message-files.ts';
import { packed } from './message-parcel.ts';
import type { FromThread, ToThread } from './read-ahead.ts';

const { port, signal, nowMs } = workerData as ToThread;
const files = new MessageFiles(nowMs);
const turns = new Int32Array(signal);

const turn = (): void => {
  Atomics.add(turns, 0, 1);
  Atomics.notify(turns, 0);
};

port.on('message', (paths: readonly string[]) => {
  const { facts, indexes, refused, looked } = readStretch(files, paths);
  const parcel = packed(facts);
  const answer: FromThread = { parcel, indexes, refused, looked };
  port.postMessage(answer, [parcel.numbers.buffer, parcel.keys.buffer]);
  turn();
});
// It is there.
turn();
