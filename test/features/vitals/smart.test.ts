/** State files of smartd, as smartmontools 7.3 writes them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { concernsOf } from '../../../src/checks/vitals.ts';
import { Gathered } from '../../../src/features/vitals/files.ts';
import { smartIn, smartOf } from '../../../src/features/vitals/smart.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { LAW, vitalFacts } from '../../support/vitals.ts';

const HEADER = '# smartd state file\n';
/** smartd leaves out what is 0. */
const line = (key: string, value: number) => (value === 0 ? '' : `${key} = ${value}\n`);
const attribute = (at: number, id: number, raw: number) =>
  [['id', id] as const, ['val', 100] as const, ['worst', 100] as const, ['raw', raw] as const]
    .map(([part, value]) => line(`ata-smart-attribute.${at}.${part}`, value))
    .join('');
const HEALTHY = `${HEADER}temperature-min = 25\ntemperature-max = 45\n${attribute(0, 1, 7)}${attribute(3, 5, 0)}${attribute(9, 197, 0)}${attribute(10, 198, 0)}`;

test('sectors, self-tests and warnings are read', () => {
  assert.equal(smartIn('ata', HEALTHY), {
    ...{ reallocated: 0, pending: 0, uncorrectable: 0 },
    ...{ failedSelfTests: 0, errors: 0, warnings: [], serious: [] },
  });
  const failing = `${HEADER}self-test-errors = 2\nata-error-count = 873\nmail.1.count = 1\nmail.4.count = 3\nmail.4.first-sent-time = 1700000000\n${attribute(3, 5, 40)}${attribute(9, 197, 8)}`;
  assert.equal(smartIn('ata', failing), {
    ...{ reallocated: 40, pending: 8, uncorrectable: null },
    ...{ failedSelfTests: 2, errors: 873 },
    warnings: ['its health check failed', 'its log had new errors'],
    serious: ['its health check failed'],
  });
  const nvme = smartIn('nvme', `${HEADER}temperature-max = 50\nnvme-err-log-entries = 7\n`);
  assert.equal([nvme?.pending, nvme?.errors], [null, 7]);
  assert.is(smartIn('scsi', HEADER)?.errors, null);
  assert.is(smartIn('ata', 'mail.1.count = 1\n'), null);
});

test('any counts are read, in any order, between any other lines', () => {
  const counts = fc.record({ pending: fc.nat(9), failed: fc.nat(9), health: fc.nat(2), log: fc.nat(2) });
  fc.assert(
    fc.property(counts, fc.array(fc.string()), fc.boolean(), (of, others, reversed) => {
      const lines = [
        attribute(7, 197, of.pending),
        line('self-test-errors', of.failed),
        line('mail.1.count', of.health),
        line('mail.4.count', of.log),
        // Each other line is none of smartd's.
        ...others.map((other) => `# ${other.replaceAll('\n', ' ')}\n`),
      ];
      const state = smartIn('ata', HEADER + (reversed ? lines.reverse() : lines).join(''));
      assert.equal(
        [state?.pending, state?.failedSelfTests, state?.serious.length, state?.warnings.length],
        [of.pending, of.failed, Number(of.health > 0), Number(of.health > 0) + Number(of.log > 0)],
      );
      assert.is(smartIn('ata', lines.join('')), null);
    }),
  );
  const nvme = smartIn('nvme', `${HEADER}mail.1.count = 1\n`);
  assert.equal([nvme?.warnings, nvme?.serious], [['its health check failed'], []]);
});

test('each drive has its state, and one of another form is unread', () => {
  const root = tempFolder('desk-smart-');
  const folder = join(root, 'var/lib/smartmontools');
  const without = new Gathered(root);
  assert.equal(smartOf(without), []);
  assert.is(without.missing[0]?.kind, 'absent');
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string) => writeFileSync(join(folder, name), text);
  put('smartd.DISK_1-SN1.ata.state', HEALTHY);
  put('smartd.DISK_2-SN2.ata.state', `${HEADER}${attribute(0, 197, 8)}`);
  put('smartd.DISK_3-SN3.nvme.state', `${HEADER}mail.4.count = 1\n`);
  put('smartd.DISK_4-SN4.ata.state', 'other');
  // While smartd writes it.
  put('smartd.DISK_5-SN5.ata.state', '');
  put('smartd.DISK_5-SN5.ata.state~', HEALTHY);
  put('smartd.DISK_1-SN1.ata.state~', 'other');
  put('attrlog.DISK_1-SN1.ata.csv', 'other');
  const gathered = new Gathered(root);
  const smart = smartOf(gathered);
  assert.equal(
    smart.map(({ name }) => name),
    ['DISK_1-SN1', 'DISK_2-SN2', 'DISK_3-SN3', 'DISK_5-SN5'],
  );
  assert.equal(
    gathered.missing.map(({ what, kind }) => `${what} ${kind}`),
    ['smart unread'],
  );
  const today = new Date(smart[1]?.asOfMs ?? 0).toISOString().slice(0, 10);
  assert.equal(
    concernsOf(vitalFacts({ smart }), LAW).map(({ sign, about, summary }) => [sign, about, summary]),
    [
      [
        'drive',
        'DISK_2-SN2',
        `DISK_2-SN2: 8 sectors that could not be read, by smartd on ${today} (if the drive is gone, remove /var/lib/smartmontools/smartd.DISK_2-SN2.ata.state)`,
      ],
    ],
  );
});

test.run();
