/** Names as an attacker would choose them, where the kernel, a mail or a server allows it: markup, direction, controls, length. */
import type { LedgerPerson } from '../../src/records/ledger.ts';
import { personFrom } from './fake-desk.ts';
import type { ProcessRow } from './table.ts';

/** An element with this name in a page was created from one of these texts. */
export const INJECTED = 'injected-by-a-name';

const markup = `<img class=${INJECTED} src=x onerror=alert(1)>`;
const script = `</script><script class=${INJECTED}>alert(2)</script>`;
/** Reads "invoice" and then, backwards, "exe.txt". */
const rtl = 'invoice\u202etxt.exe\u202c';
const zeroWidth = 'ss\u200bh\u2060d\ufeff';
const terminal = '\u001b[2J\u001b[31mred\u0007\u009b0m';
const attribute = `" onmouseover="alert(3)" class="${INJECTED}" '>`;
const long = 'very-long-name-'.repeat(60);
const template = '\u0024{alert(4)}{{alert(5)}}`\u0024{alert(6)}`';
const address = 'javascript:alert(7)//https://desk.example/';
const everything = [
  markup,
  script,
  rtl,
  zeroWidth,
  terminal,
  attribute,
  template,
  address,
  '\u2028\u0000\u{e0041}',
].join(' ');

export const HOSTILE = {
  markup,
  script,
  rtl,
  zeroWidth,
  terminal,
  attribute,
  template,
  address,
  long,
  everything,
} as const;

/** The kernel keeps 15 bytes of a name; a path may be as long as 4,095. */
export const HOSTILE_PROCESSES: readonly Pick<ProcessRow, 'comm' | 'exe'>[] = [
  { comm: '<script>alert(1', exe: `/tmp/${markup}` },
  { comm: '"onload=alert(1', exe: `/tmp/${script}/x` },
  { comm: "'><b>fat</b>", exe: `/var/tmp/${attribute}` },
  { comm: '\u202etxt.exe', exe: `/home/ada/${rtl}` },
  { comm: 'ss\u200bhd', exe: `/usr/sbin/${zeroWidth}` },
  { comm: '\u001b[31mevil', exe: `/opt/${terminal}` },
  {
    comm: Uint8Array.of(0xff, 0xfe, 0x3c, 0x62, 0x3e),
    exe: Uint8Array.of(0x2f, 0xff, 0xc0, 0x80, 0x3c, 0x69, 0x3e),
  },
  { comm: 'a-long-path', exe: `/opt/${long}` },
  { comm: '\n\t\r', exe: '/opt/line\nfeed\ttab' },
  { comm: '&lt;b&gt;&amp;', exe: `/opt/${template}` },
  { comm: '\u0301\u0301\u0301x', exe: '/opt/Z\u0335\u0321a\u0334\u0322l\u0337\u0323go' },
];

export const HOSTILE_PEOPLE: readonly LedgerPerson[] = [
  [`"${script}"@evil.example`, markup],
  ['a&b@evil.example', script],
  ['rtl@evil.example', rtl],
  ['zero@evil.example', zeroWidth],
  ['escape@evil.example', terminal],
  ['ada@xn--dsk-bma.example', 'ada@desk.example'],
  [`${'l'.repeat(64)}@${'long.'.repeat(30)}example`, long],
  ['everything@evil.example', everything],
].map(([at = '', name = '']) =>
  personFrom({
    address: at,
    name,
    names: [name, attribute],
    warnings: [
      { kind: 'address-in-name', about: markup },
      { kind: 'lookalike-domain', about: rtl },
    ],
  }),
);
