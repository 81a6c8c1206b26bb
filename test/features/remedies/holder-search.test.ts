/** One search serves all requests made before it started, and only one runs at a time. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketHolders } from '../../../src/engine/native/act-types.ts';
import type { TaskPool } from '../../../src/engine/pool.ts';
import { HolderSearch } from '../../../src/features/remedies/holder-search.ts';

/** Searches that end on request. */
function scene(deadlineMs?: number) {
  const searches: { readonly inodes: readonly number[]; end(error?: Error): void }[] = [];
  const state = { closed: 0 };
  const worker = {
    run: (_: string, __: number, inodes: Uint32Array) =>
      new Promise<readonly SocketHolders[]>((resolve, reject) => {
        const found = [...inodes].map((inode) => ({ pids: [inode * 10], unread: 0 }));
        const end = (error?: Error) => (error === undefined ? resolve(found) : reject(error));
        searches.push({ inodes: [...inodes], end });
      }),
    close: async () => {
      state.closed++;
    },
  };
  const search = new HolderSearch(1, () => worker as unknown as TaskPool, deadlineMs);
  return { searches, search, state };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('two thousand simultaneous requests share one search, later ones share the next', async () => {
  const { searches, search } = scene();
  const first = Array.from({ length: 2_000 }, (_, at) => search.of(2_000 - at));
  await settled();
  const later = [search.of(7), search.of(5), search.of(7)];
  await settled();
  assert.equal([searches.length, searches[0]?.inodes.length, searches[0]?.inodes[0]], [1, 2_000, 1]);
  searches[0]?.end();
  assert.equal((await Promise.all(first))[0], { pids: [20_000], unread: 0 });
  await settled();
  // A search does not answer requests made after it started.
  assert.equal(searches[1]?.inodes, [5, 7]);
  searches[1]?.end();
  assert.equal(
    (await Promise.all(later)).map((found) => ('pids' in found ? found.pids[0] : 0)),
    [70, 50, 70],
  );
  assert.is(searches.length, 2);
});

test('a search that fails or hangs fails its requests, and the next one runs', async () => {
  const { searches, search, state } = scene(20);
  const failing = search.of(1).catch(String);
  await settled();
  searches[0]?.end(new Error('no'));
  assert.is(await failing, 'Error: no');
  assert.is(state.closed, 0);
  assert.match(String(await search.of(2).catch(String)), 'did not end within 20 ms');
  assert.is(state.closed, 1);
  const last = search.of(3);
  await settled();
  searches[2]?.end();
  assert.equal(await last, { pids: [30], unread: 0 });
});

test.run();
