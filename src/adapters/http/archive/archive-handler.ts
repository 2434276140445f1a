import { SubjectShares } from '../../../application/concurrency/subject-shares.ts';
import type { Archive, ArchiveImages } from '../../../application/files/archive-images.ts';
import { subjectOf } from '../auth/authenticate.ts';
import type { Handler } from '../openapi/operation.ts';
import type { archiveImagesOperation } from './archive-operation.ts';
import { type ZipBody, zipArchive } from './zip-archive.ts';

/** The memory of an archive is that of a download: only one subject is bounded. */
const OF_ONE_SUBJECT = 2;

const HEADERS = { 'Cache-Control': 'no-store', 'Content-Disposition': 'attachment; filename="images.zip"' };

export function archiveHandler(archiveImages: ArchiveImages): Handler<typeof archiveImagesOperation> {
  const shares = new SubjectShares(Number.POSITIVE_INFINITY, OF_ONE_SUBJECT);
  return async ({ ctx, space, body }) => {
    const { ids } = body();
    const release = shares.take(subjectOf(ctx));
    const { length, stream } = await openArchive(() => archiveImages.execute(space, ids), release);
    ctx.set(HEADERS);
    ctx.type = 'application/zip';
    // Koa destroys it when the client leaves, also if the client has left already.
    ctx.body = stream;
    ctx.length = length;
    // Later errors break the connection off.
    ctx.flushHeaders();
    return undefined;
  };
}

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
