/**
 * How a record is written down: one line per field. From it follow the TypeScript type, the assembled value, the strict
 * validation, the JSON Schema, the OpenAPI component, the documentation table and the page row.
 */
import { z } from 'zod';
import type { Moment } from './moment.ts';

/** One field: its type, its meaning in one line of prose, and where the value comes from. */
export interface Field<M, T extends z.ZodType = z.ZodType> {
  readonly kind: 'field';
  readonly type: T;
  readonly meaning: string;
  readonly from: (moment: M) => z.input<T>;
}

/** A nested object of fields. */
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
  assemble(moment: M): ValueOf<S>;
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

/** A shape read off another kind of moment. */
type Moved<M, S> = {
  [K in keyof S]: S[K] extends { kind: 'group'; shape: infer G }
    ? Group<M, Moved<M, G> & Shape<M>>
    : S[K] extends { kind: 'field'; type: infer T extends z.ZodType }
      ? Field<M, T>
      : never;
};

type Assembler<M> = (moment: M) => unknown;

function assemblerOf<M>(shape: Shape<M>): Assembler<M> {
  const parts = Object.entries(shape).map(
    ([key, part]) => [key, part.kind === 'group' ? assemblerOf(part.shape) : part.from] as const,
  );
  return (moment) => {
    const value: Record<string, unknown> = {};
    for (const [key, from] of parts) value[key] = from(moment);
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
  /** A field of zod type `type`; `from` reads its value off the moment. */
  function field<T extends z.ZodType>(
    type: T,
    meaning: string,
    from: (moment: M) => z.input<T>,
  ): Field<M, T> {
    return { kind: 'field', type, meaning, from };
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
    return field(z.string(), meaning, () => value);
  }

  function group<const S extends Shape<M>>(meaning: string, shape: S): Group<M, S> {
    return { kind: 'group', meaning, shape };
  }

  /** A whole record as one field: the same function of the same moment, so both are equal by construction. */
  function embed<S extends Shape<M>>(
    inner: RecordSpec<M, S>,
    meaning: string,
  ): Field<M, z.ZodType<ValueOf<S>, ValueOf<S>>> {
    return field(inner.schema as z.ZodType<ValueOf<S>, ValueOf<S>>, meaning, (moment) =>
      inner.assemble(moment),
    );
  }

  /** The fields of a shape that is a function of `N`, as fields of `M`. */
  function of<N>(pick: (moment: M) => N): <S extends Shape<N>>(shape: S) => Moved<M, S> {
    const move = (shape: Shape<N>): Shape<M> =>
      Object.fromEntries(
        Object.entries(shape).map(([key, part]) => [
          key,
          part.kind === 'group'
            ? group(part.meaning, move(part.shape))
            : field(part.type, part.meaning, (moment) => part.from(pick(moment))),
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
      assemble: assemblerOf(shape) as (moment: M) => ValueOf<S>,
    };
  }

  return { field, constant, prose, group, embed, of, record };
}

/** The words for records of a moment alone. */
export const { field, constant, prose, group, embed, record } = wordsFor<Moment>();

/** A count of things. */
export const count = z.int().nonnegative();
