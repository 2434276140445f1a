import type { Context } from 'koa';
import { compressedWebFile, serveWebFile, type WebFile } from '../response/web-file.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The OpenAPI document as bytes. Built when it is first read, so that a start costs no more. */
export class ApiDescription {
  private builtBytes: Buffer | undefined;
  private builtFile: Promise<WebFile> | undefined;

  /** @param build called once */
  constructor(private readonly build: () => object) {}

  get bytes(): Buffer {
    this.builtBytes ??= Buffer.from(JSON.stringify(this.build()));
    return this.builtBytes;
  }

  /** With its compressed variants. */
  async file(): Promise<WebFile> {
    this.builtFile ??= compressedWebFile(JSON_TYPE, this.bytes);
    return await this.builtFile;
  }
}

/** For listeners without tokens. */
export async function serveDescription(ctx: Context, description: ApiDescription): Promise<void> {
  serveWebFile(ctx, await description.file(), { cacheControl: 'no-cache' });
}
