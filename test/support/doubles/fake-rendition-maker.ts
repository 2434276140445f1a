import { derivativeName, type Rendition } from '../../../src/domain/image/rendition.ts';
import type {
  RenditionMaker,
  RenditionRequester,
  RenditionSource,
} from '../../../src/domain/ports/pictures/rendition-maker.ts';

/** Makes renditions whose bytes are their names. */
export class FakeRenditionMaker implements RenditionMaker {
  version = 'v1';
  /** Encodes that have begun. */
  encodes = 0;
  /** Jobs wait for this before they start; until then they can be cancelled. */
  turn: Promise<void> = Promise.resolve();
  /** Runs during each encode. */
  whileEncoding: () => Promise<void> = async () => {};
  bytesOf: (name: string) => Uint8Array = (name) => new TextEncoder().encode(name);

  versionOf(): string {
    return this.version;
  }

  async make(
    source: RenditionSource,
    rendition: Rendition,
    { signal }: RenditionRequester,
    keep: (bytes: Uint8Array) => Promise<void>,
  ): Promise<void> {
    await this.turn;
    signal.throwIfAborted();
    this.encodes += 1;
    await (await source.open()).close();
    await this.whileEncoding();
    await keep(this.bytesOf(derivativeName(rendition)));
  }
}
