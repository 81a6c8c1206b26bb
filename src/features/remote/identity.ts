/** The certificate of the remote listener: given by the configuration, or made by the desk and kept in the state folder. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Logger } from 'pino';
import { canonicalAddress, isWildcard, splitAuthority } from '../../base/addresses.ts';
import { codeText } from '../../base/error-code.ts';
import type { Mount } from '../../base/file-systems.ts';
import { isHostName } from '../../base/host-name.ts';
import { replaceSecret } from '../../base/private-file.ts';
import { readTrusted } from '../../base/trusted-file.ts';
import type { Config } from '../../config/schema.ts';
import type { RemoteIdentity } from '../../desk/remote.ts';
import { selfSigned } from './certificate.ts';
import { EVERY_MS, mountOfAny, type ReadFirst, readFirst } from './waiting-files.ts';

type RemoteConfig = Config['listen']['remote'];

const CERTIFICATE = 'remote.crt';
const KEY = 'remote.key';
const MOST_BYTES = 256 * 1024;
const DAY_MS = 86_400_000;
/** The longest life that all browsers accept of a certificate that a person trusted. */
export const LIFE_MS = 825 * DAY_MS;
/** How long before its end an own certificate is replaced. */
export const RENEW_MS = 30 * DAY_MS;
/** Clocks of other machines may be slow. */
const SLOW_CLOCK_MS = DAY_MS;
/** A given certificate that ends sooner is reported. */
const SOON_MS = 7 * DAY_MS;

export interface Trouble {
  readonly what: string;
  readonly remedy: string;
}

/** Result of loading or making a certificate. */
interface Attempt {
  readonly identity: RemoteIdentity | null;
  readonly trouble: Trouble | null;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function identityOf(certificate: string, key: string, first: X509Certificate, own: boolean): RemoteIdentity {
  const { fingerprint256: fingerprint, validTo } = first;
  return { certificate, key, fingerprint, ends: new Date(validTo).toISOString(), own };
}

/** Host names and addresses that an own certificate is for: those configured, this machine's name, and loopback. */
export function namesOf(
  { host, names }: Pick<RemoteConfig, 'host' | 'names'>,
  machine = hostname(),
): readonly string[] {
  const hosts = names.map((name) => (splitAuthority(name)?.host ?? name).toLowerCase());
  const own = isHostName(machine) ? [machine.toLowerCase()] : [];
  return [
    ...new Set([
      ...hosts,
      ...(isWildcard(host) ? [] : [host.toLowerCase()]),
      ...own,
      'localhost',
      '127.0.0.1',
      '::1',
    ]),
  ];
}

const holds = (certificate: X509Certificate, names: readonly string[]): boolean => {
  const held = new Set(
    (certificate.subjectAltName ?? '')
      .split(', ')
      .map((name) => canonicalAddress(name.replace(/^(?:DNS|IP Address):/, '').toLowerCase())),
  );
  return names.every((name) => held.has(canonicalAddress(name)));
};

/** A key and a certificate that belong together. @throws Error with one phrase for what is wrong. */
function pair(
  certificate: string,
  key: string,
  own: boolean,
): { identity: RemoteIdentity; first: X509Certificate } {
  const blocks = certificate.match(BLOCK) ?? [];
  let first: X509Certificate | undefined;
  try {
    [first] = blocks.map((block) => new X509Certificate(block));
  } catch {
    throw new Error('the certificate cannot be read: expected PEM');
  }
  if (first === undefined) throw new Error('there is no certificate in it: expected PEM');
  let secret: KeyObject;
  try {
    secret = createPrivateKey(key);
  } catch {
    throw new Error('the key cannot be read: expected PEM without a passphrase');
  }
  if (!first.checkPrivateKey(secret)) throw new Error('the key is not that of the certificate');
  try {
    createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
  } catch (error) {
    // A chain that is cut off, a digest or key that OpenSSL takes for too weak.
    const { reason, message } = error as Error & { readonly reason?: string };
    throw new Error(`TLS refuses it (${reason ?? message})`);
  }
  return { identity: identityOf(certificate, key, first, own), first };
}

/** How files are read that may not answer. */
interface Waiting {
  readonly makeReader: () => Promise<ReadFirst>;
  readonly mountOf: typeof mountOfAny;
}

const WAITING: Waiting = {
  makeReader: async () => new (await import('../startup/index.ts')).FileReader(),
  mountOf: mountOfAny,
};

/** The identity for configurations that come and go: the last one that worked is kept where a later one does not. */
export class IdentityKeeper {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #now: () => number;
  #identity: RemoteIdentity | null = null;
  #trouble: Trouble | null = null;
  #logged = '';
  #config: RemoteConfig | null = null;
  readonly #waiting: Waiting;
  #reader: ReadFirst | null = null;
  /** Reading by a helper, one after another. */
  #asking: Promise<void> = Promise.resolve();
  #askedMs = Number.NEGATIVE_INFINITY;
  /** What the helper said of the files that were read last, and their texts. */
  #state = '';
  #texts: readonly [certificate: string, key: string] | null = null;
  /** Whether the own certificate could not be stored. */
  #unstored = false;

