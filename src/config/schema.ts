/** The configuration file as the user writes it (TOML). Unknown keys are errors; every default is the documented one. */
import { z } from 'zod';
import { isNetwork } from '../base/addresses.ts';
import { isHostName } from '../base/host-name.ts';
import { SEVERITIES } from '../policy/severity.ts';
import { themeSchema } from './theme.ts';

const port = z.int().min(1).max(65535);
const period = z.int().min(1).max(3_600_000);
const isHost = (text: string): boolean =>
  z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success || isHostName(text);
const host = z
  .string()
  .min(1)
  .max(255)
  .refine(isHost, 'expected an IP address (without brackets and zone) or a host name');
/** Names of the public site, with or without port. */
const siteName = z.string().min(1).max(255);
const text = z.string().max(1000).default('');
const orEmpty = <T extends z.ZodType>(type: T) => z.union([z.literal(''), type]).default('' as never);
const link = orEmpty(z.url({ protocol: /^(https?|mailto)$/ }));
/** What is asked by HTTP. */
const webAddress = orEmpty(
  z.url({ protocol: /^https?$/, error: 'expected a web address (http or https) or ""' }),
);
/** One's own: also with a name or domain that is not ASCII. */
const mailAddress = orEmpty(
  z.email({ pattern: z.regexes.unicodeEmail, error: 'expected a mail address or ""' }),
);
const absolutePath = z
  .string()
  .max(1000)
  .regex(/^(\/|$)/, 'expected an absolute path')
  .default('');
/** HTTP statuses: `200`, `"200-299"`, or a list of these. */
const STATUSES = 'expected a status such as 200, a range such as "200-399", or a list of these';
const status = z.int().min(100).max(599);
const statusRange = z
  .string()
  .regex(/^[1-5]\d\d-[1-5]\d\d$/, STATUSES)
  .refine((range) => range.slice(0, 3) <= range.slice(4), { error: STATUSES, abort: true });
const oneStatus = z.union([status, statusRange]);
const statuses = z
  .union([oneStatus, z.array(oneStatus).min(1).max(64)], STATUSES)
  .default('200-399')
  .transform((given) =>
    [given].flat().map((one) => {
      const [from = 0, to = from] = String(one).split('-').map(Number);
      return { from, to };
    }),
  );
const section = <T extends z.ZodRawShape>(shape: T) => z.strictObject(shape).prefault({} as never);

const listener = (defaultPort: number, enabled: boolean) =>
  section({
    enabled: z.boolean().default(enabled),
    host: host.default('127.0.0.1'),
    port: port.default(defaultPort),
  });

/** A Host header as clients send it: a name or an address (IPv6 in brackets), with or without port. */
const authority = z
  .string()
  .max(255)
  .regex(
    /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[1-9]\d{0,4})?$/i,
    'expected a host name or an IP address (IPv6 in brackets), with or without a port',
  );
const network = z
  .string()
  .max(64)
  .refine(isNetwork, 'expected an IP address or a network such as "192.0.2.0/24" or "2001:db8::/32"');

/** For other machines, reading only. */
const remote = section({
  enabled: z.boolean().default(false),
  host: host.default('0.0.0.0'),
  port: port.default(18773),
  tls: z.boolean().default(true),
  certificate: absolutePath,
  key: absolutePath,
  names: z.array(authority).max(64).default([]),
  trusted_proxies: z.array(network).max(64).default([]),
});

/** The port of the office that the interface names, and the one for where it cannot be had. */
export const OFFICE_PORT = 80;
export const FALLBACK_OFFICE_PORT = 18780;

/** `explicitPort`: the file names the port, so the office is there or nowhere. */
const office = z
  .strictObject({
    enabled: z.boolean().default(true),
    host: host.default('127.0.0.1'),
    port: port.optional(),
  })
  .transform(({ port: named, ...rest }) => ({
    ...rest,
    port: named ?? OFFICE_PORT,
    explicitPort: named !== undefined,
  }))
  .prefault({});

/** `host:port` of an egress rule. */
const endpoint = z.string().regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'expected host:port, e.g. "example.org:443"');

/** Short names, unique in their list. */
const shortName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/,
    'expected 1 to 32 letters, digits, dots, dashes or underscores',
  );

/** Where alerts go. Which keys a kind needs is checked in conflicts.ts. */
const alertTarget = z.strictObject({
  name: shortName,
  kind: z.enum(['ntfy', 'webhook', 'apprise', 'mail', 'command']),
  url: webAddress,
  url_file: absolutePath,
  token_file: absolutePath,
  method: z.enum(['POST', 'PUT']).default('POST'),
  template: z.string().max(16_000).default(''),
  each: z.string().max(4_000).default(''),
  escape: z.enum(['none', 'slack', 'markdown', 'html']).default('none'),
  address: mailAddress,
  command: z.array(z.string().max(1000)).max(32).default([]),
  least: z.enum(SEVERITIES).optional(),
  command_lines: z.boolean().default(false),
});

