import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ImageCatalog, PageQuery, TagQuery } from '../../client/src/node.ts';
import { lookAt, summaryOf } from './image-view.ts';
import { addTool, imageId, text } from './tool-of.ts';

const time = z.iso.datetime({ offset: true }).optional();

const SEARCH = {
  q: text(200).optional().describe('Words: each begins a word of the texts of an image'),
  tags: z
    .array(text(64).regex(/^[^,]+$/))
    .max(100)
    .optional()
    .describe('Images that have all of them'),
  camera: text(100).optional().describe('Words of the make and model'),
  lens: text(100).optional().describe('Words of the lens'),
  takenAfter: time,
  takenBefore: time,
  createdAfter: time.describe('Images that were added after this time'),
  createdBefore: time,
  tagged: z.literal(false).optional().describe('Images without tags'),
  dated: z.literal(false).optional().describe('Images without a capture time'),
  alt: z.literal(false).optional().describe('Images without an alternative text'),
  createdBy: text(255).optional().describe('Exactly the createdBy of the images'),
  sort: z.enum(['created', 'taken']).default('created'),
  order: z.enum(['asc', 'desc']).default('desc').describe('desc: newest first'),
  limit: z.int().min(1).max(100).default(20),
  after: text(512).optional().describe('`next` of the page before, with the same other arguments'),
};

export function addReadingTools(server: McpServer, images: ImageCatalog): void {
  addTool(server, 'search_images', {
    description:
      'Finds images by words, tags, times and camera; without any of these, all. Shows titles, alternative texts, tags and times; see get_image for the picture. A page may be short or empty although `next` is there.',
    input: SEARCH,
    readOnly: true,
    run: async (query, signal) => {
      const { tags, ...others } = query;
      // The service refuses an empty list, which a model may send although it wants no tag.
      const joined = tags === undefined || tags.length === 0 ? undefined : tags.join();
      const asked = { ...others, tags: joined, count: query.after === undefined } as PageQuery;
      const { records, next, total } = await images.page(asked, { signal });
      return { value: { total, images: records.map(summaryOf), next } };
    },
  });

  addTool(server, 'get_image', {
    description:
      'Shows an image: the picture, what people and the camera say about it, and its `version` for edit_metadata.',
    input: { id: imageId },
    readOnly: true,
    run: async ({ id }, signal) => await lookAt(images, id, signal),
  });

  addTool(server, 'similar_images', {
    description:
      'Finds images that look like this one, nearest first: `copy` is the same picture, `burst` one of the same series.',
    input: { id: imageId, limit: z.int().min(1).max(100).default(20) },
    readOnly: true,
    run: async ({ id, limit }, signal) => {
      const found = await images.similar(id, { limit }, { signal });
      return { value: found.map(({ image, kind }) => ({ kind, ...summaryOf(image) })) };
    },
  });

  addTool(server, 'list_tags', {
    description: 'Lists the tags of the catalog with the number of their images, the most frequent first.',
    input: {
      prefix: text(64).optional().describe('The beginning of the tags'),
      limit: z.int().min(1).max(1000).default(100),
    },
    readOnly: true,
    run: async (query, signal) => ({
      value: await images.tags({ order: 'count', ...query } as TagQuery, { signal }),
    }),
  });
}