  /** `waiting`: for tests. */
  constructor(folder: string, log: Logger, now: () => number = Date.now, waiting: Partial<Waiting> = {}) {
    this.#waiting = { ...WAITING, ...waiting };
    this.#folder = folder;
    this.#log = log;
    this.#now = now;
  }

  get identity(): RemoteIdentity | null {
    return this.#identity;
  }

  get trouble(): Trouble | null {
    return this.#trouble;
  }

  /**
   * Reads the files again, makes or renews an own certificate. The object stays the same while nothing has changed. Only files of a file system
   * that may not answer take time; they are read when that was long ago, or `now`. Never rejects.
   */
  refresh(config: RemoteConfig, { now = false } = {}): Promise<void> {
    const isNew = config !== this.#config;
    this.#config = config;
    if (!config.tls) this.#take({ identity: null, trouble: null });
    else if (config.certificate === '') this.#take(this.#own(config));
    else {
      const mount = this.#waiting.mountOf([config.certificate, config.key]);
      if (mount === null) this.#take(this.#given(config));
      else if (isNew || now || performance.now() - this.#askedMs >= EVERY_MS) return this.#ask(config, mount);
    }
    return Promise.resolve();
  }

  /** One question at a time: it may take until the deadline of the helper. */
  #ask(config: RemoteConfig, mount: Mount): Promise<void> {
    this.#askedMs = performance.now();
    this.#asking = this.#asking.then(async () => {
      if (config !== this.#config) return;
      this.#reader ??= await this.#waiting.makeReader();
      const answer = await readFirst([config.certificate, config.key], mount, this.#reader);
      await this.#reader.rest();
      if (config !== this.#config) return;
      if (answer.kind === 'silent') {
        this.#state = '';
        const { what, remedy } = answer;
        this.#take({ identity: null, trouble: { what: `${what}${this.#keeps}`, remedy } });
      } else {
        const known = answer.state === this.#state ? this.#texts : null;
        this.#state = answer.state;
        this.#take(known === null ? this.#given(config) : this.#judged(config, known));
      }
    });
    return this.#asking;
  }

  /** Ends the helper. */
  async close(): Promise<void> {
    this.#config = null;
    await this.#reader?.close();
  }

  get #keeps(): string {
    return this.#identity === null ? '' : '; the former certificate is still shown';
  }

