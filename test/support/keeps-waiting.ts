/** For suites that await what does not keep the process alive: a call on another thread, or the end of a child of the service. */
import type { Test } from 'uvu';

export function keepsWaiting<T>(test: Test<T>): void {
  let timer: NodeJS.Timeout | undefined;
  test.before(() => {
    timer = setInterval(() => {}, 60_000);
  });
  test.after(() => clearInterval(timer));
}