/** Told while rechecks end. */
const heartbeat = z.strictObject({
  name: shortName,
  url: webAddress,
  url_file: absolutePath,
  token_file: absolutePath,
  method: z.enum(['GET', 'HEAD', 'POST']).default('GET'),
  every_sec: z.int().min(10).max(86_400).default(60),
});

export const configSchema = z.strictObject({
  loop: z
    .strictObject({
      mode: z.enum(['event', 'poll', 'off']).default('event'),
      recheck_ms: period.optional(),
      /** Former name of `recheck_ms`. */
      period_ms: period.optional().meta({ deprecated: true }),
      listen_poll_ms: z.int().min(1).max(60_000).default(10),
    })
    .transform((loop) => ({ ...loop, recheck_ms: loop.recheck_ms ?? loop.period_ms ?? 1000 }))
    .prefault({}),
  slow: section({
    every_sec: z.int().min(60).max(604_800).default(3600),
  }),
  listen: section({
    control: listener(18772, true),
    office,
    public: listener(18770, true),
    themed: listener(18771, false),
    remote,
  }),
  site: z
    .strictObject(
      {
        public_url: webAddress,
        magazine_url: webAddress,
        names: z.array(siteName).max(64).default([]),
      },
      {
        error: ({ code }) =>
          code === 'invalid_type'
            ? 'expected one table [site], the public site; write further ones as [[sites]]'
            : undefined,
      },
    )
    .prefault({}),
  /** Watched beside the public site. */
  sites: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(64),
        url: z.url({ protocol: /^https?$/, error: 'expected a web address (http or https)' }),
        expect_status: statuses,
        expect_text: z.string().max(1000).default(''),
        certificate_days: z.int().min(0).max(365).default(14),
        every_sec: z.int().min(10).max(86_400).default(60),
      }),
    )
    .max(64)
    .default([]),
  status_page: section({
    enabled: z.boolean().default(false),
    title: z.string().min(1).max(100).default('Status'),
    sites: z.array(z.string().min(1).max(255)).max(64).default([]),
  }),
  /** Absent: the enabled listeners, office required. */
  ports: z
    .array(z.strictObject({ name: z.string().min(1).max(64), port, required: z.boolean().default(false) }))
    .max(64)
    .optional(),
  banned: section({
    also: z.array(port).max(64).default([]),
    shut_down: z.enum(['auto', 'ask', 'never']).default('auto'),
  }),
  egress: section({
    allow: z.array(endpoint).max(256).default([]),
    private: z.array(endpoint).max(256).default([]),
    processes: z.array(z.string().startsWith('/', 'expected an absolute path')).max(64).default([]),
  }),
  identity: section({
    from_name: text,
    address: mailAddress,
    user: text,
    imap_host: text,
    imap_user: text,
    smtp_host: text,
    smtp_user: text,
    provider: text,
    webmail: link,
    notes: text,
    social_handle: text,
    social_did: text,
    social_url: link,
  }),
  mail: section({
    password_file: absolutePath,
    client: z.string().max(255).default('claws-mail'),
    sources: z
      .array(
        z
          .string()
          .regex(
            /^(imap|(maildir|mh|mbox):(\/.*|~|~\/.*))$/s,
            'expected imap, maildir:PATH, mh:PATH or mbox:PATH, with a path that begins with / or ~/',
          ),
      )
      .max(64)
      .default([]),
    own_addresses: z.array(z.email()).max(64).default([]),
    max_people: z.int().min(100).max(1_000_000).default(100_000),
    public_people: z.boolean().default(false),
  }),
  assistant: section({
    base_url: webAddress,
    model: text,
    api_key_file: absolutePath,
    timeout_sec: z.int().min(1).max(600).default(30),
    send_people: z.boolean().default(false),
  }),
  alerts: section({
    to: z.array(alertTarget).max(32).default([]),
    least: z.enum(SEVERITIES).default('medium'),
    group_sec: z.int().min(1).max(600).default(5),
    remind_hours: z.int().min(0).max(720).default(24),
    /** What changed since the last one, once a day; off without targets. */
    digest: section({
      at: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a local time of day, e.g. "08:00"')
        .default('08:00'),
      to: z.array(shortName).max(32).default([]),
      even_when_quiet: z.boolean().default(false),
    }),
  }),
  heartbeat: z.array(heartbeat).max(16).default([]),
  mcp: section({ http: z.boolean().default(false) }),
  links: section({
    claws: link,
    magazine: link,
    links: link,
    source_desk: link,
    join: link,
    issue6: link,
    issue7: link,
    hostess7_public: link,
    wp_admin: link,
    share: link,
    provider_webmail: link,
  }),
  access: section({ group: text }),
  privacy: section({ command_lines: z.enum(['findings', 'asked', 'never']).default('findings') }),
  law: section({ file: z.string().max(1000).default('law.toml') }),
  theme: themeSchema,
});

export type Config = z.output<typeof configSchema>;

/** The sections of `[listen]`, in the order in which they are bound and shown. */
export const LISTENER_ROLES = [
  'control',
  'office',
  'public',
  'themed',
  'remote',
] as const satisfies readonly (keyof Config['listen'])[];
export type ListenerRole = (typeof LISTENER_ROLES)[number];
