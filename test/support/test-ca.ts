/** A private certificate authority for a test, made by openssl(1). Node trusts it by NODE_EXTRA_CA_CERTS=`certificate`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { patientMs } from './time-limit.ts';

const DAY_MS = 86_400_000;

/** Paths of PEM files. */
export interface Leaf {
  readonly key: string;
  readonly certificate: string;
}

export interface LeafOptions {
  /** Days from now at which it becomes valid and expires; negative ones are in the past. */
  readonly fromDays?: number;
  readonly days?: number;
}

export interface TestCa {
  readonly name: string;
  /** Path of the PEM file to trust. */
  readonly certificate: string;
  /** A server's certificate for these names and addresses; an expired one with `{ days: -1 }`. */
  issue(names: readonly [string, ...string[]], options?: LeafOptions): Leaf;
}

/** Format of openssl-ca(1): YYYYMMDDHHMMSSZ. */
const asn1Time = (ms: number): string => new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');

const openssl = (...args: readonly string[]): void => {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: patientMs(20_000) });
};

const newKey = (path: string): string => {
  openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', path);
  return path;
};

/** `folder` must exist and is removed with the test. Two authorities of different names may share it. */
export function makeTestCa(folder: string, name = 'Desk Test CA'): TestCa {
  const home = join(folder, name.toLowerCase().replace(/\W+/g, '-'));
  mkdirSync(home);
  const at = (file: string): string => join(home, file);
  const key = newKey(at('ca.key'));
  const certificate = at('ca.pem');
  // A file of openssl-config(5), what openssl-ca(1) asks for.
  writeFileSync(
    at('ca.conf'),
    [
      '[ca]\ndefault_ca = own',
      `[own]\ndatabase = ${at('index.txt')}\nnew_certs_dir = ${home}\nunique_subject = no`,
      'default_md = sha256\npolicy = any\nrand_serial = yes',
      '[any]\ncommonName = supplied',
      '[req]\ndistinguished_name = empty\n[empty]\n',
    ].join('\n'),
  );
  writeFileSync(at('index.txt'), '');
  openssl(
    'req',
    '-x509',
    '-new',
    '-config',
    at('ca.conf'),
    '-key',
    key,
    '-subj',
    `/CN=${name}`,
    '-days',
    '3650',
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-out',
    certificate,
  );
  let issued = 0;
  return {
    name,
    certificate,
    issue(names, { fromDays = -30, days = 90 } = {}) {
      issued++;
      const leaf = { key: newKey(at(`${issued}.key`)), certificate: at(`${issued}.pem`) };
      const [first] = names;
      const alternatives = names.map((one) => `${isIP(one) === 0 ? 'DNS' : 'IP'}:${one}`);
      writeFileSync(
        at(`${issued}.ext`),
        `basicConstraints = CA:FALSE\nextendedKeyUsage = serverAuth\nsubjectAltName = ${alternatives.join(',')}\n`,
      );
      openssl(
        'req',
        '-new',
        '-config',
        at('ca.conf'),
        '-key',
        leaf.key,
        '-subj',
        `/CN=${first.slice(0, 64)}`,
        '-out',
        at(`${issued}.csr`),
      );
      const [from, to] = [Date.now() + fromDays * DAY_MS, Date.now() + days * DAY_MS];
      openssl(
        'ca',
        '-batch',
        '-notext',
        '-config',
        at('ca.conf'),
        '-keyfile',
        key,
        '-cert',
        certificate,
        '-in',
        at(`${issued}.csr`),
        '-extfile',
        at(`${issued}.ext`),
        '-out',
        leaf.certificate,
        '-startdate',
        asn1Time(Math.min(from, to - DAY_MS)),
        '-enddate',
        asn1Time(to),
      );
      return leaf;
    },
  };
}

/** Options for node:tls. */
export const pemOf = (leaf: Leaf): { readonly key: Buffer; readonly cert: Buffer } => ({
  key: readFileSync(leaf.key),
  cert: readFileSync(leaf.certificate),
});
