// Prints which programs start and which ports open, and at the end what the checks find: `node watch.mjs [SECONDS]`.
import { Probe } from 'hostess-desk';

const probe = new Probe();
const seconds = Number(process.argv[2] ?? 10);
let first = true;
for await (const { processes, listeners } of probe.watch({ signal: AbortSignal.timeout(seconds * 1000) })) {
  if (first) console.log(`${processes.added.length} processes, ${listeners.added.length} listeners`);
  else {
    for (const { pid, executable, name } of processes.added) console.log(`+ ${executable || name} (${pid})`);
    for (const { protocol, address, port } of listeners.added)
      console.log(`+ ${protocol} ${address} ${port}`);
  }
  first = false;
}
const { findings, gaps } = await probe.evaluate();
for (const { severity, summary } of findings) console.log(`${severity}: ${summary}`);
if (findings.length === 0)
  console.log(
    gaps.length === 0 ? 'nothing found' : `nothing found, ${gaps.length} checks could not see everything`,
  );
await probe.close();
