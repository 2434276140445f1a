import type { UploadResult } from '../../../src/application/upload/upload-image.ts';
import { keyOfTicket } from '../../../src/domain/ticket/ticket.ts';
import { STAYING } from '../../support/doubles/staying.ts';
import { incomingFile } from '../../support/doubles/uploads.ts';
import { streamOf } from '../../support/fixtures/bytes.ts';
import { type CatalogProcess, GRACE_MS, MAX_FILE_BYTES, SILENT } from '../catalog-process.ts';
import { FULL, PICTURES, type Picture, require, type Sent, spaceOf } from '../ledger.ts';
import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';
import type { OperationKind } from './operation-kind.ts';
import { someImage } from './some-images.ts';

export const TRIES = 3;
const ENOUGH = { images: 100, bytes: 10_000 };

export const UPLOAD: OperationKind = {
  weight: 10,
  run: async (catalog, operation) => {
    const sent = wanted(catalog, operation);
    for (let attempt = 0; attempt < (sent.key === undefined ? 1 : TRIES); attempt += 1) {
      if (await send(catalog, catalog.process(operation.process + attempt), sent)) return;
    }
  },
};

function wanted(
  { ledger }: SimulatedCatalog,
  { picture, key, choice, space }: Pick<Operation, 'picture' | 'key' | 'choice' | 'space'>,
): Sent {
  return ledger.wants({
    space: spaceOf({ space }),
    name: `picture-${ledger.sent.size + 1}.jpg`,
    picture: PICTURES[Math.floor(picture / 2)] as Picture,
    key: key === 0 ? undefined : `key-${key}`,
    title: choice === 0 ? 'Holiday' : undefined,
  });
}

/** Whether the client need not send it again. */
export async function send(catalog: SimulatedCatalog, process: CatalogProcess, sent: Sent): Promise<boolean> {
  const { ledger, scheduler } = catalog;
  const [floor, since, begun] = [ledger.highestId(), ledger.now(), scheduler.timers.elapsed];
  sent.unknown += 1;
  const outcome = await catalog.attempt(() => uploadThrough(process, sent));
  if (outcome.state === 'unknown') {
    const isStalled = scheduler.timers.elapsed - begun >= GRACE_MS;
    require(isStalled || isDisturbed(catalog), `${sent.name} failed, although nothing else did`);
    return false;
  }
  sent.unknown -= 1;
  if (outcome.state === 'refused') {
    const isMeant = isStillHeld(catalog, outcome.code) || isRefusedAsLate(catalog, sent, outcome.code);
    if (!isMeant) ledger.refuses(sent, outcome.code, since);
  } else if (outcome.value.replayed) ledger.replayed(sent, outcome.value.image);
  else ledger.created(sent, outcome.value.image, floor);
  sent.respondedAt = ledger.now();
  return outcome.state === 'done' || !LATER.has(outcome.code);
}

/**
 * A call that takes long and a clock that is set back are no excuse, and one that is set ahead once is none on one machine. On
 * another one, only its age tells the staged file of a running upload from that of an ended process.
 */
function isDisturbed({ calls, schedule }: SimulatedCatalog): boolean {
  const [first, ...others] = calls.injected.filter(({ kind }) => kind !== 'stall' && kind !== 'clock back');
  if (first === undefined || others.length > 0) return others.length > 0;
  return first.kind !== 'clock ahead' || !schedule.isOnOneMachine;
}

/** A key whose release has failed is released later. */
function isStillHeld({ calls }: SimulatedCatalog, code: string): boolean {
  return code === 'idempotency_key_in_use' && calls.injected.some(({ call }) => call === 'keys.release');
}

/** A ticket that has expired. The clock may have been set back since. */
function isRefusedAsLate({ clock, calls }: SimulatedCatalog, { ticket }: Sent, code: string): boolean {
  if (ticket === undefined || code !== 'ticket_expired') return false;
  return clock.now() >= ticket.expiresAt || calls.injected.some(({ kind }) => kind === 'clock back');
}

/** Refusals that mean: later. */
const LATER: ReadonlySet<string> = new Set(['idempotency_key_in_use', 'overloaded']);

/** As the handler of the route does. */
async function uploadThrough(process: CatalogProcess, sent: Sent): Promise<UploadResult> {
  // Before the body.
  const ticket = sent.ticket && (await process.openTicket.execute(sent.ticket.sealed));
  const { staging } = process.ports;
  const limits = { maxBytes: MAX_FILE_BYTES, checkHead: () => {} };
  const result = await process.uploadImage.execute({
    space: sent.space,
    requester: { signal: STAYING, subject: 'a client' },
    key: ticket
      ? keyOfTicket(ticket)
      : sent.key === undefined
        ? undefined
        : { scope: 'a client', key: sent.key },
    ticket,
    file: incomingFile(() => staging.receive(streamOf(sent.picture.bytes), limits), {
      originalName: sent.name,
      metadata: ticket || sent.title === undefined ? undefined : { title: sent.title },
    }),
  });
  if (!result.replayed) process.prerenderUploads.add(result);
  return result;
}

/** What a client does that has got no response. The key makes it safe. */
export async function retry(catalog: SimulatedCatalog, process: CatalogProcess, sent: Sent): Promise<void> {
  const isOpen = sent.key !== undefined && sent.unknown > 0 && sent.acknowledged === undefined;
  if (isOpen) require(await send(catalog, process, sent), `${sent.name} cannot be sent again`);
}

/** Uploads that a limit has refused: when it is higher, with the same keys. */
export async function sendRefused(catalog: SimulatedCatalog, process: CatalogProcess): Promise<void> {
  const { ledger, storage } = catalog;
  ledger.limits = ENOUGH;
  await storage.spaces.setLimits(FULL, ENOUGH);
  for (const sent of ledger.sent.values()) {
    if (sent.isRefusedAsFull !== true) continue;
    require(await send(catalog, process, sent), `${sent.name} cannot be sent`);
  }
}

export async function uploadAnother(catalog: SimulatedCatalog, process: CatalogProcess): Promise<void> {
  const sent = wanted(catalog, { picture: 0, key: 0, choice: 1, space: 0 });
  require(await send(catalog, process, sent), 'a new image cannot be uploaded');
}

export const DELETE: OperationKind = {
  weight: 5,
  run: async (catalog, operation) => {
    const id = someImage(catalog, operation);
    if (id === undefined) return;
    const { ledger } = catalog;
    ledger.requestsDeletion(id);
    const { deleteImage } = catalog.process(operation.process);
    const outcome = await catalog.attempt(() => deleteImage.execute(spaceOf(operation), id, { log: SILENT }));
    if (outcome.state === 'done') ledger.deleted(id);
    if (outcome.state !== 'refused') return;
    require(outcome.code === 'image_not_found', `a delete was refused: ${outcome.code}`);
    ledger.wasNotThereToDelete(id);
  },
};
