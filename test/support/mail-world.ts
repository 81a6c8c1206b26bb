/** A mail identity in a private network: servers on loopback, a trusted authority, a password file, a state folder. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Dovecot } from './dovecot.ts';
import { programWords } from './entry.ts';
import type { PeerOptions } from './mail-peers.ts';
import { MAIL_SERVICE, MailRemote } from './mail-remote.ts';
import { NAMESPACE_NEEDS, type Namespace, startNamespace } from './namespace.ts';
import { tempFolder } from './temp-folder.ts';
import { type Leaf, type LeafOptions, makeTestCa, type TestCa } from './test-ca.ts';

export const MAIL_NEEDS = [...NAMESPACE_NEEDS, 'openssl', 'dovecot', 'ss'] as const;

export const USER = 'me@desk.example';
export const PASSWORD = 'canary-…"%\\ß7Kq';

/** The address of each server. */
const HOSTS = {
  'imap.example.org': ['127.0.0.1'],
  'smtp.example.org': ['127.0.0.1'],
  'cut.example.org': ['127.0.0.2'],
  'expired.example.org': ['127.0.0.3'],
  'other-name.example.org': ['127.0.0.4'],
  'untrusted.example.org': ['127.0.0.5'],
  'hostile.example.org': ['127.0.0.6'],
  'refused.example.org': ['127.0.0.7'],
  'silent.example.org': ['127.0.0.8'],
  'literal.example.org': ['127.0.0.9'],
  'line.example.org': ['127.0.0.10'],
  'untagged.example.org': ['127.0.0.11'],
  'slow.example.org': ['127.0.0.12'],
} as const;
type Host = keyof typeof HOSTS;

type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export class MailWorld {
  readonly folder = tempFolder('desk-mail-');
  readonly namespace: Namespace;
  readonly ca: TestCa;
  readonly #leaf: Leaf;
  #states = 0;

  private constructor(namespace: Namespace) {
    this.namespace = namespace;
    chmodSync(this.folder, 0o755);
    this.ca = makeTestCa(this.folder);
    this.#leaf = this.leaf([
      'imap.example.org',
      'smtp.example.org',
      'cut.example.org',
      'hostile.example.org',
      'silent.example.org',
      'literal.example.org',
      'line.example.org',
      'untagged.example.org',
      'slow.example.org',
    ]);
    this.writePassword(PASSWORD);
  }

  static async start(): Promise<MailWorld> {
    return new MailWorld(await startNamespace({ hosts: HOSTS }));
  }

  async end(): Promise<void> {
    await this.namespace[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }

  leaf(names: readonly [string, ...string[]], options?: LeafOptions): Leaf {
    return this.ca.issue(names, options);
  }

  get passwordFile(): string {
    return join(this.folder, 'password');
  }

  writePassword(password: string): void {
    writeFileSync(this.passwordFile, `${password}\n`, { mode: 0o600 });
  }

  dovecot(): Dovecot {
    const { folder, namespace } = this;
    return new Dovecot({ folder, namespace, leaf: this.#leaf, user: USER, password: PASSWORD });
  }

  /** Starts a server of `mail-peers.ts`; `heard` gets what it reports. */
  async peer(options: Omit<PeerOptions, 'address' | 'key' | 'certificate'>, host: Host, leaf = this.#leaf) {
    const heard: unknown[] = [];
    const child = this.namespace.spawn([
      process.execPath,
      ...programWords('./mail-peers.ts', import.meta.url),
      JSON.stringify({ ...options, ...leaf, address: HOSTS[host][0] }),
    ]);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    let text = '';
    await new Promise<void>((resolve, reject) => {
      child.once('close', () => reject(new Error(`the peer ended: ${errors}`)));
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const lines = text.split('\n');
        text = lines.pop() ?? '';
        heard.push(...lines.map((line) => JSON.parse(line) as unknown));
        if (heard[0] === 'ready') resolve();
      });
    });
    return { heard, end: () => child.kill('SIGKILL') };
  }

  /** A state folder of its own. */
  newState(): string {
    const path = join(this.folder, `state-${++this.#states}`);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }

  /** Starts what keeps mail in a service, for these servers. */
  async service({
    imap = 'imap.example.org',
    smtp = 'smtp.example.org',
    state = this.newState(),
    sources = ['imap'],
    env = {},
    unlimitedCores = false,
    ...more
  }: {
    readonly imap?: string;
    readonly smtp?: string;
    readonly state?: string;
    readonly sources?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** Its core dumps, and those of its child, have no size limit. */
    readonly unlimitedCores?: boolean;
  } & { readonly sections?: Sections } = {}): Promise<MailRemote> {
    const places = [`${imap || 'imap.example.org'}:993`, `${smtp || 'smtp.example.org'}:465`];
    const config = {
      identity: { address: USER, from_name: 'Desk Keeper', imap_host: imap, smtp_host: smtp },
      mail: { password_file: this.passwordFile, sources, own_addresses: ['i.myself@work.example'] },
      egress: { allow: places, private: places },
      ...more.sections,
    };
    const words = [process.execPath, ...MAIL_SERVICE, JSON.stringify(config), state];
    const shell = unlimitedCores ? ['sh', '-c', 'ulimit -c unlimited; exec "$@"', 'sh'] : [];
    const child = this.namespace.spawn([...shell, ...words], {
      env: { NODE_EXTRA_CA_CERTS: this.ca.certificate, ...env },
    });
    const remote = new MailRemote(child);
    await remote.wish('state');
    return remote;
  }
}
