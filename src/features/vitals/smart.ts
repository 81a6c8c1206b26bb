/**
 * SMART as smartd has read it. A command to a drive may block; the state files of smartd do not (smartd(8), --savestates: the default
 * of Debian). smartd writes one only where something has changed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { codeText } from '../../base/error-code.ts';
import type { SmartFacts } from '../../checks/vitals.ts';
import type { Gathered } from './files.ts';

const FOLDER = '/var/lib/smartmontools';
const STATE = /^smartd\.(.+)\.(ata|scsi|nvme)\.state$/;
/** Numbers of the attributes that count sectors. */
const SECTORS = { reallocated: 5, pending: 197, uncorrectable: 198 } as const;
/** The number of errors in the log of a drive, by its kind. */
const ERRORS: Readonly<Record<string, string>> = { ata: 'ata-error-count', nvme: 'nvme-err-log-entries' };
/**
 * What smartd has sent warnings of, by the number in the state (smartd.cpp, MailWarning). `serious`: of these kinds of drives it is so now,
 * because smartd takes it back when it is over, or it does not end. Sectors and self-tests are counted apart from it.
 */
const WARNINGS: ReadonlyMap<number, { readonly what: string; readonly serious?: readonly string[] }> =
  new Map([
    [1, { what: 'its health check failed', serious: ['ata'] }],
    [2, { what: 'an attribute failed or changed' }],
    [3, { what: 'a self-test failed' }],
    [4, { what: 'its log had new errors' }],
    [5, { what: 'its health could not be read' }],
    [6, { what: 'its SMART data cannot be read', serious: ['ata'] }],
    [7, { what: 'its log of errors could not be read' }],
    [8, { what: 'its log of self-tests could not be read' }],
    [9, { what: 'it cannot be opened', serious: ['ata', 'scsi', 'nvme'] }],
    [10, { what: 'sectors are pending' }],
    [11, { what: 'sectors are uncorrectable' }],
    [12, { what: 'it is too warm', serious: ['ata', 'scsi', 'nvme'] }],
  ]);

/** A state file of a drive of this kind; null for a file of another form. smartd leaves out what is 0. */
export function smartIn(kind: string, text: string): Omit<SmartFacts, 'name' | 'path' | 'asOfMs'> | null {
  if (!text.startsWith('# smartd state file')) return null;
  const values = new Map<string, number>();
  for (const [, key = '', value] of text.matchAll(/^([a-z][a-z\d.-]*) = (\d{1,15})$/gm))
    values.set(key, Number(value));
  const attributes = new Map<number, number>();
  for (const [key, id] of values) {
    const [, place] = /^(ata-smart-attribute\.\d+\.)id$/.exec(key) ?? [];
    if (place !== undefined) attributes.set(id, values.get(`${place}raw`) ?? 0);
  }
  const sectors = (id: number): number | null => attributes.get(id) ?? null;
  const errors = ERRORS[kind];
  const warned = [...WARNINGS].filter(([number]) => (values.get(`mail.${number}.count`) ?? 0) > 0);
  return {
    reallocated: sectors(SECTORS.reallocated),
    pending: sectors(SECTORS.pending),
    uncorrectable: sectors(SECTORS.uncorrectable),
    failedSelfTests: values.get('self-test-errors') ?? 0,
    errors: errors === undefined ? null : (values.get(errors) ?? 0),
    warnings: warned.map(([, { what }]) => what),
    serious: warned.filter(([, { serious = [] }]) => serious.includes(kind)).map(([, { what }]) => what),
  };
}

/** Of each drive that smartd watches, by its model and number. */
export function smartOf(gathered: Gathered): readonly SmartFacts[] {
  let names: readonly string[];
  try {
    names = readdirSync(gathered.path(FOLDER)).sort();
  } catch (error) {
    const code = codeText(error);
    if (code !== 'ENOENT') gathered.unread('smart', `${FOLDER}: ${code}`);
    names = [];
  }
  const found = names.flatMap((file) => {
    const [, name, kind = ''] = STATE.exec(file) ?? [];
    return name === undefined ? [] : (driveOf(gathered, file, name, kind) ?? []);
  });
  if (found.length === 0 && !gathered.missing.some(({ what }) => what === 'smart'))
    gathered.absent('smart', 'smartd keeps no state here: it comes with the package smartmontools');
  return found;
}

function driveOf(gathered: Gathered, file: string, name: string, kind: string): SmartFacts | null {
  const path = `${FOLDER}/${file}`;
  let reason = `${path} has a format that this version does not know`;
  // smartd renames the file to this before it writes a new one.
  for (const place of [path, `${path}~`])
    try {
      const asOfMs = Math.round(statSync(gathered.path(place)).mtimeMs);
      const state = smartIn(kind, readFileSync(gathered.path(place), 'latin1'));
      if (state !== null) return { name, path, asOfMs, ...state };
    } catch (error) {
      if (place === path) reason = `${path}: ${codeText(error)}`;
    }
  return gathered.unread('smart', reason);
}
