/**
 * A quiet Debian machine in namespaces of its own: an init that reaps, scheduled jobs, services on loopback and beyond, a
 * message bus, a logged-in user with a terminal and a browser, an endless build, short-lived containers. Nothing in
 * it is an attack. `quiet-report.ts` in `test/real` runs in there and says what the desk found.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { missing, ordinaryUser } from './require.ts';
import { overlay, Packages, packaged } from './upgrades.ts';

/** Runs in new namespaces: `bash` is pid 1 and reaps, loopback is up, the home and `/run` are gone with the namespace. */
export const insideMachine = (home: string, command: readonly string[]): readonly string[] => [
  ...['unshare', '--pid', '--mount', '--net', '--ipc', '--uts', '--fork', '--kill-child', '--mount-proc'],
  ...[
    'bash',
    '-c',
    `ip link set lo up && mount -t tmpfs tmpfs "${home}" && mount -t tmpfs tmpfs /run && "$@"; exit $?`,
    'init',
    ...command,
  ],
];

/** The user's home; its owner removes it after the machine has ended. */
export const makeMachineHome = (): string => {
  mkdirSync('/home', { recursive: true });
  return mkdtempSync('/home/desk-quiet-');
};

const port = { service: 22, site: 8080 } as const;

/** One tally file per kind of action; each line or number of lines is one action. */
const tallies = ['compiles', 'containers', 'births', 'jobs', 'restarts'] as const;

const unit = (number: number): string => `#include <map>
#include <string>
int part${number}(int n) { std::map<int, std::string> m; for (int i = 0; i < n; i++) m[i] = std::to_string(i * ${number}); return (int)m.size(); }
`;
const UNITS = [1, 2, 3, 4];
const mainUnit = `#include <unistd.h>
#include <sys/wait.h>
${UNITS.map((n) => `int part${n}(int);`).join('\n')}
int main(int argc, char**) {
  int sum = ${UNITS.map((n) => `part${n}(100)`).join(' + ')};
  if (argc > 1 && fork() == 0) { usleep(200000); _exit(0); }
  usleep(300000);
  if (argc > 1) wait(nullptr);
  return sum == 400 ? 0 : 1;
}
`;
const makefile = `OBJECTS = ${UNITS.map((n) => `part${n}.o`).join(' ')} main.o
app: $(OBJECTS)
\tg++ -o $@ $(OBJECTS)
%.o: %.cc
\tg++ -O1 -c -o $@ $<
check: app
\t./app
\t./app forks && echo done
clean:
\trm -f app *.o
`;
const cmakeLists = `cmake_minimum_required(VERSION 3.18)
project(quiet CXX)
enable_testing()
add_executable(app ${UNITS.map((n) => `part${n}.cc`).join(' ')} main.cc)
add_test(NAME app COMMAND app)
add_test(NAME forks COMMAND app forks)
`;
/** A test of a web service: a listener on a port of the kernel's choice, a child, a request. */
const webTest = `const http = require('http');
const { execFileSync } = require('child_process');
const server = http.createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, host: '127.0.0.1' }, (reply) => {
    reply.resume();
    execFileSync('sh', ['-c', 'true']);
    setTimeout(() => server.close(), 300);
  });
});
`;
const pythonTest = `import ctypes, multiprocessing, re, subprocess, tempfile, time
def work(n):
    time.sleep(0.1)
    return n * n
if __name__ == '__main__':
    with multiprocessing.Pool(2) as pool:
        assert pool.map(work, range(4)) == [0, 1, 4, 9]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(['sh', '-c', 'echo hello | tr a-z A-Z > ' + folder + '/out'], check=True)
    callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)
    assert callback() == 1
    time.sleep(0.2)
`;

