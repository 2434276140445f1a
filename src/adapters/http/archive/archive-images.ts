import * as z from 'zod';
import type { Archive } from '../../../application/files/archive-images.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { anyImageId, imageIds } from '../request/image-ids.ts';
import { cacheControl } from '../route/headers.ts';
import { route } from '../route/route.ts';
import { type ZipBody, zipArchive } from './zip-archive.ts';

const MAX_ARCHIVED = 5_000;

const archiveBody = z.strictObject({ ids: imageIds(anyImageId(), MAX_ARCHIVED) });

const HEADERS = { 'Cache-Control': 'no-store', 'Content-Disposition': 'attachment; filename="images.zip"' };

export const archiveImages = route(
  {
    method: 'post',
    path: '/api/images/archive',
    access: 'read',
    tag: 'Bytes',
    summary: 'Download many originals as one ZIP file',
    description:
      'Streamed, in the order of the request, byte for byte and without compression. The last file, `missing.txt`, lists ids of no image, if there are any. If an original cannot be read, the connection breaks off before `Content-Length` bytes: an incomplete archive never looks whole. A subject can receive two archives at a time.',
    json: {
      schema: archiveBody,
      example: { ids: [1, 2] },
    },
    responses: {
      200: {
        description: 'The archive.',
        headers: z.object({
          'Cache-Control': cacheControl('no-store'),
          'Content-Disposition': z
            .literal('attachment; filename="images.zip"')
            .describe('Browsers save the file.'),
        }),
        bytes: ['application/zip'],
      },
    },
    errors: ['image_not_found', 'overloaded'],
  },
  async ({ ctx, space, body }, { archiveImages, archiveSlots }) => {
    const { ids } = body();
    const release = archiveSlots.takeNow({ subject: subjectOf(ctx) });
    const { length, stream } = await openArchive(() => archiveImages.execute(space, ids), release);
    ctx.set(HEADERS);
    ctx.type = 'application/zip';
    // Koa destroys it when the client leaves, also if the client has left already.
    ctx.body = stream;
    ctx.length = length;
    // Later errors break the connection off.
    ctx.flushHeaders();
    return undefined;
  },
);

async function openArchive(open: () => Promise<Archive>, release: () => void): Promise<ZipBody> {
  try {
    const zip = zipArchive(await open());
    zip.stream.once('close', release);
    return zip;
  } catch (error) {
    release();
    throw error;
  }
}
