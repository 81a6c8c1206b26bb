/** `[[alerts.to]]` and `[[heartbeat]]`: which keys a kind needs, and that every example of docs/alerts.md is valid. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkConfig } from '../../src/config/load.ts';
import { unlistedPlaces } from '../../src/service/unlisted.ts';
import { projectRoot } from '../support/require.ts';

const test = suite('configuration of alerts');

const check = (text: string) => checkConfig(new TextEncoder().encode(text));
const problems = (text: string): readonly string[] => {
  const result = check(text);
  return result.ok ? [] : result.problems.map(({ line, key, message }) => `${line} ${key} ${message}`);
};
const target = (keys: string): string => `[[alerts.to]]\nname = "one"\n${keys}\n`;

test('every example of docs/alerts.md is valid', () => {
  const text = readFileSync(join(projectRoot, 'docs/alerts.md'), 'utf8');
  const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, example = '']) => example);
  assert.ok(examples.length >= 9, `${examples.length} examples`);
  for (const example of examples) {
    const kind = example.includes('kind =') ? '' : 'kind = "webhook"\n';
    const whole = example.includes('[[') ? example : target(`${kind}${example}`);
    assert.equal(problems(whole), [], whole);
  }
});

test('what a kind needs, and what has no meaning for it', () => {
  assert.equal(problems(target('kind = "ntfy"')), [
    '1 alerts.to[0].url is missing, expected a web address, or url_file with a file that holds it',
  ]);
  assert.equal(problems(target('kind = "ntfy"\nurl = "https://a.example/t"\nurl_file = "/etc/x"')), [
    '5 alerts.to[0].url_file names a file, but url is there too: remove one of them',
  ]);
  assert.match(problems(target('kind = "mail"'))[0] ?? '', /address is missing/);
  assert.match(
    problems(target('kind = "mail"\naddress = "ada@example.org"'))[0] ?? '',
    /kind found "mail", expected smtp_host and address in \[identity\] too/,
  );
  assert.match(problems(target('kind = "command"\ncommand = ["siren"]'))[0] ?? '', /absolute path/);
  assert.equal(problems(target('kind = "ntfy"\nurl = "https://a.example/t"\ntemplate = "{}"')), [
    '5 alerts.to[0].template has no meaning for kind "ntfy", remove this line',
  ]);
});

test('a digest names targets that exist, each once, and a time of day', () => {
  const one = target('kind = "ntfy"\nurl = "https://a.example/t"');
  const digest = (keys: string) => problems(`${one}[alerts.digest]\n${keys}\n`);
  assert.equal(digest('to = ["one"]\nat = "23:59"\neven_when_quiet = true'), []);
  assert.equal(digest('to = ["phone"]'), [
    '6 alerts.digest.to[0] found "phone", expected the name of a target of [[alerts.to]]',
  ]);
  assert.match(digest('to = ["one", "one"]')[0] ?? '', /found "one" twice/);
  for (const at of ['24:00', '8:00', '08:60', 'noon'])
    assert.match(digest(`to = ["one"]\nat = "${at}"`)[0] ?? '', /expected a local time of day/, at);
});

test('templates that would not work are reported before anything is sent', () => {
  const webhook = (template: string) =>
    problems(target(`kind = "webhook"\nurl = "https://a.example/t"\n${template}`));
  assert.match(
    webhook(`template = '{"text": {{txt}}}'`)[0] ?? '',
    /has \{\{txt\}\}, which is not a field; expected one of id, kind/,
  );
  assert.match(
    webhook(`template = '{"text": "{{text}}"'`)[0] ?? '',
    /is not JSON once its fields are filled in/,
  );
  assert.match(webhook(`template = '{"text": "{{text}}"}'`)[0] ?? '', /without quotes around it/);
  assert.match(webhook(`template = '{ {{title}}: 1 }'`)[0] ?? '', /is not JSON/);
  assert.match(webhook(`each = '{{text}}'`)[0] ?? '', /has \{\{text\}\}/);
  assert.equal(webhook(`template = '[{{items}}]'\neach = '{"a": {{title}}}'`), []);
});

test('names are different, and addresses that [egress] does not list are reported', () => {
  const ntfy = target('kind = "ntfy"\nurl = "https://a.example/t"');
  assert.equal(problems(ntfy + ntfy), ['6 alerts.to[1].name found "one" twice, expected different names']);
  const result = check(`${ntfy}[[heartbeat]]\nname = "b"\nurl = "https://b.example/ping"\n`);
  assert.ok(result.ok);
  if (!result.ok) return;
  assert.equal(
    unlistedPlaces(result.value).map(({ key }) => key),
    ['alerts.to[0].url', 'heartbeat[0].url'],
  );
});

test.run();
