import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import type { Trouble } from './trouble.ts';

/**
 * The client of the service repeats requests by itself. What fails even so is reported, unless the query says with
 * `meta: { quiet: true }` that its component shows it, and is loaded again when the service can be reached.
 */
export function queryClient(trouble: Trouble): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always' },
    },
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.['quiet'] === true) return;
        trouble.report(error, { retry: () => loadAgain(query) });
      },
    }),
  });
}

async function loadAgain(query: Query<unknown, unknown, unknown>): Promise<void> {
  try {
    await query.fetch();
  } catch {
    // The cache has reported it.
  }
}
