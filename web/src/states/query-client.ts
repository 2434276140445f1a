import { type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import type { Trouble } from '../trouble/trouble.ts';

/**
 * The client of the service repeats requests by itself. What fails even so is loaded again when the service can be reached. Its
 * component shows it or does without; a query with `meta: { isReported: true }` reports it as well.
 */
export function queryClient(trouble: Trouble): QueryClient {
  const client = new QueryClient({
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
        if (query.meta?.['isReported'] === true) trouble.report(error);
      },
    }),
  });
  trouble.again.subscribe(() => void client.refetchQueries({ type: 'active', predicate: hasFailed }));
  return client;
}

function hasFailed({ state }: Query): boolean {
  return state.status === 'error';
}
