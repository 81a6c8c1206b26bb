import { isLoopbackHost } from '../base/addresses.ts';
import type { Config } from './schema.ts';

/** Set by a unit that lets the service talk to this machine only (`IPAddressAllow=localhost`, systemd.resource-control(5)). */
export const NETWORK_VARIABLE = 'DESK_NETWORK';

/** Whether no setting needs traffic with other machines. */
export const isLocalOnly = ({ listen, egress, site }: Config): boolean =>
  egress.allow.length === 0 &&
  // These are resolved.
  site.names.length === 0 &&
  Object.values(listen).every(
    (one) => typeof one !== 'object' || !('host' in one) || !one.enabled || isLoopbackHost(one.host),
  );
