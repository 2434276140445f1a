import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Trouble } from '../trouble/trouble.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { queryClient } from './query-client.ts';

const clients = new WeakMap<Trouble, QueryClient>();

/** For the first component of a chunk: the first page does without TanStack Query. All of them share one client. */
export function withQueries<Props extends object>(Inner: React.ComponentType<Props>): React.FC<Props> {
  return function WithQueries(props) {
    const trouble = useTrouble();
    return (
      <QueryClientProvider client={clientOf(trouble)}>
        <Inner {...props} />
      </QueryClientProvider>
    );
  };
}

function clientOf(trouble: Trouble): QueryClient {
  const known = clients.get(trouble) ?? queryClient(trouble);
  clients.set(trouble, known);
  return known;
}
