export * from '../records/mail-facts.ts';
