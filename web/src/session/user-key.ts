import type { WebConfig } from './web-config.ts';

/** Where the session storage of the tab has its tokens. */
export function userKey({ issuer, clientId }: Pick<WebConfig, 'issuer' | 'clientId'>): string {
  return `image-catalog.user:${issuer}:${clientId}`;
}
