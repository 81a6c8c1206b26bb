/** Paths of operations with what they take and answer, for pages, which load no declaration: types alone. */
import type { z } from 'zod';
import type { OperationsIn, RecordOf } from '../desk/operation.ts';
import type * as own from '../operations/index.ts';
import type * as features from './index.ts';

type Features = typeof features;
type InFeatures = { [F in keyof Features]: OperationsIn<Features[F]> }[keyof Features];
type Declared = Extract<OperationsIn<typeof own> | InFeatures, { readonly answer: z.ZodType }>;
type At<M, P> = Extract<Declared, { readonly method: M; readonly path: P }>;

export type GetPath = Extract<Declared, { readonly method: 'GET' }>['path'];
export type PostPath = Extract<Declared, { readonly method: 'POST' }>['path'];
export type InputAt<M, P> = z.input<At<M, P>['input']>;
export type AnswerAt<M, P> = RecordOf<At<M, P>['answer']>;
/** Paths whose answer is `R`. */
export type GetPathOf<R> = { [P in GetPath]: AnswerAt<'GET', P> extends R ? P : never }[GetPath];
