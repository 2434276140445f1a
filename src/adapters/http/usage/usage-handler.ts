import type { GetUsage } from '../../../application/get-usage.ts';
import type { Handler } from '../openapi/operation.ts';
import type { getUsageOperation } from './usage-operation.ts';

export function usageHandler(getUsage: GetUsage): Handler<typeof getUsageOperation> {
  return async ({ space }) => {
    const { images, bytes, trashed, limits } = await getUsage.execute(space);
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store' },
      body: { images, bytes, trashed, limits },
    };
  };
}
