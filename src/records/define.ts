/**
 * How a record is written down: one line per field. From it follow the TypeScript type, the assembled value, the strict
 * validation, the JSON Schema, the OpenAPI component, the documentation table and the page row.
 */
import { z } from 'zod';

/** One field: its type, its meaning in one line of prose, and where the value comes from. */
export interface Field<M, T extends z.ZodType = z.ZodType> {
  readonly kind: 'field';
  readonly type: T;
  readonly meaning: string;
  readonly from: (moment: M) => z.input<T>;
}

/** A nested object of fields. */
export interface Group<M, S extends Shape<M> = Shape<M>> {
  readonly kind: 'group';
  readonly meaning: string;
  readonly shape: S;
}

export type Shape<M> = { readonly [key: string]: Field<M> | Group<M> };

export type ValueOf<S> = {
  [K in keyof S]: S[K] extends { kind: 'group'; shape: infer G }
    ? ValueOf<G>
    : S[K] extends { kind: 'field'; type: infer T extends z.ZodType }
      ? z.output<T>
      : never;
};

export interface RecordSpec<M, S extends Shape<M> = Shape<M>> {
  /** Name of the OpenAPI component. */
  readonly name: string;
  readonly meaning: string;
  readonly shape: S;
  readonly schema: z.ZodType<ValueOf<S>>;
  assemble(moment: M): ValueOf<S>;
}
