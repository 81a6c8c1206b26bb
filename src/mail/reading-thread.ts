/** The thread that reads ahead: it gets paths of message files, and gives what is in them as a parcel. */
import { workerData } from 'node:worker_threads';
import { Packer } from './message-parcel.ts';
import { MessageReader } from './message-reader.ts';
import { type FromThread, STRETCH_MS, type ToThread } from './read-ahead.ts';

const { port, signal, key, nowMs } = workerData as ToThread;
const reader = new MessageReader(key);
const packer = new Packer();
const turns = new Int32Array(signal);

const turn = (): void => {
  Atomics.add(turns, 0, 1);
  Atomics.notify(turns, 0);
};

port.on('message', (paths: string) => {
  const states = reader.read(paths, nowMs, STRETCH_MS);
  const parcel = packer.pack(reader.take());
  const answer: FromThread = { states, parcel };
  port.postMessage(answer);
  turn();
});
// It is there.
turn();
