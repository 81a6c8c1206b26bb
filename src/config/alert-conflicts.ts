/** What the schema cannot say of `[[alerts.to]]` and `[[heartbeat]]`: which keys a kind needs, and what they must be. */
import { ITEM_FIELDS, MESSAGE_FIELDS, templateFault } from './alert-template.ts';
import type { Conflict } from './document.ts';
import type { Config } from './schema.ts';

type Target = Config['alerts']['to'][number];

/** Keys that have a meaning for a kind only. */
const OF_KIND: Readonly<Record<Target['kind'], readonly (keyof Target)[]>> = {
  ntfy: ['url', 'url_file', 'token_file'],
  webhook: ['url', 'url_file', 'token_file', 'method', 'template', 'each', 'escape'],
  apprise: ['url', 'url_file', 'token_file'],
  mail: ['address'],
  command: ['command'],
};
const EVERY: readonly (keyof Target)[] = ['name', 'kind', 'least', 'command_lines'];

export function alertConflicts({ alerts, heartbeat, identity }: Config): Conflict[] {
  const at = (index: number, key: string) => ['alerts', 'to', index, key];
  return [
    ...alerts.to.flatMap((target, index): Conflict[] => {
      const needs = (key: string, message: string): Conflict => ({ path: at(index, key), message });
      const { kind, template, each, command } = target;
      const address = kind === 'mail' || kind === 'command' ? [] : addressOf(target, (key) => at(index, key));
      const program = command[0] ?? '';
      return [
        ...address,
        ...(kind === 'mail' && target.address === ''
          ? [needs('address', 'is missing, expected the mail address that alerts go to')]
          : []),
        ...(kind === 'mail' && (identity.smtp_host === '' || identity.address === '')
          ? [
              needs(
                'kind',
                'found "mail", expected smtp_host and address in [identity] too: alerts are sent as that user',
              ),
            ]
          : []),
        ...(kind === 'command' && !program.startsWith('/')
          ? [needs('command', 'expected a list whose first text is the absolute path of a program')]
          : []),
        ...faults(templateFault(template, MESSAGE_FIELDS), at(index, 'template')),
        ...faults(templateFault(each, ITEM_FIELDS), at(index, 'each')),
        ...(Object.keys(target) as (keyof Target)[])
          .filter((key) => !EVERY.includes(key) && !OF_KIND[kind].includes(key) && isSet(target, key))
          .map((key) => needs(key, `has no meaning for kind "${kind}", remove this line`)),
      ];
    }),
    ...heartbeat.flatMap((one, index) => addressOf(one, (key) => ['heartbeat', index, key])),
    ...alerts.digest.to.flatMap((name, index): Conflict[] =>
      alerts.to.some((target) => target.name === name)
        ? []
        : [
            {
              path: ['alerts', 'digest', 'to', index],
              message: `found "${name}", expected the name of a target of [[alerts.to]]`,
            },
          ],
    ),
    ...repeated(
      alerts.digest.to.map((name) => ({ name })),
      (index) => ['alerts', 'digest', 'to', index],
    ),
    ...repeated(alerts.to, (index) => at(index, 'name')),
    ...repeated(heartbeat, (index) => ['heartbeat', index, 'name']),
  ];
}

const UNSET: readonly unknown[] = ['', 'POST', 'none'];
const isSet = (target: Target, key: keyof Target): boolean => {
  const value = target[key];
  return Array.isArray(value) ? value.length > 0 : !UNSET.includes(value);
};

const faults = (fault: string, path: readonly PropertyKey[]): Conflict[] =>
  fault === '' ? [] : [{ path, message: fault }];

function addressOf(
  { url, url_file }: Pick<Target, 'url' | 'url_file'>,
  at: (key: string) => readonly PropertyKey[],
): Conflict[] {
  if (url === '' && url_file === '')
    return [
      {
        path: at('url'),
        message: 'is missing, expected a web address, or url_file with a file that holds it',
      },
    ];
  if (url !== '' && url_file !== '')
    return [{ path: at('url_file'), message: 'names a file, but url is there too: remove one of them' }];
  return [];
}

function repeated(
  named: readonly { readonly name: string }[],
  at: (index: number) => readonly PropertyKey[],
): Conflict[] {
  return named.flatMap(({ name }, index) =>
    named.findIndex((other) => other.name === name) < index
      ? [{ path: at(index), message: `found "${name}" twice, expected different names` }]
      : [],
  );
}
