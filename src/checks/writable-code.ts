import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { listed, listedKey, partOf, programOf } from './peeked.ts';
import { processText } from './subjects.ts';

/** Interpreters that call libffi, which writes an entry for each callback into memory that is writable and executable. */
const CALLS_LIBFFI = /^(?:python|perl|guile)[\d.]*$/;
/** Room for some hundred callbacks; what is injected is larger, or is listed as a note anyway. */
const CALLBACKS_BYTES = 4 * 4096;

/** Code that can change while it runs, or that no file holds (proc_pid_maps(5)). */
export const writableCode: PeekCheck = {
  id: 'writable-code',
  avenue: 'inject_clip',
  severity: 'medium',
  tier: 2,
  techniques: ['T1055'],
  key: ['files'],
  text: {
    about: 'The process can run code that it, or another, wrote into its memory.',
    benign:
      'A runtime that compiles while it runs: browsers, Java, .NET, Node, emulators, regular expressions, callbacks of libffi.',
    remedy: 'end the process unless it is a JIT runtime',
  },
  causes: [
    {
      name: 'jit-runtimes',
      executable: names(`node nodejs deno bun electron* code slack Discord signal-desktop teams*
        java javaw dotnet pwsh mono mono-sgen* beam.smp julia luajit* pypy* ruby*
        php* chrome chromium* firefox* thunderbird* WebKitWebProcess WebKitNetworkProcess
        gnome-shell gjs* cinnamon polkitd plasmashell qemu-* wine* postgres wasmtime wasmer`),
      why: 'it compiles code while it runs',
    },
    {
      name: 'regex-compilers',
      executable: names('nginx apache2 httpd haproxy lighttpd git grep rg suricata snort'),
      why: 'its regular expressions are compiled while it runs',
    },
  ],
  peek(context, report) {
    const maps = partOf(context, 'maps', report);
    if (maps === null) return;
    const { writableCode: writable, anonymousCode: anonymous } = maps;
    if (writable.total + anonymous.total === 0) return report.pass();
    const callbacks =
      anonymous.total === 0 &&
      writable.total === writable.some.length &&
      writable.some.every(({ path }) => path === '') &&
      writable.some.reduce((sum, { bytes }) => sum + bytes, 0) <= CALLBACKS_BYTES &&
      CALLS_LIBFFI.test(programOf(context));
    const all = [...writable.some, ...anonymous.some];
    // Without order: mappings move from run to run.
    const files = [...new Set(all.map(({ path }) => path).filter((path) => path !== ''))].sort();
    const inMemfd = all.some(({ path }) => path.startsWith('/memfd:'));
    const kind = callbacks ? 'callbacks' : inMemfd ? 'memfd' : writable.total > 0 ? 'writable' : 'anonymous';
    const what = {
      callbacks: 'a few pages of code that is writable, as callbacks of libffi have',
      memfd: 'code in a memfd',
      writable: 'code that is writable',
      anonymous: 'code without a file',
    }[kind];
    report.fail({
      subject: context.subject,
      evidenceClass: kind,
      ...(callbacks && { severity: 'low' as const }),
      summary: `${processText(context.subject)} has ${what}`,
      evidence: {
        writable: writable.total,
        anonymous: anonymous.total,
        ...listedKey('files', files, writable.whole && anonymous.whole),
        mappings: listed(
          all.map(({ start, permissions, path }) => `${start} ${permissions}${path && ` ${path}`}`),
        ),
      },
    });
  },
};
