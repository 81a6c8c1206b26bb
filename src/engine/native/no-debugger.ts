/**
 * The first import of every Node process of the desk. On SIGUSR1 Node opens its inspector on 127.0.0.1:9229, and any local user may run
 * code through it (Node.js documentation, "Signal events" and "Debugger"). Here the signal is ignored, and an open inspector is closed.
 * A signal before any JavaScript runs opens it for some milliseconds; a process started with `CLOSED_INSPECTOR` never opens it.
 */
import inspector from 'node:inspector';
import { loadNative } from './load.ts';

/**
 * With this option the inspector cannot listen: bind(2) fails for 0.0.0.0/8 (RFC 1122 section 3.2.1.3). Node 20 lacks
 * `--disable-sigusr1`, which came with 22.14.
 */
export const CLOSED_INSPECTOR = '--inspect-port=0.0.0.1:9229';

const LAST_PAUSE_MS = 1000;

function closeInspector(): boolean {
  const open = inspector.url() !== undefined;
  if (open) inspector.close();
  return open;
}

/**
 * A request made before the signal was ignored may be carried out later: checks again at pauses that double, from the start
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
  // What needs the addon reports why it does not load.
}
keepClosed(1);
// Node makes each request twice: by an interrupt, and by an event that the first turn of the loop takes, right before this.
setImmediate(closeInspector);