/** The build of the logged-in user: in the home and in a folder for temporary files, and the new program is run at once. */
const buildScript = (folder: string, tally: string): string => `
build() {
  cp "$HOME"/project/*.cc "$HOME"/project/Makefile . && make -s clean && make -s -j2 app && make -s check && echo ${UNITS.length + 1} >> ${tally}/compiles
  sh -c './app; timeout 5 ./app forks'
}
while :; do
  mkdir -p "$HOME/project/work" ${folder}/work
  (cd "$HOME/project/work" && build)
  (cd ${folder}/work && build)
  cmake -S "$HOME/project" -B "$HOME/cmake" > /dev/null && cmake --build "$HOME/cmake" > /dev/null && (cd "$HOME/cmake" && ctest > /dev/null) && echo ${UNITS.length + 3} >> ${tally}/compiles
  rm -rf "$HOME/cmake"
  (cd "$HOME/project" && npm run --silent check)
  python3 "$HOME/project/check.py"
  (cd "$HOME/project" && git init -q . 2>/dev/null; git add Makefile 2>/dev/null; git grep -q -P 'ap+' Makefile)
done`;

/** What the user does at the terminal meanwhile. */
const terminalScript = `while :; do
  ls -l /usr/bin | awk '{ print $5 }' | sort -n | tail -3 > /dev/null
  find /usr/share/doc -maxdepth 1 2>/dev/null | grep -c a > /dev/null
  ps aux | grep bash > /dev/null
  perl -e 'select undef, undef, undef, 0.3'
  stdbuf -oL sleep 0.3; fakeroot sh -c 'chown root:root "$0"; sleep 0.3' ~/project/work; strace -f -o /dev/null sleep 0.3
  tar cf - /etc/apt 2>/dev/null | gzip | wc -c > /dev/null
  sleep 0.2
done`;

const cronScript = (tally: string): string => `while :; do
  sh -c 'df / > /dev/null; find /etc -maxdepth 1 -newer /etc/hostname | wc -l > /dev/null; sleep 0.2'
  flock -n ${tally}/lock sh -c 'date > /dev/null'
  python3 -c 'import time; time.sleep(0.1)'
  echo 1 >> ${tally}/jobs
  sleep 0.7
done`;

const stormScript = (tally: string): string => `while :; do
  for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do /bin/true & done
  wait; echo 20 >> ${tally}/births; sleep 0.1
done`;

const zombieScript = `import os, time
while True:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    time.sleep(0.8)
    os.waitpid(pid, 0)
`;

const bwrap = 'bwrap --unshare-all --die-with-parent --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp';
/** With an argument they also run what was put into their folder for temporary files: root's do not, because that is judged strictly. */
const containersScript = (tally: string): string => `while :; do
  ${bwrap} sh -c 'echo hello | cat > /tmp/out; sleep 0.3; ls /proc > /dev/null'
  ${bwrap} --hostname web python3 -c 'import http.server, threading, time
s = http.server.HTTPServer(("", 8080), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=s.serve_forever, daemon=True).start()
time.sleep(1)' &
  if [ -n "$1" ]; then ${bwrap} sh -c 'cp /bin/sleep /tmp/tool$0 && /tmp/tool$0 0.4; true' $RANDOM; fi
  ${bwrap} node -e 'setTimeout(() => {}, 400)'
  wait
  echo 4 >> ${tally}/containers
done`;

/** A service that is started again now and then, as after its configuration changed. */
const serviceScript = (tally: string): string => `while :; do
  timeout 20 python3 -m http.server --bind 0.0.0.0 ${port.service} --directory /usr/share/doc > /dev/null 2>&1
  echo 1 >> ${tally}/restarts
done`;

export interface Counts {
  /** Processes and threads, by the pids that this namespace has handed out. */
  readonly born: number;
  readonly pages: number;
  readonly compiles: number;
  readonly containers: number;
  readonly jobs: number;
  readonly restarts: number;
  /** Package upgrades, each with its daemon. */
  readonly upgrades: number;
  /** New programs of the user that ran for a while. */
  readonly tools: number;
}

