import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { LinkKeyRing } from '../../src/application/links/link-key-ring.ts';
import { MakeTickets, type TicketsRequest } from '../../src/application/tickets/make-tickets.ts';
import { OpenTicket } from '../../src/application/tickets/open-ticket.ts';
import { UploadByTicket } from '../../src/application/tickets/upload-by-ticket.ts';
import type { Upload, UploadImage } from '../../src/application/upload/upload-image.ts';
import { UploadImageOnce, type UploadResult } from '../../src/application/upload/upload-image-once.ts';
import {
  ImageNotFound,
  InvalidImage,
  TicketExpired,
  TicketInvalid,
  TicketUsed,
} from '../../src/domain/errors.ts';
import type { IdempotencyClaim } from '../../src/domain/ports/records/idempotency-keys.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { keyOfTicket, type Ticket } from '../../src/domain/ticket/ticket.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { SIGNER } from '../support/doubles/links.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const CIPHER = new NodeAddressSeal();
const SPACE = 'cats' as Space;
const TERMS = { maxBytes: 5000, space: SPACE, by: 'alice', metadata: { title: 'Cat', tags: ['a', 'ä'] } };
const REQUEST: TicketsRequest = { ...TERMS, count: 1, ttlSeconds: 60 };

let { clock, linkKeys: keys, keys: claims, images, uuids, stage } = new CatalogDoubles();
let makeTickets: MakeTickets;
let openTicket: OpenTicket;

function useKeys(): void {
  beforeEach(() => {
    ({ clock, linkKeys: keys, keys: claims, images, uuids, stage } = new CatalogDoubles());
    const ring = new LinkKeyRing(keys, SIGNER, clock);
    makeTickets = new MakeTickets(ring, CIPHER, uuids, clock);
    openTicket = new OpenTicket(ring, CIPHER, clock);
  });
}

async function sealed(request: Partial<TicketsRequest> = {}): Promise<string> {
  const { tickets } = await makeTickets.execute({ ...REQUEST, ...request });
  return tickets[0] ?? '';
}

describe('OpenTicket', () => {
  useKeys();

  it('opens a ticket to the last millisecond before its end', async () => {
    const ticket = await sealed();
    clock.advance(59_999);
    await openTicket.execute(ticket);

    clock.advance(1);
    expect(await rejection(openTicket.execute(ticket))).to.be.instanceOf(TicketExpired);
  });

  it('refuses a forged ticket that has expired as forged', async () => {
    const ticket = await sealed();
    clock.advance(60_000);
    expect(await rejection(openTicket.execute(`${ticket}A`))).to.be.instanceOf(TicketInvalid);
  });
});

describe('UploadByTicket', () => {
  useKeys();

  const TICKET: Ticket = { id: 'the-id', expiry: 0, ...TERMS };
  let uploadByTicket: UploadByTicket;
  let fails: boolean;

  beforeEach(() => {
    fails = false;
    const execute = async ({ space, staged: { sha256 } }: Upload, claim?: IdempotencyClaim) => {
      if (fails) throw new InvalidImage('image/jpeg');
      return { image: await images.in(space).add(newImage({ sha256 }), claim) };
    };
    uploadByTicket = new UploadByTicket(
      new UploadImageOnce({ execute } as unknown as UploadImage, images, claims),
    );
  });

  async function upload(bytes = jpegBytes(), ticket = TICKET): Promise<UploadResult> {
    const file = { originalName: 'cat.jpg', mediaType: 'image/jpeg', staged: await stage(bytes) } as const;
    const requester = { signal: STAYING, subject: '' };
    return await uploadByTicket.execute({ space: ticket.space, ...file, requester }, ticket);
  }

  it('knows no use of a ticket before its upload is complete', async () => {
    await claims.claim({ ...keyOfTicket(TICKET), space: SPACE, sha256: 'abc' });

    expect(await uploadByTicket.findUse(TICKET)).to.equal(undefined);
  });

  it('stays used when its space is renamed or removed', async () => {
    const { image } = await upload();
    const other = Buffer.concat([jpegBytes(), Buffer.from('x')]);
    await images.spaces.rename(SPACE, 'dogs' as Space);
    expect(await rejection(upload(other))).to.be.instanceOf(TicketUsed);
    expect(await rejection(upload())).to.be.instanceOf(ImageNotFound);

    await images.spaces.rename('dogs' as Space, SPACE);
    expect((await upload()).replayed).to.equal(true);
    await images.in(SPACE).removeById(image.id);
    await images.spaces.forget(SPACE);
    expect(await rejection(upload(other))).to.be.instanceOf(TicketUsed);
    expect(await images.count()).to.equal(0);
  });
});
