import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { compiled } from './compiled.ts';
import { startFarm } from './farm/farm.ts';
import { startBuilt, cpuUsOf } from './service.ts';
const [n = '1000', seconds = '15', loads = 'idle,busy', sections = '[loop]\nmode = "event"\n'] = process.argv.slice(2);
function tree(pid: number): number[] {
  const kids = new Map<number, number[]>();
  for (const d of readdirSync('/proc')) if (/^\d+$/.test(d)) {
    try { const s = readFileSync(`/proc/${d}/stat`, 'latin1'); const pp = Number(s.slice(s.lastIndexOf(')') + 2).split(' ')[1]); (kids.get(pp) ?? kids.set(pp, []).get(pp)!).push(Number(d)); } catch {}
  }
  const out: number[] = []; const go = (p: number) => { out.push(p); for (const k of kids.get(p) ?? []) go(k); }; go(pid); return out;
}
function names(pids: number[]) { const t = new Map<string, number>(); for (const p of pids) { try { for (const th of readdirSync(`/proc/${p}/task`)) { const nm = readFileSync(`/proc/${p}/task/${th}/comm`, 'latin1').trim(); const c = Number(readFileSync(`/proc/${p}/task/${th}/schedstat`, 'latin1').split(' ')[0]) / 1000; t.set(`${p} ${th} ${nm}`, c); } } catch {} } return t; }
await using farm = await startFarm({ processes: Number(n), listeners: 20, established: 0 });
await using run = await startBuilt(sections);
console.log('ready', run.readyMs.toFixed(0), 'port', run.home.ports.control, 'pid', run.pid);
await delay(12000);
const LOADS: Record<string, string[]> = { idle: [], busy: ['200', '20', '500'], forks: ['200', '0', '0'], starts: ['0', '20', '0'], conns: ['0', '0', '500'], forks24: ['24','0','0'] };
for (const load of loads.split(',')) {
  const words = LOADS[load] ?? [];
  const child = words.length ? spawn(compiled('native/churn.cc'), words, { stdio: ['pipe', 'pipe', 'inherit'] }) : null;
  await delay(3000);
  const pids = tree(run.pid); const a = names(pids); const t0 = performance.now();
  if (process.env.PROF) { const p = spawn('perf', ['record', '-F', '2000', '-g', '-o', `/tmp/m/perf.${load}.data`, '-p', pids.join(','), '--', 'sleep', seconds], { stdio: 'inherit' }); await new Promise((r) => p.on('exit', r)); }
  else await delay(Number(seconds) * 1000);
  const ms = performance.now() - t0; const b = names(pids);
  let sum = 0; const rows: [string, number][] = [];
  for (const [k, v] of b) { const d = v - (a.get(k) ?? 0); sum += d; if (d > ms * 0.2) rows.push([k, d / 10 / ms]); }
  let pss = 0; for (const p of tree(run.pid)) { try { pss += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${p}/smaps_rollup`, 'latin1'))![1]); } catch {} }
  console.log(load, (sum / 10 / ms).toFixed(2) + ' %', 'PSS MB', (pss / 1000).toFixed(0), rows.sort((x, y) => y[1] - x[1]).map(([k, v]) => `${k} ${v.toFixed(2)}`).join('; '));
  const m = await (await fetch(`http://127.0.0.1:${run.home.ports.control}/metrics`)).text();
  console.log(m.split('\n').filter((l) => /^desk_(recheck.*count|recheck.*_sum|resync|events|loop)/.test(l)).join('\n'));
  child?.stdin.end();
  await delay(1000);
}
process.exit(0);
