/**
 * Attacks on other processes through the desk, each with processes of the test in a separate network namespace: a listener on the
 * banned port reaches a process that never asked for it, and the root service must not signal that process. docs/remedies.md has
 * the table.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NAMESPACE_NEEDS, type Namespace, startNamespace } from '../support/namespace.ts';
import { type BootedDesk, deskIn, type NamespacedDesk } from '../support/namespaced-desk.ts';
import { needs, ordinaryUser, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from './running.ts';

const test = suite('listener attacks');
const script = fileURLToPath(new URL('../support/listener_scenes.py', import.meta.url));

/** Accounts that every Debian has (65534 and games): a dbus-daemon needs one account for itself and one for its clients. */
const ATTACKER = ordinaryUser.uid;
const INNOCENT = 5;

/** State and uids of a living process; null when it has ended. */
function processOf(pid: number): { readonly uids: readonly number[] } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    if (/^State:\s+[ZX]/m.test(status)) return null;
    return { uids: (/^Uid:\t(.*)$/m.exec(status)?.[1] ?? '').split('\t').map(Number) };
  } catch {
    return null;
  }
}
const alive = (pid: number): boolean => processOf(pid) !== null;

interface Actor {
  readonly child: ChildProcessWithoutNullStreams;
  /** The reported pids, or other output. */
  readonly said: readonly number[];
  /** Everything it printed after its first line. */
  rest(): Promise<string>;
  end(): Promise<void>;
}

class Scene implements AsyncDisposable {
  readonly namespace: Namespace;
  readonly folder: string;
  readonly desk: NamespacedDesk;
  #booted: BootedDesk | null = null;

  constructor(namespace: Namespace, mode: 'event' | 'poll') {
    this.namespace = namespace;
    this.folder = tempFolder('desk-attack-');
    chmodSync(this.folder, 0o755);
    const home = join(this.folder, 'desk');
    mkdirSync(home, { mode: 0o700 });
    const sections = `[loop]\nmode = "${mode}"\nperiod_ms = 100\n`;
    this.desk = deskIn(namespace, home, sections, {}, 'auto');
    // No grace period: the state folder was used long ago.
    writeFileSync(join(this.desk.state, 'first-start'), `${Date.now() - 60_000}\n`, { mode: 0o600 });
  }

  async boot(): Promise<void> {
    this.#booted = await this.desk.boot();
  }

  get log(): string {
    return this.#booted?.stderr() ?? '';
  }

  /** Resolves once the log after `mark` contains these words. */
  async says(mark: number, words: string): Promise<void> {
    await until(
      async () => this.log.includes(words, mark),
      () => `"${words}" in ${this.log.slice(mark)}`,
    );
  }

