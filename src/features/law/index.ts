/** The law: law.toml and the other files it is read from, accepting findings, reload. */
export { acceptanceFor } from './accept.ts';
export {
  type AcceptedEntries,
  acceptedIn,
  acceptFinding,
  type KnownFinding,
  knownFinding,
} from './accept-finding.ts';
export { LawBook } from './book.ts';
export { defaultLawText } from './default-text.ts';
export * from './files.ts';
export * from './law.ts';
export * from './rules.ts';
