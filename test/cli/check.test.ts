/** `desk check`: the line and exit codes of a monitoring plugin. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stateOf } from '../../src/cli/commands/check.ts';
import { SEVERITIES } from '../../src/policy/severity.ts';
import { widget } from '../../src/records/remote.ts';
import { anyState } from '../support/arbitrary-state.ts';
import { cli, FakeService } from '../support/cli.ts';
import { findingFrom, stateFrom } from '../support/state.ts';

const test = suite('check');
const service = new FakeService();
test.before(() => service.start());
test.after(() => service.stop());

const widgetFrom = (parts: Parameters<typeof stateFrom>[0] = {}, ageMs = 1000) =>
  widget.assemble({ state: stateFrom(parts), ageMs });

/** As https://www.monitoring-plugins.org/doc/guidelines.html has it: a line, a bar, `label=value[UOM];[warn];[crit];[min];[max]`. */
const LINE =
  /^HOSTESS DESK (?<state>OK|WARNING|CRITICAL|UNKNOWN) - (?<text>[^|\n]+)(?:\|(?<data>[a-z_]+=\d+s?;;;0(?:;\d+)?(?: [a-z_]+=\d+s?;;;0(?:;\d+)?)*))?\n$/;

async function checked(words: readonly string[] = []) {
  const { code, out, err } = await cli(['check', ...words], service.env);
  const found = LINE.exec(out);
  assert.ok(found?.groups, `not a line of a plugin: ${JSON.stringify(out)}`);
  assert.is(err, '');
  return { code, ...(found.groups as { state: string; text: string; data?: string }) };
}

const answering = (body: unknown) => {
  service.answer = () => ({ body });
};

test('a desk that is well is OK, with performance data', async () => {
  answering(widgetFrom());
  const { code, state, data } = await checked();
  assert.is(code, 0);
  assert.is(state, 'OK');
  for (const label of ['findings', 'scars', 'blind', 'ports_up', 'age', ...SEVERITIES])
    assert.match(data ?? '', new RegExp(`(?:^| )${label}=\\d`));
  assert.is(service.asked.at(-1)?.path, '/widget.json');
});

test('severities give the state, by the thresholds', async () => {
  const cases: readonly (readonly [
    severity: 'low' | 'medium' | 'high' | 'critical',
    words: string,
    code: number,
  ])[] = [
    ['low', '', 0],
    ['low', '--warn low', 1],
    ['low', '--crit low', 2],
    ['medium', '', 1],
    ['high', '', 2],
    ['high', '--crit critical', 1],
    ['critical', '--warn critical --crit critical', 2],
    // Below both thresholds, but the desk is not well.
    ['medium', '--warn critical --crit critical', 1],
  ];
  for (const [severity, words, code] of cases) {
    answering(widgetFrom({ findings: [findingFrom({ severity })] }));
    assert.is((await checked(words === '' ? [] : words.split(' '))).code, code, `${severity} ${words}`);
  }
});

test('a required port that is down is CRITICAL', async () => {
  answering(widgetFrom({ snapshot: { listeners: [] } }));
  assert.is((await checked()).code, 2);
});

test('what is not known is UNKNOWN: no service, an old state, too little seen, a wrong option', async () => {
  answering(widgetFrom({}, 61_000));
  assert.equal([(await checked()).code, (await checked()).state], [3, 'UNKNOWN']);
  answering({ ...widgetFrom(), covered: false, ok: false, tone: 'warn' });
  assert.is((await checked()).code, 3);
  // A severe finding is known, whatever else is not.
  answering({ ...widgetFrom(), covered: false, ok: false, tone: 'bad', high: 1, findings: 1 });
  assert.is((await checked()).code, 2);
  answering(widgetFrom());
  assert.is((await checked(['--warn', 'grave'])).code, 3);
  assert.is((await cli(['check', '--grave'], service.env)).code, 3);
  service.answer = () => ({ status: 503, body: { title: 'The | desk\nis closing', status: 503 } });
  assert.is((await checked()).code, 3);
  service.answer = () => 'silence';
  const { code, out } = await cli(['check'], { ...service.env, DESK_CONFIG: '/nonexistent/desk.toml' });
  assert.is(code, 3);
  assert.match(out, /^HOSTESS DESK UNKNOWN - [^\n|]+\n$/);
});

test('no state is OK without ok, coverage and a recent recheck', () => {
  fc.assert(
    fc.property(
      anyState,
      fc.nat(200_000),
      fc.constantFrom(...SEVERITIES),
      fc.constantFrom(...SEVERITIES),
      (state, ageMs, warn, crit) => {
        const record = widget.assemble({ state: state as never, ageMs });
        if (stateOf(record, { warn, crit }) !== 'OK') return;
        assert.ok(record.ok && record.covered && record.age_sec <= 60 && record.scars === 0);
      },
    ),
  );
});

test.run();