  /** SIGHUP with other sections of the configuration; resolves once the service has logged `words`. */
  async reload(sections: string, words: string): Promise<void> {
    const mark = this.log.length;
    writeFileSync(this.desk.env.DESK_CONFIG as string, `[banned]\nshut_down = "auto"\n${sections}`);
    process.kill(this.#booted?.pid as number, 'SIGHUP');
    await this.says(mark, words);
  }

  async play(uid: number, ...words: readonly (string | number)[]): Promise<Actor> {
    return this.start(['python3', script, `${uid}`, ...words.map(String)]);
  }

  async start(words: readonly string[]): Promise<Actor> {
    const child = this.namespace.spawn(words);
    let errors = '';
    child.stderr.on('data', (bytes) => {
      errors += bytes;
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.done) throw new Error(`${words.join(' ')}: ${errors}`);
    return {
      child,
      said: String(first.value).split(' ').map(Number),
      rest: async () => String((await lines.next()).value),
      end: async () => {
        const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : null;
        child.stdin.end();
        setTimeout(() => child.kill('SIGKILL'), 2_000).unref();
        await closed;
      },
    };
  }

  /** Log lines about shutdowns since `mark`. */
  shutdowns(mark: number): readonly { readonly result: string; readonly msg: string; readonly by: string }[] {
    return this.log
      .slice(mark)
      .split('\n')
      .filter((line) => line.includes('"msg":"shutdown: '))
      .map((line) => JSON.parse(line));
  }

  signals(mark = 0): readonly number[] {
    return this.log
      .slice(mark)
      .split('\n')
      .filter((line) => line.includes('signal to the holder'))
      .map((line) => JSON.parse(line).pid as number);
  }

  outcome(mark: number, result: string): Promise<string> {
    return until(
      async () => this.shutdowns(mark).find((line) => line.result === result)?.msg,
      () => `a shutdown that is ${result} in ${this.log.slice(mark)}`,
    );
  }

  /** A real dbus-daemon that runs as another user and accepts connections. */
  async bus(): Promise<{ readonly pid: number; readonly path: string; end(): Promise<void> }> {
    const folder = mkdtempSync(join(this.folder, 'bus-'));
    chownSync(folder, INNOCENT, INNOCENT);
    chmodSync(folder, 0o755);
    const path = join(folder, 'socket');
    const config = join(folder, 'bus.conf');
    writeFileSync(
      config,
      `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>custom</type><listen>unix:path=${path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>`,
    );
    const user = [`--reuid=${INNOCENT}`, `--regid=${INNOCENT}`, '--clear-groups', '--'];
    const daemon = ['dbus-daemon', `--config-file=${config}`, '--nofork', '--nopidfile', '--print-pid'];
    const { said, end, child } = await this.start(['setpriv', ...user, ...daemon]);
    return {
      pid: said[0] as number,
      path,
      end: async () => {
        child.kill('SIGTERM');
        await end();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#booted?.stop();
    await this.namespace[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function scene(
  mode: 'event' | 'poll',
  before: (made: Scene) => Promise<void> = async () => {},
): Promise<Scene> {
  const made = new Scene(await startNamespace(), mode);
  try {
    await before(made);
    await made.boot();
    return made;
  } catch (error) {
    await made[Symbol.asyncDispose]();
    throw error;
  }
}

/** One line of ss(8) for each listener on the banned port. */
const listenersIn = async ({ namespace }: Scene): Promise<string> =>
  (await namespace.run(['ss', '-Hltnp', 'sport = :8766'])).stdout;

const holdsListener = async (pid: number, own: Scene): Promise<boolean> =>
  (await listenersIn(own)).includes(`pid=${pid},`);

/** With events the kernel reports who made a listener; a service that polls knows only the creator's uid. */
for (const mode of ['event', 'poll'] as const) {
  const inNetwork = needs(...NAMESPACE_NEEDS, 'ss', 'setpriv', 'dbus-daemon');
  // One service for all tests of a mode; each leaves no listener on the port, and the last test ends the service.
  let made: Promise<Scene> | null = null;
  const shared = (): Promise<Scene> => {
    made ??= scene(mode);
    return made;
  };

  inNetwork(
    test,
    `${mode}: a dbus-daemon that was passed the listener survives, its maker does not`,
    async () => {
      const own = await shared();
      for (const after of ['close', 'keep']) {
        const bus = await own.bus();
        const mark = own.log.length;
        const attacker = await own.play(ATTACKER, 'bus', bus.path, after);
        const [maker = 0] = attacker.said;
        if (after === 'close') {
          const text = await own.outcome(mark, 'refused');
          assert.match(
            text,
            new RegExp(`uid ${ATTACKER} made it and \\S+/dbus-daemon \\(pid ${bus.pid}, uid ${INNOCENT}\\)`),
          );
          assert.ok(await holdsListener(bus.pid, own), 'it holds the listener still');
          // A manual request is refused as well.
          const { stdout } = await own.desk.run(['av', 'close', 'once', '--json']);
          assert.match(stdout, 'there is no evidence that this process made it');
          const [command = ''] = /ss --kill --tcp --listening '[^']*'/.exec(stdout) ?? [];
          assert.is(command, "ss --kill --tcp --listening 'src 127.0.0.1 and sport = :8766'");
          assert.equal(own.signals(mark), []);
          await own.namespace.run(['sh', '-c', command]);
          assert.is(await listenersIn(own), '', 'the command closes the listener');
        } else {
          // The daemon closes it when its client has ended.
          assert.match(await own.outcome(mark, 'closed'), `it is down after SIGTERM to pid ${maker}`);
          assert.equal(own.signals(mark), [maker]);
        }
        assert.ok(alive(bus.pid), 'the daemon lives');
        await attacker.end();
        await bus.end();
      }
    },
  );

  inNetwork(test, `${mode}: a process that inherited or took the listener is not signalled`, async () => {
    const own = await shared();
    const program = join(own.folder, 'other-user');
    copyFileSync('/usr/bin/sleep', program);
    chownSync(program, INNOCENT, INNOCENT);
    chmodSync(program, 0o4755);
    const survives = async (what: string, pid: number, mark: number): Promise<void> => {
      await own.outcome(mark, 'refused');
      assert.ok(alive(pid), `${what}: it lives`);
      assert.ok(await holdsListener(pid, own), `${what}: it holds the listener`);
      assert.not.ok(own.signals(mark).includes(pid), what);
    };
    for (const who of ['stay', 'go']) {
      const mark = own.log.length;
      const actor = await own.play(ATTACKER, 'exec', program, who);
      const [pid = 0] = actor.said;
      await until(async () => processOf(pid)?.uids[1] === INNOCENT, 'the set-user-ID program runs');
      await survives(`exec ${who}`, pid, mark);
      process.kill(pid, 'SIGKILL');
      await actor.end();
    }
    {
      const mark = own.log.length;
      const maker = await own.play(ATTACKER, 'listen');
      // Stopped, so that it cannot end before its listener is taken.
      maker.child.kill('SIGSTOP');
      const [made = 0] = maker.said;
      const taker = await own.play(0, 'take', made);
      const [pid = 0] = taker.said;
      await survives('pidfd_getfd', pid, mark);
      assert.match(
        await own.outcome(mark, 'refused'),
        new RegExp(
          `uid ${ATTACKER} made it and .*\\(pid ${pid}, uid 0\\) holds it.*, after SIGTERM to pid ${made}`,
        ),
      );
      await taker.end();
      await maker.end();
    }
  });

  inNetwork(
    test,
    `${mode}: a listener in flight, or in an io_uring, has no holder: no process is signalled`,
    async () => {
      const own = await shared();
      const path = join(own.folder, 'mailbox');
      chmodSync(own.folder, 0o777);
      for (const words of [['flight', path], ['uring']]) {
        const innocent = await own.play(INNOCENT, 'mailbox', path);
        const mark = own.log.length;
        const attacker = await own.play(ATTACKER, ...words);
        assert.match(await own.outcome(mark, 'refused'), 'no process could be seen that holds');
        assert.ok(alive(innocent.said[0] as number));
        assert.equal(own.signals(mark), []);
        await attacker.end();
        await innocent.end();
        rmSync(path);
        // The kernel closes a socket in flight or in a ring some time after its last owner has ended.
        await until(async () => (await listenersIn(own)) === '', 'the port is free');
      }
    },
  );

  inNetwork(
    test,
    `${mode}: a listener shared with an unrelated process of the same program is shut down only if its maker is known`,
    async () => {
      const own = await shared();
      for (const how of ['fork', 'pass']) {
        const mark = own.log.length;
        const virus = await own.play(ATTACKER, 'orphan', how);
        if (mode === 'event') {
          // Each has the users and the executable of the maker that the kernel recorded.
          assert.match(await own.outcome(mark, 'closed'), /it is down after SIGTERM/, how);
          await until(async () => !virus.said.some(alive), 'both have ended');
          assert.equal([...own.signals(mark)].sort(), [...virus.said].sort(), how);
        } else {
          // The creator's uid alone does not prove which of its processes made it.
          assert.match(
            await own.outcome(mark, 'refused'),
            'its 2 holders are not one tree of processes',
            how,
          );
          assert.ok(virus.said.every(alive), how);
          assert.equal(own.signals(mark), [], how);
          process.kill(virus.said[1] as number, 'SIGKILL');
        }
        await virus.end();
        await until(async () => (await listenersIn(own)) === '', 'the port is free');
      }
    },
  );

  inNetwork(test, `${mode}: a program with forked workers is shut down, on either family`, async () => {
    await using own = await shared();
    for (const words of [['listen', 'workers=3'], ['dual']]) {
      const mark = own.log.length;
      const virus = await own.play(ATTACKER, ...words);
      assert.match(await own.outcome(mark, 'closed'), /it is down after SIGTERM/);
      await until(async () => !virus.said.some(alive), 'all of it has ended');
      assert.equal([...own.signals(mark)].sort(), [...virus.said].sort());
      await virus.end();
    }
  });
}

/** A program that inherited a listener from another process of its user: with the creator's uid alone it would be signalled. */
/** An attacker opens the port and runs another program. On a busy machine the attacker may be ended before: then another one does. */
async function heirOf(own: Scene, tries = 5): Promise<{ readonly actor: Actor; readonly pid: number }> {
  const actor = await own.play(ATTACKER, 'exec', '/usr/bin/sleep', 'stay');
  const [pid = 0] = actor.said;
  const runs = await until(
    async () => (alive(pid) ? readlinkSync(`/proc/${pid}/exe`).endsWith('/sleep') && 'yes' : 'no'),
    'the other program runs',
  );
  if (runs === 'yes') return { actor, pid };
  await actor.end();
  assert.ok(tries > 1, 'each attacker was ended before another program ran');
  return heirOf(own, tries - 1);
}

async function innocentHeir(own: Scene): Promise<{ readonly actor: Actor; stays(): Promise<void> }> {
  const { actor, pid } = await heirOf(own);
  const begun = own.log.length;
  const stays = async (): Promise<void> => {
    const mark = own.log.length;
    const { stdout } = await own.desk.run(['scar', 'cook', 'check', '--json']);
    assert.match(stdout, new RegExp(`would be refused: pid \\d+ of uid ${ATTACKER} made it and \\S+/sleep`));
    // The service tries again on its own.
    await own.outcome(mark, 'refused');
    assert.ok(alive(pid), 'it lives');
    assert.equal(own.signals(begun), []);
  };
  await stays();
  return { actor, stays };
}

const it = testsNeeding(test, 'bpf', ...NAMESPACE_NEEDS);

it('the maker of a listener is still known after a reload, and after a failed reload', async () => {
  await using own = await scene('event');
  const old = await innocentHeir(own);
  await own.reload('[loop]\nperiod_ms = 200\n', '"msg":"reloaded"');
  await old.stays();
  // Another program has the control port: the new desk is closed again, and the old one continues.
  const script =
    'import socket, sys; s = socket.create_server(("127.0.0.1", 18790)); print("ready", flush=True)';
  const blocker = await own.start(['python3', '-c', `${script}; sys.stdin.read()`]);
  await own.reload('[listen.control]\nport = 18790\n', 'reload failed');
  // Commands find the service through this file.
  await own.reload('[loop]\nperiod_ms = 200\n', 'nothing changed');
  await old.stays();
  await blocker.end();
  await old.actor.end();
  const fresh = await innocentHeir(own);
  await own.reload('[loop]\nperiod_ms = 300\n', '"msg":"reloaded"');
  await fresh.stays();
  await fresh.actor.end();
});

it('the maker of a listener is still known when a locked store is available again', async () => {
  let holder: Actor | undefined;
  await using own = await scene('event', async (made) => {
    const path = join(made.desk.state, 'desk.db');
    const lock = `import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute("BEGIN EXCLUSIVE")`;
    holder = await made.start([
      'python3',
      '-c',
      `${lock}; print("held", flush=True); sys.stdin.read()`,
      path,
    ]);
  });
  assert.match(own.log, 'the database is locked by another program');
  const heir = await innocentHeir(own);
  const mark = own.log.length;
  await holder?.end();
  await own.says(mark, 'the state folder can be written again');
  await heir.stays();
  await heir.actor.end();
});

const DECOYS = 600;

needs(...NAMESPACE_NEEDS, 'ss', 'setpriv')(
  test,
  `${DECOYS} listeners that cannot be shut down delay no listener of another user`,
  async () => {
    await using own = await scene('event');
    const mark = own.log.length;
    const decoys = await own.play(ATTACKER, 'decoys', DECOYS);
    await own.outcome(mark, 'refused');
    for (let round = 0; round < 2; round++) {
      const startedMs = Date.now();
      const virus = await own.play(INNOCENT, 'listen');
      await until(async () => !virus.said.some(alive), 'it is shut down', 5_000);
      assert.ok(Date.now() - startedMs < 4_000, `${Date.now() - startedMs} ms`);
      await virus.end();
    }
    assert.ok(alive(decoys.said[0] as number));
    const lines = own.shutdowns(mark).filter(({ msg }) => msg.includes('no process could be seen'));
    assert.ok(lines.length <= 40, `${lines.length} lines about them`);
    assert.not.match(own.log, 'a sweep did not end');
    await decoys.end();
  },
);

const QUESTIONS = 400;

needs(
  ...NAMESPACE_NEEDS,
  'ss',
  'setpriv',
  'dnsmasq',
)(test, 'UDP clients whose source port is the banned one survive: dnsmasq, and 1,000 others', async () => {
  await using own = await scene('event');
  const upstream = await own.start(['python3', script, '0', 'answer', '5300']);
  const user = [`--reuid=${INNOCENT}`, `--regid=${INNOCENT}`, '--clear-groups', '--'];
  const options = '--keep-in-foreground --conf-file=/dev/null --pid-file --no-hosts --no-resolv'.split(' ');
  const ports = ['--port=5353', '--min-port=8760', '--max-port=8772', '--server=127.0.0.1#5300'];
  const more = ['--listen-address=127.0.0.1', '--bind-interfaces', '--cache-size=0', '--dns-forward-max=200'];
  const resolver = own.namespace.spawn(['setpriv', ...user, 'dnsmasq', ...options, ...ports, ...more]);
  const sockets = () => own.namespace.run(['ss', '-Hlunp']).then(({ stdout }) => stdout);
  await until(async () => (await sockets()).includes(':5353'), 'dnsmasq answers');
  let seen = 0;
  let over = false;
  const asked = own.play(ATTACKER, 'ask', 5353, QUESTIONS).finally(() => {
    over = true;
  });
  while (!over) if (/:8766 .*dnsmasq/.test(await sockets())) seen++;
  const answers = await asked;
  assert.ok(seen > 0, 'dnsmasq asked from the banned port');
  assert.is(resolver.exitCode ?? resolver.signalCode, null, 'dnsmasq lives');
  assert.ok(
    (answers.said[0] as number) > QUESTIONS / 2,
    `${answers.said} of ${QUESTIONS} questions answered`,
  );
  // It may use the port of one of the clients.
  const closed = once(resolver, 'close');
  resolver.kill('SIGKILL');
  await closed;
  over = false;
  const started = own.play(ATTACKER, 'clients', 1000).finally(() => {
    over = true;
  });
  let reports = 0;
  while (!over)
    if (/udp 127\.0\.0\.\d+:8766 is a banned port/.test((await own.desk.run(['findings'])).stdout)) reports++;
  const clients = await started;
  assert.equal(clients.said, [1000, 0], 'clients that ended by themselves, and by a signal');
  assert.ok(reports > 0, 'they are reported anyway');
  assert.equal(own.signals(), []);
  await Promise.all([answers.end(), clients.end(), upstream.end()]);
});

needs(...NAMESPACE_NEEDS, 'ss')(
  test,
  'a UDP socket that stays open is reported at once, and shut down after 10 s or by command',
  async () => {
    await using own = await scene('event');
    const connected = await own.play(ATTACKER, 'connected');
    const startedMs = Date.now();
    const stays = await own.play(ATTACKER, 'udp');
    const [pid = 0] = stays.said;
    await until(
      async () => (await own.desk.run(['findings'])).stdout.includes('udp 127.0.0.1:8766'),
      'it is reported',
      5_000,
    );
    await until(async () => !alive(pid), 'it is shut down', 20_000);
    assert.ok(Date.now() - startedMs >= 10_000, `${Date.now() - startedMs} ms after it came`);
    assert.equal(own.signals(), [pid]);
    const again = await own.play(ATTACKER, 'udp');
    await until(
      async () => (await own.desk.run(['findings'])).stdout.includes('udp 127.0.0.1:8766'),
      'it is reported',
      5_000,
    );
    await own.desk.run(['av', 'close', 'once']);
    assert.not.ok(alive(again.said[0] as number), 'a command does not wait');
    assert.ok(alive(connected.said[0] as number), 'one with a peer is not a listener');
    await Promise.all([connected.end(), stays.end(), again.end()]);
  },
);

test.run();
