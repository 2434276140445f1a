import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ImageCatalog } from '../../client/src/node.ts';
import { addTool, imageId } from './tool-of.ts';

export function addLinkTool(server: McpServer, images: ImageCatalog): void {
  addTool(server, 'make_link', {
    description:
      'Makes addresses that show images to everyone who has them, until they expire: the pictures alone, or with `keepCameraData` the original files with camera data and place.',
    input: {
      ids: z.array(imageId).min(1).max(100),
      hours: z.int().min(1).max(168).default(24).describe('Until the links expire'),
      keepCameraData: z.boolean().default(false),
    },
    readOnly: false,
    run: async ({ ids, hours, keepCameraData }, signal) => {
      const renditions = [keepCameraData ? {} : { metadata: 'none' as const }];
      const value = await images.links(ids, { renditions, ttlSeconds: hours * 3600, signal });
      return { value };
    },
  });
}
