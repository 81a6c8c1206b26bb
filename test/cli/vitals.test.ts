/** The state of the machine in `desk status`. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Terminal } from '../../src/base/terminal.ts';
import { show } from '../../src/cli/commands/status.ts';
import { page } from '../../src/records/page.ts';
import { type StateParts, stateFrom } from '../support/state.ts';
import { vitalsRead } from '../support/vitals.ts';

function printed(vitals: StateParts['vitals']): string {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  show(new Terminal({ isTTY: false, write }, {}), page.assemble(stateFrom({ vitals })));
  return text;
}

test('desk status has one line of it, and what is beyond a limit', () => {
  assert.match(
    printed(vitalsRead()),
    /machine +load 0\.50 0\.25 0\.13, memory 4\.0 GiB of 8\.0 GiB available/,
  );
  assert.match(printed(vitalsRead({ temperatureCelsius: 120 })), '! the hottest sensor reads 120 °C');
  assert.match(printed(vitalsRead({ memory: null })), 'memory not known');
  assert.match(printed(null), /machine +not read yet/);
});

test.run();
