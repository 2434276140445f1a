import { createHash } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import sharp from 'sharp';
import { type CatalogClient, uploadedId } from './catalog-client.ts';
import type { RunningService } from './service-process.ts';

/** What the clients know: the service has to agree with it. */
export class Ledger {
  /** SHA-256 of everything that was ever sent, acknowledged or not. */
  readonly sent = new Set<string>();
  /** Acknowledged uploads that nobody has asked to delete: id → SHA-256. */
  readonly kept = new Map<number, string>();
  /** Acknowledged deletes. */
  readonly deleted = new Set<number>();
  /** Requests that got no answer: what they asked for may be done or not. */
  unanswered = 0;

  /** Takes an image out of those that must be there: from the request to its answer, a delete is in doubt. */
  takeAny(random: () => number): number | undefined {
    const id = [...this.kept.keys()][Math.floor(random() * this.kept.size)];
    if (id !== undefined) this.kept.delete(id);
    return id;
  }

  summary(): string {
    const { kept, deleted, unanswered } = this;
    return `${kept.size + deleted.size} uploads and ${deleted.size} deletes acknowledged, ${unanswered} requests unanswered`;
  }
}

/** Kills the service at the given step of progress. */
export class Fuse {
  private left: number;

  constructor(
    private readonly service: RunningService,
    steps: number,
  ) {
    this.left = steps;
  }

  get hasBlown(): boolean {
    return this.left <= 0;
  }

  burn(): void {
    this.left -= 1;
    if (this.left === 0) this.service.process.kill('SIGKILL');
  }
}

/**
 * One client: uploads, and now and then a delete, until the service is gone. Every answer burns the fuse by one step.
 *
 * @throws {Error} where an answer is wrong, or does not come although nothing was killed
 */
export async function keepBusy(
  catalog: CatalogClient,
  random: () => number,
  ledger: Ledger,
  fuse: Fuse,
): Promise<void> {
  while (!fuse.hasBlown) {
    const act = random() < 0.3 ? deleteOne : uploadOne;
    try {
      await act(catalog, random, ledger);
    } catch (error) {
      // Only a kill excuses a request without an answer; an answer that is wrong is never excused.
      if (!(fuse.hasBlown && error instanceof TypeError)) throw error;
      ledger.unanswered += 1;
      return;
    }
    fuse.burn();
  }
}

async function uploadOne(catalog: CatalogClient, random: () => number, ledger: Ledger): Promise<void> {
  const format = random() < 0.5 ? 'png' : 'jpeg';
  const bytes = await noise(random, format);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  ledger.sent.add(sha256);
  const response = await catalog.upload(bytes, `noise.${format}`);
  expect(response.status).to.equal(201);
  // The head of the answer is the acknowledgement: a kill may still cut off its body.
  const id = uploadedId(response);
  expect(ledger.kept.has(id) || ledger.deleted.has(id), `image ${id} had been there before`).to.equal(false);
  ledger.kept.set(id, sha256);
  await response.arrayBuffer();
}

async function deleteOne(catalog: CatalogClient, random: () => number, ledger: Ledger): Promise<void> {
  const id = ledger.takeAny(random);
  if (id === undefined) return;
  const response = await catalog.delete(id);
  expect(response.status).to.equal(204);
  ledger.deleted.add(id);
}

/** An upload that stops half-way and waits: whenever the kill comes, there is a staged file. */
export function stallUpload(url: string, token: string): ClientRequest {
  const upload = request(new URL('api/upload', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  upload.on('error', () => undefined);
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="stalled.png"\r\n\r\n');
  upload.write(Buffer.concat([PNG_SIGNATURE, Buffer.alloc(64 * 1024)]));
  return upload;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A picture of random pixels: no two are the same, and none compresses to nothing. */
async function noise(random: () => number, format: 'png' | 'jpeg'): Promise<Uint8Array<ArrayBuffer>> {
  const [width, height] = [64 + Math.floor(random() * 64), 64];
  const pixels = Uint8Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256));
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  return new Uint8Array(await (format === 'png' ? picture.png() : picture.jpeg()).toBuffer());
}
