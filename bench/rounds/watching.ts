/** A native watch as the service starts it. */
import { loadNative } from '../../src/engine/native/load.ts';
import { isRefusal, type NativeAddon } from '../../src/engine/native/types.ts';
import { CannotRun } from '../cases/case.ts';

/** Without `tracepoint` the listeners are polled every 10 ms, the default. @throws CannotRun where no process events come. */
export function startWatch({ tracepoint }: { tracepoint: boolean }): {
  addon: NativeAddon;
  watch: number;
  facts: Readonly<Record<string, string>>;
} {
  const { addon } = loadNative();
  const options = { listenPollMs: 10, rereadMs: [10, 100, 1000], allMs: 5000, tracepoint };
  const state = addon.watchStart(options, () => {});
  if (isRefusal(state)) throw new CannotRun(`the watch is refused: ${state.code}`);
  if (state.connector !== '') throw new CannotRun(`no process events here: ${state.connector}`);
  const source = (reason: string, how: string): string => (reason === '' ? how : `polled: ${reason}`);
  return {
    addon,
    watch: state.watch,
    facts: {
      mark: addon.mark,
      listeners: source(state.tracepoint, 'by tracepoint'),
      'udp binds': source(state.udp, 'by event'),
    },
  };
}
