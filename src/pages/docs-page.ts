/** The reference of the endpoints, rendered from the OpenAPI document, which is made from the endpoint table. */
import { type Html, html } from './html.ts';
import { OFFICE_NAV, page, table } from './layout.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly 'x-listeners'?: readonly string[];
  readonly parameters?: readonly {
    readonly name?: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

/** The part of an OpenAPI document that the page shows. */
interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: object;
}

interface Shown {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

function operationsOf({ paths = {} }: ApiDocument): Shown[] {
  return Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
  );
}

const anchor = ({ method, path, operation }: Shown): string => operation.operationId ?? `${method}-${path}`;

function inputsOf({ operation }: Shown): Html | false {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const rows = [
    ...(operation.parameters ?? []).map(({ name, required, description }) => [
      name,
      required ? 'yes' : 'no',
      description,
    ]),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => [
      name,
      body?.required?.includes(name) ? 'yes' : 'no',
      html`${schema.description}${schema.enum && html` (${schema.enum.map(String).join(', ')})`}`,
    ]),
  ];
  return (
    rows.length > 0 && table('Input', [{ head: 'Name' }, { head: 'Required' }, { head: 'Meaning' }], rows)
  );
}

function answerOf({ operation }: Shown): Html {
  const content = operation.responses?.['200']?.content ?? {};
  return html`<p>Answers ${Object.entries(content).map(([type, { schema }], at) => {
    const record = schema?.$ref?.split('/').at(-1);
    return html`${at > 0 && ', '}<code>${type}</code>${record && html` ${record}`}`;
  })}.</p>`;
}

const tokenOf = ({ operation: { security, description } }: Shown): string =>
  security === undefined
    ? 'none'
    : (description ?? `${security.flatMap((one) => Object.keys(one)).join(', ')} token`);

const section = (
  shown: Shown,
): Html => html`<section id="${anchor(shown)}" aria-labelledby="${anchor(shown)}-head">
<h2 id="${anchor(shown)}-head"><code>${shown.method} ${shown.path}</code></h2>
<p>${shown.operation.summary}.</p>
<p class="soft">Listeners: ${shown.operation['x-listeners']?.join(', ')}. Token: ${tokenOf(shown)}</p>
${inputsOf(shown)}${answerOf(shown)}</section>`;

export function docsPage(document: ApiDocument): Html {
  const operations = operationsOf(document);
  const content = html`<h1>Endpoints, version ${document.info.version}</h1>
<p>The same as a document: <a href="/openapi.json">openapi.json</a>. A refusal is <code>application/problem+json</code>.</p>
<section aria-labelledby="all"><h2 id="all">All of them</h2>
${table(
  'Endpoints',
  [{ head: 'Endpoint' }, { head: 'What it is' }],
  operations.map((shown) => [
    html`<a href="#${anchor(shown)}"><code>${shown.method} ${shown.path}</code></a>`,
    shown.operation.summary,
  ]),
)}</section>
${operations.map(section)}`;
  return page(
    {
      title: 'Endpoints of the desk',
      path: '/docs',
      nav: [...OFFICE_NAV, ['/docs', 'Docs']],
      foot: 'Made from the endpoint table.',
    },
    content,
  );
}
