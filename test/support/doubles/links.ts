import { NodeAddressSeal } from '../../../src/adapters/system/node-address-seal.ts';
import { LinkKeyRing } from '../../../src/application/links/link-key-ring.ts';
import { MakeLinks } from '../../../src/application/links/make-links.ts';
import { OpenLink } from '../../../src/application/links/open-link.ts';
import { OpenNamedLink } from '../../../src/application/links/open-named-link.ts';
import type { ManualClock } from '../time/manual-clock.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';
import type { InMemoryLinkKeys } from './in-memory-link-keys.ts';

export const SIGNER = new NodeAddressSeal();

/** One process of a service: its own copy of the keys in memory. */
export interface LinkProcess {
  readonly ring: LinkKeyRing;
  readonly makeLinks: MakeLinks;
  readonly openLink: OpenLink;
  readonly openNamedLink: OpenNamedLink;
}

export function linkProcess(
  images: InMemoryImageRepository,
  keys: InMemoryLinkKeys,
  clock: ManualClock,
  names = images.names,
): LinkProcess {
  const ring = new LinkKeyRing(keys, SIGNER, clock);
  return {
    ring,
    makeLinks: new MakeLinks(images, names, ring, clock),
    openLink: new OpenLink(images, ring, clock),
    openNamedLink: new OpenNamedLink(names, images, ring, clock),
  };
}
