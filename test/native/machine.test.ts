/** Machine facts in fixture folders, for sensors, cameras and sound cards that the real machine may not have. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CaptureResult, SensorResult } from '../../src/engine/native/host-types.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import type { MachineResult } from '../../src/engine/native/types.ts';
import { keepsWaiting } from '../support/keeps-waiting.ts';

const { addon: native } = loadNative();
const test = suite('machine');
let folder = '';
let made = 0;

test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-machine-'));
});
test.after(() => rmSync(folder, { recursive: true, force: true }));
keepsWaiting(test);

type Facts = MachineResult & SensorResult & CaptureResult;

/** Files by path and links by `path -> target`, and the facts read from them with these proc and sys folders. */
async function machineOf(files: Readonly<Record<string, string>>): Promise<Facts> {
  const root = join(folder, String(made++));
  mkdirSync(join(root, 'proc'), { recursive: true });
  mkdirSync(join(root, 'sys'));
  for (const [name, content] of Object.entries(files)) {
    const [path = '', target] = name.split(' -> ');
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if (target === undefined) writeFileSync(file, content);
    else symlinkSync(target, file);
  }
  const handle = native.openRoot(join(root, 'proc'));
  if (typeof handle !== 'number') throw new Error(handle.code);
  try {
    const sys = join(root, 'sys');
    const parts = [
      native.machine(handle),
      await native.sensors(sys),
      await native.captureDevices(handle, sys),
    ];
    return Object.assign({}, ...parts, { refusals: parts.flatMap(({ refusals }) => refusals) });
  } finally {
    native.closeRoot(handle);
  }
}

const refusals = ({ refusals }: Facts) => refusals.map(({ source, code }) => `${source} ${code}`);

test('an empty machine has no devices and unknown numbers, and nothing is refused', async () => {
  const machine = await machineOf({});
  assert.is(machine.temperatures.length, 0);
  assert.is(machine.cameras, 0);
  assert.is(machine.captureDevices, 0);
  assert.equal([machine.tcpActiveOpens, machine.tcpPassiveOpens], [null, null]);
  assert.equal([machine.ephemeralLow, machine.ephemeralHigh], [null, null]);
  assert.equal(refusals(machine), []);
});

const SNMP = [
  'Ip: Forwarding DefaultTTL',
  'Ip: 1 64',
  'Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails',
  'Tcp: 1 200 120000 -1 4294967297 12 3',
  'Udp: InDatagrams',
  'Udp: 5',
  '',
].join('\n');

test('counters and the port range are read', async () => {
  const machine = await machineOf({
    'proc/net/snmp': SNMP,
    'proc/sys/net/ipv4/ip_local_port_range': '32768\t60999\n',
  });
  assert.is(machine.tcpActiveOpens, 4294967297);
  assert.is(machine.tcpPassiveOpens, 12);
  assert.equal([machine.ephemeralLow, machine.ephemeralHigh], [32768, 60999]);
});

test('malformed counters and port ranges are refusals', async () => {
  for (const snmp of [
    '',
    'Tcp: ActiveOpens PassiveOpens\n',
    'Tcp: ActiveOpens\nTcp: 1\n',
    SNMP.replace(' 12 ', ' x '),
  ]) {
    const machine = await machineOf({ 'proc/net/snmp': snmp });
    assert.equal(refusals(machine), ['snmp EBADMSG']);
    assert.equal([machine.tcpActiveOpens, machine.tcpPassiveOpens], [null, null]);
  }
  for (const range of ['', '5', '60999 32768', '0 10', '1 70000', '1 -2', 'a b']) {
    const machine = await machineOf({ 'proc/sys/net/ipv4/ip_local_port_range': range });
    assert.equal(refusals(machine), ['port range EBADMSG'], range);
    assert.equal([machine.ephemeralLow, machine.ephemeralHigh], [null, null]);
  }
});

test('every readable sensor counts; a zone that is mirrored as hwmon counts once', async () => {
  const machine = await machineOf({
    'sys/class/thermal/thermal_zone0/temp': '47500\n',
    'sys/class/thermal/thermal_zone1/temp': '-3000\n',
    'sys/class/thermal/cooling_device0/temp': '1\n',
    // The mirror of zone 0, and another driver with two sensors.
    'sys/class/hwmon/hwmon0/temp1_input': '47500\n',
    'sys/class/hwmon/hwmon0/device -> ../../thermal/thermal_zone0': '',
    'sys/class/hwmon/hwmon1/temp1_input': '60000\n',
    'sys/class/hwmon/hwmon1/temp2_input': '61000\n',
    'sys/class/hwmon/hwmon1/temp2_max': '99000\n',
    'sys/class/hwmon/hwmon1/fan1_input': '1200\n',
    'sys/class/hwmon/hwmon1/device -> ../../../devices/platform/coretemp.0': '',
  });
  assert.equal([...machine.temperatures], [47500, -3000, 60000, 61000]);
  assert.equal(refusals(machine), []);
});

