import sharp, { type SharpOptions } from 'sharp';
import type { PixelShape } from './protocol.ts';

// libvips reads many formats, some with parsers that had vulnerabilities. Only those of the catalog are enabled:
// https://sharp.pixelplumbing.com/security
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
});

// No two decodes share a file, so an operation cache would only hold memory and file handles.
sharp.cache(false);

// One libvips thread per image: several images are processed in parallel instead.
sharp.concurrency(1);

/** Configured for untrusted files. No other file imports `sharp` itself. */
export { sharp };

interface SourceOptions {
  readonly maxPixels: number;
  /** Of pixels. */
  readonly raw?: PixelShape | undefined;
}

export function decoderOptions({ maxPixels, raw }: SourceOptions): SharpOptions {
  return { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true, ...(raw && { raw }) };
}
