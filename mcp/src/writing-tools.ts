import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ImageCatalog } from '../../client/src/node.ts';
import { fileBelow } from './file-below.ts';
import { summaryOf, versionOf } from './image-view.ts';
import { addTool, imageId, text } from './tool-of.ts';

/** Characters of base64. */
const MAX_BASE64 = 1_000_000;

/** How a model writes a text that helps people who do not see the picture. */
const ALT =
  'Alternative text for people who do not see the picture, on one line. Look at the picture with get_image first. Say what it shows and why that matters here, in one or two sentences of at most 150 characters, in the language of the catalog: "A tabby cat asleep on a red sofa". Quote text in the picture. No "image of", no file name, no guesses about who people are or what they feel. Do not repeat title or description. Empty for a picture that only decorates.';

/** @param folder below which files may be uploaded; `undefined`: none */
export function addWritingTools(server: McpServer, images: ImageCatalog, folder: string | undefined): void {
  addTool(server, 'edit_metadata', {
    description:
      'Changes what is said about an image, unless somebody has changed it since get_image showed this version. Fields that are left out stay, null clears.',
    input: {
      id: imageId,
      version: z.int().min(1).describe('`version` of get_image'),
      title: text(200).nullable().optional(),
      description: text(5000).nullable().optional(),
      alt: z.string().max(500).nullable().optional().describe(ALT),
      tags: z.array(text(64)).max(100).nullable().optional().describe('Replace all tags'),
      takenAt: text(40).nullable().optional().describe('RFC 3339 with seconds, the offset may be missing'),
    },
    readOnly: false,
    run: async ({ id, version, ...fields }, signal) => {
      const patch = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      const { etag, ...metadata } = await images.edit(id, patch, { ifMatch: `"m${version}"`, signal });
      return { value: { version: versionOf(etag), ...metadata } };
    },
  });

  addTool(server, 'upload_image', {
    description: `Adds an image of at most 1 MB of base64${folder === undefined ? '' : `, or the file at a path below ${folder}`}.`,
    input: {
      base64: z.base64().max(MAX_BASE64).optional(),
      name: text(255).optional().describe('Of the file, such as cat.jpg'),
      path: text(4096).optional().describe('Needs --allow-files'),
    },
    readOnly: false,
    run: async ({ base64 = '', name, path }, signal) => {
      if ((base64 === '') === (path === undefined)) throw new Error('Give either base64 or path');
      const bytes = Object.assign(new Blob([Buffer.from(base64, 'base64')]), { name: 'image' });
      const file = path === undefined ? bytes : await fileBelow(folder, path);
      return { value: summaryOf(await images.upload(file, { name: name ?? file.name, signal })) };
    },
  });
}
