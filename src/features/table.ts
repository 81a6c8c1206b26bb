/** All operations, in the order of their paths. */
import type { ServiceContext } from '../desk/context.ts';
import { operationsIn } from '../desk/operation.ts';
import * as own from '../operations/index.ts';
import * as features from './index.ts';

export const OPERATIONS = operationsIn<ServiceContext>(own, ...Object.values(features));
