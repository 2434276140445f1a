import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { View } from './image-view.ts';
import { sentenceOf } from './sentence-of.ts';

export const imageId = z.int().min(1).describe('The id of an image');

/** Text that is not empty. */
export const text = (max: number): z.ZodString => z.string().min(1).max(max);

interface Tool<Shape extends z.ZodRawShape> {
  readonly description: string;
  readonly input: Shape;
  /** `true`: changes nothing. */
  readonly readOnly: boolean;
  readonly run: (input: z.output<z.ZodObject<Shape>>, signal: AbortSignal) => Promise<View>;
}

/** Adds a tool whose value is shown as JSON beside its picture, and whose errors are sentences. */
export function addTool<Shape extends z.ZodRawShape>(
  server: McpServer,
  name: string,
  { description, input, readOnly, run }: Tool<Shape>,
): void {
  const annotations = { readOnlyHint: readOnly, openWorldHint: false };
  const call = async (given: never, { signal }: { signal: AbortSignal }): Promise<CallToolResult> => {
    try {
      return contentOf(await run(given, signal));
    } catch (error) {
      return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
    }
  };
  server.registerTool(name, { description, inputSchema: input, annotations }, call as never);
}

function contentOf({ value, picture }: View): CallToolResult {
  const json = { type: 'text', text: JSON.stringify(value) } as const;
  return { content: picture === undefined ? [json] : [json, { type: 'image', ...picture }] };
}
