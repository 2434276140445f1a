type Work<T> = (signal: AbortSignal) => Promise<T>;

interface Flight<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

export class SingleFlight<T> {
  private readonly flights = new Map<string, Flight<T>>();

  /** Works under way. */
  get size(): number {
    return this.flights.size;
  }

  /**
   * Joins the work of this key, or begins it. When the last caller leaves, the work's signal is aborted; work that goes on can
   * still be joined.
   *
   * @throws what the work throws; the reason of `leaving`
   */
  async join(key: string, work: Work<T>, leaving: AbortSignal): Promise<T> {
    leaving.throwIfAborted();
    const flight = this.flights.get(key) ?? this.begin(key, work);
    try {
      return await resultOf(flight, leaving);
    } catch (error) {
      // The last caller before this one left, and the work has stopped for that reason.
      const { signal } = flight.controller;
      if (!signal.aborted || error !== signal.reason) throw error;
      return await this.join(key, work, leaving);
    }
  }

  private begin(key: string, work: Work<T>): Flight<T> {
    const controller = new AbortController();
    const result = work(controller.signal).finally(() => this.flights.delete(key));
    // Every caller may have left.
    result.catch(() => undefined);
    const flight: Flight<T> = { controller, waiting: 0, result };
    this.flights.set(key, flight);
    return flight;
  }
}

async function resultOf<T>(flight: Flight<T>, leaving: AbortSignal): Promise<T> {
  flight.waiting += 1;
  return await new Promise<T>((resolve, reject) => {
    const leave = (): void => {
      reject(leaving.reason as Error);
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.controller.abort();
    };
    leaving.addEventListener('abort', leave, { once: true });
    flight.result.then(resolve, reject).finally(() => leaving.removeEventListener('abort', leave));
  });
}
