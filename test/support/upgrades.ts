/**
 * Packages that are really installed and upgraded, by dpkg, in overlays over the machine's folders: a daemon that its package
 * restarts, a library that a daemon keeps using until that is restarted a while later, and a command that a job runs.
 */
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const OVERLAID = ['/usr', '/etc', '/var'] as const;

/** Paths of the installed files. */
export const packaged = {
  daemon: '/usr/sbin/busyd',
  client: '/usr/sbin/busy-client',
  command: '/usr/bin/busy-report',
  library: '/usr/lib/libbusy.so.1',
} as const;

const daemonSource = `#include <unistd.h>
extern "C" const char* version() { return VERSION; }
int main() { for (;;) sleep(1); }
`;
const librarySource = 'extern "C" const char* busy_version() { return VERSION; }\n';
const clientSource = `#include <unistd.h>
extern "C" const char* busy_version();
int main() { while (busy_version()) sleep(1); }
`;
const commandSource = `#include <cstdio>
#include <unistd.h>
int main() { puts(VERSION); usleep(300000); }
`;

/** Ends what a pid file names and starts it again, as a package's script does where there is no systemd. */
const restart = (program: string, name: string): string =>
  `start-stop-daemon --stop --oknodo --quiet --retry 5 --pidfile /run/${name}.pid --remove-pidfile
start-stop-daemon --start --quiet --background --make-pidfile --pidfile /run/${name}.pid --exec ${program}`;

const runs = promisify(execFile);
/** Does not block: the test that watches the machine runs in the same process, and on a busy machine an upgrade takes seconds. */
const run = async (command: string, args: readonly string[], cwd: string): Promise<void> => {
  await runs(command, args, { cwd });
};

/** Puts overlays over the folders that packages write to, in this mount namespace; null if that works, else the reason. */
export async function overlay(folder: string): Promise<string | null> {
  try {
    for (const lower of OVERLAID) {
      const [upper, work] = ['upper', 'work'].map((part) => join(folder, lower, part)) as [string, string];
      for (const path of [upper, work]) mkdirSync(path, { recursive: true });
      const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
      await run('mount', ['-t', 'overlay', 'overlay', '-o', layers, lower], '/');
    }
    return null;
  } catch (error) {
    return `package upgrades: ${(error as Error).message.split('\n')[1] ?? 'no overlay can be mounted'}`;
  }
}

export class Packages {
  readonly #folder: string;
  #version = 0;
  /** The packages of the next version. They are built before they are needed, since compilers take long on a busy machine. */
  #next: Promise<readonly string[]>;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#next = this.#build();
  }

  /** Installs the first version and starts its daemons. `folder` is for sources and packages; the overlays are in place. */
  static async install(folder: string): Promise<Packages> {
    const packages = new Packages(folder);
    await packages.upgrade();
    await packages.restartClient();
    return packages;
  }

  /** Number of upgrades after the installation. */
  get upgrades(): number {
    return this.#version - 1;
  }

  /** Installs the next version of both packages: the daemon is restarted, the client keeps the old library. */
  async upgrade(): Promise<void> {
    await run('dpkg', ['--install', ...(await this.#next)], this.#folder);
    this.#version += 1;
    this.#next = this.#build();
  }

  /** What an administrator does after a library was upgraded. */
  async restartClient(): Promise<void> {
    await run('sh', ['-ec', restart(packaged.client, 'busy-client')], '/');
  }

  async #build(): Promise<readonly string[]> {
    const version = `1.${this.#version + 1}`;
    const daemon = { [packaged.daemon]: daemonSource, [packaged.command]: commandSource };
    const library = { [packaged.library]: librarySource, [packaged.client]: clientSource };
    return [
      await this.#package('busy-daemon', version, daemon),
      await this.#package('busy-library', version, library),
    ];
  }

  async #package(name: string, version: string, programs: Readonly<Record<string, string>>): Promise<string> {
    const root = join(this.#folder, `${name}_${version}`);
    for (const [path, source] of Object.entries(programs))
      await this.#compile(join(root, path), source, version);
    const control = join(root, 'DEBIAN');
    mkdirSync(control);
    writeFileSync(
      join(control, 'control'),
      `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: a test <test@localhost>\nDescription: ${name} of a test\n`,
    );
    if (packaged.daemon in programs) {
      writeFileSync(join(control, 'postinst'), `#!/bin/sh\nset -e\n${restart(packaged.daemon, 'busyd')}\n`);
      chmodSync(join(control, 'postinst'), 0o755);
    }
    await run('dpkg-deb', ['--root-owner-group', '--build', root], this.#folder);
    return `${root}.deb`;
  }

  /** The client is the same in every version: only its library changes. */
  async #compile(to: string, source: string, version: string): Promise<void> {
    mkdirSync(dirname(to), { recursive: true });
    const from = join(this.#folder, 'source.cc');
    writeFileSync(from, source);
    const library = join(dirname(to), '..', 'lib', 'libbusy.so.1');
    const linked = source === clientSource && existsSync(library) ? [library] : [];
    const shared = source === librarySource ? ['-shared', '-fPIC', '-Wl,-soname,libbusy.so.1'] : [];
    await run('g++', [...shared, `-DVERSION="${version}"`, '-o', to, from, ...linked], this.#folder);
  }
}
