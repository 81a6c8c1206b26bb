/** `identity` of the desk status: the mail and social identity as configured. The password is no field. */
import { z } from 'zod';
import { constant, field, group } from '../define.ts';

const text = z.string();
const date = z.string().regex(/^(\d{4}-\d{2}-\d{2})?$/);

export const identity = group('Mail and social identity from [identity]; "" where not configured', {
  from_name: field(text, 'display name of the desk mailbox', (m) => m.desk.config.identity.from_name),
  address: field(text, 'mail address of the desk', (m) => m.desk.config.identity.address),
  user: field(text, 'mail address used as the user name', (m) => m.desk.config.identity.user),
  imap_host: field(text, 'IMAP server', (m) => m.desk.config.identity.imap_host),
  imap_port: constant(993, 'IMAP over TLS'),
  imap_user: field(text, 'user name at the IMAP server', (m) => m.desk.config.identity.imap_user),
  smtp_host: field(text, 'SMTP server', (m) => m.desk.config.identity.smtp_host),
  smtp_port: constant(465, 'SMTP over TLS'),
  smtp_user: field(text, 'user name at the SMTP server', (m) => m.desk.config.identity.smtp_user),
  ssl_mode: constant('ssl', 'TLS from the first byte; STARTTLS is not used'),
  provider: field(text, 'name of the mail provider', (m) => m.desk.config.identity.provider),
  webmail: field(text, 'link to the webmail', (m) => m.desk.config.identity.webmail),
  notes: field(text, 'notes of the configuration', (m) => m.desk.config.identity.notes),
  updated: field(date, 'local date of the configuration file; "" without a file', (m) => m.desk.configDate),
  social_handle: field(text, 'handle of the social account', (m) => m.desk.config.identity.social_handle),
  social_did: field(
    text,
    'decentralised identifier of the social account',
    (m) => m.desk.config.identity.social_did,
  ),
  social_url: field(text, 'link to the social account', (m) => m.desk.config.identity.social_url),
});
