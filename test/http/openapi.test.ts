/** The OpenAPI document: complete, valid, and identical to the published one. */
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OPERATIONS } from '../../src/features/table.ts';
import { openApiText } from '../../src/http/openapi.ts';
import { deskStatus } from '../../src/records/desk-status.ts';
import { stateFrom } from '../support/state.ts';

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content: Readonly<Record<string, { readonly schema: object }>>;
      }
    >
  >;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

const document = JSON.parse(openApiText()) as {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
};

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('the document is OpenAPI 3.1 with a title and a version', () => {
  assert.match(document.openapi, /^3\.1\.\d+$/);
  assert.match(document.info.version, /^\d+\.\d+\.\d+$/);
});

test('the document lists exactly the declared operations', () => {
  const inTable = new Set(OPERATIONS.map(({ method, path }) => `${method.toLowerCase()} ${path}`));
  assert.equal(new Set(operations.map(({ method, path }) => `${method} ${path}`)), inTable);
  assert.is(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  assert.is(new Set(OPERATIONS.map(({ id }) => id)).size, OPERATIONS.length);
});

test('path parameters are declared, token schemes exist, every operation has responses', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
    assert.equal(declared, inPath, path);
    for (const scheme of (operation.security ?? []).flatMap((one) => Object.keys(one)))
      assert.ok(scheme in document.components.securitySchemes, `${path} ${scheme}`);
    assert.ok(
      operation.responses['200'] && operation.responses.default && operation.summary.length > 3,
      path,
    );
  }
});

test('every schema compiles, references included', () => {
  const ajv = new Ajv2020.default({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'https://desk.test/openapi', components: document.components });
  const compile = (schema: object) =>
    ajv.compile(
      JSON.parse(
        JSON.stringify(schema).replaceAll('"#/components', '"https://desk.test/openapi#/components'),
      ),
    );
  let compiled = 0;
  for (const { operation } of operations) {
    const contents = [
      ...Object.values(operation.responses).map(({ content }) => content),
      operation.requestBody?.content ?? {},
    ];
    for (const schema of [
      ...contents.flatMap((content) => Object.values(content)).map((one) => one.schema),
      ...(operation.parameters ?? []).map((one) => one.schema),
    ]) {
      compile(schema);
      compiled += 1;
    }
  }
  assert.ok(compiled > 60);
  const validate = compile({ $ref: '#/components/schemas/DeskStatus' });
  const status = deskStatus.assemble(stateFrom());
  assert.ok(validate(status), JSON.stringify(validate.errors));
  assert.not.ok(validate({ ...status, undeclared: 1 }));
});

test('docs/openapi.json is up to date', () => {
  const held = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
  assert.ok(held === openApiText(), 'stale: run npm run docs');
});

test.run();
