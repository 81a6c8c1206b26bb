/** One reading of the state of the machine, from a few small files and what the kernel answers at once. */
import { statSync } from 'node:fs';
import { release } from 'node:os';
import type { VitalFacts } from '../../checks/vitals.ts';
import type { SensorResult } from '../../engine/native/host-types.ts';
import { isRefusal, type NativeAddon } from '../../engine/native/types.ts';
import { Reading } from '../../engine/reading.ts';
import { Disks, diskMounts, drivesIn } from './disks.ts';
import { Gathered } from './files.ts';
import * as parsers from './parsers.ts';
import { rebootOf } from './reboot.ts';
import { smartOf } from './smart.ts';
import { FailedUnits } from './units.ts';
import { PendingUpdates } from './updates.ts';

type Native = Pick<NativeAddon, 'fileSystem' | 'clockState' | 'sensors' | 'aptUpdates'>;

interface Options {
  readonly native: Native;
  /** Why files are those of a container; "" where they are those of the machine. */
  readonly container?: string;
  /** The folder that proc, sys, run and the like are in. */
  readonly root?: string;
  readonly units?: FailedUnits;
  readonly kernel?: string;
}

/** What rates and shares are made from. */
interface Counted {
  readonly atMs: number;
  readonly cpu: parsers.CpuTicks | null;
  readonly interfaces: ReadonlyMap<string, parsers.Counters>;
}

const HOUR_MS = 3_600_000;
/** What changes with installations alone is read so often: /boot may be mounted for each look at it. */
const INSTALLED_EVERY_MS = 600_000;
/** systemd-timesyncd touches it whenever it has set the clock. */
const TIMESYNC = '/run/systemd/timesync/synchronized';

export class VitalsReader {
  readonly #options: Required<Options>;
  readonly #disks: Disks;
  readonly #updates: PendingUpdates;
  #before: Counted | null = null;
  /** Values of the counter with the times at which they were new; the first is that of an hour ago, or of the first reading. */
  #kills: { readonly atMs: number; readonly all: number }[] = [];

  readonly #sensors: Reading<SensorResult>;
  /** Of what was installed: when it was read, and what was missing then. */
  #installed: (Pick<VitalFacts, 'reboot' | 'updates' | 'missing'> & { readonly atMs: number }) | null = null;

  constructor({ native, container = '', root = '', units = new FailedUnits(), kernel = release() }: Options) {
    this.#options = { native, container, root, units, kernel };
    this.#disks = new Disks(native);
    this.#updates = new PendingUpdates(native, root);
    this.#sensors = new Reading({ read: () => native.sensors(`${root}/sys`), everyMs: 0 });
  }

  /** `again`: also what is else read only every some minutes. Never rejects. */
  async read(again = false): Promise<VitalFacts> {
    const { root, units } = this.#options;
    const gathered = new Gathered(root);
    const nowMs = performance.now();
    const counted = this.#count(gathered, nowMs);
    const ticks = counted.cpu;
    const { cpu, interfaces } = this.#compare(gathered, counted);
    const oomKills = this.#oomKills(gathered, nowMs);
    const pressure = (name: 'cpu' | 'memory' | 'io') =>
      gathered.file(
        `${name}_pressure`,
        `/proc/pressure/${name}`,
        (text) => parsers.pressureIn(text, name === 'cpu' ? 'some' : 'full'),
        'the kernel does not measure pressure (CONFIG_PSI, psi=1)',
      );
    const mounts = gathered.file(
      'disks',
      '/proc/self/mountinfo',
      diskMounts,
      'there is no /proc/self/mountinfo',
    );
    const facts = {
      readMs: Date.now(),
      uptimeSec: gathered.file('uptime', '/proc/uptime', parsers.uptimeIn, 'there is no /proc/uptime'),
      load: gathered.file('load', '/proc/loadavg', parsers.loadIn, 'there is no /proc/loadavg'),
      cpus: ticks === null || ticks.cpus === 0 ? null : ticks.cpus,
      cpu,
      memory: gathered.file('memory', '/proc/meminfo', parsers.memoryIn, 'there is no /proc/meminfo'),
      pressure: { cpu: pressure('cpu'), memory: pressure('memory'), io: pressure('io') },
      notAsked: mounts?.notAsked ?? [],
      drives: drivesIn(`${root}/sys`),
      smart: smartOf(gathered),
      interfaces,
      oomKills,
      clock: this.#clock(gathered),
    };
    const [disks, failedUnits, temperatureCelsius, { reboot, updates, missing }] = await Promise.all([
      mounts === null ? [] : this.#disks.read(mounts),
      units.read(gathered, again),
      this.#temperature(gathered),
      this.#ofInstalled(nowMs, again),
    ]);
    for (const { path, reason } of disks) if (reason !== '') gathered.unread('disks', `${path}: ${reason}`);
    const found = { disks, failedUnits, temperatureCelsius, reboot, updates };
    return { ...facts, ...found, missing: [...gathered.missing, ...missing] };
  }

