import type { NginxSettings } from '../../test/support/nginx.ts';

/**
 * What of the delivered configuration stands in the way of a load generator: by default nginx closes each connection after
 * a thousand requests, and autocannon sends the next one all the same, which then is an error.
 */
export const FOR_LOAD: NonNullable<NginxSettings['changes']> = [
  [/keepalive_timeout 65s;/, 'keepalive_timeout 65s; keepalive_requests 1000000;'],
];
