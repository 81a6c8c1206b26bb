/** A private Dovecot in a private network namespace: real IMAP over TLS on port 993. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Namespace } from './namespace.ts';
import type { Leaf } from './test-ca.ts';
import { patientMs } from './time-limit.ts';

export interface DovecotOptions {
  /** Exists, and is removed with the test. */
  readonly folder: string;
  readonly namespace: Namespace;
  readonly leaf: Leaf;
  readonly user: string;
  readonly password: string;
  readonly address?: string;
  readonly port?: number;
}

/** The owner of the mail. */
const OWNER = { name: 'nobody', uid: 65534, gid: 65534 } as const;

export class Dovecot {
  /** Root of the Maildir, which is INBOX; `.Name` below it are the others (Maildir++). */
  readonly maildir: string;
  readonly #options: DovecotOptions;
  #child: ChildProcess | null = null;

  constructor(options: DovecotOptions) {
    this.#options = options;
    this.maildir = join(options.folder, 'mail');
    for (const part of ['', 'cur', 'new', 'tmp']) this.#own(join(this.maildir, part));
  }

  /** Path of a folder's Maildir, created if it does not exist. */
  mailbox(name: string): string {
    const path = name === 'INBOX' ? this.maildir : join(this.maildir, `.${name}`);
    for (const part of ['', 'cur', 'new', 'tmp']) this.#own(join(path, part));
    return path;
  }

  /** Resolves when it listens. */
  async start(): Promise<void> {
    const { namespace, port = 993, address = '127.0.0.1' } = this.#options;
    const config = this.#configure();
    const child = namespace.spawn(['dovecot', '-F', '-c', config]);
    this.#child = child;
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    const listens = ['sh', '-c', `ss -Hltn 'sport = :${port}' | grep -qF '${address}:${port}'`];
    for (let tries = 0; (await namespace.run(listens)).code !== 0; tries++) {
      if (tries === 100 || child.exitCode !== null)
        throw new Error(`dovecot does not listen: ${said}\n${this.log().join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    execFileSync('doveadm', ['-c', this.#config, 'stop'], { stdio: 'ignore', timeout: patientMs(10_000) });
    await ended;
  }

  /** Lines of its log. */
  log(): readonly string[] {
    const path = join(this.#options.folder, 'dovecot.log');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  }

  /** Pids of the imap processes that serve logged-in clients. */
  sessions(): readonly number[] {
    const master = this.#child?.pid;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        try {
          const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
          const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return stat.includes('(imap)') && Number(parent) === master;
        } catch {
          return false;
        }
      })
      .map(Number);
  }

  /** Forgets UIDs and UIDVALIDITY of a folder, as a restore from a backup or a move to another server does. */
  rebuild(name: string): void {
    const path = this.mailbox(name);
    for (const file of readdirSync(path))
      if (file.startsWith('dovecot')) rmSync(join(path, file), { recursive: true });
    rmSync(join(this.#options.folder, 'index'), { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#options.folder, 'dovecot.conf');
  }

  #own(path: string): void {
    mkdirSync(path, { recursive: true });
    chownSync(path, OWNER.uid, OWNER.gid);
  }

  #configure(): string {
    const { folder, leaf, user, password, address = '127.0.0.1', port = 993 } = this.#options;
    chmodSync(folder, 0o755);
    // A quoted value of the passwd-file keeps nothing but a colon from being part of the password.
    const users = join(folder, 'users');
    writeFileSync(users, `${user}:{PLAIN.b64}${Buffer.from(password).toString('base64')}\n`);
    chmodSync(users, 0o644);
    writeFileSync(
      this.#config,
      `base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
protocols = imap
listen = ${address}
ssl = required
ssl_cert = <${leaf.certificate}
ssl_key = <${leaf.key}
auth_failure_delay = 0
auth_verbose = yes
first_valid_uid = 1
mail_location = maildir:${this.maildir}
mail_log_prefix = "%s(%u)<%{pid}><%{session}><%r>: "
imap_logout_format = fetched_headers=%{fetch_hdr_count} fetched_bodies=%{fetch_body_count}
protocol imap {
  mail_max_userip_connections = 100
}
passdb {
  driver = passwd-file
  args = ${users}
}
userdb {
  driver = static
  args = uid=${OWNER.uid} gid=${OWNER.gid} home=${folder}/home
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Trash {
    special_use = \\Trash
    auto = create
  }
  mailbox Spam {
    special_use = \\Junk
    auto = create
  }
  mailbox Drafts {
    special_use = \\Drafts
    auto = create
  }
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
  process_min_avail = 1
}
service stats {
  chroot =
}
# No growing delay after wrong passwords of an address.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
`,
    );
    mkdirSync(join(folder, 'home'), { recursive: true });
    chownSync(join(folder, 'home'), OWNER.uid, OWNER.gid);
    return this.#config;
  }
}
