/** What a record's own lines say about it: rows for documentation and pages, and its JSON Schema. */
import { z } from 'zod';

/** One row: `path` with dots, `[]` for the items of a list; `type` in the interface's notation (`str`, `int`, `X|null`, `[X]`). */
export interface Row {
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
  /** JSON text of the only value the field can have. */
  readonly constant?: string;
  readonly values?: readonly string[];
  /** Name of the record that is embedded here; its rows are its own. */
  readonly record?: string;
}

/** The part of JSON Schema that record types use. */
interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema | false;
  readonly prefixItems?: readonly JsonSchema[];
}

/** Anything with a name and a schema: records and the plain answers. */
export interface Described {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** JSON Schema, draft 2020-12, of what the service answers. Bounds that only say "a safe integer" are left out. */
export function jsonSchema({ schema }: Described): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'output',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (Number.isInteger(jsonSchema.const)) jsonSchema.type = 'integer';
    },
  }) as JsonSchema;
}

const SHORT: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'num',
  boolean: 'bool',
};

function typeOf(part: JsonSchema): string {
  if (part.anyOf !== undefined) return [...new Set(part.anyOf.map(typeOf))].join('|');
  if (part.$ref !== undefined) return 'object';
  if (part.type === 'array') return `[${typeOf(part.prefixItems?.[0] ?? (part.items || {}))}]`;
  const names = typeof part.type === 'string' ? [part.type] : (part.type ?? ['any']);
  return names.map((name) => SHORT[name] ?? name).join('|');
}

function constantOf(part: JsonSchema): string | undefined {
  if (part.prefixItems !== undefined) return JSON.stringify(part.prefixItems.map((item) => item.const));
  return part.const === undefined ? undefined : JSON.stringify(part.const);
}

/** The object whose properties are the rows below a part: the part itself, the items of a list, or what is not null. */
function inside(part: JsonSchema): { readonly suffix: string; readonly object: JsonSchema } | undefined {
  if (part.properties !== undefined) return { suffix: '', object: part };
  if (part.items) {
    const found = inside(part.items);
    return found === undefined ? undefined : { suffix: `[]${found.suffix}`, object: found.object };
  }
  const found = (part.anyOf ?? []).map(inside).filter((choice) => choice !== undefined);
  const [first] = found;
  if (first === undefined) return undefined;
  return { suffix: first.suffix, object: { properties: together(found.map(({ object }) => object)) } };
}

/** The properties of all kinds of an object; the one that names the kind (a constant in each) has all their values. */
function together(kinds: readonly JsonSchema[]): Record<string, JsonSchema> {
  const all: Record<string, JsonSchema> = {};
  for (const { properties = {} } of kinds)
    for (const [key, part] of Object.entries(properties)) {
      const before = all[key];
      if (before === undefined) all[key] = part;
      else if (part.const !== undefined) {
        const { const: constant, ...rest } = before;
        all[key] = { ...rest, enum: [...(before.enum ?? [constant]), part.const] };
      }
    }
  return all;
}

function* rowsOf(object: JsonSchema, prefix: string): Generator<Row> {
  for (const [key, part] of Object.entries(object.properties ?? {})) {
    const path = prefix + key;
    const constant = constantOf(part);
    yield {
      path,
      type: typeOf(part),
      meaning: part.description ?? '',
      ...(constant === undefined ? {} : { constant }),
      ...(part.enum === undefined ? {} : { values: part.enum.map(String) }),
      ...(part.$ref === undefined ? {} : { record: part.$ref.slice(part.$ref.lastIndexOf('/') + 1) }),
    };
    const below = inside(part);
    if (below !== undefined) yield* rowsOf(below.object, `${path}${below.suffix}.`);
  }
}

/** The rows of a record in the order of its fields; an object's own row comes before those of its fields. */
export function describe(described: Described): Row[] {
  const whole = jsonSchema(described);
  const object = whole.$ref === undefined ? whole : whole.$defs?.[described.name];
  return [...rowsOf(object ?? {}, '')];
}
