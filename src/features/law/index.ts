/** The law: law.toml and the other files it is read from, accepting findings, reload. */
export { acceptanceFor } from './accept.ts';
export { acceptedIn, acceptFinding, knownFinding } from './accept-finding.ts';
export { LAW } from './api.ts';
export { LawBook } from './book.ts';
export { defaultLawText } from './default-text.ts';
export * from './files.ts';
export * from './law.ts';
export * from './rules.ts';
