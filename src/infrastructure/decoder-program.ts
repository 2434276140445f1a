import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

/** The built decoder, also if the service runs from its sources. */
export function decoderProgram(): string {
  return join(packageFolder(), 'dist/decoder.cjs');
}
