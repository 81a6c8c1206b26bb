/**
 * The first import of every Node process of the desk. On SIGUSR1 Node opens its inspector on 127.0.0.1:9229, and any local user
 * may run code through it (Node.js documentation, "Signal events" and "Debugger"). Here the signal is ignored, and an
 * inspector that an option or an earlier signal opened is closed.
 *
 * Node installs its own handler before any JavaScript runs. A signal in that window is answered as soon as JavaScript runs, and
 * the inspector is closed within milliseconds; a process started with `CLOSED_INSPECTOR` never opens it.
 */
import inspector from 'node:inspector';
import { loadNative } from './load.ts';

/**
 * Option for node with which the inspector cannot listen: no machine has an address of 0.0.0.0/8 (RFC 1122 section 3.2.1.3),
 * so that bind(2) fails. Node 20 has no option that turns SIGUSR1 off; `--disable-sigusr1` came with 22.14.
 */
export const CLOSED_INSPECTOR = '--inspect-port=0.0.0.1:9229';

/** The longest pause between two looks. */
const LAST_PAUSE_MS = 1000;

/** Whether it was open. */
function closeInspector(): boolean {
  const open = inspector.url() !== undefined;
  if (open) inspector.close();
  return open;
}

/**
 * A request made before the signal was ignored may be carried out later: looks again at pauses that double, from the start
 * again when it was open. No new request can come, so this ends.
 */
function keepClosed(pauseMs: number): void {
  const nextMs = closeInspector() ? 1 : 2 * pauseMs;
  if (nextMs <= LAST_PAUSE_MS) setTimeout(keepClosed, nextMs, nextMs).unref();
}

// Takes effect before the addon is loaded, and where it does not load: a listener replaces Node's own handler.
process.on('SIGUSR1', () => undefined);
try {
  loadNative().addon.ignoreSigusr1();
} catch {
  // Whatever needs the addon reports why it does not load.
}
keepClosed(1);
// Node makes each request twice: by an interrupt, and by an event that the first turn of the loop takes, right before this.
setImmediate(closeInspector);
