/** The style of every page: one sheet, tokens first, light and dark by the reader's preference. No external request. */
import { createHash } from 'node:crypto';
import { Html } from './html.ts';

const SHEET = `
:root{color-scheme:light dark;--ground:#fbfaf8;--card:#fff;--ink:#1d1b19;--soft:#5c5751;--line:#dcd7d0;--accent:#7a3b12;
--good:#1f6b3a;--warn:#8a5a00;--bad:#a3221b;--good-ground:#e6f3ea;--warn-ground:#fbf0d9;--bad-ground:#fbe6e4;
--step:1rem;--radius:.5rem;--text:1rem/1.55 system-ui,sans-serif;--mono:.92em ui-monospace,monospace}
@media (prefers-color-scheme:dark){:root{--ground:#171614;--card:#211f1c;--ink:#efebe5;--soft:#b3aca3;--line:#3c3833;
--accent:#f0a673;--good:#7fd39a;--warn:#f0c060;--bad:#ff9a90;--good-ground:#1c3325;--warn-ground:#3a2e12;--bad-ground:#43201d}}
body.themed{--accent:#2a4f9b;--ground:#f7f9fc}
@media (prefers-color-scheme:dark){body.themed{--accent:#9dbcff;--ground:#12151b}}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--ink);font:var(--text);overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:var(--step);top:var(--step);background:var(--card);padding:.5rem 1rem;z-index:1}
header,main,footer{max-width:70rem;margin:0 auto;padding:var(--step)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:baseline;border-bottom:1px solid var(--line)}
header strong{font-size:1.1rem}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;margin:0;padding:0}
nav a[aria-current]{font-weight:700;text-decoration:none;border-bottom:2px solid}
h1{font-size:1.7rem;line-height:1.2;margin:1rem 0 .5rem}h2{font-size:1.2rem;margin:0 0 .5rem}h3{font-size:1rem;margin:1rem 0 .25rem}
p{margin:.35rem 0}section{background:var(--card);border:1px solid var(--line);border-radius:var(--radius);padding:var(--step);margin:var(--step) 0}
.grid{display:grid;gap:var(--step);grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr))}.grid section{margin:0}
.state{display:inline-block;border-radius:1rem;padding:.05rem .65rem;font-weight:600;white-space:nowrap}
.good{color:var(--good);background:var(--good-ground)}.warn{color:var(--warn);background:var(--warn-ground)}.bad{color:var(--bad);background:var(--bad-ground)}
.soft{color:var(--soft)}.big{font-size:1.5rem;font-weight:700}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}caption{text-align:left;color:var(--soft);padding-bottom:.25rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line)}td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
thead th{overflow-wrap:normal}time{white-space:nowrap}
code,pre{font:var(--mono);background:var(--ground);border-radius:.25rem;padding:.05rem .3rem}pre{padding:.5rem;overflow-x:auto}
dl{display:grid;grid-template-columns:minmax(7rem,auto) 1fr;gap:.2rem 1rem;margin:0}dt{color:var(--soft)}dd{margin:0}
meter{width:100%;max-width:12rem}footer{color:var(--soft);font-size:.9rem}
@media (max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}th,td{padding-right:.5rem}}
@media (max-width:40rem){.stack,.stack caption,.stack tbody,.stack tr,.stack th,.stack td{display:block}.stack thead{position:absolute;left:-99rem}
.stack tr{border-bottom:1px solid var(--line);padding:.4rem 0}.stack th,.stack td,.stack td.number{border:0;padding:.1rem 0;text-align:left}
.stack td[data-head]::before{content:attr(data-head) ": ";color:var(--soft)}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
`;

export const STYLE = Html.constant(`<style>${SHEET}</style>`);

/** What a page may load: its own style sheet, named by its hash, scripts and answers of its own listener, and nothing else. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(SHEET).digest('base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
