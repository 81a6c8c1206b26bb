/** Drops privileges as the service does, then searches for hidden ports. argv: STATE-FOLDER. Prints its capabilities and the report. */
import { sweepHiddenPorts } from '../../src/engine/hidden-ports.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { Pool } from '../../src/engine/pool.ts';
import { limitPrivileges } from '../../src/privileges/limit.ts';
import { ownPrivileges } from '../../src/privileges/own.ts';

const { addon: native } = loadNative();
const limited = limitPrivileges(native, process.argv[2] as string);
const pool = new Pool(2, native.mark);
const report = await sweepHiddenPorts({ native, pool });
await pool.close(1000);
process.stdout.write(
  JSON.stringify({ limited, permitted: String(ownPrivileges()?.permitted), report }),
  // The socket of desk-start does not keep the process alive; closing it ends desk-start.
  () => process.exit(),
);
