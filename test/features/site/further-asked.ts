/** Probes sites in a process that trusts NODE_EXTRA_CA_CERTS; prints what they brought as JSON. */
import { configSchema } from '../../../src/config/schema.ts';
import { EgressGuard } from '../../../src/egress/guard.ts';
import { probeFurther } from '../../../src/features/site/further-probe.ts';

const config = configSchema.parse(JSON.parse(process.argv[2] ?? ''));
const guard = new EgressGuard(config.egress, { resolver: async () => ['127.0.0.1'] });
const probes = [];
for (const site of config.sites) probes.push(await probeFurther(guard, site));
process.stdout.write(JSON.stringify(probes));
