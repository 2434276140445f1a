import { decoderOptions, sharp } from '../decoder-options.ts';
import type { Of } from './picture.ts';

export type Loaded = Of<'source' | 'structure' | 'turnsWhileDecoding' | 'reports'>;

export function load({ source, structure, turnsWhileDecoding, reports }: Loaded, page = 0): Of<'image'> {
  const { input, raw, pipelineColourspace } = source;
  const options = decoderOptions({ maxPixels: structure.width * structure.height, raw });
  const image = sharp(input, { ...options, page, autoOrient: turnsWhileDecoding });
  if (reports !== undefined) image.on('warning', reports.add);
  if (pipelineColourspace !== undefined) image.pipelineColourspace(pipelineColourspace);
  return { image };
}

export function loadPixels({ pixels: { data, width, height, channels } }: Of<'pixels'>): Of<'image'> {
  return { image: sharp(data, { raw: { width, height, channels }, limitInputPixels: false }) };
}
