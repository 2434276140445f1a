import type { Session } from '../session/session.ts';
import type { WebConfig } from '../session/web-config.ts';
import type { SignedLinks, SignLinks } from './image-links.ts';

/** `POST /api/images/links`. */
export function signLinksWith({ apiUrl }: WebConfig, { getToken }: Session): SignLinks {
  return async (ids, renditions) => {
    const response = await fetch(`${apiUrl}api/images/links`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${await getToken()}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ids, renditions }),
    });
    if (!response.ok) throw new Error(`links: ${response.status}`);
    return (await response.json()) as SignedLinks;
  };
}
