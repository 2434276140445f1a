import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileTooLarge } from '../../domain/errors.ts';
import { SIGNATURE_BYTES } from '../../domain/image/media-type.ts';
import type { StagedFile, StagingArea, StagingLimits } from '../../domain/ports/staging-area.ts';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';
import { translatingFileSystemErrors } from './file-system-errors.ts';
import { stagingFileName, stagingOwnerOf } from './staging-owner.ts';

/** Uploads under way, as files of one folder. The folder is best on the file system of the blobs: a rename then moves them. */
export class FilesystemStagingArea implements StagingArea {
  /** Files that this process needs; any other that bears its process id is of an earlier process with the same id. */
  private readonly needed = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly uuids: UuidGenerator,
  ) {}

  async receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile> {
    const name = stagingFileName(this.uuids.next());
    const path = join(this.folder, name);
    const tap = new Tap(limits);
    this.needed.add(name);
    try {
      await translatingFileSystemErrors(() =>
        pipeline(bytes, (source) => tap.pass(source), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
      );
    } catch (error) {
      await this.forget(name);
      throw tap.sourceFailure ?? error;
    }
    return {
      size: tap.size,
      sha256: tap.sha256(),
      head: tap.head,
      localPath: path,
      read: () => createReadStream(path),
      discard: () => this.forget(name),
    };
  }

  async removeLeftovers(): Promise<number> {
    return await translatingFileSystemErrors(async () => {
      const names = (await readdir(this.folder)).filter((name) => this.isLeftover(name));
      for (const name of names) await rm(join(this.folder, name), { force: true });
      return names.length;
    });
  }

  private isLeftover(name: string): boolean {
    const owner = stagingOwnerOf(name);
    return owner === 'dead' || (owner === 'this-process' && !this.needed.has(name));
  }

  private async forget(name: string): Promise<void> {
    // What cannot be removed now is removed at the next start.
    await rm(join(this.folder, name), { force: true }).catch(() => undefined);
    this.needed.delete(name);
  }
}

/** What is found out about the bytes while they pass. */
class Tap {
  size = 0;
  head: Uint8Array = new Uint8Array(0);
  /** What the stream itself failed with: none of the file system's, even where it is an error of the system (a reset connection). */
  sourceFailure: unknown;
  private readonly hash: Hash = createHash('sha256');
  private checked = false;

  constructor(private readonly limits: StagingLimits) {}

  async *pass(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.watched(source)) {
      this.size += chunk.length;
      if (this.size > this.limits.maxBytes) throw new FileTooLarge(this.limits.maxBytes);
      this.hash.update(chunk);
      this.look(chunk);
      yield chunk;
    }
    if (!this.checked && this.size > 0) this.limits.checkHead(this.head);
  }

  private async *watched(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* source;
    } catch (error) {
      this.sourceFailure = error;
      throw error;
    }
  }

  sha256(): string {
    return this.hash.digest('hex');
  }

  private look(chunk: Uint8Array): void {
    if (this.checked) return;
    this.head = Buffer.concat([this.head, chunk.subarray(0, SIGNATURE_BYTES - this.head.length)]);
    if (this.head.length < SIGNATURE_BYTES) return;
    this.checked = true;
    this.limits.checkHead(this.head);
  }
}
