import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

/** `npm run icons`: draws the PNG icons of the gallery from its SVG. */

const FOLDER = new URL('../web/public/icons/', import.meta.url);
/** The frame of the SVG; a platform cuts a maskable icon to a shape of its own. */
const FRAME = /<rect [^>]*fill="([^"]+)"\/>/;

const svg = await readFile(new URL('icon.svg', FOLDER), 'utf8');
if (!FRAME.test(svg)) throw new Error('icon.svg has no frame');
await draw('icon-192.png', svg, 192);
await draw('icon-512.png', svg, 512);
await draw('maskable-512.png', svg.replace(FRAME, '<rect width="16" height="16" fill="$1"/>'), 512);

async function draw(name: string, picture: string, side: number): Promise<void> {
  const density = (72 * side) / 16;
  await sharp(Buffer.from(picture), { density })
    .resize(side, side)
    .png({ palette: true, compressionLevel: 9, effort: 10 })
    .toFile(fileURLToPath(new URL(name, FOLDER)));
}
