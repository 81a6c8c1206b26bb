/** The unit of a process, by its control group. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inUnitBeside } from '../../src/privileges/unit-group.ts';

const UNIT = 'desk-namespaces.service';
const own = '0::/system.slice/desk.service\n';

test('the helper is beside the service, in the same slice', () => {
  assert.ok(inUnitBeside(own, `0::/system.slice/${UNIT}\n`, UNIT));
  assert.ok(
    inUnitBeside(
      '12:cpu,cpuacct:/\n1:name=systemd:/system.slice/desk.service\n0::/\n',
      `12:cpu,cpuacct:/\n1:name=systemd:/system.slice/${UNIT}\n0::/\n`,
      UNIT,
    ),
  );
});

test('groups of that name that a user or a container can make are others', () => {
  for (const path of [
    `/user.slice/user-1000.slice/user@1000.service/app.slice/${UNIT}`,
    `/system.slice/docker-1234.scope/${UNIT}`,
    `/system.slice/desk.service/${UNIT}`,
    `/system.slice/x${UNIT}`,
    `/system.slice/${UNIT}/below`,
    `/${UNIT}`,
    '/system.slice/desk.service',
  ])
    assert.not(inUnitBeside(own, `0::${path}\n`, UNIT), path);
  assert.not(inUnitBeside(own, '', UNIT));
});

test('a desk that no unit runs knows no helper', () => {
  for (const group of ['0::/\n', '0::/user.slice/user-0.slice/session-1.scope\n', ''])
    assert.not(inUnitBeside(group, `0::/${UNIT}\n`, UNIT), group);
});

test.run();
