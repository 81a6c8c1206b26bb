/**
 * How a record is written down: one line per field. From it follow the TypeScript type, the assembled value, the strict
 * validation, the JSON Schema, the OpenAPI component, the documentation table and the page row.
 */
import { z } from 'zod';
import { offsetTime } from '../engine/time.ts';
import type { DeskState } from './state.ts';

export const text = z.string();
export const flag = z.boolean();
export const count = z.int().nonnegative();

type Camel<K> = K extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : K;

/** What a value of this type is made from: read-only, with keys in camelCase. */
export type Source<T> = T extends readonly unknown[]
  ? { readonly [I in keyof T]: Source<T[I]> }
  : T extends object
    ? { readonly [K in keyof T as Camel<K>]: Source<T[K]> }
    : T;

type Shaper = (source: unknown) => unknown;

/** Makes a value of a type from its source, without what the type does not name; undefined where the source is the value. */
function shaperFor(type: z.ZodType): Shaper | undefined {
  if (type instanceof z.ZodNullable) {
    const inner = shaperFor(type.unwrap() as z.ZodType);
    return inner && ((source) => (source === null ? null : inner(source)));
  }
  if (type instanceof z.ZodArray) {
    const inner = shaperFor(type.element as z.ZodType);
    return inner && ((source) => (source as unknown[]).map(inner));
  }
  if (!(type instanceof z.ZodObject)) return undefined;
  const parts = Object.entries(type.shape).map(([key, part]) => {
    const camel = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return { key, camel, inner: shaperFor(part as z.ZodType) };
  });
  return (source) => {
    const value: Record<string, unknown> = {};
    for (const { key, camel, inner } of parts) {
      const part = (source as Record<string, unknown>)[camel];
      // An optional field that the source does not have is left out.
      if (part !== undefined) value[key] = inner ? inner(part) : part;
    }
    return value;
  };
}

/** `shaped(type)(source)`: a value of the type. */
export const shaped = <T extends z.ZodType>(type: T): ((source: Source<z.input<T>>) => z.output<T>) =>
  (shaperFor(type) ?? ((source: unknown) => source)) as never;

/** One field: its type, its meaning in one line of prose, and where the value comes from. */
export interface Field<M, T extends z.ZodType = z.ZodType> {
  readonly kind: 'field';
  readonly type: T;
  readonly meaning: string;
  readonly from: (state: M) => z.input<T>;
}

interface Group<M, S extends Shape<M> = Shape<M>> {
  readonly kind: 'group';
  readonly meaning: string;
  readonly shape: S;
}

type Shape<M> = { readonly [key: string]: Field<M> | Group<M> };

type ValueOf<S> = {
  [K in keyof S]: S[K] extends { kind: 'group'; shape: infer G }
    ? ValueOf<G>
    : S[K] extends { kind: 'field'; type: infer T extends z.ZodType }
      ? z.output<T>
      : never;
};

interface RecordSpec<M, S extends Shape<M> = Shape<M>> {
  /** Name of the OpenAPI component. */
  readonly name: string;
  readonly meaning: string;
  readonly shape: S;
  readonly schema: z.ZodType<ValueOf<S>>;
  assemble(state: M): ValueOf<S>;
}

/** The value a record spec assembles: `type DeskStatus = RecordOf<typeof deskStatus>`. */
export type RecordOf<R> = R extends { readonly schema: infer T extends z.ZodType } ? z.output<T> : never;

type Scalar = string | number | boolean;
type Literals<V extends readonly Scalar[]> = { -readonly [I in keyof V]: z.ZodLiteral<V[I]> };
type ConstantType<V> = V extends Scalar
  ? z.ZodLiteral<V>
  : V extends readonly Scalar[]
    ? z.ZodTuple<Literals<V>, null>
    : never;

/** A shape read from another kind of state. */
type Moved<M, S> = {
  [K in keyof S]: S[K] extends { kind: 'group'; shape: infer G }
    ? { readonly kind: 'group'; readonly meaning: string; readonly shape: Moved<M, G> }
    : S[K] extends { kind: 'field'; type: infer T extends z.ZodType }
      ? Field<M, T>
      : never;
};

type Assembler<M> = (state: M) => unknown;

function assemblerOf<M>(shape: Shape<M>): Assembler<M> {
  const parts = Object.entries(shape).map(
    ([key, part]) => [key, part.kind === 'group' ? assemblerOf(part.shape) : part.from] as const,
  );
  return (state) => {
    const value: Record<string, unknown> = {};
    for (const [key, from] of parts) value[key] = from(state);
    return value;
  };
}

function objectOf<M>(shape: Shape<M>): z.ZodObject {
  const types: Record<string, z.ZodType> = {};
  for (const [key, part] of Object.entries(shape)) {
    types[key] = (part.kind === 'group' ? objectOf(part.shape) : part.type).describe(part.meaning);
  }
  return z.strictObject(types);
}

