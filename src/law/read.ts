/** From the bytes of the law's files to what they say, or to everything that is wrong with them. */
import { CHECKS } from '../checks/index.ts';
import { type Checked, checkDocument } from '../config-document.ts';
import type { Config } from '../config-schema.ts';
import { bannedPorts } from '../policy/banned.ts';
import { CAUSE_NAMES } from './causes.ts';
import {
  type AcceptedDocument,
  acceptedSchema,
  type LawContext,
  type LawDocument,
  lawSchema,
} from './schema.ts';

export const contextOf = ({ banned }: Config, uidOf: LawContext['uidOf']): LawContext => ({
  checks: CHECKS.map(({ id }) => id),
  causes: CAUSE_NAMES,
  bannedPorts: bannedPorts(banned),
  uidOf,
});

/** `law.toml`. */
export const readLaw = (bytes: Uint8Array, context: LawContext): Checked<LawDocument> =>
  checkDocument(bytes, lawSchema(context));

/** `law.d/accepted.toml`. */
export const readAccepted = (bytes: Uint8Array, context: LawContext): Checked<AcceptedDocument> =>
  checkDocument(bytes, acceptedSchema(context));
