/** The reference of the endpoints, rendered from the OpenAPI document of the declared operations. */
import { renderDocument } from './document.tsx';
import { Section, Table } from './parts.tsx';
import { Frame, OFFICE_NAV } from './plain-frame.tsx';

interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Body {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
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
  }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
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

const operationsOf = ({ paths = {} }: ApiDocument): Shown[] =>
  Object.entries<Readonly<Record<string, Operation>>>({ ...paths }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const Name = ({ method, path }: Shown) => (
  <code>
    {method} {path}
  </code>
);

const anchor = ({ method, path, operation }: Shown): string => operation.operationId ?? `${method}-${path}`;

function Inputs({ operation }: Shown) {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const row = (name: string | undefined, required: boolean | undefined, meaning: string | undefined) => [
    name,
    required ? 'yes' : 'no',
    meaning,
  ];
  const rows = [
    ...(operation.parameters ?? []).map(({ name, required, description }) =>
      row(name, required, description),
    ),
    ...Object.entries(body?.properties ?? {}).map(([name, { description = '', enum: values }]) =>
      row(name, body?.required?.includes(name), `${description}${values ? ` (${values.join(', ')})` : ''}`),
    ),
  ];
  if (rows.length === 0) return null;
  return (
    <Table
      caption={`Input of ${operation.operationId ?? ''}`}
      columns={[{ head: 'Name' }, { head: 'Required' }, { head: 'Meaning' }]}
      rows={rows}
    />
  );
}

function Answer({ operation }: Shown) {
  const content = Object.entries(operation.responses?.['200']?.content ?? {});
  return (
    <p>
      Answers{' '}
      {content.map(([type, { schema }], at) => (
        <span key={type}>
          {at > 0 && ', '}
          <code>{type}</code> {schema?.$ref?.split('/').at(-1)}
        </span>
      ))}
      .
    </p>
  );
}

const tokenOf = ({ operation: { security, description } }: Shown): string =>
  security === undefined
    ? 'none'
    : (description ?? `${security.flatMap((one) => Object.keys(one)).join(', ')} token`);

const Endpoint = (shown: Shown) => (
  <Section id={anchor(shown)} title={<Name {...shown} />}>
    <p>{shown.operation.summary}.</p>
    <p class="soft">
      Listeners: {shown.operation['x-listeners']?.join(', ')}. Token: {tokenOf(shown)}
    </p>
    <Inputs {...shown} />
    <Answer {...shown} />
  </Section>
);

export function docsPage(document: ApiDocument): string {
  const operations = operationsOf(document);
  return renderDocument({
    title: 'Endpoints of the desk',
    body: (
      <Frame path="/docs" nav={[...OFFICE_NAV, ['/docs', 'Docs']]} foot="Made from the declared operations.">
        <h1>Endpoints, version {document.info.version}</h1>
        <p>
          The same as a document: <a href="/openapi.json">openapi.json</a>. A refusal is{' '}
          <code>application/problem+json</code>.
        </p>
        <Section id="all" title="All of them">
          <Table
            caption="Endpoints"
            columns={[{ head: 'Endpoint' }, { head: 'What it is' }]}
            rows={operations.map((shown) => [
              <a key="endpoint" href={`#${anchor(shown)}`}>
                <Name {...shown} />
              </a>,
              shown.operation.summary,
            ])}
          />
        </Section>
        {operations.map((shown) => (
          <Endpoint key={anchor(shown)} {...shown} />
        ))}
      </Frame>
    ),
  });
}
