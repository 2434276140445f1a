import { expect } from 'chai';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { LinkKeyRing } from '../../src/application/links/link-key-ring.ts';
import { MakeTickets, type TicketsRequest } from '../../src/application/tickets/make-tickets.ts';
import { OpenTicket } from '../../src/application/tickets/open-ticket.ts';
import type { UploadResult } from '../../src/application/upload/upload-image.ts';
import { uploadImageOf } from '../../src/application/upload/upload-image-of.ts';
import {
  IdempotencyKeyInUse,
  ImageNotFound,
  TicketExpired,
  TicketInvalid,
  TicketUsed,
} from '../../src/domain/errors.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { keyOfTicket, type Ticket } from '../../src/domain/ticket/ticket.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { SIGNER } from '../support/doubles/links.ts';
import { STAYING } from '../support/doubles/staying.ts';
import { incomingFile } from '../support/doubles/uploads.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';

const CIPHER = new NodeAddressSeal();
const SPACE = 'cats' as Space;
const TERMS = { maxBytes: 5000, space: SPACE, by: 'alice', metadata: { title: 'Cat', tags: ['a', 'ä'] } };
const REQUEST: TicketsRequest = { ...TERMS, count: 1, ttlSeconds: 60 };

let { clock, linkKeys: keys, keys: claims, images, blobs, uuids, stage } = new CatalogDoubles();
let makeTickets: MakeTickets;
let openTicket: OpenTicket;

function useKeys(): void {
  beforeEach(() => {
    ({ clock, linkKeys: keys, keys: claims, images, blobs, uuids, stage } = new CatalogDoubles());
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

describe('UploadImage by ticket', () => {
  useKeys();

  const TICKET: Ticket = { id: 'the-id', expiry: 0, ...TERMS };

  async function upload(bytes = jpegBytes()): Promise<UploadResult> {
    const inspector = new FakeImageInspector();
    const uploadImage = uploadImageOf({ images, blobs, keys: claims, inspector, uuids });
    const requester = { signal: STAYING, subject: '' };
    const file = incomingFile(() => stage(bytes));
    const key = keyOfTicket(TICKET);
    return await uploadImage.execute({ space: SPACE, requester, key, ticket: TICKET, file });
  }

  it('knows no use of a ticket before its upload is complete', async () => {
    await claims.claim({ ...keyOfTicket(TICKET), space: SPACE, sha256: 'abc' });

    expect(await rejection(upload())).to.be.instanceOf(IdempotencyKeyInUse);
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