export interface QuietMachine extends AsyncDisposable {
  /** Missing parts of the scene, with the reason. */
  readonly without: readonly string[];
  counts(): Counts;
  /**
   * From now on, each time after this many milliseconds: the user runs a new program for a quarter of that time, all packages are
   * upgraded, and the daemon that uses the old library is restarted a quarter of that time later.
   */
  change(everyMs: number): void;
}

/** Starts the scene inside the namespaces; everything in it ends with the namespace, or when disposed of. */
export async function startQuietMachine(home: string, scratch: string): Promise<QuietMachine> {
  const tally = join(scratch, 'tally');
  const temporary = join(scratch, 'build');
  const project = join(home, 'project');
  for (const folder of [tally, temporary, project]) mkdirSync(folder, { recursive: true });
  const sources: Record<string, string> = {
    ...Object.fromEntries(UNITS.map((n) => [`part${n}.cc`, unit(n)])),
    'main.cc': mainUnit,
    Makefile: makefile,
    'CMakeLists.txt': cmakeLists,
    'check.cjs': webTest,
    'check.py': pythonTest,
    'package.json': '{"name":"quiet","version":"1.0.0","scripts":{"check":"node check.cjs"}}',
  };
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(project, name), text);
  for (const name of tallies) writeFileSync(join(tally, name), '');
  chmodSync(scratch, 0o755);
  for (const path of [home, project, temporary, tally, ...tallies.map((name) => join(tally, name))])
    chownSync(path, ordinaryUser.uid, ordinaryUser.gid);

  // As systemd-logind has it of a user who is logged in.
  mkdirSync(`/run/user/${ordinaryUser.uid}`, { recursive: true });
  const without: string[] = [];
  const where = (need: string | null, then: () => void): void => {
    if (need === null) then();
    else without.push(need);
  };
  let packages: Packages | null = null;
  const withoutPackages = missing('compiler') ?? (await overlay(join(home, '.overlays')));
  if (withoutPackages === null) packages = await Packages.install(mkdtempSync(join(scratch, 'packages-')));
  else without.push(withoutPackages);

  const children: ChildProcess[] = [];
  const start = (command: string, args: readonly string[], asUser = false): ChildProcess => {
    // The watched processes leave CPU time to the watcher, even on a small machine.
    const child = spawn('nice', ['-n', '10', command, ...args], {
      ...(asUser && ordinaryUser),
      cwd: asUser ? home : '/',
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
        HOME: asUser ? home : '/',
        LANG: 'C.UTF-8',
        TERM: 'xterm',
      },
      stdio: 'ignore',
    });
    child.on('error', (error) => process.stderr.write(`${command}: ${error.message}\n`));
    children.push(child);
    return child;
  };
  /** As a person at a terminal: a shell with a pty of its own. */
  const atTerminal = (script: string): ChildProcess =>
    start('script', ['-qfc', `bash -c '${script.replaceAll("'", "'\\''")}'`, '/dev/null'], true);

  where(packages === null ? 'cron' : missing('cron'), () => {
    const job = `${packaged.command} > /dev/null && df / > /dev/null && echo 1 >> ${tally}/jobs`;
    writeFileSync('/etc/cron.d/busy', `* * * * * root ${job}\n`);
    start('cron', ['-f']);
  });
  start('bash', ['-c', cronScript(tally)]);
  start('bash', ['-c', stormScript(tally)]);
  start('bash', ['-c', serviceScript(tally)]);
  start('python3', ['-c', zombieScript]);
  start('node', ['-e', 'setInterval(() => JSON.parse("[1]"), 100)'], true);
  start('python3', ['-m', 'http.server', '--bind', '127.0.0.1', String(port.site)], true);
  where(missing('bwrap'), () => {
    start('bash', ['-c', containersScript(tally)]);
    start('bash', ['-c', containersScript(tally), 'containers', 'own tools'], true);
  });
  where(missing('dbus-daemon'), () => {
    start('dbus-daemon', ['--session', '--nofork', `--address=unix:path=${join(home, 'bus')}`], true);
  });
  atTerminal(terminalScript);
  where(missing('compiler', 'make'), () => {
    atTerminal(buildScript(temporary, tally));
  });
  let browser: Browser | null = null;
  where(missing('chromium'), () => {
    browser = new Browser(join(home, 'browser'), (args) => start('chromium', args, true));
  });

  const births = new Births();
  let tools = 0;
  let ended = false;
  /** One after the other, however long an upgrade takes. */
  const changes = async (everyMs: number): Promise<void> => {
    for (let next = sleep(everyMs); ; ) {
      await next;
      if (ended) return;
      next = sleep(everyMs);
      tools += 1;
      const tool = join(home, `tool-${tools}`);
      copyFileSync('/bin/sleep', tool);
      start(tool, [String(everyMs / 4000)], true);
      await packages?.upgrade();
      await sleep(everyMs / 4);
      await packages?.restartClient();
    }
  };
  return {
    without,
    counts: () => {
      const of = (name: (typeof tallies)[number]): number =>
        readFileSync(join(tally, name), 'latin1')
          .split('\n')
          .reduce((sum, line) => sum + Number(line), 0);
      return {
        born: births.total(),
        pages: browser?.pages ?? 0,
        compiles: of('compiles'),
        containers: of('containers'),
        jobs: of('jobs'),
        restarts: of('restarts'),
        upgrades: packages?.upgrades ?? 0,
        tools,
      };
    },
    change(everyMs) {
      void changes(everyMs);
    },
    async [Symbol.asyncDispose]() {
      ended = true;
      births.stop();
      browser?.stop();
      for (const child of children) child.kill('SIGTERM');
      await sleep(300);
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** How many pids this namespace handed out, across every wrap of the counter (proc_sys_kernel(5), ns_last_pid). */
class Births {
  #last = Births.#now();
  #sum = 0;
  readonly #max = Number(readFileSync('/proc/sys/kernel/pid_max', 'latin1'));
  readonly #timer = setInterval(() => this.total(), 500);

  static #now(): number {
    return Number(readFileSync('/proc/sys/kernel/ns_last_pid', 'latin1'));
  }

  total(): number {
    const now = Births.#now();
    this.#sum += now >= this.#last ? now - this.#last : now - this.#last + this.#max - 300;
    this.#last = now;
    return this.#sum;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Opens a page of the local site every two seconds, closes the one before, and is closed and opened again every minute. */
class Browser {
  pages = 0;
  #stopped = false;

  constructor(profile: string, start: (args: readonly string[]) => ChildProcess) {
    const port = join(profile, 'DevToolsActivePort');
    const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
    const still = ['--no-first-run', '--disable-background-networking', '--disable-component-update'];
    const args = [...flags, ...still, '--disable-sync', '--disable-quic', '--remote-debugging-port=0'];
    void (async () => {
      while (!this.#stopped) {
        execFileSync('rm', ['-f', port]);
        const child = start([...args, `--user-data-dir=${profile}`, 'about:blank']);
        await this.#browse(port, 60_000);
        child.kill('SIGTERM');
        await sleep(2_000);
      }
    })();
  }

  async #browse(portFile: string, forMs: number): Promise<void> {
    const until = performance.now() + forMs;
    let open: string | null = null;
    while (!this.#stopped && performance.now() < until) {
      await sleep(2_000);
      if (!existsSync(portFile)) continue;
      const base = `http://127.0.0.1:${readFileSync(portFile, 'latin1').split('\n')[0]}/json`;
      try {
        const page = `http://127.0.0.1:${port.site}/`;
        const { id } = (await (await fetch(`${base}/new?${page}`, { method: 'PUT' })).json()) as {
          id: string;
        };
        this.pages += 1;
        if (open !== null) await (await fetch(`${base}/close/${open}`)).text();
        open = id;
      } catch (error) {
        process.stderr.write(`the browser: ${(error as Error).message}\n`);
      }
    }
  }

  stop(): void {
    this.#stopped = true;
  }
}
