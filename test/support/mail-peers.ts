/**
 * Fake mail servers without mailboxes: each takes one line of JSON as its argument (`PeerOptions`), prints `ready` when it listens,
 * and one JSON line for each thing it received.
 */
import { readFileSync } from 'node:fs';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';

export interface PeerOptions {
  readonly kind:
    | 'smtp'
    | 'cut'
    | 'slow'
    | 'literal'
    | 'line'
    | 'untagged'
    | 'echo'
    | 'echo-smtp'
    | 'silent'
    | 'bye';
  readonly address: string;
  readonly key: string;
  readonly certificate: string;
  /** smtp: who may log in. */
  readonly user?: string;
  readonly password?: string;
  /** cut: bytes after which each connection is closed; slow: bytes per second. */
  readonly afterBytes?: number;
  readonly bytesPerSec?: number;
  /** cut, slow: the destination of each connection, from the peer's own address. */
  readonly to?: string;
}

const options = JSON.parse(process.argv[2] ?? '{}') as PeerOptions;
const { kind, address } = options;
const report = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const tls = () => ({ key: readFileSync(options.key), cert: readFileSync(options.certificate) });

/** Submission over TLS that records the messages. */
function smtp(): void {
  const server = new SMTPServer({
    ...tls(),
    secure: true,
    hideSTARTTLS: true,
    authOptional: false,
    onAuth: ({ username = '', password = '' }, _session, done) => {
      if (username === options.user && password === options.password) return done(null, { user: username });
      return done(Object.assign(new Error('Invalid login'), { responseCode: 535 }));
    },
    onData: (stream, { envelope }, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        report({
          from: envelope.mailFrom,
          to: envelope.rcptTo.map((one) => one.address),
          text,
        });
        done(null, 'queued as 1');
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(465, address, () => report('ready'));
}

/** A proxy to another server that closes each connection after a number of bytes, or limits the bytes per second. */
function relay(): void {
  const server = createTcpServer((near: Socket) => {
    const far = connect({ host: options.to, port: 993, localAddress: address });
    let left = options.afterBytes ?? Number.POSITIVE_INFINITY;
    for (const socket of [near, far]) socket.on('error', () => undefined);
    near.pipe(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    far.on('data', (bytes) => {
      left -= bytes.length;
      if (left >= 0) {
        near.write(bytes);
        if (options.bytesPerSec === undefined) return;
        far.pause();
        setTimeout(() => far.resume(), (1000 * bytes.length) / options.bytesPerSec);
      } else {
        report('cut');
        near.resetAndDestroy();
        far.destroy();
      }
    });
  });
  server.listen(993, address, () => report('ready'));
}

/** Sends the same bytes repeatedly, as fast as they are accepted. */
function flood(socket: TLSSocket, bytes: Buffer): void {
  while (!socket.destroyed && socket.write(bytes));
  socket.once('drain', () => flood(socket, bytes));
}

/** An IMAP server up to the login, and its response to it. */
function imap(): void {
  const server = createServer(tls(), (socket) => {
    let text = '';
    const session = { socket, tag: '' };
    socket.on('error', () => undefined);
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] ready\r\n');
    if (kind === 'silent') return;
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        answer(session, text.slice(0, end));
        text = text.slice(end + 2);
      }
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen(993, address, () => report('ready'));
}

interface Session {
  readonly socket: TLSSocket;
  /** Of the AUTHENTICATE that waits for credentials. */
  tag: string;
}

function answer(session: Session, line: string): void {
  const { socket } = session;
  const [tag = '', command = '', ...words] = line.split(' ');
  const say = (...lines: readonly string[]): void =>
    void socket.write(lines.map((one) => `${one}\r\n`).join(''), 'latin1');
  const done = (...untagged: readonly string[]): void => say(...untagged, `${tag} OK done`);
  const known: Readonly<Record<string, () => void>> = {
    CAPABILITY: () => done('* CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR LITERAL+'),
    AUTHENTICATE: () => {
      session.tag = tag;
      if (words.length < 2) say('+ ');
      else login(socket, tag, words[1] ?? '');
    },
    LIST: () => {
      if (kind === 'bye') {
        report('bye');
        say('* BYE not now');
        socket.end();
        return;
      }
      if (kind === 'untagged')
        flood(socket, Buffer.from('* LIST (\\HasNoChildren) "/" "folder"\r\n'.repeat(400)));
      else done('* LIST (\\HasNoChildren) "/" "INBOX"');
    },
    STATUS: () => done('* STATUS INBOX (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1)'),
    EXAMINE: () => done('* 1 EXISTS', '* OK [UIDVALIDITY 1] ok', '* OK [UIDNEXT 2] ok'),
    UID: () => {
      report('fetch');
      if (kind === 'literal') socket.write('* 1 FETCH (UID 1 BODY[HEADER] {1073741824}\r\n');
      flood(socket, Buffer.alloc(65_536, 'x'));
    },
    LOGOUT: () => {
      done('* BYE bye');
      socket.end();
    },
    // The line after AUTHENTICATE has no command.
    '': () => login(socket, session.tag, tag),
  };
  (known[command.toUpperCase()] ?? done)();
}

function login(socket: TLSSocket, tag: string, credentials: string): void {
  if (kind !== 'echo') {
    socket.write(`${tag} OK welcome\r\n`);
    return;
  }
  // Everything it received, in its response.
  const [, user = '', password = ''] = Buffer.from(credentials, 'base64').toString('latin1').split('\0');
  socket.write(
    `${tag} NO [AUTHENTICATIONFAILED] ${user} has not ${password}, nor ${credentials}\r\n`,
    'latin1',
  );
}

/** An SMTP server that sends the credentials back. */
function echoSmtp(): void {
  const server = createServer(tls(), (socket) => {
    socket.on('error', () => undefined);
    socket.write('220 ready\r\n');
    socket.setEncoding('latin1').on('data', (line: string) => {
      if (/^EHLO/i.test(line)) socket.write('250-echo\r\n250 AUTH PLAIN\r\n');
      else if (/^AUTH PLAIN/i.test(line)) {
        const credentials = line.trim().replace(/.* /, '');
        const value = Buffer.from(credentials, 'base64').toString('latin1').replaceAll('\0', ' ');
        socket.write(`535 5.7.8 not${value}, nor ${credentials}\r\n`, 'latin1');
      } else socket.write('221 bye\r\n');
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen(465, address, () => report('ready'));
}

if (kind === 'smtp') smtp();
else if (kind === 'echo-smtp') echoSmtp();
else if (kind === 'cut' || kind === 'slow') relay();
else imap();
