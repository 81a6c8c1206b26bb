/** An address or host name as it stands before a port: IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
