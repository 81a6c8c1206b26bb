/**
 * Drawing a page takes a few milliseconds and more with many findings; twenty tabs that draw each event would be a storm. So a
 * tab draws at once, then at most once in `everyMs`, or in `soonMs` where more than figures has changed, and nothing while nobody
 * looks at it.
 */

/** `draw`, called so; `ask` asks for it, `stop` ends what is due. */
export function paced(
  draw: () => void,
  { everyMs, soonMs }: { readonly everyMs: number; readonly soonMs: number },
) {
  let drawnAt = Number.NEGATIVE_INFINITY;
  let due: ReturnType<typeof setTimeout> | undefined;
  /** How long after the last drawing the wanted one may come; infinite: none is wanted. */
  let afterMs = Number.POSITIVE_INFINITY;
  const now = () => {
    due = undefined;
    afterMs = Number.POSITIVE_INFINITY;
    drawnAt = performance.now();
    draw();
  };
  const ask = (soon: boolean) => {
    afterMs = Math.min(afterMs, soon ? soonMs : everyMs);
    if (document.visibilityState === 'hidden') return;
    clearTimeout(due);
    const wait = drawnAt + afterMs - performance.now();
    if (wait <= 0) now();
    else due = setTimeout(now, wait);
  };
  const looked = () => {
    if (Number.isFinite(afterMs)) ask(true);
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
