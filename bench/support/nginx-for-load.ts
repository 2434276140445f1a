import type { NginxSettings } from '../../test/support/servers/nginx.ts';

/**
 * Changes of the delivered configuration for a load generator. By default nginx closes a connection after 1,000 requests.
 * autocannon still sends the next request, which then fails.
 */
export const FOR_LOAD: NonNullable<NginxSettings['changes']> = [
  [/keepalive_timeout 65s;/, 'keepalive_timeout 65s; keepalive_requests 1000000;'],
];
