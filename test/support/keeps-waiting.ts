/** For suites that await calls on another thread: a pending call does not keep the process alive. */
import type { Test } from 'uvu';

export function keepsWaiting<T>(test: Test<T>): void {
  let timer: NodeJS.Timeout | undefined;
  test.before(() => {
    timer = setInterval(() => {}, 60_000);
  });
  test.after(() => clearInterval(timer));
}
