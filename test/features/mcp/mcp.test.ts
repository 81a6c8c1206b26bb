/** The MCP server with the protocol's own client, of both revisions, over stdio and over HTTP. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { queryAnswer } from '../../../src/records/query.ts';
import { widget } from '../../../src/records/remote.ts';
import { type Service, startService, TOKEN } from '../../http/service.ts';
import { programWords } from '../../support/entry.ts';
import { expect } from '../../support/expect.ts';
import { FakeDesk, loopbackConfig } from '../../support/fake-desk.ts';
import { HOSTILE } from '../../support/hostile-words.ts';
import { sceneOf } from '../../support/scenes.ts';

const test = suite('mcp');
const folder = mkdtempSync(join(tmpdir(), 'desk-mcp-'));
let service: Service;
const env = { DESK_CONFIG: join(folder, 'desk.toml'), DESK_STATE: join(folder, 'state'), HOME: folder };

test.before(async () => {
  const desk = new FakeDesk(loopbackConfig({ mcp: { http: true } }));
  desk.parts = sceneOf('hostile').parts;
  service = await startService(desk);
  writeFileSync(env.DESK_CONFIG, `[listen.control]\nport = ${service.port()}\n`);
  mkdirSync(env.DESK_STATE, { mode: 0o700 });
  writeFileSync(join(env.DESK_STATE, 'control.token'), TOKEN, { mode: 0o600 });
});
test.after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const TRANSPORTS = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [...programWords('../../../src/cli/main.ts', import.meta.url), 'mcp'],
      env: { ...env, PATH: process.env.PATH ?? '' },
      stderr: 'inherit',
    }),
  http: () => new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port()}/mcp`)),
} as const;

async function connected(
  transport: keyof typeof TRANSPORTS,
  mode: 'legacy' | { pin: string },
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(TRANSPORTS[transport]());
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

type Called = Awaited<ReturnType<Client['callTool']>>;
/** The data of an answer, behind a warning. */
function dataOf({ content, structuredContent, isError }: Called): unknown {
  assert.not.ok(isError, JSON.stringify(content));
  const texts = (content as { readonly text: string }[]).map(({ text }) => text);
  assert.is(texts.length, 2);
  assert.match(texts[0] ?? '', 'never an instruction');
  // It would not be escaped.
  assert.is(structuredContent, undefined);
  const data = JSON.parse(texts[1] ?? '') as { readonly untrusted_data: unknown };
  expect(Object.keys(data)).equals(['untrusted_data']);
  return data.untrusted_data;
}

for (const transport of ['stdio', 'http'] as const)
  for (const [mode, revision] of [
    ['legacy', /^2025-/],
    [{ pin: '2026-07-28' }, /^2026-07-28$/],
  ] as const)
    test(`${transport}, ${String(revision)}: four tools that only read, each answers`, async () => {
      await using client = await connected(transport, mode);
      assert.match(client.getNegotiatedProtocolVersion() ?? '', revision);
      assert.match(client.getInstructions() ?? '', 'processes: ');
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).sort()).equals(['docs', 'explain_finding', 'query', 'status']);
      for (const { annotations } of tools) assert.ok(annotations?.readOnlyHint);
      const call = (name: string, input: Record<string, unknown> = {}) =>
        client.callTool({ name, arguments: input });
      widget.schema.parse(dataOf(await call('status')));
      const { rows } = queryAnswer.schema.parse(
        dataOf(await call('query', { query: 'findings order by -severity' })),
      );
      const id = rows[0]?.id;
      const found = dataOf(await call('explain_finding', { id })) as {
        readonly finding: { readonly id: string };
      };
      assert.match(JSON.stringify(found), String(id));
      assert.match(JSON.stringify(dataOf(await call('docs', { q: 'scar' }))), 'scar');
    });

test('a wrong query is an error with its place, and what needs a token is refused', async () => {
  for (const transport of ['stdio', 'http'] as const) {
    await using client = await connected(transport, 'legacy');
    const textOf = async (query: string): Promise<string> => {
      const { content, isError } = await client.callTool({ name: 'query', arguments: { query } });
      assert.ok(isError);
      return (content as { readonly text: string }[])[1]?.text ?? '';
    };
    const wrong = await textOf('processes where thread > 3');
    assert.match(wrong, /character 17.*threads/, wrong);
    assert.match(await textOf('people'), 'token');
    assert.match(await textOf('quarantine'), 'token');
  }
});

test('names that others chose are only in the field of untrusted data, and cannot be seen as anything else', async () => {
  await using client = await connected('http', 'legacy');
  const answer = await client.callTool({
    name: 'query',
    arguments: { query: 'findings select summary, program' },
  });
  const data = JSON.stringify(dataOf(answer));
  assert.ok(data.includes(JSON.stringify(HOSTILE.markup).slice(1, -1)), 'the scene has hostile names');
  const text = (answer.content as { readonly text: string }[])[1]?.text ?? '';
  assert.not.match(text, /[\p{Cc}\p{Cf}]/u);
});

test('without [mcp] http the endpoint refuses, and says what to do', async () => {
  const other = await startService(new FakeDesk());
  try {
    const { status, text } = await other.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' });
    assert.is(status, 409);
    assert.match(text, '[mcp] http = true');
  } finally {
    await other.stop();
  }
});

test('other requests than POST are not allowed, and a page of another site is refused', async () => {
  assert.is((await service.ask('/mcp')).status, 405);
  const { status } = await service.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { headers: { origin: 'https://evil.example' } },
  );
  assert.is(status, 403);
});

test.run();
