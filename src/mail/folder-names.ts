const SKIPPED = new Set([
  'trash',
  'deleted',
  'deleted items',
  'deleted messages',
  'junk',
  'spam',
  'drafts',
  'templates',
  'queue',
  'outbox',
]);
export const isSkipped = (name: string): boolean => SKIPPED.has(name.toLowerCase());
