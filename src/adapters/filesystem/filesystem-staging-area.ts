import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { readdir, rm, stat, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FileTooLarge } from '../../domain/errors.ts';
import { SIGNATURE_BYTES } from '../../domain/image/media-type.ts';
import type { ProcessRegistry } from '../../domain/ports/process-registry.ts';
import type { Leftovers, StagedFile, StagingArea, StagingLimits } from '../../domain/ports/staging-area.ts';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';
import { translatingFileSystemErrors } from './file-system-errors.ts';

/** Its place among the blobs, so that an upload becomes a blob by a rename on one file system. */
export const STAGING_FOLDER = '.staging';

/** The process that needs the file, then a UUID. */
const OWN_NAME = /^([0-9a-z-]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part$/;

/** Uploads under way, as files of one folder. The folder is best on the file system of the blobs: a rename then moves them. */
export class FilesystemStagingArea implements StagingArea {
  constructor(
    private readonly folder: string,
    private readonly uuids: UuidGenerator,
    private readonly processes: ProcessRegistry,
  ) {}

  async receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile> {
    const path = join(this.folder, `${this.processes.self}-${this.uuids.next()}.part`);
    const tap = new Tap(limits);
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    file.once('error', () => tap.fileFailed());
    try {
      await translatingFileSystemErrors(() => pipeline(bytes, (source) => tap.pass(source), file));
    } catch (error) {
      // The file may still be about to be made; a name removed before that would come back.
      await closed(file.destroy());
      await this.forget(path);
      throw tap.sourceFailure ?? error;
    }
    return {
      size: tap.size,
      sha256: tap.sha256(),
      head: tap.head,
      localPath: path,
      read: () => createReadStream(path),
      discard: () => this.forget(path),
    };
  }

  async findLeftovers(unseenBefore: Date): Promise<Leftovers> {
    const names: string[] = [];
    const foreign: string[] = [];
    await translatingFileSystemErrors(async () => {
      for (const name of await readdir(this.folder)) {
        const owner = OWN_NAME.exec(name)?.[1];
        if (owner === undefined) foreign.push(join(basename(this.folder), name));
        else if (await this.isLeft(name, owner, unseenBefore)) names.push(name);
      }
    });
    return { names, foreign };
  }

  async removeLeftover(name: string): Promise<void> {
    await translatingFileSystemErrors(() => rm(join(this.folder, name), { force: true }));
  }

  private async isLeft(name: string, owner: string, unseenBefore: Date): Promise<boolean> {
    if (owner === this.processes.self) return false;
    if (this.processes.isGone(owner)) return true;
    const found = await stat(join(this.folder, name)).catch(() => undefined);
    return found !== undefined && found.mtime < unseenBefore;
  }

  private async forget(path: string): Promise<void> {
    // What cannot be removed now is swept once this process is gone.
    await unlink(path).catch(() => undefined);
  }
}

async function closed(file: WriteStream): Promise<void> {
  if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
}

/** What is found out about the bytes while they pass. */
class Tap {
  size = 0;
  head: Uint8Array = new Uint8Array(0);
  /** What the stream itself failed with: none of the file system's, even where it is an error of the system (a reset connection). */
  sourceFailure: unknown;
  private hasFileFailed = false;
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
      if (!this.hasFileFailed) this.sourceFailure = error;
      throw error;
    }
  }

  /** From here on the stream is only torn down, with the file's error. */
  fileFailed(): void {
    this.hasFileFailed = true;
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
