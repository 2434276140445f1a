import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import * as z from 'zod';
import type { UploadResult } from '../../../application/upload/upload-image.ts';
import type { UploadRequest } from '../../../application/upload/upload-request.ts';
import { formatNames } from '../../../domain/image/format-names.ts';
import type { NewName } from '../../../domain/ports/records/image-repository.ts';
import type { Space } from '../../../domain/space/space.ts';
import { checkScope } from '../auth/access-refused.ts';
import { subjectOf } from '../auth/authenticate.ts';
import { RequestError } from '../errors/request-error.ts';
import { metadataPatch } from '../metadata/metadata-body.ts';
import { nameCondition } from '../names/name-condition.ts';
import { explainPublishing, publishingOf } from '../names/publishing.ts';
import { EXAMPLE_IMAGE, exampleRecord } from '../record/example-image.ts';
import { imageRecord, imageView } from '../record/image-view.ts';
import { anyName } from '../request/any-name.ts';
import { leavingOf } from '../request/leaving-of.ts';
import { ifMatchOfJson, ifNoneMatch } from '../route/headers.ts';
import { route } from '../route/route.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { similarReport } from '../similar/similar-report.ts';
import { similarImages } from '../similar/similar-view.ts';
import { finishUpload } from './finish-upload.ts';
import { incomingForm } from './incoming-form.ts';

const uploadFields = z.strictObject({
  name: anyName
    .optional()
    .describe(
      'Points this name to the image, in the transaction of the record. A replay under an `Idempotency-Key` leaves the name alone.',
    ),
  public: z
    .enum(['true', 'false'], 'true or false')
    .optional()
    .meta({
      description:
        'With `name`: whether it will have a public address; 400 without `name`. By default the name stays as it is, and a new one is not public. An upload after which the name is public needs the scope for publishing.',
      wire: { type: 'boolean' },
    }),
  similar: z
    .enum(['report'], 'report')
    .optional()
    .describe(
      'Adds the similar images of the image to the response, as `GET /api/image/{id}/similar` returns them. It needs the scope for reading as well. Nothing is refused for similar images.',
    ),
});

const uploadQuery = uploadFields.refine(
  ({ name, public: isPublic }) => name !== undefined || isPublic === undefined,
  { path: ['public'], error: 'given together with "name"' },
);

const uploadHeaders = z.object({
  'If-Match': ifMatchOfJson.meta({
    description: 'With `name`: only if the name has this version; 412 stores nothing. 400 without `name`.',
    examples: ['"n2"'],
  }),
  'If-None-Match': ifNoneMatch.meta({
    description: 'With `name`: `*` only if the name is free; 412 stores nothing. 400 without `name`.',
    examples: ['*'],
  }),
  'Idempotency-Key': z
    .string()
    .optional()
    .meta({
      description:
        'Makes a retry safe: with the same key and the same bytes it returns the first record, for 24 hours at least.',
      pattern: '^[\\x21-\\x7e]{1,255}$',
      examples: ['5f0e1a52-6f1c-4c3f-9d5e-0b6a2f6d8c11'],
    }),
  'X-Content-SHA256': z
    .string()
    .optional()
    .meta({
      description: 'Checked against the received bytes; 400 `digest_mismatch` stores nothing.',
      pattern: '^[0-9a-fA-F]{64}$',
      examples: [EXAMPLE_IMAGE.sha256],
    }),
});

const createdHeaders = z.object({
  Location: z.string().meta({
    description: 'The path of the record.',
    pattern: '^/api/image/[1-9]\\d*$',
    examples: ['/api/image/1'],
  }),
  'Idempotency-Replayed': z
    .literal('true')
    .optional()
    .describe('The record is that of an earlier upload with this key.'),
});

const uploadedImage = imageRecord
  .extend({
    similar: similarImages
      .optional()
      .describe('With `similar=report`: as of now, also on a replay. Missing if the search failed.'),
  })
  .meta({ id: 'UploadedImage', description: 'The record of the image.' });