test("a mirror inside its zone's folder is recognised by its location", async () => {
  const machine = await machineOf({
    'sys/devices/virtual/thermal/thermal_zone0/temp': '40000\n',
    'sys/devices/virtual/thermal/thermal_zone0/hwmon3/temp1_input': '40000\n',
    'sys/class/thermal/thermal_zone0 -> ../../devices/virtual/thermal/thermal_zone0': '',
    'sys/class/hwmon/hwmon3 -> ../../devices/virtual/thermal/thermal_zone0/hwmon3': '',
  });
  assert.equal([...machine.temperatures], [40000]);
});

test('a sensor with an impossible value is skipped and reported', async () => {
  for (const text of ['', 'hot\n', '-273151\n', '99999999999\n']) {
    const machine = await machineOf({
      'sys/class/thermal/thermal_zone0/temp': text,
      'sys/class/thermal/thermal_zone1/temp': '1000\n',
    });
    assert.equal([...machine.temperatures], [1000]);
    assert.equal(refusals(machine), ['thermal EBADMSG'], text);
  }
});

test('cameras are counted once per device, by their capture node', async () => {
  const machine = await machineOf({
    'sys/devices/usb1/product': 'a camera with two nodes\n',
    'sys/devices/usb2/product': 'another\n',
    'sys/class/video4linux/video0/index': '0\n',
    'sys/class/video4linux/video0/device -> ../../../devices/usb1': '',
    'sys/class/video4linux/video1/index': '1\n',
    'sys/class/video4linux/video1/device -> ../../../devices/usb1': '',
    'sys/class/video4linux/video2/index': '0\n',
    'sys/class/video4linux/video2/device -> ../../../devices/usb2': '',
    // The second function of the first camera, and a virtual camera without a parent.
    'sys/class/video4linux/video3/index': '0\n',
    'sys/class/video4linux/video3/device -> ../../../devices/usb1': '',
    'sys/class/video4linux/video4/index': '0\n',
    'sys/class/video4linux/v4l-subdev0/index': '0\n',
    'sys/class/video4linux/radio0/index': '0\n',
  });
  assert.is(machine.cameras, 3);
  assert.equal(refusals(await machineOf({ 'sys/class/video4linux/video0/index': '?\n' })), [
    'cameras EBADMSG',
  ]);
});

test('sound devices that record are found, whatever their names', async () => {
  const pcm = [
    '00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1',
    '00-03: HDMI 0 : HDMI 0 : playback 1',
    '01-00: USB Audio : USB Audio : capture 2',
    '02-00: capture card : capture : playback 1',
    '',
  ].join('\n');
  assert.is((await machineOf({ 'proc/asound/pcm': pcm })).captureDevices, 2);
});

test('a folder in place of a file is a refusal', async () => {
  const machine = await machineOf({
    'proc/asound/pcm/strange': '',
    'proc/net/snmp/strange': '',
    'sys/class/thermal': 'a file',
  });
  assert.equal(refusals(machine).sort(), ['snmp EISDIR', 'sound EISDIR', 'thermal ENOTDIR']);
});

test('a closed root is refused', () => {
  const root = native.openRoot('/proc');
  if (typeof root !== 'number') throw new Error(root.code);
  native.closeRoot(root);
  assert.throws(() => native.machine(root), /root/i);
});

test('the counters of this machine lie between two readings of the test', () => {
  const root = native.openRoot('/proc');
  if (typeof root !== 'number') throw new Error(root.code);
  const read = () => {
    const [names = '', values = ''] = readFileSync('/proc/net/snmp', 'latin1')
      .split('\n')
      .filter((line) => line.startsWith('Tcp:'));
    return Number(values.split(' ')[names.split(' ').indexOf('ActiveOpens')]);
  };
  const uptime = () => Number(readFileSync('/proc/uptime', 'latin1').split(' ')[0]);
  try {
    const before = [read(), uptime()] as const;
    const { tcpActiveOpens, uptimeSec } = native.machine(root);
    const after = [read(), uptime()] as const;
    if (tcpActiveOpens === null || uptimeSec === null) throw new Error('the real ones are there');
    assert.ok(before[0] <= tcpActiveOpens && tcpActiveOpens <= after[0]);
    // /proc/uptime has hundredths of a second.
    assert.ok(before[1] <= uptimeSec && uptimeSec <= after[1] + 0.01);
  } finally {
    native.closeRoot(root);
  }
});

test.run();
