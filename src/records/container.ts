/** The field of records that are made from files: a container has its own. */
import { text } from './define.ts';

export const container = text.describe(
  'why this is not, or may not be, what the machine has: the desk runs in a container and reads its files; "" where / is that of the machine',
);
