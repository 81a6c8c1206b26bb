/** JSON output: the same value, without invisible characters. */
import { get } from 'node:http';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escapeJson, jsonText } from '../../src/base/visible-text.ts';
import { startService, TOKEN } from '../http/service.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { forAllOf } from '../support/for-all.ts';
import { HOSTILE } from '../support/hostile-words.ts';
import { findingFrom } from '../support/state.ts';

const test = suite('visible text');

/** Written out here, not imported from the source: controls except the line feed, DEL, C1, and the code points of the issue. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}|\p{Cf}|\p{Default_Ignorable_Code_Point}/u;

const characters = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0xff }),
        fc.integer({ min: 0x2000, max: 0x206f }),
        fc.integer({ min: 0xd800, max: 0xdfff }),
        fc.integer({ min: 0xe0000, max: 0xe01ff }),
        fc.constantFrom(0x61c, 0x180e, 0xfe0f, 0xfeff, 0xfff9, 0x3164),
      ),
    )
    .map((codes) => codes.map((code) => String.fromCodePoint(code)).join('')),
);

test('the escaped text parses to the same value and hides nothing', () => {
  const value = fc.oneof(characters, fc.dictionary(characters, fc.oneof(characters, fc.array(characters))));
  forAllOf(500)(value, (one) => {
    for (const text of [jsonText(one), jsonText(one, 2), escapeJson(JSON.stringify(one))]) {
      assert.not.match(text, HIDDEN);
      assert.equal(JSON.parse(text), JSON.parse(JSON.stringify(one)));
    }
  });
});

test('visible text is unchanged', () => {
  for (const text of ['plain', 'Zoë – µs …', '東京', '😀'])
    assert.is(jsonText({ text }), JSON.stringify({ text }));
});

test('process names are escaped in every JSON response and event', async () => {
  const desk = new FakeDesk();
  const name = `${HOSTILE.everything}\u009b31m\u0085\u007f\u00ad`;
  const finding = findingFrom({
    summary: name,
    evidence: { [name]: name },
    subject: {
      kind: 'process',
      pid: 7,
      start: '9',
      comm: name,
      executable: `/tmp/${name}`,
      identity: name,
      uid: 0,
    },
  });
  desk.parts = { findings: [finding] };
  desk.findings.set(finding.id, { finding, history: [{ at: '', event: name }] });
  const service = await startService(desk);
  try {
    for (const path of [
      '/status',
      '/av',
      '/h7/charge',
      '/h7/live',
      '/h7/page',
      '/h7/processes',
      '/h7/listeners',
      '/scar',
      '/detection',
      '/detection?severity=medium',
      `/findings/${finding.id}`,
      '/readyz',
      '/version',
    ]) {
      const { status, text } = await service.ask(path, { token: TOKEN });
      assert.is(status, 200, path);
      assert.not.match(text, HIDDEN, path);
      JSON.parse(text);
    }
    const { text } = await service.ask(`/findings/${finding.id}`, { token: TOKEN });
    assert.is(JSON.parse(text).finding.summary, name);
    const { host, port } = desk.listener('control');
    const event = await new Promise<string>((resolve, reject) => {
      const request = get(
        { host, port, path: '/h7/live', headers: { accept: 'text/event-stream' } },
        (response) => {
          let all = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            all += chunk;
            if (!/event: finding\ndata: .*\n\n/.test(all)) return;
            request.destroy();
            resolve(all);
          });
          desk.events.emit('finding', finding, 'open');
        },
      );
      request.on('error', reject);
    });
    assert.match(event, 'event: finding');
    assert.not.match(event, HIDDEN);
  } finally {
    await service.stop();
  }
});

test.run();
