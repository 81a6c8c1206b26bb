/**
 * Drawing a page takes a few milliseconds and more with many findings; twenty tabs that draw each event would be a storm. So a
 * tab draws at once, then at most once in `everyMs`, and nothing while nobody looks at it.
 */

/** `draw`, called so; the returned function asks for it. `stop` ends what is due. */
export function paced(
  draw: () => void,
  everyMs: number,
): { readonly ask: () => void; readonly stop: () => void } {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let due: ReturnType<typeof setTimeout> | undefined;
  let asked = false;
  const now = () => {
    due = undefined;
    asked = false;
    drawnAt = performance.now();
    draw();
  };
  const ask = () => {
    asked = true;
    if (due !== undefined || document.visibilityState === 'hidden') return;
    const wait = drawnAt + everyMs - performance.now();
    if (wait <= 0) now();
    else due = setTimeout(now, wait);
  };
  const looked = () => {
    if (asked) ask();
  };
  document.addEventListener('visibilitychange', looked);
  return {
    ask,
    stop: () => {
      clearTimeout(due);
      document.removeEventListener('visibilitychange', looked);
    },
  };
}