  #count(gathered: Gathered, atMs: number): Counted {
    const cpu = gathered.file('cpu', '/proc/stat', parsers.cpuTicksIn, 'there is no /proc/stat');
    const found = gathered.file(
      'interfaces',
      '/proc/self/net/dev',
      parsers.interfacesIn,
      'there is no network',
    );
    return { atMs, cpu, interfaces: new Map((found ?? []).map((one) => [one.name, one])) };
  }

  #compare(gathered: Gathered, now: Counted): Pick<VitalFacts, 'cpu' | 'interfaces'> {
    const before = this.#before;
    this.#before = now;
    const cpu = before?.cpu && now.cpu ? parsers.cpuBetween(before.cpu, now.cpu) : null;
    if (cpu === null && now.cpu !== null)
      gathered.absent('cpu', 'it is the share between two readings, and this is the first');
    const sec = before === null ? 0 : (now.atMs - before.atMs) / 1000;
    const rate = (name: string, key: 'receivedBytes' | 'sentBytes', value: number): number | null => {
      const earlier = before?.interfaces.get(name);
      return earlier === undefined ? null : parsers.rateBetween(earlier[key], value, sec);
    };
    const unread = gathered.missing.some(({ what }) => what === 'interfaces');
    if (unread) return { cpu, interfaces: null };
    const interfaces = [...now.interfaces.values()].map((one) => ({
      ...one,
      receivedPerSec: rate(one.name, 'receivedBytes', one.receivedBytes),
      sentPerSec: rate(one.name, 'sentBytes', one.sentBytes),
    }));
    return { cpu, interfaces };
  }

  /** Those of the last hour, of the readings so far: before the first one nothing is known to be recent. */
  #oomKills(gathered: Gathered, atMs: number): VitalFacts['oomKills'] {
    const all = gathered.file(
      'oom_kills',
      '/proc/vmstat',
      (text) => parsers.oomKillsIn(text),
      'there is no /proc/vmstat',
    );
    if (all === null) return null;
    if (this.#kills.at(-1)?.all !== all) this.#kills.push({ atMs, all });
    while (this.#kills[1] !== undefined && atMs - this.#kills[1].atMs >= HOUR_MS) this.#kills.shift();
    return { all, lastHour: Math.max(0, all - (this.#kills[0]?.all ?? all)) };
  }

  #clock(gathered: Gathered): VitalFacts['clock'] {
    const state = this.#options.native.clockState();
    if (!isRefusal(state)) return { synchronised: state.synchronised, errorMs: state.maxErrorUs / 1000 };
    try {
      // The unit of the service takes adjtimex(2) away (ProtectClock=yes).
      const setMs = statSync(gathered.path(TIMESYNC)).mtimeMs;
      return { synchronised: Date.now() - setMs < 86_400_000, errorMs: null };
    } catch {
      return gathered.unread(
        'clock',
        `adjtimex(2) is not allowed here (${state.code}), and systemd-timesyncd has not set the clock`,
      );
    }
  }

  async #ofInstalled(
    atMs: number,
    again: boolean,
  ): Promise<Pick<VitalFacts, 'reboot' | 'updates' | 'missing'>> {
    const { root, kernel, container } = this.#options;
    if (!again && this.#installed !== null && atMs - this.#installed.atMs < INSTALLED_EVERY_MS)
      return this.#installed;
    const gathered = new Gathered(root);
    const reboot = rebootOf(gathered, kernel, container);
    const updates = await this.#updates.read(gathered, container);
    const installed = { atMs, reboot, updates, missing: gathered.missing };
    this.#installed = this.#updates.isReading ? null : installed;
    return installed;
  }

  async #temperature(gathered: Gathered): Promise<number | null> {
    const read = await this.#sensors.take(undefined, true);
    const { temperatures = [], refusals = [] } = read?.value ?? {};
    if (temperatures.length > 0) return Math.max(...temperatures) / 1000;
    return read === null || refusals.length > 0
      ? gathered.unread(
          'temperature',
          `the sensors could not be read: ${refusals[0]?.code ?? 'they do not answer'}`,
        )
      : gathered.absent('temperature', 'the machine shows no sensor');
  }
}
