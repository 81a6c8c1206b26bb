/** All operations, in the order of their paths. */
import type { ServiceContext } from './context.ts';
import * as declared from './index.ts';
import { type AnyOperation, operationsIn } from './operation.ts';

export const OPERATIONS: readonly AnyOperation<ServiceContext>[] = operationsIn(declared);