/**
 * The words to write records with, for records that are a function of `M`.
 * Everything they make is plain data; `assemble` is pure and does not validate (tests and development do).
 */
export function wordsFor<M>() {
  /** A field of zod type `type`; `from` gives what its value is made from. */
  function field<T extends z.ZodType>(
    type: T,
    meaning: string,
    from: (state: M) => Source<z.input<T>>,
  ): Field<M, T> {
    const shape = shaped(type);
    return { kind: 'field', type, meaning, from: (state) => shape(from(state)) as z.input<T> };
  }

  /** A field that always holds exactly `value` (a scalar or a list of scalars). */
  function constant<const V extends Scalar | readonly Scalar[]>(
    value: V,
    meaning: string,
  ): Field<M, ConstantType<V>> {
    const type = Array.isArray(value)
      ? z.tuple(value.map((item) => z.literal(item)) as [z.ZodLiteral, ...z.ZodLiteral[]])
      : z.literal(value as Scalar);
    return { kind: 'field', type: type as unknown as ConstantType<V>, meaning, from: () => value as never };
  }

  /** A field of free text that the interface does not fix: a string of `texts.ts`. */
  function prose(value: string, meaning: string): Field<M, z.ZodString> {
    return field(text, meaning, () => value);
  }

  function group<const S extends Shape<M>>(meaning: string, shape: S): Group<M, S> {
    return { kind: 'group', meaning, shape };
  }

  /** A whole record as one field: the same function of the same snapshot, so both are equal by construction. */
  function embed<S extends Shape<M>>(
    inner: RecordSpec<M, S>,
    meaning: string,
  ): Field<M, z.ZodType<ValueOf<S>, ValueOf<S>>> {
    const type = inner.schema as z.ZodType<ValueOf<S>, ValueOf<S>>;
    return { kind: 'field', type, meaning, from: inner.assemble };
  }

  /** The fields of a shape that is a function of `N`, as fields of `M`. */
  function of<N>(pick: (state: M) => N): <S extends Shape<N>>(shape: S) => Moved<M, S> {
    const move = (shape: Shape<N>): Shape<M> =>
      Object.fromEntries(
        Object.entries(shape).map(([key, part]) => [
          key,
          part.kind === 'group'
            ? group(part.meaning, move(part.shape))
            : { ...part, from: (state) => part.from(pick(state)) },
        ]),
      );
    return <S extends Shape<N>>(shape: S) => move(shape) as Moved<M, S>;
  }

  /** A record: strict all the way down, unknown keys are refused. `name` is its OpenAPI component. */
  function record<const S extends Shape<M>>(name: string, meaning: string, shape: S): RecordSpec<M, S> {
    return {
      name,
      meaning,
      shape,
      schema: objectOf(shape).meta({ id: name, description: meaning }) as unknown as z.ZodType<ValueOf<S>>,
      assemble: assemblerOf(shape) as (state: M) => ValueOf<S>,
    };
  }

  return { field, constant, prose, group, embed, of, record };
}

/** The words for records of one state alone. */
export const { field, constant, prose, group, embed, record } = wordsFor<DeskState>();

/** Fields of a state in an answer that is about something else too. */
export const atState = wordsFor<{ readonly state: DeskState }>().of(({ state }) => state);

export const snapshotTime = field(text, 'time of the snapshot, RFC 3339 with numeric offset', (m) =>
  offsetTime(m.snapshot.at),
);

/** The first fields of an answer that is a function of a state alone. */
export const head = <const W extends string>(word: W) => ({
  ts: snapshotTime,
  word: constant(word, 'name of this answer'),
});

/** The same of an answer that is about something else too. */
export const stateHead = <const W extends string>(word: W) => atState(head(word));

/** What the value of an object with these fields is made from. */
export type Given<S extends z.ZodRawShape> = Source<z.input<z.ZodObject<S>>>;

/** A record whose fields are those of its source, with names in camelCase there. */
export function given<S extends z.ZodRawShape>(name: string, meaning: string, shape: S) {
  const schema = z.strictObject(shape).meta({ id: name, description: meaning });
  return { name, meaning, schema, assemble: shaped(schema) as (source: Given<S>) => z.output<typeof schema> };
}

/** The record of what was done at time `ts`, RFC 3339: its fields are those of `source`. */
export function done<const W extends string, S extends z.ZodRawShape, D = Given<S>>(
  name: string,
  word: W,
  meaning: string,
  shape: S,
  source: (done: D) => Given<S> = (done) => done as never,
) {
  const record = given(name, meaning, {
    ts: text.describe('time of the answer, RFC 3339 with numeric offset'),
    word: z.literal(word).describe('name of this answer'),
    ...shape,
  });
  const assemble = (what: D & { readonly ts: string }): z.output<typeof record.schema> =>
    record.assemble({ ...source(what), ts: what.ts, word } as never);
  return { ...record, assemble };
}