  #take({ identity, trouble }: Attempt): void {
    if (
      identity !== null &&
      identity.certificate + identity.key !==
        (this.#identity ? this.#identity.certificate + this.#identity.key : '')
    ) {
      const { fingerprint, ends, own } = identity;
      this.#log.info({ fingerprint, ends, own }, 'the certificate of the remote listener');
      this.#identity = identity;
    }
    this.#trouble = trouble;
    const text = trouble === null ? '' : `${trouble.what}; ${trouble.remedy}`;
    if (text !== '' && text !== this.#logged) this.#log.warn(text);
    this.#logged = text;
  }

  #given(config: RemoteConfig): Attempt {
    const { certificate, key } = config;
    this.#texts = null;
    const files = [
      ['certificate', certificate, {}],
      // Tools that renew certificates replace a link.
      ['key', key, { secret: true, link: true }],
    ] as const;
    const texts: string[] = [];
    for (const [name, path, trust] of files) {
      const read = readTrusted(path, MOST_BYTES, trust);
      if (!read.ok)
        return {
          identity: null,
          trouble: {
            what: `the file of [listen.remote] ${name} ${read.fault.what}${this.#keeps}`,
            remedy: read.fault.remedy || `put it at ${path}, or correct [listen.remote] ${name}`,
          },
        };
      texts.push(read.bytes.toString('latin1'));
    }
    this.#texts = [texts[0] ?? '', texts[1] ?? ''];
    return this.#judged(config, this.#texts);
  }

  #judged({ certificate, key }: RemoteConfig, texts: readonly [string, string]): Attempt {
    try {
      const { identity, first } = pair(...texts, false);
      const leftMs = Date.parse(first.validTo) - this.#now();
      if (leftMs > SOON_MS) return { identity, trouble: null };
      const what = `the certificate of the remote listener ${leftMs > 0 ? 'ends' : 'ended'} at ${identity.ends}`;
      return {
        identity,
        trouble: { what, remedy: `renew ${certificate}; the desk reads it again by itself` },
      };
    } catch (error) {
      return {
        identity: null,
        trouble: {
          what: `the certificate of the remote listener cannot be used: ${(error as Error).message}${this.#keeps}`,
          remedy: `correct ${certificate} and ${key}; the desk reads them again by itself`,
        },
      };
    }
  }

  #own(config: RemoteConfig): Attempt {
    const names = namesOf(config);
    const [certificatePath, keyPath] = [join(this.#folder, CERTIFICATE), join(this.#folder, KEY)];
    const held = this.#identity?.own ? this.#identity : this.#stored(certificatePath, keyPath);
    if (held !== null) {
      const first = new X509Certificate(held.certificate);
      const leftMs = Date.parse(first.validTo) - this.#now();
      const begun = Date.parse(first.validFrom) <= this.#now();
      if (leftMs > RENEW_MS && begun && holds(first, names))
        return { identity: held, trouble: this.#unstored ? this.#store(held) : null };
    }
    const key =
      held === null
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
        : createPrivateKey(held.key);
    const now = this.#now();
    const certificate = selfSigned({
      key,
      names,
      fromMs: now - SLOW_CLOCK_MS,
      untilMs: now - SLOW_CLOCK_MS + LIFE_MS,
    });
    const { identity } = pair(certificate, key.export({ type: 'pkcs8', format: 'pem' }).toString(), true);
    return { identity, trouble: this.#store(identity) };
  }

  #store({ key, certificate }: RemoteIdentity): Trouble | null {
    try {
      replaceSecret(join(this.#folder, KEY), key);
      replaceSecret(join(this.#folder, CERTIFICATE), certificate);
      this.#unstored = false;
      return null;
    } catch (error) {
      this.#unstored = true;
      return {
        what: `the certificate of the remote listener cannot be stored (${codeText(error)}), so it changes with the next start`,
        remedy: 'make the state folder writable',
      };
    }
  }

  /** What an earlier start has stored; null without, and where it is damaged. */
  #stored(certificatePath: string, keyPath: string): RemoteIdentity | null {
    const [certificate, key] = [certificatePath, keyPath].map((path) =>
      readTrusted(path, MOST_BYTES, { secret: true }),
    );
    if (!certificate?.ok || !key?.ok) return null;
    try {
      return pair(certificate.bytes.toString('latin1'), key.bytes.toString('latin1'), true).identity;
    } catch (error) {
      this.#log.warn(
        `the stored certificate of the remote listener is replaced: ${(error as Error).message}`,
      );
      return null;
    }
  }
}
