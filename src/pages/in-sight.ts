/** Whether somebody looks: at the tab, at a part of the page. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Whether the tab is looked at; false on the server and in the first drawing. */
export function useShown(): boolean {
  const [shown, show] = useState(false);
  useEffect(() => {
    const look = () => show(document.visibilityState === 'visible');
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return shown;
}

/** Whether an element is in sight, or nearly; false until it is looked for. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [inSight, see] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const watch = new IntersectionObserver((entries) => see(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: '400px',
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element]);
  return inSight;
}