const UPLOAD_ERRORS = [
  'file_required',
  'too_many_files',
  'digest_mismatch',
  'quota_exceeded',
  'image_not_found',
  'precondition_failed',
  'request_timeout',
  'idempotency_key_in_use',
  'file_too_large',
  'unsupported_media_type',
  'invalid_image',
  'idempotency_key_reused',
  'overloaded',
] as const;

export const uploadImage = route(
  ({ upload, renditions: { sizes } }) => {
    const { maxBytes, maxPixels, maxFramePixels, acceptedTypes } = upload;
    const kinds = formatNames(acceptedTypes);
    return {
      method: 'post',
      path: '/api/upload',
      access: 'write',
      changesCatalog: true,
      tag: 'Images',
      summary: 'Upload an image',
      description: `Stores a ${kinds} byte for byte, and responds when bytes and record would survive a power cut. The file is decoded once; one that is not complete is refused. It may have ${maxBytes} bytes and ${maxPixels} pixels at most, an animation 2,000 frames with ${maxFramePixels} pixels in all. Uploading the same file again creates another image.`,
      query: uploadQuery,
      requestHeaders: uploadHeaders,
      form: {
        description: `A ${kinds} of ${maxBytes} bytes at most.`,
        metadata: metadataPatch,
      },
      responses: {
        201: {
          description: 'The record of the image.',
          headers: createdHeaders,
          json: uploadedImage,
          example: exampleRecord(sizes),
        },
      },
      errors: UPLOAD_ERRORS,
    };
  },
  async (input, parts) => {
    const { ctx, space, query } = input;
    const { image, replayed } = await finishUpload(parts, ctx, upload(input, parts));
    const similar = query.similar && (await similarReport(parts, ctx, space, image.id));
    return {
      status: 201,
      headers: {
        Location: `/api/image/${image.id}`,
        'Idempotency-Replayed': replayed ? 'true' : undefined,
      },
      body: { ...imageView(image, parts.settings), similar },
    };
  },
);

interface UploadInput {
  readonly ctx: Context;
  readonly space: Space;
  readonly query: z.output<typeof uploadQuery>;
}

async function upload({ ctx, space, query }: UploadInput, parts: RouteParts): Promise<UploadResult> {
  const { settings } = parts;
  if (query.similar === 'report') checkScope(settings.scopes.read, ctx.state.auth);
  const name = newName(ctx, query, parts);
  const subject = subjectOf(ctx);
  const key = readIdempotencyKey(ctx, subject);
  const file = incomingForm(parts, ctx, { maxFileBytes: settings.upload.maxBytes, takesMetadata: true });
  const requester = { subject, signal: leavingOf(ctx) };
  return await parts.uploadImage
    .execute({ space, requester, by: ctx.state.actor, name, key, file })
    .catch(explainPublishing(settings));
}

/** @throws {RequestError} */
function newName(
  ctx: Context,
  { name, public: isPublic }: z.output<typeof uploadQuery>,
  { settings }: RouteParts,
): NewName | undefined {
  if (name !== undefined) {
    const wanted = isPublic === undefined ? undefined : isPublic === 'true';
    return { name, matches: nameCondition(ctx), ...publishingOf(ctx, wanted, settings) };
  }
  if (ctx.get('If-Match') === '' && ctx.get('If-None-Match') === '') return undefined;
  throw new RequestError('invalid_request', 'If-Match and If-None-Match need the query parameter "name"');
}

function readIdempotencyKey(ctx: Context, subject: string): UploadRequest['key'] {
  if (ctx.req.headers['idempotency-key'] === undefined) return undefined;
  const key = ctx.get('Idempotency-Key');
  // A hash has a fixed length and reveals no name.
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return { scope: sha256(subject), key };
  throw new RequestError('invalid_request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
