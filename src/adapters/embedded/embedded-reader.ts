import { keywordTags } from '../../domain/image/keyword-tags.ts';
import type { EmbeddedMetadata } from '../../domain/image/metadata.ts';
import { type EmbeddedBlocks, readEmbedded } from './read-embedded.ts';

export interface EmbeddedRules {
  readonly storesGps: boolean;
  readonly keywordsAreTags: boolean;
}

/** What the catalog stores of the metadata in a file. */
export class EmbeddedReader {
  constructor(private readonly rules: EmbeddedRules) {}

  /** Never throws: what is ill-formed is unknown. */
  read(blocks: EmbeddedBlocks): EmbeddedMetadata {
    const { capture, keywords } = readEmbedded(blocks);
    const { latitude: _latitude, longitude: _longitude, ...withoutPosition } = capture;
    return {
      capture: this.rules.storesGps ? capture : withoutPosition,
      keywords: this.rules.keywordsAreTags ? keywordTags(keywords) : [],
    };
  }
}
