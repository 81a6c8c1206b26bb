/** The settings of the mail process, from the configuration; no secret. */
import type { Config } from '../../config/schema.ts';

export interface MailSettings {
  /** Path of the ledger's folder. */
  readonly folder: string;
  /** Uid of the service, whose files the configuration names. */
  readonly serviceUid: number;
  readonly address: string;
  readonly fromName: string;
  /** "" where not configured. */
  readonly imap: { readonly host: string; readonly user: string };
  readonly smtp: { readonly host: string; readonly user: string };
  readonly passwordFile: string;
  /** As configured. */
  readonly sources: readonly string[];
  /** Addresses that alerts go to. */
  readonly alertTo: readonly string[];
  /** Addresses that are the user's own. */
  readonly own: readonly string[];
  readonly maxPeople: number;
  readonly egress: { readonly allow: readonly string[]; readonly private: readonly string[] };
}

export function mailSettings({ identity, mail, egress, alerts }: Config, folder: string): MailSettings {
  const { address, user } = identity;
  const own = [address, user, identity.imap_user, identity.smtp_user, ...mail.own_addresses];
  return {
    folder,
    serviceUid: process.geteuid?.() ?? 0,
    address,
    fromName: identity.from_name,
    imap: { host: identity.imap_host, user: identity.imap_user || user || address },
    smtp: { host: identity.smtp_host, user: identity.smtp_user || user || address },
    passwordFile: mail.password_file,
    sources: mail.sources,
    maxPeople: mail.max_people,
    alertTo: alerts.to.flatMap(({ kind, address }) => (kind === 'mail' ? [address] : [])),
    own: [...new Set(own.filter((one) => one.includes('@')))],
    egress: { allow: egress.allow, private: egress.private },
  };
}
